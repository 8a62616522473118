// Shape letters: T tokens, N trained tokens, C rows of a chunk, D hidden size, V vocabulary, r rank.
#include "base/error.h"
#include "base/units.h"
#include "model/compute_scope.h"
#include "model/linear.h"

#include <algorithm>
#include <optional>

#include <ATen/ops/index_select.h>

namespace roundpipe::model {

struct HeadShape {
    int64_t hiddenSize = 0;
    double rmsNormEps = 0;
    DType dtype = DType::kF32;
    TensorPlace norm;
    Linear linear;

    // Rows computed at a time: as many as keep their logits within the limit.
    int64_t chunkRows(int64_t numRows) const;
};

namespace {

using kernels::Matrix;

constexpr int64_t kLogitsChunkBytes = 64 * kMiB;

// Everything is taken for forward and backward alike: the logits dwarf the rest.
struct HeadScratch {
    HeadScratch(const HeadShape& shape, Workspace& memory, int64_t numTokens, int64_t chunk) {
        const DType statistics = kernels::statisticsType(shape.dtype);
        hidden = takeMatrix(memory, shape.dtype, chunk, shape.hiddenSize);
        normed = takeMatrix(memory, shape.dtype, chunk, shape.hiddenSize);
        dNormed = takeMatrix(memory, shape.dtype, chunk, shape.hiddenSize);
        logits = takeMatrix(memory, shape.dtype, chunk, shape.linear.outFeatures());
        xA = takeMatrix(memory, shape.dtype, chunk, shape.linear.rank);
        delta = takeMatrix(memory, shape.dtype, chunk, shape.linear.rank);
        wide = memory.take(gradientScratchBytes(shape.dtype, shape.hiddenSize + shape.linear.outFeatures()));
        rstd = takeMatrix(memory, statistics, chunk, 1).data;
        losses = takeMatrix(memory, statistics, chunk, 1).data;
        labels = takeMatrix(memory, DType::kI32, chunk, 1).data;
        rows = takeMatrix(memory, DType::kI64, numTokens, 1).data;
        if (shape.linear.dropout > 0) {
            tokenKeys = takeMatrix(memory, DType::kI64, numTokens, 1).data;
            rowKeys = takeMatrix(memory, DType::kI64, chunk, 1).data;
            dropped = takeMatrix(memory, shape.dtype, chunk, shape.hiddenSize).data;
            mixed = takeMatrix(memory, shape.dtype, chunk, shape.hiddenSize).data;
        }
    }

    Matrix hidden, normed, dNormed; // [C, D]
    Matrix logits;                  // [C, V], then their gradient
    Matrix xA, delta;               // [C, r]
    std::byte* wide;
    void* rstd;                // [C]
    void* losses;              // [C]
    void* labels;              // [C]
    void* rows;                // [N] indices of the trained rows
    void* tokenKeys = nullptr; // [T] only with dropout, as what follows
    void* rowKeys = nullptr;   // [C]
    void* dropped = nullptr;   // [C, D]
    void* mixed = nullptr;     // [C, D]
};

// One call over the trained rows.
class HeadCall {
public:
    HeadCall(const HeadShape& shape, Compute& compute, const BatchView& batch, const LayerWeights& weights)
        : m_shape(shape)
        , m_compute(compute)
        , m_batch(batch)
        , m_weights(weights)
        , m_numRows(static_cast<int64_t>(batch.trainedRowsHost.size()))
        , m_chunk(shape.chunkRows(m_numRows))
        , m_scratch(shape, compute.workspace, batch.numTokens, m_chunk)
        , m_linear{compute, weights, {}} {
        m_linear.dropped = static_cast<std::byte*>(m_scratch.dropped);
        m_linear.mixed = static_cast<std::byte*>(m_scratch.mixed);
        m_linear.delta = static_cast<std::byte*>(m_scratch.delta.data);
        m_linear.wideScratch = m_scratch.wide;
        if (m_numRows == 0) return;
        rowIndices(0, m_numRows).copy_(vectorOf(compute, batch.trainedRows, DType::kI32, m_numRows));
        if (m_scratch.tokenKeys != nullptr && batch.training) makeKeys();
    }

    void run(const std::byte* in_TD, double* lossSum, bool backward, std::byte* dIn_TD, GradientView gradients) {
        vectorOf(m_compute, lossSum, DType::kF64, 1).zero_();
        if (dIn_TD != nullptr) tensorOf(m_compute, allHidden(dIn_TD)).zero_();
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
        return vectorOf(m_compute, static_cast<int64_t*>(m_scratch.rows) + first, DType::kI64, count);
    }
    static Matrix top(const Matrix& matrix, int64_t count) { return rowsOf(matrix, 0, count); }

    void makeKeys() {
        kernels::makeRowKeys(m_compute.target, m_batch.seed, m_batch.step, m_batch.exampleIds, m_batch.starts,
                             m_batch.numSequences, m_batch.positions, m_batch.numTokens,
                             static_cast<uint64_t*>(m_scratch.tokenKeys));
        m_linear.rowKeys = static_cast<const uint64_t*>(m_scratch.rowKeys);
    }

