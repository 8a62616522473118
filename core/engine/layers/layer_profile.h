// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what single layers cost on a device, with random weights and tokens: one layer of each kind that the model
// has, called as a run calls it. And copies of page-locked memory up and down.
#pragma once

#include "arch/layers.h"
#include "device/device.h"
#include "plan/cost/profile_store.h"
#include "plan/cost/training_shape.h"

#include <functional>
#include <string>
#include <vector>

namespace roundpipe::engine {

// `devices`: equal ones that compute at the same time, as in a run (CPU workers share caches and memory); the times are
// one's. Takes some seconds, and device memory for one layer. Throws kUnsupported for a model that can't be run,
// kOutOfMemory where not even one layer fits, kCancelled when `report` returns false.
plan::DeviceProfile profileLayers(const std::vector<device::Device*>& devices, const arch::ModelSpec& model,
                                  const plan::TrainingShape& shape,
                                  const std::function<bool(const std::string&)>& report);

} // namespace roundpipe::engine
