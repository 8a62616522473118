// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a run hold of its data: bounds that decide every buffer, and an average that decides time.
#pragma once

#include "batch/example_lengths.h"
#include "batch/share.h"
#include "batch/step_rules.h"

#include <cstdint>
#include <span>

namespace roundpipe::batch {

// What any microbatch may hold at most.
struct MicrobatchBounds {
    int64_t tokens = 0;
    int64_t sequences = 0;
    int64_t length = 0; // of a sequence, in tokens
};

// What a step holds on average over an epoch: no whole numbers.
struct AverageStep {
    double examples = 0;
    double microbatches = 0;
    double length = 0;       // of an example, in tokens
    double trainedShare = 1; // of the tokens

    double tokens() const { return examples * length; }
};

struct StepContent {
    MicrobatchBounds largest;
    int32_t microbatches = 1; // in a round
    int32_t rounds = 1;       // in an optimizer step at most; an epoch's last one may have fewer, and a partial round
    AverageStep average;

    int32_t microbatchesPerStep() const { return microbatches * rounds; } // at most
    // The whole number nearest to the average that can hold the average step: what time is planned for.
    int32_t usualMicrobatches() const;
    // Examples of each where so many microbatches hold the average step: `usualMicrobatches()` of a plan, or
    // `average.microbatches` of a run. Never more than the largest may hold.
    double examplesInEach(double numMicrobatches) const;
};

// For every seed and epoch, and for validating too, which has each of its examples once. Throws kInvalidInput as
// validate() and drawsOf() do.
StepContent contentOf(const ExampleLengths& training, const ExampleLengths& validation, const StepRules& rules,
                      std::span<const Share> shares = {});

// Where no data is known.
struct AssumedLengths {
    int64_t longest = 0;     // example, in tokens
    double average = 0;      // 0: all are as long as the longest
    double trainedShare = 1; // of the tokens
};
// As if every example had the average length. Throws kInvalidInput as validate() does, and for an average that is no
// length up to the longest.
StepContent contentOf(const AssumedLengths& lengths, const StepRules& rules);

} // namespace roundpipe::batch
