// SPDX-License-Identifier: GPL-3.0-or-later
// What an optimizer step holds.
#pragma once

#include <cstdint>

namespace roundpipe::plan {

struct StepShape {
    int32_t roundSize = 1;     // microbatches in a round
    int32_t rounds = 1;        // at most
    bool oneStepStale = false; // a step uses the weights of the one before the last; else it waits for the last update
    int32_t usual = 0;         // microbatches of a usual step; 0: as many as the rounds hold

    int32_t mostMicrobatches() const { return roundSize * rounds; }                    // decides memory
    int32_t numMicrobatches() const { return usual > 0 ? usual : mostMicrobatches(); } // decides time
    int32_t numRounds() const {
        return (numMicrobatches() + roundSize - 1) / roundSize;
    } // the last may be a partial one
};

} // namespace roundpipe::plan
