// What the steps of a run hold of its data: bounds that decide every buffer, and averages that decide time.
#pragma once

#include "batch/example_lengths.h"
#include "batch/step_rules.h"

#include <cstdint>

namespace roundpipe::batch {

// What any microbatch may hold at most.
struct MicrobatchBounds {
    int64_t tokens = 0;
    int64_t sequences = 0;
    int64_t length = 0; // of a sequence, in tokens
};

struct StepContent {
    MicrobatchBounds largest;
    int32_t microbatches = 1; // in a round
    int32_t rounds = 1;       // in an optimizer step at most; an epoch's last one may have fewer, and a partial round
    double averageLength = 0; // of a sequence to train on, in tokens
    double trainedShare = 1;  // of its tokens

    int32_t microbatchesPerStep() const { return microbatches * rounds; }
};

// For every seed and epoch, and for validating too. Throws kInvalidInput as validate() does.
StepContent contentOf(const ExampleLengths& training, const ExampleLengths& validation, const StepRules& rules);
// Where no data is known: as if every example had `length` tokens, all trained.
StepContent contentOf(int64_t length, const StepRules& rules);

} // namespace roundpipe::batch
