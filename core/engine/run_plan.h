// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a run, on the devices that it has.
#pragma once

#include "batch/step_content.h"
#include "data/store/dataset.h"
#include "device/device.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace roundpipe::engine {

// The devices as the planner knows them: by what was measured of them last, so that a run does what `plan --rig this`
// or the Plan page has shown; else one GPU and CPU workers by their presets, and by measuring (one or two seconds) a
// GPU that has none and several GPUs, as only a look at all of them at once says what their links share. Device memory
// is what is free now, host memory what is free now and `hostBytesHeld`.
plan::Rig rigOf(const std::vector<std::unique_ptr<device::Device>>& devices, int64_t hostBytesHeld);

// Chooses what the spec leaves open of its steps (session/spec/chosen_microbatches.h), and says what they hold. Throws
// kInvalidInput naming the row that exceeds a limit of theirs.
batch::StepContent settleSteps(session::RunSpec& spec, const arch::ModelSpec& model,
                               const std::vector<std::unique_ptr<device::Device>>& devices,
                               const data::Dataset& dataset);

// What a run that has begun knows beyond its spec.
struct RunSoFar {
    int64_t hostBytesHeld = 0; // of what the plan counts, what the process has taken already
    // Of the run that goes on, whose gradients are then added in the order of before, so that it keeps its bits, where
    // that fits; 0: it is new.
    int32_t replicas = 0;
    std::vector<double> memoryShares; // [device]: of its free memory, what a plan may take; empty: all of it
};

struct FoundPlan {
    plan::Plan plan;
    double stepSeconds = 0; // estimated
    plan::Rig rig;          // that it was made for
};
// Stages as the spec gives them, else the planner's: by measured times of layers where there are any; with what stays
// on the devices. Throws kInvalidInput for stages that are wrong, kOutOfMemory where nothing fits.
FoundPlan planOf(const session::RunSpec& spec, const model::Model& model,
                 const std::vector<std::unique_ptr<device::Device>>& devices, const batch::StepContent& content,
                 const RunSoFar& soFar = {});

} // namespace roundpipe::engine
