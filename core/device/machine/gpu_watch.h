// SPDX-License-Identifier: GPL-3.0-or-later
// What the GPUs of a run say of themselves, asked for again and again.
#pragma once

#include "base/gpu_reading.h"
#include "device/device.h"
#include "device/driver/nvml.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::device {

// One thread at a time.
class GpuWatch {
public:
    explicit GpuWatch(const std::vector<std::unique_ptr<Device>>& devices); // throws kDevice

    // Nothing for a CPU worker, and where there is no management library.
    std::optional<GpuReading> read(DeviceId device) const;

private:
    std::vector<std::string> m_busIds; // by device; empty: a CPU worker
    std::unique_ptr<NvmlSession> m_nvml;
};

} // namespace roundpipe::device
