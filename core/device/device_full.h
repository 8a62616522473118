// SPDX-License-Identifier: GPL-3.0-or-later
// A device's memory ran out. Who made the plan may try one that takes less of it.
#pragma once

#include "base/error.h"
#include "base/ids.h"

namespace roundpipe::device {

class DeviceFull final : public Error {
public:
    DeviceFull(DeviceId device, std::string message, std::string advice)
        : Error(ErrorKind::kOutOfMemory, std::move(message), std::move(advice)), m_device(device) {}

    DeviceId device() const { return m_device; } // of the run's

private:
    DeviceId m_device;
};

} // namespace roundpipe::device
