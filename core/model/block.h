// A dense decoder block with an explicit forward and backward: no autograd graph, nothing allocated that the caller
// doesn't know of, the same code on CPU and CUDA. Checked against autograd in tests/model.
#pragma once

#include "geometry/block.h"
#include "geometry/mlp.h"
#include "model/batch_view.h"
#include "model/compute.h"
#include "model/rotary.h"

namespace roundpipe::model {

using DenseBlock = geometry::BlockShape<geometry::MlpHalf>;

// The keys and values of one sequence in one block, for decoding: [capacity, G * K] each, of the operand type, the
// first `past` rows filled. A call appends its tokens' rows; the caller advances `past` once all blocks have run.
struct KvCacheView {
    std::byte* keys = nullptr;
    std::byte* values = nullptr;
    int64_t capacity = 0;
    int64_t past = 0;
};

class Block {
public:
    Block(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType);

    // Upper bounds for T tokens; bytes.
    int64_t savedBytes(int64_t numTokens) const { return m_shape.savedBytes(numTokens); }
    int64_t workspaceBytes(int64_t numTokens) const { return m_shape.workspaceBytes(numTokens); }

    void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD) const;
    // The same kernels and bits; keeps in `saved` what backward needs.
    void forwardSaving(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       std::byte* saved) const;
    // dIn may be null (nothing below is trained). dIn may not alias dOut.
    void backward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, const std::byte* saved,
                  const std::byte* dOut_TD, std::byte* dIn_TD, GradientView gradients) const;
    // Forward of the tokens of one sequence that follow the cached ones. Positions are absolute; no dropout.
    void forwardCached(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       const KvCacheView&) const;

private:
    void runForward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                    const DenseBlock::Saved&, const KvCacheView*) const;
    void makeCosSin(Compute&, const BatchView&, int64_t longest, const DenseBlock::Scratch&) const;

    DenseBlock m_shape;
    Rotary m_rotary; // of sequences that don't stretch the dynamic type
};

} // namespace roundpipe::model
