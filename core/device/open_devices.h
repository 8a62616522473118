// SPDX-License-Identifier: GPL-3.0-or-later
// Opens devices by the names that a user writes.
#pragma once

#include "device/device.h"

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::device {

// Opens the devices named by `names` in that order: "cpu" (one worker), "cpu:3" (three workers), "cuda:0", "GPU-8f3c21"
// (the beginning of a UUID), "auto" (every GPU; where there is none a CPU worker per core, at most four). "@24GiB"
// behind a name limits the memory of each, "@4090" gives each the memory and the link of such a card; several may share
// a GPU where each is limited. Throws kInvalidInput for a name that means nothing, kDevice saying in words why a GPU
// cannot be used.
std::vector<std::unique_ptr<Device>> openDevices(const std::vector<std::string>& names, const DeviceContext& context);

} // namespace roundpipe::device
