// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's trace says of its layers, kept for later plans (plan/cost/measured_times.h).
#pragma once

#include "batch/step_content.h"
#include "engine/run_trace.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <vector>

namespace roundpipe::engine {

// A run whose steps are done, all of them by one plan.
struct MeasuredRun {
    const session::RunSpec& spec;
    const arch::ModelSpec& model;
    const batch::StepContent& content;
    const plan::Plan& plan;
    plan::Rig rig; // that it was made for, devices under their own names
    bool onGpusOnly = false;
    const std::vector<double>& stepSeconds; // two or more, the warm-up first
    int32_t firstStep = 0;                  // of the trace, behind the warm-up
};

// What the next plan starts from, where it says more than estimates do. A cache that can't be written is no reason to
// fail: the run's log says so.
void keepTimes(const MeasuredRun& run, RunTrace& trace);

} // namespace roundpipe::engine
