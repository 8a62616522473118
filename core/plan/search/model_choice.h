// SPDX-License-Identifier: GPL-3.0-or-later
// From a model, a rig and what a step holds to the best choice of everything that is open: microbatches, rounds,
// streamed precision and plan.
#pragma once

#include "arch/layers.h"
#include "base/choices.h"
#include "plan/cost/training_shape.h"
#include "plan/rig/rig.h"
#include "plan/search/choose_plan.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::plan {

struct ModelRequest {
    arch::ModelSpec model;
    Rig rig;
    TrainingShape training;         // sequences: of a microbatch, where they are fixed
    int64_t sequencesPerStep = 8;   // of an optimizer step
    int64_t tokensPerStep = 0;      // where a step is said in tokens: what so many sequences are there for
    bool choosesMicrobatch = false; // the size of microbatches may be any that divides the step
    int32_t rounds = 0;             // 0: chosen
    int32_t usualMicrobatches = 0;  // of a step, where fewer than it may have are usual
    bool oneStepStale = false;
    Replicas replicas = Replicas::kAuto;      // a given plan of one stage is meant as replicas, unless never
    std::vector<WeightFormat> allowedWeights; // beside training.weights, in any order; empty: no others
    // Evaluated with its cuts, whether it fits or not, instead of choosing one. What stays is added where it says
    // nothing.
    std::optional<Plan> given;
    // Where measured times are kept that win over estimates (profileFolder()); empty: estimates alone.
    std::filesystem::path profiles;
};

// What a step holds, where the size of microbatches and the rounds are fixed. Throws kInvalidInput where they don't
// divide it.
StepShape shapeOf(const ModelRequest& request);

struct ModelChoice {
    EvaluatedPlan choice;
    Costs costs;
    TrainingShape training;
    double tokensPerSecond = 0;
    std::size_t request = 0; // of which it is, where several were made

    double sequencesPerStep() const { return training.usualSequences() * choice.shape.numMicrobatches(); }
    double tokensPerStep() const { return training.lengthOfSequences() * sequencesPerStep(); }
};

// The place of the one to take, of at least one: the fastest, but fewer bits cost quality, so they must be clearly
// faster, not just by the estimate's error; and so must what takes host memory for activations. In which order formats
// are given decides nothing.
std::size_t preferred(std::span<const ModelChoice> found);
std::vector<WeightFormat> mostBitsFirst(std::vector<WeightFormat> formats);

// Throws as choosePlan does; kInvalidInput where microbatches don't divide the step, or a given plan is wrong.
ModelChoice chooseForModel(const ModelRequest& request, const SearchOptions& options = {});
// The best of several requests that differ in nothing but what microbatches hold: looked at together, so that all of
// the effort goes to the few best ways of them all.
ModelChoice chooseForModel(std::span<const ModelRequest> requests, const SearchOptions& options = {});

// About the tokens a second of what chooseForModel() finds, by a glance (choose_plan.h) in a fraction of the time; 0
// where nothing fits. For whoever compares many steps of fixed microbatches and rounds. Throws as chooseForModel does.
double glanceForModel(const ModelRequest& request, const SearchOptions& options = {});

// Whether chooseForModel() would find a plan, by memory alone and in milliseconds where it need not be replicas. False
// also where only a search could tell, which some rigs of unequal devices need. Throws as chooseForModel does.
bool fitsSurely(const ModelRequest& request, const SearchOptions& options = {});

} // namespace roundpipe::plan
