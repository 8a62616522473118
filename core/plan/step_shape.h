// What an optimizer step holds.
#pragma once

#include <cstdint>

namespace roundpipe::plan {

struct StepShape {
    int32_t roundSize = 1; // microbatches in a round
    int32_t rounds = 1;
    bool oneStepStale = false; // a step uses the weights of the one before the last; else it waits for the last update
    int32_t numMicrobatches() const { return roundSize * rounds; }
};

} // namespace roundpipe::plan
