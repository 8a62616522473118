// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces in which weights and gradients travel, and how many of them go at a time: issued by the engine, replayed
// by the planner.
#pragma once

#include "base/units.h"

#include <cstdint>

namespace roundpipe::geometry {

// What a link needs to reach its rate, and no more to wait behind.
inline constexpr int64_t kPieceBytes = 16 * kMiB;

constexpr int64_t numPieces(int64_t bytes) {
    return (bytes + kPieceBytes - 1) / kPieceBytes;
}

// Of `pieces` that go in `sharesLeft` shares, the first one: as many as each of the others, or one more.
constexpr int64_t piecesOfShare(int64_t pieces, int32_t sharesLeft) {
    return (pieces + sharesLeft - 1) / sharesLeft;
}

} // namespace roundpipe::geometry
