// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/gpu_watch.h"

#include "device/cuda_runtime.h"

namespace roundpipe::device {

GpuWatch::GpuWatch(const std::vector<std::unique_ptr<Device>>& devices) {
    bool anyGpu = false;
    for (const auto& device : devices) {
        const bool isGpu = device->kind() == DeviceKind::kCuda;
        m_busIds.push_back(isGpu ? cuda::describeGpu(device->cudaIndex()).busId : "");
        anyGpu |= isGpu;
    }
    if (anyGpu) m_nvml = openNvml();
}

std::optional<GpuReading> GpuWatch::read(DeviceId device) const {
    const std::string& busId = m_busIds.at(device.index());
    if (busId.empty() || !m_nvml) return std::nullopt;
    return m_nvml->reading(busId);
}

} // namespace roundpipe::device
