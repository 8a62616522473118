// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/head.h"

#include "base/error.h"
#include "model/compute/compute_scope.h"
#include "model/compute/linear.h"

#include <algorithm>

#include <ATen/ops/index_select.h>

namespace roundpipe::model {

namespace {

using geometry::HeadShape;

// One call over the trained rows.
class HeadCall {
public:
    HeadCall(const HeadShape& shape, Compute& compute, const BatchView& batch, const LayerWeights& weights)
        : m_shape(shape)
        , m_compute(compute)
        , m_batch(batch)
        , m_weights(weights)
        , m_numRows(static_cast<int64_t>(batch.trainedRowsHost.size()))
        , m_chunk(geometry::headChunkRows(shape.vocabSize(), m_numRows, shape.dtype))
        , m_scratch(shape, compute.workspace, batch.numTokens, m_chunk)
        , m_linear{compute, weights, {}} {
        m_linear.dropped = static_cast<std::byte*>(m_scratch.dropped.data);
        m_linear.mixed = static_cast<std::byte*>(m_scratch.mixed.data);
        m_linear.delta = static_cast<std::byte*>(m_scratch.delta.data);
        m_linear.wideScratch = m_scratch.wide;
        m_linear.sumParts = m_scratch.sumParts;
        if (m_numRows == 0) return;
        rowIndices(0, m_numRows).copy_(vectorOf(compute, batch.trainedRows, DType::kI32, m_numRows));
        if (m_scratch.tokenKeys != nullptr && batch.training) makeKeys();
    }

    void run(const std::byte* in_TD, double* lossSum, bool backward, std::byte* dIn_TD, GradientView gradients) {
        vectorOf(m_compute, lossSum, DType::kF64, 1).zero_();
        if (dIn_TD != nullptr) tensorOf(m_compute, allHidden(dIn_TD)).zero_();
        RP_CHECK(!backward || !m_shape.trainsTensors || dIn_TD != nullptr);
        if (m_shape.trainsTensors)
            beginBaseGradients(m_compute, m_shape.dtype, m_shape.gradientElements, gradients);
        else
            zeroUnreachedGradients(gradients);
        for (int64_t first = 0; first < m_numRows; first += m_chunk) {
            const int64_t count = std::min(m_chunk, m_numRows - first);
            forwardChunk(in_TD, first, count, backward ? m_batch.gradientScale : 0, lossSum);
            m_linear.gradients = gradients;
            if (backward) backwardChunk(first, count, dIn_TD);
            gradients.accumulate = true;
        }
    }

private:
    Matrix allHidden(const std::byte* data) const {
        return dense(data, m_shape.dtype, m_batch.numTokens, m_shape.hiddenSize);
    }
    at::Tensor rowIndices(int64_t first, int64_t count) const {
        return vectorOf(m_compute, m_scratch.rows + first, DType::kI64, count);
    }
    static Matrix top(const Matrix& matrix, int64_t count) { return rowsOf(matrix, 0, count); }

    void makeKeys() {
        kernels::makeRowKeys(m_compute.target, m_batch.seed, m_batch.step, m_batch.exampleIds, m_batch.starts,
                             m_batch.numSequences, m_batch.positions, m_batch.numTokens, m_scratch.tokenKeys);
        m_linear.rowKeys = m_scratch.rowKeys;
    }

    // Without a trained row no product overwrites the gradient.
    void zeroUnreachedGradients(const GradientView& gradients) const {
        if (m_numRows > 0 || gradients.data == nullptr || gradients.accumulate || !m_shape.linear.isAdapted()) return;
        vectorOf(m_compute, gradients.data, statisticsType(m_shape.dtype), m_shape.gradientElements).zero_();
    }

    void select(const at::Tensor& from, const at::Tensor& indices, at::Tensor to) const {
        at::index_select_out(to, from, 0, indices);
    }

    void forwardChunk(const std::byte* in_TD, int64_t first, int64_t count, double gradientScale, double* lossSum) {
        const at::Tensor indices = rowIndices(first, count);
        const Matrix hidden = top(m_scratch.hidden, count);
        const Matrix normed = top(m_scratch.normed, count);
        const Matrix logits = top(m_scratch.logits, count);
        select(tensorOf(m_compute, allHidden(in_TD)), indices, tensorOf(m_compute, hidden));
        select(vectorOf(m_compute, m_batch.labels, DType::kI32, m_batch.numTokens), indices,
               vectorOf(m_compute, m_scratch.labels, DType::kI32, count));
        if (m_linear.rowKeys != nullptr)
            select(vectorOf(m_compute, m_scratch.tokenKeys, DType::kI64, m_batch.numTokens), indices,
                   vectorOf(m_compute, m_scratch.rowKeys, DType::kI64, count));
        kernels::rmsNorm(m_compute.target, hidden, normOf(m_weights, m_shape.norm), m_shape.rmsNormEps, normed,
                         m_scratch.rstd);
        multiply(normed);
        linearForward(m_linear, m_shape.linear, normed, top(m_scratch.product, count), logits);
        kernels::crossEntropy(m_compute.target, logits, m_scratch.labels, gradientScale, m_scratch.losses);
        kernels::sumInto(m_compute.target, m_scratch.losses, statisticsType(m_shape.dtype), count, lossSum);
    }

