// SPDX-License-Identifier: GPL-3.0-or-later
// What a length limit leaves of a row, which is kept uncut, in how many pieces, and whether that is trained on.
// Internal to this folder.
//
// Only a row that is trained from end to end is split: a piece of any other would have lost the question or the system
// prompt that its tokens answer. Every piece but the first begins with tokens of the one before, as context: the
// overlap that was asked for, and at least one, as no token is learnt without one before it. So each token of the row
// but its first is trained in exactly one piece, whatever the overlap.
#pragma once

#include "data/options.h"
#include "data/row_problem.h"

#include <cstdint>
#include <optional>
#include <span>

namespace roundpipe::data {

struct RowLengths {
    int64_t length = 0;      // tokens of the whole row
    int64_t trained = 0;     // of them, as numTrainedOf() counts
    int64_t kept = 0;        // tokens that training sees: those within the limit, or of all pieces
    int64_t trainedKept = 0; // of these
    int64_t pieces = 1;      // examples that the row becomes

    bool isTruncated() const { return kept < length; }
};

// `trained`: a flag per token of the whole row.
RowLengths lengthsOf(std::span<const uint8_t> trained, const DataOptions& options);
// Nothing where it must be looked at which tokens are trained: of a row that is cut off.
std::optional<RowLengths> lengthsOf(int64_t length, int64_t numTrained, const DataOptions& options);

// Why such a row is not trained on; nothing: it is.
std::optional<RowProblem> lengthProblemOf(const RowLengths& row, const DataOptions& options);

// How many tokens at the start of each piece but the first are context.
int64_t contextOf(const DataOptions& options);

// An example of a row: so many of its tokens from `begin` on.
struct RowPiece {
    int64_t begin = 0, length = 0;
    int64_t trained = 0;
};
RowPiece pieceOf(const RowLengths& row, int64_t index, const DataOptions& options); // 0 <= index < row.pieces

} // namespace roundpipe::data
