// SPDX-License-Identifier: GPL-3.0-or-later
// How GGUF calls what a model consists of, and where it wants rows in another order.
#pragma once

#include "arch/layers.h"

#include <cstdint>
#include <string>

namespace roundpipe::artifact {

// "llama", "qwen2", "qwen3". Throws kUnsupported for a model that GGUF files of ours cannot say: experts, rotary
// scaling of a kind that llama.cpp has not, biases where it has none.
std::string ggufArchitecture(const arch::ModelConfig& config);

// "blk.0.attn_q.weight" of a tensor of a layer, "output.weight" of the head.
std::string ggufName(const arch::LayerSpec& layer, const arch::TensorSpec& tensor);

// What each value in the file has more than in the checkpoint: llama.cpp multiplies by norms as they stand there.
float addedInGguf(const arch::TensorSpec& tensor);

// llama.cpp turns pairs of neighbours in Llama's heads, where the checkpoint's are half a head apart: rows of q and k
// stand in another order there. Nothing is moved in other families.
struct HeadOrder {
    int64_t headDim = 0; // 0: rows keep their order

    int64_t rowInCheckpoint(int64_t rowInGguf) const;
    int64_t rowInGguf(int64_t rowInCheckpoint) const;
};
HeadOrder headOrderOf(const arch::ModelConfig& config, arch::TensorRole role);

} // namespace roundpipe::artifact