    // After forwardChunk() has left the gradient of the logits.
    void backwardChunk(int64_t first, int64_t count, std::byte* dIn_TD) {
        const Matrix dLogits = top(m_scratch.logits, count);
        const Matrix dNormed = top(m_scratch.dNormed, count);
        inputGradient(m_linear, m_shape.linear, dLogits, dIn_TD ? &dNormed : nullptr);
        trainedGradient(m_linear, m_shape.linear, top(m_scratch.normed, count), top(m_scratch.product, count), dLogits);
        if (dIn_TD == nullptr) return;
        multiply(dNormed);
        normGradient(m_linear, m_shape.norm, dNormed, top(m_scratch.hidden, count), m_scratch.rstd);
        kernels::rmsNormBackward(m_compute.target, dNormed, top(m_scratch.hidden, count),
                                 normOf(m_weights, m_shape.norm), m_scratch.rstd, nullptr, dNormed);
        tensorOf(m_compute, allHidden(dIn_TD)).index_copy_(0, rowIndices(first, count), tensorOf(m_compute, dNormed));
    }

    void multiply(const Matrix& matrix) const { multiplyInPlace(m_compute.target, matrix, m_shape.logitsMultiplier); }

    const HeadShape& m_shape;
    Compute& m_compute;
    const BatchView& m_batch;
    const LayerWeights& m_weights;
    int64_t m_numRows;
    int64_t m_chunk;
    HeadShape::Scratch m_scratch;
    LinearCall m_linear;
};

} // namespace

Head::Head(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType)
    : m_shape(config, layout, operandType) {}

void Head::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                   double* lossSum) const {
    const ComputeScope scope(compute);
    HeadCall(m_shape, compute, batch, weights).run(in_TD, lossSum, false, nullptr, {});
}

void Head::forwardBackward(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                           const std::byte* in_TD, double* lossSum, std::byte* dIn_TD, GradientView gradients) const {
    RP_CHECK(batch.gradientScale != 0);
    const ComputeScope scope(compute);
    HeadCall(m_shape, compute, batch, weights).run(in_TD, lossSum, true, dIn_TD, gradients);
}

void Head::logits(Compute& compute, const LayerWeights& weights, const std::byte* in_TD, int64_t numTokens,
                  std::span<const int32_t> rows, std::byte* logits_RV) const {
    const ComputeScope scope(compute);
    const auto numRows = static_cast<int64_t>(rows.size());
    RP_CHECK(numRows <= numTokens);
    const Matrix hidden = dense(in_TD, m_shape.dtype, numTokens, m_shape.hiddenSize);
    RP_CHECK(std::ranges::all_of(rows, [&](int32_t row) { return row >= 0 && row < numTokens; }));
    const HeadShape::ChosenScratch scratch(m_shape, compute.workspace, numRows);
    const Matrix logits = dense(logits_RV, m_shape.dtype, numRows, m_shape.vocabSize());
    const kernels::NormWeight norm = normOf(weights, m_shape.norm);
    const LinearCall call{compute, weights, {}};
    if (numRows == 1 && m_shape.logitsMultiplier == 1) {
        rowForward(call, m_shape.linear, {rowsOf(hidden, rows[0], 1), norm, m_shape.rmsNormEps}, scratch.product,
                   nullptr, logits);
        return;
    }
    for (int64_t i = 0; i < numRows; ++i)
        kernels::rmsNorm(compute.target, rowsOf(hidden, rows[static_cast<std::size_t>(i)], 1), norm, m_shape.rmsNormEps,
                         rowsOf(scratch.normed, i, 1), nullptr);
    multiplyInPlace(compute.target, scratch.normed, m_shape.logitsMultiplier);
    if (numRows == 1)
        rowForward(call, m_shape.linear, {scratch.normed}, scratch.product, nullptr, logits);
    else
        linearForward(call, m_shape.linear, scratch.normed, scratch.product, logits);
}

} // namespace roundpipe::model
