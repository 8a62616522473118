// SPDX-License-Identifier: GPL-3.0-or-later
// A microbatch as layers see it.
#pragma once

#include "base/token_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::model {

// A microbatch's small arrays on the device (device/…: uploaded once per device and step) and what random draws need.
struct BatchView {
    int64_t numTokens = 0;
    int64_t numSequences = 0;
    int64_t maxLength = 0;
    const int32_t* ids = nullptr;         // [T]
    const int32_t* labels = nullptr;      // [T]
    const int32_t* positions = nullptr;   // [T]
    const int32_t* starts = nullptr;      // [S + 1]
    const int64_t* exampleIds = nullptr;  // [S]
    const int32_t* trainedRows = nullptr; // [N] rows whose label is trained, ascending (the head computes only these)
    std::span<const int32_t> startsHost;  // [S + 1] the same on the host
    std::span<const int32_t> trainedRowsHost; // [N] the same on the host: see trainedRows()
    uint64_t seed = 0;
    int64_t step = 0;
    bool training = true;     // false: no dropout
    double gradientScale = 0; // of the summed loss: loss scale / trained tokens of the optimizer step
};

// The rows of a microbatch that are trained, for BatchView::trainedRows.
std::vector<int32_t> trainedRows(const TokenBatch& batch);

} // namespace roundpipe::model
