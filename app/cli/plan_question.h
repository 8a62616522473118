// What `roundpipe plan` is asked, and the answer: model, rig and step on one side, the chosen plan on the other.
#pragma once

#include "arch/layers.h"
#include "plan/cost_model.h"
#include "plan/planner.h"
#include "plan/training_shape.h"
#include "session/run_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct PlanQuestion {
    arch::ModelSpec model;
    plan::Rig rig;
    plan::TrainingShape training; // sequences: of a microbatch; the answer's where the question is open
    plan::StepShape step;
    int64_t tokensPerStep = 0;           // 0: `training` and `step` say it; else grouped as is fastest
    std::vector<int64_t> forwardStages;  // of a plan that is given
    std::vector<int64_t> backwardStages; // the fused one first; empty: the planner chooses
    bool usesMeasured = true;            // times of layers that were measured on such devices
    plan::PlannerOptions planner;
};

struct PlanAnswer {
    plan::TrainingShape training;
    plan::Costs costs;
    plan::Choice choice;
    std::string timesFrom; // which devices' times are measured, in a sentence
    std::string problem;   // why a given plan does not fit; empty: it does
    int64_t tokensPerStep() const { return costs.tokens * choice.shape.numMicrobatches(); }
    double tokensPerSecond() const { return static_cast<double>(tokensPerStep()) / choice.step.stepSeconds; }
};

// The shape of training that a run asks for. `allGpus`: what "auto" precision goes by.
plan::TrainingShape trainingOf(const session::RunSpec& spec, bool allGpus);

// Throws as choosePlan does, and kInvalidInput where the tokens of a step make no whole sequences.
PlanAnswer answer(const PlanQuestion& question);

} // namespace roundpipe::cli
