// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/block/attention_half.h"

#include "base/error.h"
#include "model/attention/attention.h"

#include <algorithm>

namespace roundpipe::model {
namespace {

using geometry::AttentionHalf;

kernels::AttentionShape shapeOf(const AttentionHalf& half, int64_t numSequences, int64_t maxLength) {
    kernels::AttentionShape shape;
    shape.numSequences = numSequences;
    shape.maxLength = maxLength;
    shape.numHeads = half.numHeads;
    shape.numKvHeads = half.numKvHeads;
    shape.headDim = half.headDim;
    shape.window = half.window;
    shape.scale = half.scale;
    return shape;
}

kernels::NormWeight weightOf(const AttentionCall& call, const OptionalNorm& place) {
    return place ? normOf(call.weights(), *place) : kernels::NormWeight{};
}

// q and k of the linears, normed over all heads.
void normOverHeads(const AttentionCall& call, const Matrix& q, const Matrix& k, void* qRstd, void* kRstd) {
    const AttentionHalf& half = call.shape.attention;
    const double eps = call.shape.config.rmsNormEps;
    kernels::rmsNorm(call.target(), call.saved.q, weightOf(call, half.qNorm), eps, q, qRstd);
    kernels::rmsNorm(call.target(), call.saved.k, weightOf(call, half.kNorm), eps, k, kRstd);
}

// The same, where the linears gave them.
void normInPlace(const AttentionCall& call) {
    const AttentionHalf::Scratch& scratch = call.scratch;
    normOverHeads(call, scratch.rotatedQ, scratch.rotatedK, nullptr, nullptr);
    kernels::convert(call.target(), scratch.rotatedQ, 1, call.saved.q);
    kernels::convert(call.target(), scratch.rotatedK, 1, call.saved.k);
}

// q and k before rotation, rotated.
void rotate(const AttentionCall& call, const Matrix& q, const Matrix& k, void* qRstd, void* kRstd) {
    const AttentionHalf& half = call.shape.attention;
    const double eps = call.shape.config.rmsNormEps;
    const Matrix& cosSin = call.scratch.cosSin;
    if (half.normsAreWide) {
        normOverHeads(call, q, k, qRstd, kRstd);
        kernels::headNormRotary(call.target(), q, half.numHeads, nullptr, eps, cosSin, q, nullptr);
        kernels::headNormRotary(call.target(), k, half.numKvHeads, nullptr, eps, cosSin, k, nullptr);
        return;
    }
    kernels::headNormRotary(call.target(), call.saved.q, half.numHeads, weightOf(call, half.qNorm), eps, cosSin, q,
                            qRstd);
    kernels::headNormRotary(call.target(), call.saved.k, half.numKvHeads, weightOf(call, half.kNorm), eps, cosSin, k,
                            kRstd);
}

const void* sinksOf(const AttentionCall& call) {
    const auto& sinks = call.shape.attention.sinks;
    return sinks ? call.weights().base + sinks->offsetBytes : nullptr;
}

kernels::CachedHeads cachedHeadsOf(const AttentionCall& call) {
    const AttentionHalf& half = call.shape.attention;
    kernels::CachedHeads heads;
    heads.numHeads = half.numHeads;
    heads.numKvHeads = half.numKvHeads;
    heads.headDim = half.headDim;
    if (!half.normsAreWide) {
        heads.qNorm = weightOf(call, half.qNorm);
        heads.kNorm = weightOf(call, half.kNorm);
    }
    heads.eps = call.shape.config.rmsNormEps;
    heads.inverseFrequencies = call.rotary.inverseFrequencies;
    heads.scaling = call.rotary.scaling;
    return heads;
}

void queriesKeysAndValues(const AttentionCall& call, const Matrix& in) {
    const AttentionHalf& half = call.shape.attention;
    normInto(call, half.inputNorm, in, nullptr);
    linearForward(call.linear, half.qkv, call.normed, call.saved.qkvProduct, call.saved.qkv);
}

// middle = in + what the heads gave, through o.
void addOutput(const AttentionCall& call, const Matrix& in) {
    const AttentionHalf& half = call.shape.attention;
    const Matrix& added = half.outNorm ? call.saved.added : call.middle;
    linearForward(call.linear, half.o, call.saved.out, call.saved.oProduct, added);
    addTo(call, in, half.outNorm, added, call.middle);
}

// From the gradients of rotated q and k, before rotateBackward() replaces them.
void headNormGradients(const AttentionCall& call, const AttentionHalf::BackwardScratch& scratch) {
    const AttentionHalf& half = call.shape.attention;
    const auto add = [&](const std::optional<geometry::TensorPlace>& norm, const Matrix& dRotated, const Matrix& before,
                         int64_t numHeads, const void* rstd) {
        if (!norm || half.normsAreWide || !norm->isTrained() || call.linear.gradients.data == nullptr) return;
        const Matrix& room = call.linear.sumParts;
        // A head is narrow: with more parts than a wide row has, as many threads are at work.
        const int64_t numParts = room.rows * std::clamp<int64_t>(room.cols / half.headDim, 1, 4);
        const Matrix parts = dense(room.data, room.dtype, numParts, half.headDim);
        kernels::headNormWeightGradient(call.target(), dRotated, before, numHeads, rstd, call.scratch.cosSin, parts,
                                        gradientOf(call.linear.gradients, *norm).data);
    };
    add(half.qNorm, scratch.dq, call.saved.q, half.numHeads, scratch.qRstd);
    add(half.kNorm, scratch.dk, call.saved.k, half.numKvHeads, scratch.kRstd);
}

// Of q or of k: from the gradient of what is rotated, which is used up, to that of what the linear gave.
void rotateBackward(const AttentionCall& call, const Matrix& dRotated, const Matrix& before, int64_t numHeads,
                    const std::optional<geometry::TensorPlace>& norm, const void* rstd, const Matrix& dBefore) {
    const Matrix& cosSin = call.scratch.cosSin;
    const kernels::NormWeight weight = weightOf(call, norm);
    if (!call.shape.attention.normsAreWide)
        return kernels::headNormRotaryBackward(call.target(), dRotated, before, numHeads, weight, rstd, cosSin,
                                               dBefore);
    kernels::headNormRotaryBackward(call.target(), dRotated, before, numHeads, nullptr, nullptr, cosSin, dRotated);
    normGradient(call.linear, *norm, dRotated, before, rstd);
    kernels::rmsNormBackward(call.target(), dRotated, before, weight, rstd, nullptr, dBefore);
}

// dqkv from dq, dk and dv.
void rotateBackward(const AttentionCall& call, const AttentionHalf::BackwardScratch& scratch) {
    const AttentionHalf& half = call.shape.attention;
    rotateBackward(call, scratch.dq, call.saved.q, half.numHeads, half.qNorm, scratch.qRstd,
                   columnsOf(scratch.dqkv, 0, half.qSize()));
    rotateBackward(call, scratch.dk, call.saved.k, half.numKvHeads, half.kNorm, scratch.kRstd,
                   columnsOf(scratch.dqkv, half.qSize(), half.kvSize()));
    kernels::convert(call.target(), scratch.dv, 1,
                     columnsOf(scratch.dqkv, half.qSize() + half.kvSize(), half.kvSize()));
}

// From the gradient of the heads' output down to dIn.
void belowOutput(const AttentionCall& call, const AttentionHalf::BackwardScratch& scratch, const Matrix& in,
                 const Matrix& dMiddle, const Matrix* dIn) {
    const AttentionHalf& half = call.shape.attention;
    const AttentionHalf::Saved& saved = call.saved;
    const Matrix q = half.qNorm ? call.scratch.rotatedQ : saved.q;
    const Matrix k = half.qNorm ? call.scratch.rotatedK : saved.k;
    if (half.qNorm) rotate(call, q, k, scratch.qRstd, scratch.kRstd);
    attentionBackward(call.compute(), shapeOf(half, call.batch.numSequences, call.batch.maxLength), call.batch.starts,
                      q, k, saved.v, saved.out, saved.logSumExp, scratch.dOut, scratch.dq, scratch.dk, scratch.dv,
                      scratch.delta);
    headNormGradients(call, scratch);
    rotateBackward(call, scratch);

    normInto(call, half.inputNorm, in, scratch.rstd);
    inputGradient(call.linear, half.qkv, scratch.dqkv, dIn);
    trainedGradient(call.linear, half.qkv, call.normed, saved.qkvProduct, scratch.dqkv);
    if (dIn == nullptr) return;
    normBackward(call, half.inputNorm, in, scratch.rstd, dMiddle, *dIn);
}

void attentionOverCache(const AttentionCall& call, const Matrix& queries, const Matrix& keys, const Matrix& values) {
    const AttentionHalf& half = call.shape.attention;
    const AttentionHalf::Saved& saved = call.saved;
    const void* sinks = sinksOf(call);
    kernels::attentionCached(call.target(), shapeOf(half, 1, 0), call.batch.positions, queries, keys, values, saved.out,
                             sinks ? saved.logSumExp : nullptr);
    if (sinks) kernels::addSinks(call.target(), sinks, half.numHeads, false, saved.logSumExp, saved.out);
}

} // namespace

void attentionHalfForward(const AttentionCall& call, const Matrix& in) {
    const AttentionHalf& half = call.shape.attention;
    const AttentionHalf::Saved& saved = call.saved;
    makeCosSin(call);
    queriesKeysAndValues(call, in);
    const Matrix queries = half.qNorm ? call.scratch.rotatedQ : saved.q;
    const Matrix keys = half.qNorm ? call.scratch.rotatedK : saved.k;
    rotate(call, queries, keys, nullptr, nullptr);
    attentionForward(call.compute(), shapeOf(half, call.batch.numSequences, call.batch.maxLength), call.batch.starts,
                     queries, keys, saved.v, sinksOf(call), saved.out, saved.logSumExp);
    addOutput(call, in);
}

void attentionHalfCached(const AttentionCall& call, const Matrix& in, const KvCacheView& cache) {
    const AttentionHalf& half = call.shape.attention;
    const AttentionHalf::Saved& saved = call.saved;
    const int64_t numTokens = call.batch.numTokens;
    const bool isRow = numTokens == 1;
    RP_CHECK(cache.past >= 0 && cache.past + numTokens <= cache.capacity);
    if (isRow)
        rowForward(call.linear, half.qkv, rowInput(call, half.inputNorm, in), saved.qkvProduct, nullptr, saved.qkv);
    else
        queriesKeysAndValues(call, in);

    const Matrix queries = half.qNorm ? call.scratch.rotatedQ : saved.q;
    const Matrix keys = dense(cache.keys, call.shape.dtype, cache.capacity, half.kvSize());
    const Matrix values = dense(cache.values, call.shape.dtype, cache.capacity, half.kvSize());
    if (half.normsAreWide) normInPlace(call);
    kernels::headsIntoCache(call.target(), cachedHeadsOf(call), saved.qkv, call.batch.positions, queries, keys, values);
    if (cache.past == 0 && !isRow) // the beginning of a text is a sequence like any other
        attentionForward(call.compute(), shapeOf(half, call.batch.numSequences, call.batch.maxLength),
                         call.batch.starts, queries, rowsOf(keys, 0, numTokens), rowsOf(values, 0, numTokens),
                         sinksOf(call), saved.out, saved.logSumExp);
    else
        attentionOverCache(call, queries, keys, values);
    if (isRow)
        addRowTo(call, in, half.outNorm, half.o, {saved.out}, saved.oProduct, saved.added, call.middle);
    else
        addOutput(call, in);
}

void attentionHalfBackward(const AttentionCall& call, const Matrix& in, const Matrix& dMiddle, const Matrix* dIn) {
    const AttentionHalf& half = call.shape.attention;
    const AttentionHalf::Saved& saved = call.saved;
    geometry::Workspace& memory = call.compute().workspace;
    const int64_t before = memory.usedBytes();
    const AttentionHalf::BackwardScratch scratch(half, memory, call.batch.numTokens);
    const bool goesOn = dIn != nullptr || half.qkv.isAdapted();
    const Matrix dAdded = gradientOfAdded(call, half.outNorm, saved.added, scratch.rstd, dMiddle);
    inputGradient(call.linear, half.o, dAdded, goesOn ? &scratch.dOut : nullptr);
    trainedGradient(call.linear, half.o, saved.out, saved.oProduct, dAdded);
    if (goesOn) belowOutput(call, scratch, in, dMiddle, dIn);
    memory.reset(before);
}

} // namespace roundpipe::model
