// SPDX-License-Identifier: GPL-3.0-or-later
// What a RunSpec means in the terms of those who plan and run it: worked out here and nowhere else, so that what is
// planned, measured and run is the same thing. Whoever knows more (the data's lengths, the devices) says so.
#pragma once

#include "arch/layers.h"
#include "batch/epoch_order.h"
#include "batch/share.h"
#include "batch/step_content.h"
#include "optim/schedule.h"
#include "plan/cost/training_shape.h"
#include "plan/plan.h"
#include "plan/remedies/fix.h"
#include "plan/rig/rig.h"
#include "plan/search/model_choice.h"
#include "session/spec/run_spec.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::session {

constexpr int64_t kFewestMicrobatches = 4; // in a round, where the spec leaves that open
constexpr int64_t kUsualSize = 2;          // examples of a microbatch, where it leaves that open

// With the microbatch_tokens that are meant where the spec says none: microbatch_size × max_length, if packing or a
// budget of tokens needs them, or long rows are split: most pieces are as long as may be, and their ends share one. And
// with the fewest microbatches, of the usual size, where none were chosen yet (chosen_microbatches.h).
batch::StepRules stepRulesOf(const RunSpec& spec);
batch::DrawOrder drawOrderOf(const RunSpec& spec);
std::vector<batch::Share> sharesOf(const RunSpec& spec); // of each dataset
arch::Trained trainedOf(const RunSpec& spec);
optim::Schedule scheduleOf(const RunSpec& spec, int64_t totalSteps);

// How long a run's examples are: as they were counted, or as is assumed.
struct RunLengths {
    std::shared_ptr<const batch::ExampleLengths> training; // null: not known, all below is assumed
    std::shared_ptr<const batch::ExampleLengths> validation;
    double averageLength = 0; // in tokens; 0: as long as any may be
    double trainedShare = 1;  // of the tokens
};
// As they are where rows that are longer than data.max_length are treated as `data` says.
RunLengths cutTo(const DataSection& data, RunLengths lengths);
// The longest that an example may be is assumed of the longest where lengths are not known. Throws kInvalidInput as
// batch::contentOf does.
batch::StepContent stepContentOf(const RunSpec& spec, const RunLengths& lengths);

// Whether lengths were counted, and in how many examples, or what of them is assumed.
struct LengthsSource {
    int64_t numCounted = 0; // 0: assumed
    double averageLength = 0;
    int64_t longest = 0;
    double trainedShare = 1; // of the tokens

    // "counted in 1234 examples"; "assumed, 300 tokens an example and 1024 at most, 40 % trained".
    std::string text() const;
    bool operator==(const LengthsSource&) const = default;
};
LengthsSource sourceOf(const RunLengths& lengths, const batch::StepContent& content);

// How many optimizer steps a run takes.
struct RunSteps {
    int64_t perEpoch = 0; // 0: not known, as lengths are not
    int64_t total = 0;    // 0: not known
};
// Throws kInvalidInput as batch::contentOf does.
RunSteps stepsOf(const RunSpec& spec, const RunLengths& lengths);

// What an epoch takes of a dataset, on average where its share leaves a rest.
struct EpochPart {
    int64_t examples = 0;
    double tokens = 0;
    double trained = 0; // of the tokens
};
// Of each dataset that the lengths know. Takes no time for each example. Throws kInvalidInput as batch::drawsOf does.
std::vector<EpochPart> epochPartsOf(const RunSpec& spec, const batch::ExampleLengths& training);

// What decides a layer's work and memory, and with the model the key of its measured times: whoever measures or looks
// for them asks for this one. `onGpusOnly`: all devices are GPUs.
plan::TrainingShape trainingShapeOf(const RunSpec& spec, const batch::StepContent& content, bool onGpusOnly);

// The stages that the spec gives, on devices in turn; nothing where the planner chooses. Not validated.
std::optional<plan::Plan> givenPlanOf(const RunSpec& spec, int32_t numLayers, int32_t numDevices);

// The rig that a run is planned for: with as much host memory as it says itself.
plan::Rig rigFor(const RunSpec& spec, plan::Rig rig);

// What the planner is asked for a run: to cut it as the spec says, with measured times where there are any.
plan::ModelRequest planRequestOf(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                                 const batch::StepContent& content);

// Makes the change in the run's settings; false where no setting does it (more memory, other devices).
bool apply(const plan::Fix& fix, RunSpec& spec);

} // namespace roundpipe::session
