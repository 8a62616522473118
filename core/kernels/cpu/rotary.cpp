// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary positions, and the RMSNorm over each head that some models have before them:
//     table      angle = position * inverse frequency, cos and sin of it times `scaling`
//     turn       of a pair (i, i + R): low' = low cos - high sin, high' = high cos + low sin; columns from 2R on stay
//     backward   turns by minus the angle, then goes through the norm as norm.cpp does, over the head's K columns;
//                the weight's gradient too, a head of a token being a row
// The angle is one product in the table's type, because Hugging Face's is in fp32: another rounding would be another
// angle at large positions. A normed head is rounded to T before and after its weight, as Hugging Face hands it to
// rotary; the turned values are rounded once.
//
// A head is widened into a local buffer, worked on there and stored, so outputs may alias inputs. Its sums are sumOf's.
#include "kernels/cpu/column_sums.h"

#include <cstring>

namespace roundpipe::kernels::RP_LEVEL {

namespace {

// A row of the table.
template <class S>
void anglesAt(int32_t position, const double* inverseFrequencies, int64_t halfDim, double scaling, S* row) {
    for (int64_t i = 0; i < halfDim; ++i) {
        const S angle = static_cast<S>(position) * static_cast<S>(inverseFrequencies[i]);
        row[i] = std::cos(angle) * static_cast<S>(scaling);
        row[halfDim + i] = std::sin(angle) * static_cast<S>(scaling);
    }
}

// Turns each pair (i, i + half) by its angle; `direction` -1 turns back.
template <class S>
RP_INLINE void rotate(S* head, const S* cosSin, int64_t half, S direction) {
    for (int64_t i = 0; i < half; ++i) {
        const S low = head[i], high = head[half + i];
        const S cosine = cosSin[i], sine = direction * cosSin[half + i];
        head[i] = low * cosine - high * sine;
        head[half + i] = high * cosine + low * sine;
    }
}

// One head; gives the norm's statistic, 1 without. `weights`: null without a norm.
template <class T>
RP_INLINE Statistic<T> forwardHead(const T* from, int64_t headDim, const Statistic<T>* weights, bool addsOne,
                                   double eps, const Statistic<T>* cosSin, int64_t half, T* to) {
    using S = Statistic<T>;
    S head[kMaxHeadDim], rstd = 1;
    load(from, headDim, head);
    if (weights) {
        const double squares = sumOf<S>(headDim, [&](int64_t i) { return head[i] * head[i]; });
        const S mean = static_cast<S>(squares / static_cast<double>(headDim));
        rstd = S{1} / std::sqrt(mean + static_cast<S>(eps));
        for (int64_t i = 0; i < headDim; ++i)
            head[i] = rounded<T>(weighed<T>(head[i] * rstd, weights[i], addsOne));
    }
    rotate(head, cosSin, half, S{1});
    store(head, headDim, to);
    return rstd;
}

template <class T>
void forwardHeads(const Matrix& x, int64_t numHeads, NormWeight weight, double eps, const Matrix& cosSin,
                  const Matrix& out, Statistic<T>* rstds) {
    const int64_t headDim = x.cols / numHeads;
    Statistic<T> weights[kMaxHeadDim];
    if (weight) load(static_cast<const T*>(weight.data), headDim, weights);
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t h = 0; h < numHeads; ++h) {
            const Statistic<T> rstd =
                forwardHead<T>(rowOf<T>(x, t) + h * headDim, headDim, weight ? weights : nullptr, weight.addsOne, eps,
                               rowOf<Statistic<T>>(cosSin, t), cosSin.cols / 2, rowOf<T>(out, t) + h * headDim);
            if (weight && rstds) rstds[t * numHeads + h] = rstd;
        }
    }
}

// A token's heads of q or k.
template <class T>
void turnedHeads(const CachedHeads& heads, const T* from, int64_t numHeads, NormWeight norm, const Statistic<T>* cosSin,
                 T* to) {
    Statistic<T> weights[kMaxHeadDim];
    if (norm) load(static_cast<const T*>(norm.data), heads.headDim, weights);
    const auto half = static_cast<int64_t>(heads.inverseFrequencies.size());
    for (int64_t h = 0; h < numHeads; ++h)
        forwardHead<T>(from + h * heads.headDim, heads.headDim, norm ? weights : nullptr, norm.addsOne, heads.eps,
                       cosSin, half, to + h * heads.headDim);
}

