// How examples become microbatches and optimizer steps, in typed form.
#pragma once

#include "data/batches/packing.h"

#include <cstdint>

namespace roundpipe::session {
struct RunSpec;
}

namespace roundpipe::data {

struct BatchPlan {
    int64_t microbatchSize = 1; // examples in a microbatch; counts only where microbatchTokens is 0
    int64_t microbatches = 1;   // microbatches in a round
    int64_t rounds = 1;         // rounds in an optimizer step; counts only where tokensPerStep is 0
    bool shuffle = true;
    uint64_t seed = 42;
    // An epoch has ⌈its tokens / tokensPerStep⌉ steps, which share its tokens evenly, to the nearest example. 0: a step
    // takes microbatchSize × microbatches × rounds examples, and the last one of an epoch what is left, as in
    // transformers' Trainer.
    int64_t tokensPerStep = 0;
    int64_t microbatchTokens = 0; // in a microbatch at most; 0: microbatchSize examples
    Packing packing = Packing::kNone;
};

// batch.microbatch_tokens 0 becomes microbatch_size × max_length where packing or a budget of tokens needs it.
BatchPlan batchPlanOf(const session::RunSpec& spec);

} // namespace roundpipe::data
