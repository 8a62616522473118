// SPDX-License-Identifier: GPL-3.0-or-later
// What gpt-oss's experts do beside their products, with g and u cut off at the limit (formulas.h):
//     act        = round_T(g * sigma(slope * g)) * round_T(u + 1)
//     backward   with d the gradient of act without the routing weight w:
//                dw = sum of d * act + sum of dRows * bias, both over a row
//                dUp = w d * round_T(g * sigma), dGate = w d * (u + 1) * sigma * (1 + slope g (1 - sigma)); 0 where cut
//     bias       x + bias of the row's expert
// Sums over a row go through double.
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {
namespace {

RP_INLINE int64_t expertOf(const Routing& routing, int64_t row) {
    return routing.choices[routing.sources[row]];
}

// The element of `values` [T, A] that belongs to a row.
template <class V>
RP_INLINE V& ofChoice(const Matrix& values, const Routing& routing, int64_t row) {
    const int64_t choice = routing.sources[row];
    return rowOf<V>(values, choice / routing.perToken)[choice % routing.perToken];
}

template <class T>
void addExpertBiasRows(const Matrix& x, const Routing& routing, const Matrix& biases) {
    using S = Statistic<T>;
    for (int64_t row = 0; row < x.rows; ++row) {
        const T* bias = rowOf<T>(biases, expertOf(routing, row));
        T* values = rowOf<T>(x, row);
        for (int64_t i = 0; i < x.cols; ++i)
            values[i] = narrow<T>(static_cast<S>(widen(values[i])) + static_cast<S>(widen(bias[i])));
    }
}

template <class T>
void clampedGluRows(const ClampedGate& gate, const Matrix& gateUp, const Matrix& out) {
    using S = Statistic<T>;
    const S limit = static_cast<S>(gate.limit), slope = static_cast<S>(gate.slope);
    for (int64_t row = 0; row < out.rows; ++row)
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            S acts[kChunk];
            const T* from = rowOf<T>(gateUp, row) + 2 * first;
            for (int64_t i = 0; i < count; ++i) {
                const auto [g, u, gateIsCut, upIsCut] =
                    clampedPair(static_cast<S>(widen(from[2 * i])), static_cast<S>(widen(from[2 * i + 1])), limit);
                acts[i] = rounded<T>(g / (S{1} + exponential(-slope * g))) * rounded<T>(u + S{1});
            }
            store(acts, count, rowOf<T>(out, row) + first);
        });
}

// <a, b>, of `count` elements.
template <class T>
double productOf(const T* a, const T* b, int64_t count) {
    using S = Statistic<T>;
    double sum = 0;
    forChunks(count, [&](int64_t first, int64_t size) {
        S left[kChunk], right[kChunk];
        load(a + first, size, left);
        load(b + first, size, right);
        sum += sumOf<S>(size, [&](int64_t i) { return left[i] * right[i]; });
    });
    return sum;
}

template <class T>
void clampedBackwardRows(const ClampedGate& gate, const Matrix& dAct, const Matrix& gateUp, const Routing& routing,
                         const Matrix& weights, const Matrix& dRows, const Matrix& biases, const Matrix& dGateUp,
                         const Matrix* act, const Matrix& dWeights) {
    using S = Statistic<T>;
    const S limit = static_cast<S>(gate.limit), slope = static_cast<S>(gate.slope);
    for (int64_t row = 0; row < gateUp.rows; ++row) {
        const S weight = static_cast<S>(widen(ofChoice<T>(weights, routing, row)));
        double dWeight = productOf(rowOf<T>(dRows, row), rowOf<T>(biases, expertOf(routing, row)), dRows.cols);
        forChunks(dAct.cols, [&](int64_t first, int64_t count) {
            S gradients[kChunk], acts[kChunk];
            const T* from = rowOf<T>(gateUp, row) + 2 * first;
            T* to = rowOf<T>(dGateUp, row) + 2 * first;
            load(rowOf<T>(dAct, row) + first, count, gradients);
            for (int64_t i = 0; i < count; ++i) {
                const auto [g, u, gateIsCut, upIsCut] =
                    clampedPair(static_cast<S>(widen(from[2 * i])), static_cast<S>(widen(from[2 * i + 1])), limit);
                const S inverse = S{1} + exponential(-slope * g), sigmoid = S{1} / inverse, d = weight * gradients[i];
                const S given = rounded<T>(g / inverse), plusOne = rounded<T>(u + S{1});
                acts[i] = rounded<T>(given * plusOne);
                to[2 * i] =
                    narrow<T>(gateIsCut ? S{0} : (d * plusOne) * (sigmoid * (S{1} + slope * g * (S{1} - sigmoid))));
                to[2 * i + 1] = narrow<T>(upIsCut ? S{0} : d * given);
            }
            dWeight += sumOf<S>(count, [&](int64_t i) { return gradients[i] * acts[i]; });
            if (act == nullptr) return;
            for (int64_t i = 0; i < count; ++i)
                acts[i] *= weight;
            store(acts, count, rowOf<T>(*act, row) + first);
        });
        ofChoice<T>(dWeights, routing, row) = narrow<T>(static_cast<S>(dWeight));
    }
}

} // namespace

void addExpertBias(const Target&, const Matrix& x, const Routing& routing, const Matrix& biases) {
    visitFloating(x.dtype, [&]<class T>(T) { addExpertBiasRows<T>(x, routing, biases); });
}

void clampedGlu(const Target&, const ClampedGate& gate, const Matrix& gateUp, const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) { clampedGluRows<T>(gate, gateUp, out); });
}

void expertClampedGluBackward(const Target&, const ClampedGate& gate, const Matrix& dAct, const Matrix& gateUp,
                              const Routing& routing, const Matrix& weights, const Matrix& dRows, const Matrix& biases,
                              const Matrix& dGateUp, const Matrix* act, const Matrix& dWeights) {
    visitFloating(gateUp.dtype, [&]<class T>(T) {
        clampedBackwardRows<T>(gate, dAct, gateUp, routing, weights, dRows, biases, dGateUp, act, dWeights);
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
