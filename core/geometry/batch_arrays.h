// SPDX-License-Identifier: GPL-3.0-or-later
// The small arrays of a microbatch, as they lie on the host and on every device.
//
// Shape letters: T tokens, S sequences, N trained tokens.
#pragma once

#include "geometry/workspace.h"

#include <cstdint>

namespace roundpipe::geometry {

struct BatchArrays {
    BatchArrays(Workspace& memory, int64_t numTokens, int64_t numSequences, int64_t numTrained);
    static int64_t maxBytes(int64_t maxTokens, int64_t maxSequences);

    int32_t* ids;         // [T]
    int32_t* labels;      // [T]
    int32_t* positions;   // [T]
    int32_t* starts;      // [S + 1]
    int64_t* exampleIds;  // [S]
    int32_t* trainedRows; // [N]
};

inline constexpr int64_t kLossBytes = sizeof(double); // of a microbatch

// What the microbatches of a program take of them, on the host and on every device. Bytes.
struct ProgramArrays {
    // `batchBytes`: BatchArrays::maxBytes().
    ProgramArrays(int64_t numMicrobatches, int64_t batchBytes);
    int64_t batches; // the small arrays
    int64_t losses;
    int64_t total() const { return alignUp(batches) + alignUp(losses); }
};

} // namespace roundpipe::geometry
