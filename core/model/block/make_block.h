// SPDX-License-Identifier: GPL-3.0-or-later
// What model asks of each type of block: how it computes.
#pragma once

#include "arch/model_config.h"
#include "blocks/block_types.h"
#include "geometry/layout.h"
#include "model/block/block.h"

#include <memory>

namespace roundpipe::model {

// Of the layer's type.
std::unique_ptr<const Block> makeBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                       DType operandType);

// clang-format off
#define RP_ANSWERS(folder, value, words)                                                                          \
    namespace folder {                                                                                            \
    std::unique_ptr<const Block> make(const arch::ModelConfig&, const geometry::LayerLayout&, DType operandType); \
    }
RP_FOR_EACH_BLOCK_TYPE(RP_ANSWERS)
#undef RP_ANSWERS
// clang-format on

} // namespace roundpipe::model
