// SPDX-License-Identifier: GPL-3.0-or-later
// What geometry asks of each type of block: the bytes of its buffers, counted by the constructors that take them.
#pragma once

#include "blocks/block_types.h"
#include "geometry/layout.h"

#include <cstdint>

namespace roundpipe::geometry {

// Bytes for a microbatch: kept for backward, and the most that one call takes beside them.
struct BlockBuffers {
    int64_t saved = 0;              // Saving::kAll
    int64_t savedWithoutGateUp = 0; // Saving::kWithoutGateUp
    int64_t workspace = 0;
};

// clang-format off
#define RP_ANSWERS(folder, value, words)                                                                        \
    namespace folder {                                                                                          \
    BlockBuffers buffers(const arch::ModelConfig&, const LayerLayout&, DType operandType, int64_t numTokens);   \
    }
RP_FOR_EACH_BLOCK_TYPE(RP_ANSWERS)
#undef RP_ANSWERS
// clang-format on

} // namespace roundpipe::geometry
