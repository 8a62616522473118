#include "model/attention.h"
#include "model/block_shape.h"

#include "base/error.h"

namespace roundpipe::model {
namespace {

using kernels::Matrix;

const std::byte* weightOf(const BlockCall& call, const std::optional<TensorPlace>& place) {
    return place ? dataOf(call.weights(), *place) : nullptr;
}

// `past` + T rows of a cache; the last T are this call's.
Matrix cachedRows(const BlockCall& call, std::byte* data, const KvCacheView& cache) {
    RP_CHECK(cache.past >= 0 && cache.past + call.batch.numTokens <= cache.capacity);
    return dense(data, call.shape.dtype, cache.past + call.batch.numTokens, call.shape.kvSize());
}

Matrix lastRows(const Matrix& matrix, int64_t count) {
    return rowsOf(matrix, matrix.rows - count, count);
}

// Gradients and statistics of one backward.
struct AttentionScratch {
    AttentionScratch(const BlockShape& shape, Workspace& memory, int64_t numTokens, int64_t numSequences,
                     int64_t maxLength)
        : dAttention(takeMatrix(memory, shape.dtype, numTokens, shape.qSize()))
        , dq(takeMatrix(memory, shape.dtype, numTokens, shape.qSize()))
        , dk(takeMatrix(memory, shape.dtype, numTokens, shape.kvSize()))
        , dv(takeMatrix(memory, shape.dtype, numTokens, shape.kvSize())) {
        const DType statistics = kernels::statisticsType(shape.dtype);
        rstd = takeMatrix(memory, statistics, numTokens, 1).data;
        if (shape.qNorm) {
            qRstd = takeMatrix(memory, statistics, numTokens, shape.config.numHeads).data;
            kRstd = takeMatrix(memory, statistics, numTokens, shape.config.numKvHeads).data;
        }
        attention = memory.take(
            kernels::attentionScratchBytes(shape.attentionShape(numSequences, maxLength), numTokens, shape.dtype));
    }

