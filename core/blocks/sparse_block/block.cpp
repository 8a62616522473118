// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/block/make_block.h"

namespace roundpipe::model {

// No engine runs experts yet.
std::unique_ptr<const Block> sparse_block::make(const arch::ModelConfig&, const geometry::LayerLayout&, DType) {
    return nullptr;
}

} // namespace roundpipe::model