    // Without a trained row no product overwrites the gradient.
    void zeroUnreachedGradients(const GradientView& gradients) const {
        if (m_numRows > 0 || gradients.data == nullptr || gradients.accumulate || !m_shape.linear.adapter) return;
        const int64_t count = m_shape.linear.rank * (m_shape.linear.inFeatures() + m_shape.linear.outFeatures());
        vectorOf(m_compute, gradients.data, kernels::statisticsType(m_shape.dtype), count).zero_();
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
        kernels::rmsNorm(m_compute.target, hidden, dataOf(m_weights, m_shape.norm), m_shape.rmsNormEps, normed,
                         m_scratch.rstd);
        linearForward(m_linear, m_shape.linear, normed, top(m_scratch.xA, count), logits);
        kernels::crossEntropy(m_compute.target, logits, static_cast<const int32_t*>(m_scratch.labels), gradientScale,
                              m_scratch.losses);
        kernels::sumInto(m_compute.target, m_scratch.losses, kernels::statisticsType(m_shape.dtype), count, lossSum);
    }

    // After forwardChunk() has left the gradient of the logits.
    void backwardChunk(int64_t first, int64_t count, std::byte* dIn_TD) {
        const Matrix dLogits = top(m_scratch.logits, count);
        const Matrix dNormed = top(m_scratch.dNormed, count);
        inputGradient(m_linear, m_shape.linear, dLogits, dIn_TD ? &dNormed : nullptr, false);
        adapterGradient(m_linear, m_shape.linear, top(m_scratch.normed, count), top(m_scratch.xA, count), dLogits);
        if (dIn_TD == nullptr) return;
        kernels::rmsNormBackward(m_compute.target, dNormed, top(m_scratch.hidden, count),
                                 dataOf(m_weights, m_shape.norm), m_scratch.rstd, nullptr, dNormed);
        tensorOf(m_compute, allHidden(dIn_TD)).index_copy_(0, rowIndices(first, count), tensorOf(m_compute, dNormed));
    }

    const HeadShape& m_shape;
    Compute& m_compute;
    const BatchView& m_batch;
    const LayerWeights& m_weights;
    int64_t m_numRows;
    int64_t m_chunk;
    HeadScratch m_scratch;
    LinearCall m_linear;
};

} // namespace

int64_t HeadShape::chunkRows(int64_t numRows) const {
    const int64_t rowBytes = linear.outFeatures() * static_cast<int64_t>(sizeOf(dtype));
    return std::clamp(kLogitsChunkBytes / rowBytes, int64_t{1}, std::max(numRows, int64_t{1}));
}

Head::Head(const arch::ModelConfig& config, LayerLayout layout, DType operandType) {
    const TensorPlace* norm = layout.base.find(arch::TensorRole::kFinalNorm);
    RP_CHECK(norm != nullptr);
    m_shape = std::make_unique<HeadShape>(HeadShape{config.hiddenSize, config.rmsNormEps, operandType, *norm,
                                                    makeLinear(layout, arch::TensorRole::kLmHead, std::nullopt)});
}

Head::~Head() = default;

int64_t Head::workspaceBytes(int64_t numTokens) const {
    Workspace loss, chosen;
    const HeadScratch scratch(*m_shape, loss, numTokens, m_shape->chunkRows(numTokens));
    takeMatrix(chosen, m_shape->dtype, numTokens, m_shape->hiddenSize); // logits()
    takeMatrix(chosen, m_shape->dtype, numTokens, m_shape->linear.rank);
    return std::max(loss.usedBytes(), chosen.usedBytes());
}

void Head::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                   double* lossSum) const {
    const ComputeScope scope(compute);
    HeadCall(*m_shape, compute, batch, weights).run(in_TD, lossSum, false, nullptr, {});
}

void Head::forwardBackward(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                           const std::byte* in_TD, double* lossSum, std::byte* dIn_TD, GradientView gradients) const {
    RP_CHECK(batch.gradientScale != 0);
    const ComputeScope scope(compute);
    HeadCall(*m_shape, compute, batch, weights).run(in_TD, lossSum, true, dIn_TD, gradients);
}

void Head::logits(Compute& compute, const LayerWeights& weights, const std::byte* in_TD, int64_t numTokens,
                  std::span<const int32_t> rows, std::byte* logits_RV) const {
    const ComputeScope scope(compute);
    const auto numRows = static_cast<int64_t>(rows.size());
    RP_CHECK(numRows <= numTokens);
    const Matrix hidden = dense(in_TD, m_shape->dtype, numTokens, m_shape->hiddenSize);
    const Matrix normed = takeMatrix(compute.workspace, m_shape->dtype, numRows, m_shape->hiddenSize);
    const Matrix xA = takeMatrix(compute.workspace, m_shape->dtype, numRows, m_shape->linear.rank);
    for (int64_t i = 0; i < numRows; ++i) {
        RP_CHECK(rows[static_cast<std::size_t>(i)] >= 0 && rows[static_cast<std::size_t>(i)] < numTokens);
        kernels::rmsNorm(compute.target, rowsOf(hidden, rows[static_cast<std::size_t>(i)], 1),
                         dataOf(weights, m_shape->norm), m_shape->rmsNormEps, rowsOf(normed, i, 1), nullptr);
    }
    linearForward({compute, weights, {}}, m_shape->linear, normed, xA,
                  dense(logits_RV, m_shape->dtype, numRows, m_shape->linear.outFeatures()));
}

} // namespace roundpipe::model