    Matrix dAttention, dq, dk, dv;
    void* rstd = nullptr;
    void* qRstd = nullptr;
    void* kRstd = nullptr;
    void* attention = nullptr;
};

// q and k before rotation, rotated.
void rotate(const BlockCall& call, const Matrix& q, const Matrix& k, void* qRstd, void* kRstd) {
    const arch::ModelConfig& config = call.shape.config;
    kernels::headNormRotary(call.target(), call.saved.q, config.numHeads, weightOf(call, call.shape.qNorm),
                            config.rmsNormEps, call.scratch.cosSin, q, qRstd);
    kernels::headNormRotary(call.target(), call.saved.k, config.numKvHeads, weightOf(call, call.shape.kNorm),
                            config.rmsNormEps, call.scratch.cosSin, k, kRstd);
}

// dq and dk, in place.
void rotateBackward(const BlockCall& call, const AttentionScratch& scratch) {
    const arch::ModelConfig& config = call.shape.config;
    kernels::headNormRotaryBackward(call.target(), scratch.dq, call.saved.q, config.numHeads,
                                    weightOf(call, call.shape.qNorm), scratch.qRstd, call.scratch.cosSin, scratch.dq);
    kernels::headNormRotaryBackward(call.target(), scratch.dk, call.saved.k, config.numKvHeads,
                                    weightOf(call, call.shape.kNorm), scratch.kRstd, call.scratch.cosSin, scratch.dk);
}

// From dAttention down to dIn.
void belowOutput(const BlockCall& call, const AttentionScratch& scratch, const Matrix& in, const Matrix& dMiddle,
                 const Matrix* dIn) {
    const BlockShape& shape = call.shape;
    const SavedBlock& saved = call.saved;
    const Matrix q = shape.qNorm ? call.scratch.rotatedQ : saved.q;
    const Matrix k = shape.qNorm ? call.scratch.rotatedK : saved.k;
    if (shape.qNorm) rotate(call, q, k, scratch.qRstd, scratch.kRstd);
    attentionBackward(call.compute(), shape.attentionShape(call.batch.numSequences, call.batch.maxLength),
                      call.batch.starts, q, k, saved.v, saved.attention, saved.logSumExp, scratch.dAttention,
                      scratch.dq, scratch.dk, scratch.dv, scratch.attention);
    rotateBackward(call, scratch);

    const std::byte* normWeight = dataOf(call.weights(), shape.inputNorm);
    const Matrix& normed = call.scratch.normed;
    kernels::rmsNorm(call.target(), in, normWeight, shape.config.rmsNormEps, normed, scratch.rstd);
    inputGradient(call.linear, shape.q, scratch.dq, dIn, false);
    adapterGradient(call.linear, shape.q, normed, saved.xA.q, scratch.dq);
    inputGradient(call.linear, shape.k, scratch.dk, dIn, true);
    adapterGradient(call.linear, shape.k, normed, saved.xA.k, scratch.dk);
    inputGradient(call.linear, shape.v, scratch.dv, dIn, true);
    adapterGradient(call.linear, shape.v, normed, saved.xA.v, scratch.dv);
    if (dIn != nullptr) kernels::rmsNormBackward(call.target(), *dIn, in, normWeight, scratch.rstd, &dMiddle, *dIn);
}

} // namespace

void attentionPartForward(const BlockCall& call, const Matrix& in, const KvCacheView* cache) {
    const BlockShape& shape = call.shape;
    const SavedBlock& saved = call.saved;
    const Matrix& normed = call.scratch.normed;
    const int64_t numTokens = call.batch.numTokens;
    const Matrix values = cache ? cachedRows(call, cache->values, *cache) : saved.v;
    kernels::rmsNorm(call.target(), in, dataOf(call.weights(), shape.inputNorm), shape.config.rmsNormEps, normed,
                     nullptr);
    linearForward(call.linear, shape.q, normed, saved.xA.q, saved.q);
    linearForward(call.linear, shape.k, normed, saved.xA.k, saved.k);
    linearForward(call.linear, shape.v, normed, saved.xA.v, lastRows(values, numTokens));

    const Matrix queries = shape.qNorm ? call.scratch.rotatedQ : saved.q;
    if (cache != nullptr) {
        const Matrix keys = cachedRows(call, cache->keys, *cache);
        rotate(call, queries, lastRows(keys, numTokens), nullptr, nullptr);
        kernels::attentionCached(call.target(), shape.attentionShape(1, keys.rows), queries, keys, values,
                                 saved.attention);
    } else {
        const Matrix keys = shape.qNorm ? call.scratch.rotatedK : saved.k;
        rotate(call, queries, keys, nullptr, nullptr);
        attentionForward(call.compute(), shape.attentionShape(call.batch.numSequences, call.batch.maxLength),
                         call.batch.starts, queries, keys, values, saved.attention, saved.logSumExp);
    }
    linearForward(call.linear, shape.o, saved.attention, saved.xA.o, saved.middle);
    kernels::add(call.target(), in, saved.middle, saved.middle);
}

void attentionPartBackward(const BlockCall& call, Workspace& memory, const Matrix& in, const Matrix& dMiddle,
                           const Matrix* dIn) {
    const BlockShape& shape = call.shape;
    const int64_t before = memory.usedBytes();
    const AttentionScratch scratch(shape, memory, call.batch.numTokens, call.batch.numSequences, call.batch.maxLength);
    const bool goesOn = dIn != nullptr || shape.q.adapter || shape.k.adapter || shape.v.adapter;
    inputGradient(call.linear, shape.o, dMiddle, goesOn ? &scratch.dAttention : nullptr, false);
    adapterGradient(call.linear, shape.o, call.saved.attention, call.saved.xA.o, dMiddle);
    if (goesOn) belowOutput(call, scratch, in, dMiddle, dIn);
    memory.reset(before);
}

int64_t attentionPartBackwardBytes(const BlockShape& shape, int64_t numTokens, int64_t numSequences,
                                   int64_t maxLength) {
    Workspace counting;
    const AttentionScratch scratch(shape, counting, numTokens, numSequences, maxLength);
    return counting.usedBytes();
}

} // namespace roundpipe::model
