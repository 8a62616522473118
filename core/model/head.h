// SPDX-License-Identifier: GPL-3.0-or-later
// The last layer: final norm, language head and cross-entropy in one, chunk by chunk: the whole logits never exist.
#pragma once

#include "geometry/head.h"
#include "model/compute/batch_view.h"
#include "model/compute/compute.h"

#include <span>

namespace roundpipe::model {

class Head {
public:
    Head(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType);

    int64_t workspaceBytes(int64_t numTokens) const { return m_shape.workspaceBytes(numTokens); }

    // lossSum[0] (fp64, device) = sum over trained tokens of the cross-entropy.
    void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, double* lossSum) const;
    // The same loss bits, and the gradient of gradientScale * lossSum. dIn may be null.
    void forwardBackward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, double* lossSum,
                         std::byte* dIn_TD, GradientView gradients) const;
    // Logits of chosen rows, for generation and tests: logits [rows.size(), V] of the operand type.
    void logits(Compute&, const LayerWeights&, const std::byte* in_TD, int64_t numTokens, std::span<const int32_t> rows,
                std::byte* logits_RV) const;

private:
    geometry::HeadShape m_shape;
};

} // namespace roundpipe::model
