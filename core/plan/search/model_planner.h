// From a model, a rig and what a step holds to the best choice of everything that is open: microbatches, rounds,
// streamed precision and plan; and, where nothing fits, what would help.
#pragma once

#include "arch/layers.h"
#include "plan/cost/training_shape.h"
#include "plan/rig/rig.h"
#include "plan/search/planner.h"

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
ModelChoice chooseForModel(const ModelRequest& request, const PlannerOptions& options = {});

// A change of the request that makes it fit, and what it costs.
struct Fix {
    std::string change; // "sequences of 1024 tokens instead of 2048"
    std::string cost;   // "4,100 tokens/s; longer examples are cut off"
};
// The smallest change of each kind that makes a request fit that does not, gentlest kinds first; empty if none of them
// alone is enough.
std::vector<Fix> smallestFixes(const ModelRequest& request, const PlannerOptions& options = {});

// Why the choice is what it is, a sentence for each decision, with the limit that binds.
std::vector<std::string> explain(const ModelChoice& choice, const Rig& rig, const PlannerOptions& options = {});

} // namespace roundpipe::plan
