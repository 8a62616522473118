// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/batch_arrays.h"

namespace roundpipe::geometry {

BatchArrays::BatchArrays(Workspace& memory, int64_t numTokens, int64_t numSequences, int64_t numTrained)
    : ids(memory.takeArray<int32_t>(numTokens))
    , labels(memory.takeArray<int32_t>(numTokens))
    , positions(memory.takeArray<int32_t>(numTokens))
    , starts(memory.takeArray<int32_t>(numSequences + 1))
    , exampleIds(memory.takeArray<int64_t>(numSequences))
    , trainedRows(memory.takeArray<int32_t>(numTrained)) {}

int64_t BatchArrays::maxBytes(int64_t maxTokens, int64_t maxSequences) {
    Workspace counting;
    BatchArrays(counting, maxTokens, maxSequences, maxTokens);
    return counting.usedBytes();
}

ProgramArrays::ProgramArrays(int64_t numMicrobatches, int64_t batchBytes)
    : batches(numMicrobatches * batchBytes), losses(numMicrobatches * kLossBytes) {}

} // namespace roundpipe::geometry
