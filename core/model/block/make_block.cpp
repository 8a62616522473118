// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/block/make_block.h"

#include <array>

namespace roundpipe::model {
namespace {

#define RP_MAKE(folder, value, words) folder::make,
constexpr std::array kMakers{RP_FOR_EACH_BLOCK_TYPE(RP_MAKE)}; // [arch::BlockType]
#undef RP_MAKE

} // namespace

std::unique_ptr<const Block> makeBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                       DType operandType) {
    return kMakers[static_cast<std::size_t>(layout.spec.type)](config, layout, operandType);
}

} // namespace roundpipe::model
