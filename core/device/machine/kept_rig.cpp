// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/kept_rig.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "device/cuda_runtime.h"
#include "plan/cost/profile_store.h"
#include "plan/rig/rig_file.h"

#include <fmt/format.h>

namespace roundpipe::device {
namespace {

namespace fs = std::filesystem;

fs::path fileOf(std::span<const std::unique_ptr<Device>> devices) {
    std::string key;
    for (const auto& device : devices) {
        if (device->kind() == DeviceKind::kCuda) {
            const cuda::GpuFacts facts = cuda::describeGpu(device->cudaIndex());
            key += facts.uuid + " at " + facts.busId;
        } else {
            key += "cpu";
        }
        key += device->limits().words + "\n";
    }
    return plan::profileFolder() / "rigs" / fmt::format("{:016x}.json", hashName(key));
}

} // namespace

void keepRig(std::span<const std::unique_ptr<Device>> devices, const plan::Rig& rig) {
    try {
        const fs::path file = fileOf(devices);
        std::error_code failed; // writing says why
        fs::create_directories(file.parent_path(), failed);
        writeFileAtomically(file, plan::rigToJson(rig));
    } catch (const Error& error) {
        log::warning("What was measured of the devices was not kept: " + error.message());
    }
}

std::optional<plan::Rig> keptRig(std::span<const std::unique_ptr<Device>> devices) {
    const fs::path file = fileOf(devices);
    std::error_code unreadable;
    if (!fs::exists(file, unreadable)) return std::nullopt;
    try {
        plan::Rig rig = plan::readRigFile(file);
        if (rig.devices.size() == devices.size()) return rig;
    } catch (const Error& error) {
        log::warning("What was measured of the devices is not used: " + error.message());
    }
    return std::nullopt;
}

} // namespace roundpipe::device
