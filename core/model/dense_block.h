// The decoder block of attention and an MLP.
#pragma once

#include "geometry/block.h"
#include "geometry/mlp.h"
#include "model/block.h"
#include "model/rotary.h"

namespace roundpipe::model {

using DenseShape = geometry::BlockShape<geometry::MlpHalf>;

class DenseBlock final : public Block {
public:
    DenseBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType);

    int64_t savedBytes(int64_t numTokens) const override { return m_shape.savedBytes(numTokens); }
    int64_t workspaceBytes(int64_t numTokens) const override { return m_shape.workspaceBytes(numTokens); }
    void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD,
                 std::byte* out_TD) const override;
    void forwardSaving(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       std::byte* saved) const override;
    void backward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, const std::byte* saved,
                  const std::byte* dOut_TD, std::byte* dIn_TD, GradientView gradients) const override;
    void forwardCached(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                       const KvCacheView&) const override;

private:
    void runForward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* out_TD,
                    const DenseShape::Saved&, const KvCacheView*) const;
    void makeCosSin(Compute&, const BatchView&, int64_t longest, const DenseShape::Scratch&) const;

    DenseShape m_shape;
    Rotary m_rotary; // of sequences that don't stretch the dynamic type
};

} // namespace roundpipe::model
