// What a length limit leaves of a row, which is kept uncut, and whether that is trained on. Internal to this folder.
#pragma once

#include "data/options.h"
#include "data/rows/row_problem.h"

#include <cstdint>
#include <optional>
#include <span>

namespace roundpipe::data {

struct RowLengths {
    int64_t length = 0;      // tokens of the whole row
    int64_t trained = 0;     // of them, as numTrainedOf() counts
    int64_t kept = 0;        // tokens within the limit: what training sees
    int64_t trainedKept = 0; // of these
};

// `trained`: a flag per token of the whole row.
RowLengths lengthsOf(std::span<const uint8_t> trained, int64_t maxLength);

// Why such a row is not trained on; nothing: it is.
std::optional<RowProblem> lengthProblemOf(const RowLengths& row, const DataOptions& options);

} // namespace roundpipe::data
