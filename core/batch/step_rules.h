// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says of its optimizer steps: the section `batch` of a RunSpec.
#pragma once

#include "base/choices.h"

#include <cstdint>

namespace roundpipe::batch {

struct StepRules {
    int64_t microbatchSize = 2; // examples in a microbatch, unless microbatchTokens says how many
    int64_t microbatches = 4;   // microbatches in a round
    int64_t rounds = 1;         // rounds in an optimizer step; counts only where tokensPerStep is 0
    // An epoch has ⌈its tokens / tokensPerStep⌉ steps, which share its tokens evenly, to the nearest example. 0: a step
    // takes examplesPerStep(), and the last one of an epoch what is left, as in transformers' Trainer.
    int64_t tokensPerStep = 0;
    int64_t microbatchTokens = 0; // in a microbatch at most; 0: microbatchSize examples
    Packing packing = Packing::kNone;

    int64_t examplesPerStep() const { return microbatchSize * microbatches * rounds; }
};

// Throws kInvalidInput naming the field for sizes below 1 and for token limits that an example alone exceeds, given the
// longest one to train on and to validate on in tokens; also where there is none to train on.
void validate(const StepRules& rules, int64_t longestToTrainOn, int64_t longestToValidateOn = 0);

} // namespace roundpipe::batch