template <class T>
void backwardHeads(const Matrix& dy, const Matrix& x, int64_t numHeads, NormWeight weight, const Statistic<T>* rstds,
                   const Matrix& cosSin, const Matrix& dx) {
    using S = Statistic<T>;
    const int64_t headDim = dy.cols / numHeads;
    S head[kMaxHeadDim], weights[kMaxHeadDim], values[kMaxHeadDim];
    if (weight) load(static_cast<const T*>(weight.data), headDim, weights);
    for (int64_t t = 0; t < dy.rows; ++t) {
        for (int64_t h = 0; h < numHeads; ++h) {
            load(rowOf<T>(dy, t) + h * headDim, headDim, head);
            rotate(head, rowOf<S>(cosSin, t), cosSin.cols / 2, S{-1});
            if (weight) {
                const S rstd = rstds[t * numHeads + h];
                load(rowOf<T>(x, t) + h * headDim, headDim, values);
                for (int64_t i = 0; i < headDim; ++i) {
                    values[i] *= rstd;
                    head[i] *= normFactor(weights[i], weight.addsOne);
                }
                const double products = sumOf<S>(headDim, [&](int64_t i) { return head[i] * values[i]; });
                const S mean = static_cast<S>(products / static_cast<double>(headDim));
                for (int64_t i = 0; i < headDim; ++i)
                    head[i] = rstd * (head[i] - values[i] * mean);
            }
            store(head, headDim, rowOf<T>(dx, t) + h * headDim);
        }
    }
}

} // namespace

void rotaryTable(const Target&, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                 double scaling, const Matrix& cosSin) {
    for (int64_t t = 0; t < cosSin.rows; ++t) {
        if (cosSin.dtype == DType::kF64)
            anglesAt(positions[t], inverseFrequencies, halfDim, scaling, rowOf<double>(cosSin, t));
        else
            anglesAt(positions[t], inverseFrequencies, halfDim, scaling, rowOf<float>(cosSin, t));
    }
}

void headNormRotary(const Target&, const Matrix& x, int64_t numHeads, NormWeight normWeight, double eps,
                    const Matrix& cosSin, const Matrix& out, void* rstd) {
    visitFloating(x.dtype, [&]<class T>(T) {
        forwardHeads<T>(x, numHeads, normWeight, eps, cosSin, out, static_cast<Statistic<T>*>(rstd));
    });
}

void headsIntoCache(const Target&, const CachedHeads& heads, const Matrix& qkv, const int32_t* positions,
                    const Matrix& queries, const Matrix& keys, const Matrix& values) {
    visitFloating(qkv.dtype, [&]<class T>(T) {
        Statistic<T> cosSin[kMaxHeadDim];
        for (int64_t t = 0; t < qkv.rows; ++t) {
            anglesAt(positions[t], heads.inverseFrequencies.data(),
                     static_cast<int64_t>(heads.inverseFrequencies.size()), heads.scaling, cosSin);
            const T *q = rowOf<T>(qkv, t), *k = q + queries.cols, *v = k + keys.cols;
            turnedHeads<T>(heads, q, heads.numHeads, heads.qNorm, cosSin, rowOf<T>(queries, t));
            turnedHeads<T>(heads, k, heads.numKvHeads, heads.kNorm, cosSin, rowOf<T>(keys, positions[t]));
            std::memcpy(rowOf<T>(values, positions[t]), v, static_cast<std::size_t>(values.cols) * sizeof(T));
        }
    });
}

void headNormRotaryBackward(const Target&, const Matrix& dy, const Matrix& x, int64_t numHeads, NormWeight normWeight,
                            const void* rstd, const Matrix& cosSin, const Matrix& dx) {
    visitFloating(dy.dtype, [&]<class T>(T) {
        backwardHeads<T>(dy, x, numHeads, normWeight, static_cast<const Statistic<T>*>(rstd), cosSin, dx);
    });
}

void headNormWeightGradient(const Target&, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* rstd,
                            const Matrix& cosSin, const Matrix& parts, void* out) {
    static_assert(kMaxHeadDim <= kChunk); // a head is one chunk
    visitFloating(dy.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const auto* rstds = static_cast<const S*>(rstd);
        addSumsOver(dy.rows * numHeads, parts, static_cast<S*>(out),
                    [&](int64_t row, int64_t, int64_t headDim, S* terms) {
                        const int64_t t = row / numHeads, first = row % numHeads * headDim;
                        S values[kMaxHeadDim];
                        load(rowOf<T>(dy, t) + first, headDim, terms);
                        load(rowOf<T>(x, t) + first, headDim, values);
                        rotate(terms, rowOf<S>(cosSin, t), cosSin.cols / 2, S{-1});
                        for (int64_t i = 0; i < headDim; ++i)
                            terms[i] *= values[i] * rstds[row];
                    });
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
