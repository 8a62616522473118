// Opens devices by the names that a user writes.
#pragma once

#include "device/device.h"

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::device {

// Opens the devices named by `names` in that order: "cpu" (one worker), "cpu:3" (three workers), "cuda:0",
// "auto" (every GPU; where there is none a CPU worker per core, at most four). Throws kInvalidInput for a name that
// means nothing, kDevice saying in words why a GPU cannot be used.
std::vector<std::unique_ptr<Device>> openDevices(const std::vector<std::string>& names, const DeviceContext& context);

} // namespace roundpipe::device
