// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner predicts for a run on devices that need not be there.
#pragma once

#include "plan/search/model_choice.h"
#include "session/engine.h"
#include "session/spec/run_shape.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace roundpipe::session {

// The machine of a simulated run, and how fast it is shown.
struct SimulatedRig {
    double speed = 1;         // of showing it; what is predicted stays as it is
    std::string gpu = "4090"; // what a device "cuda:0" is
    // What devices "auto" are, as a notation ("4x4090,ram=256") or a rig file. Empty: the CPU workers that the engine
    // takes on this machine without a GPU.
    std::string automatic = {};
    // Counts the examples of a run that was started; called in its thread, which may be kept waiting. Throws where its
    // rows cannot be read, and kCancelled soon after `stop` was requested.
    std::function<RunLengths(const RunSpec& spec, const std::stop_token& stop)> lengths = {};
};

// Throws kInvalidInput for names that are no devices.
plan::Rig simulatedRigOf(const EngineSection& engine, const SimulatedRig& rig);

// As the engine would run it on such devices: the same translation of the spec, the same planner. Where nothing is
// known of the data, each example is as long as it may be, and how many there are is made up.
struct SimulatedRun {
    plan::Rig rig;
    plan::ModelChoice found;
    RunPlan plan;
    MachineStatus machine; // while it runs; rates of links and most of what GPUs' readings say are left open
    int64_t numValidationMicrobatches = 1; // 0: there are no validation rows
    int64_t stepsPerEpoch = 1;

    int64_t tokensPerStep() const;
};

// Reads the model's config.json and measured times. Takes as long as planning does. Throws as arch::readModelConfig,
// arch::requireWholeTrainable and plan::chooseForModel do, and kOutOfMemory where given stages do not fit.
SimulatedRun predictRun(const RunSpec& spec, const plan::Rig& rig, const RunLengths& lengths,
                        const std::stop_token& stop);

} // namespace roundpipe::session
