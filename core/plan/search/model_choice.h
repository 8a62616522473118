// From a model, a rig and what a step holds to the best choice of everything that is open: microbatches, rounds,
// streamed precision and plan.
#pragma once

#include "arch/layers.h"
#include "plan/cost/training_shape.h"
#include "plan/rig/rig.h"
#include "plan/search/choose_plan.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::plan {

struct ModelRequest {
    arch::ModelSpec model;
    Rig rig;
    TrainingShape training;         // sequences: of a microbatch, where they are fixed
    int64_t sequencesPerStep = 8;   // of an optimizer step
    bool choosesMicrobatch = false; // the size of microbatches may be any that divides the step
    int32_t rounds = 0;             // 0: chosen
    bool oneStepStale = false;
    std::vector<WeightFormat> allowedWeights; // beside training.weights; empty: no others
    // Corrects estimated costs by what was measured; empty: nothing was.
    std::function<void(Costs&, const TrainingShape&)> correct;
};

struct ModelChoice {
    Choice choice;
    Costs costs;
    TrainingShape training;
    double tokensPerSecond = 0;
};

// Throws as choosePlan does; kInvalidInput where microbatches don't divide the step.
ModelChoice chooseForModel(const ModelRequest& request, const SearchOptions& options = {});

} // namespace roundpipe::plan
