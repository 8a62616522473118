// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/embedding.h"

#include "base/error.h"
#include "model/compute/compute_scope.h"
#include "model/compute/linear.h"

namespace roundpipe::model {

Embedding::Embedding(const arch::ModelConfig& config, geometry::LayerLayout layout)
    : m_layout(std::move(layout)), m_multiplier(config.multipliers.embedding) {
    const geometry::TensorPlace& table = m_layout.base.at(arch::TensorRole::kEmbedTokens);
    RP_CHECK(table.spec.shape == std::vector<int64_t>({config.vocabSize, config.hiddenSize}));
}

void Embedding::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                        std::byte* out_TD) const {
    const Matrix table = matrixOf(weights, m_layout.base.at(arch::TensorRole::kEmbedTokens));
    const Matrix out = dense(out_TD, table.dtype, batch.numTokens, table.cols);
    kernels::embed(compute.target, table, batch.ids, out);
    multiplyInPlace(compute.target, out, m_multiplier);
}

void Embedding::backward(Compute& compute, const BatchView& batch, std::byte* dOut_TD, GradientView gradients) const {
    const geometry::TensorPlace& table = m_layout.base.at(arch::TensorRole::kEmbedTokens);
    RP_CHECK(table.isTrained() && gradients.data != nullptr);
    const ComputeScope scope(compute);
    beginBaseGradients(compute, table.dtype, m_layout.gradientElements, gradients);
    const Matrix dOut = dense(dOut_TD, table.dtype, batch.numTokens, table.spec.shape.back());
    multiplyInPlace(compute.target, dOut, m_multiplier);
    kernels::embedGradient(compute.target, dOut, batch.ids, gradientOf(gradients, table));
}

} // namespace roundpipe::model
