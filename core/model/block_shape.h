// What a decoder block knows of itself, and the buffers that its calls use. Internal to the folder.
//
// Shape letters: T tokens, D hidden size, H heads, G key/value heads, K head size, F intermediate size, r rank.
#pragma once

#include "model/layer.h"
#include "model/linear.h"
#include "model/rotary.h"

#include <array>

namespace roundpipe::model {

struct BlockShape {
    BlockShape(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    arch::ModelConfig config;
    DType dtype;
    TensorPlace inputNorm, postNorm;
    std::optional<TensorPlace> qNorm, kNorm;
    Linear q, k, v, o, gate, up, down;
    int64_t window = 0;
    int64_t rank = 0;
    double dropout = 0;
    int64_t widestInput = 0;  // of the linears
    int64_t widestLinear = 0; // in + out
    Rotary rotary;            // of sequences that don't stretch the dynamic type

    int64_t qSize() const { return config.numHeads * config.headDim; }
    int64_t kvSize() const { return config.numKvHeads * config.headDim; }
    kernels::AttentionShape attentionShape(int64_t numSequences, int64_t maxLength) const;
};

// What backward needs of forward, [T, …] each. Everything else (norm outputs, rotated q and k where there is a QK-norm,
// the MLP's activation, dropout masks) is cheap and computed again.
struct SavedBlock {
    SavedBlock(const BlockShape& shape, Workspace& memory, int64_t numTokens);

    kernels::Matrix q, k, v;   // rotated, or before the QK-norm where there is one
    kernels::Matrix attention; // [T, H * K]
    void* logSumExp;           // [H, T]
    kernels::Matrix middle;    // [T, D] hidden states between attention and MLP
    kernels::Matrix gate, up;  // [T, F]
    struct AdapterProducts {   // [T, r]
        kernels::Matrix q, k, v, o, gate, up, down;
    } xA;
};

// Scratch of both directions.
struct BlockScratch {
    BlockScratch(const BlockShape& shape, Workspace& memory, int64_t numTokens);

    kernels::Matrix normed;       // [T, D]
    kernels::Matrix act;          // [T, F]
    kernels::Matrix rotatedQ;     // only with a QK-norm
    kernels::Matrix rotatedK;     // "
    void* inverseFrequencies;     // [K / 2] fp64
    kernels::Matrix cosSin;       // [T, 2 * rotary half]
    uint64_t* rowKeys = nullptr;  // only with dropout
    std::byte* dropped = nullptr; // "
};

// One call of a block.
struct BlockCall {
    const BlockShape& shape;
    const BatchView& batch;
    LinearCall linear;
    const SavedBlock& saved;
    const BlockScratch& scratch;

    Compute& compute() const { return linear.compute; }
    const kernels::Target& target() const { return linear.compute.target; }
    const LayerWeights& weights() const { return linear.weights; }
    kernels::Matrix hidden(const std::byte* data) const {
        return dense(data, shape.dtype, batch.numTokens, shape.config.hiddenSize);
    }
};

// attention_part.cpp: saved.middle = in + attention(norm(in)). With a cache its rows are appended and attended to.
void attentionPartForward(const BlockCall& call, const kernels::Matrix& in, const KvCacheView* cache);
// dIn (null: not wanted) from dMiddle. Takes memory and gives it back.
void attentionPartBackward(const BlockCall& call, Workspace& memory, const kernels::Matrix& in,
                           const kernels::Matrix& dMiddle, const kernels::Matrix* dIn);
int64_t attentionPartBackwardBytes(const BlockShape& shape, int64_t numTokens, int64_t numSequences, int64_t maxLength);

// mlp_part.cpp: out = saved.middle + mlp(norm(saved.middle)).
void mlpPartForward(const BlockCall& call, const kernels::Matrix& out);
// dMiddle from dOut. Takes memory and gives it back.
void mlpPartBackward(const BlockCall& call, Workspace& memory, const kernels::Matrix& dOut,
                     const kernels::Matrix& dMiddle);
int64_t mlpPartBackwardBytes(const BlockShape& shape, int64_t numTokens);

} // namespace roundpipe::model
