// What `roundpipe plan` is asked, and the answer: model, rig and step on one side, the chosen plan on the other.
#pragma once

#include "plan/compare/rivals.h"
#include "plan/cost/measured_times.h"
#include "plan/search/explanation.h"
#include "plan/search/fixes.h"
#include "session/run_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct PlanQuestion {
    plan::ModelRequest request;
    plan::SearchOptions planner;
    bool usesMeasured = true;            // times of layers that were measured on such devices
    std::vector<int64_t> forwardStages;  // of a plan that is given
    std::vector<int64_t> backwardStages; // the fused one first; empty: the planner chooses
};

struct PlanAnswer : plan::ModelChoice {
    std::string timesFrom;                // which devices' times are measured, in a sentence
    std::vector<std::string> explanation; // a sentence for each choice
    std::vector<plan::Rival> rivals;      // other schedules, where asked for
    std::string problem;                  // why nothing, or the given plan, fits; empty: it does
    std::vector<plan::Fix> fixes;         // of a problem
    bool hasPlan = true;                  // false: nothing fits
    int64_t tokensPerStep() const { return costs.tokens * choice.shape.numMicrobatches(); }
};

// The request of a run on a rig: the microbatches and rounds that it says. "auto" precision goes by the rig's devices.
plan::ModelRequest requestOf(const session::RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig);

// What fits nowhere is answered too: with the problem, and what would help. Throws kInvalidInput where model, rig and
// step contradict each other.
PlanAnswer answer(PlanQuestion question, bool compares);

} // namespace roundpipe::cli
