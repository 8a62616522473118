// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a run, on the devices that it has.
#pragma once

#include "batch/step_content.h"
#include "device/device.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/rig/rig_presets.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace roundpipe::engine {

// What is known of such a device, without measuring; nothing where it is a GPU that has no preset.
std::optional<plan::DevicePreset> presetOf(const device::Device& device);

// The devices as the planner knows them: GPUs and CPU workers by their presets, a GPU that has none by measuring (one
// or two seconds). Device memory is what is free now, host memory what is free now and `hostBytesHeld`.
plan::Rig rigOf(const std::vector<std::unique_ptr<device::Device>>& devices, int64_t hostBytesHeld);

// Stages as the spec gives them, else the planner's: by measured times of layers where there are any; with what stays
// on the devices. A run that goes on adds its gradients in the order of before, and so keeps its bits, where it can:
// `replicasBefore` says how many replicas it had; 0: it is new. `hostBytesHeld`: of what the plan counts, what the
// process has taken already. Throws kInvalidInput for stages that are wrong, kOutOfMemory where nothing fits.
plan::Plan planOf(const session::RunSpec& spec, const model::Model& model,
                  const std::vector<std::unique_ptr<device::Device>>& devices, const batch::StepContent& content,
                  int64_t hostBytesHeld = 0, int32_t replicasBefore = 0);

} // namespace roundpipe::engine
