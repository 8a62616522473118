// SPDX-License-Identifier: GPL-3.0-or-later
// Routing of tokens to experts, as Hugging Face's Qwen3MoeTopKRouter does it:
//     p = softmax(logits); the A largest are chosen; w = p, or normalised w = p / (sum of the chosen p); rounded to T
//     backward, normalised: dLogit = w (dw - sum of w dw) of the chosen, unrounded w, and 0 of the others
//     else:                 dLogit = p (dw - sum of p dw), with dw = 0 of those that were not chosen
// and what experts do to rows beside their products:
//     combine    out = base + sum of w * routed, from the first expert to the last
//     backward   with d the gradient of the activation times its weight, divided by the weight:
//                dw = sum of d * silu(gate) * up over a row, and swiGluBackward (elementwise.cpp) of w * d
// Logits are compared, not probabilities, so that which experts are chosen does not depend on how e^x is rounded. A NaN
// counts as minus infinity. Sums over a row go through double as elsewhere; those over chosen experts are in order,
// in the statistics type.
#include "kernels/cpu/twins.h"

#include <cstring>

namespace roundpipe::kernels::RP_LEVEL {

namespace {

template <class S>
RP_INLINE S comparable(S logit) {
    return logit == logit ? logit : -std::numeric_limits<S>::infinity();
}

// Few, so nothing better is needed.
RP_INLINE void sortAscending(int32_t* values, int64_t count) {
    for (int64_t i = 1; i < count; ++i)
        for (int64_t j = i; j > 0 && values[j - 1] > values[j]; --j) {
            const int32_t value = values[j];
            values[j] = values[j - 1];
            values[j - 1] = value;
        }
}

// The `count` largest of `values`, their numbers ascending.
template <class S>
void chooseLargest(const S* values, int64_t numValues, int64_t count, int32_t* choices) {
    int64_t found = 0;
    for (int64_t e = 0; e < numValues; ++e) {
        int64_t place = found;
        while (place > 0 && comparable(values[e]) > comparable(values[choices[place - 1]]))
            --place;
        if (place == count) continue;
        found = found < count ? found + 1 : count;
        for (int64_t i = found - 1; i > place; --i)
            choices[i] = choices[i - 1];
        choices[place] = static_cast<int32_t>(e);
    }
    sortAscending(choices, count);
}

template <class S>
void softmaxInPlace(S* values, int64_t count) {
    const S largest = largestOf(values, count, -std::numeric_limits<S>::infinity());
    double sum = 0;
    forChunks(count, [&](int64_t first, int64_t size) {
        S* chunk = values + first;
        for (int64_t i = 0; i < size; ++i)
            chunk[i] = exponential(chunk[i] - largest);
        sum += sumOf<S>(size, [&](int64_t i) { return chunk[i]; });
    });
    const S total = static_cast<S>(sum);
    for (int64_t i = 0; i < count; ++i)
        values[i] /= total;
}

template <class S>
S sumOfChosen(const S* probabilities, const int32_t* choices, int64_t count) {
    S sum = 0;
    for (int64_t a = 0; a < count; ++a)
        sum += probabilities[choices[a]];
    return sum;
}

template <class T>
void chooseRows(const Matrix& logits, bool normalised, const Matrix& probabilities, const Routing& routing,
                const Matrix& weights) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < logits.rows; ++t) {
        S* values = rowOf<S>(probabilities, t);
        T* weight = rowOf<T>(weights, t);
        int32_t* choices = routing.choices + t * routing.perToken;
        load(rowOf<T>(logits, t), logits.cols, values);
        chooseLargest(values, logits.cols, routing.perToken, choices);
        softmaxInPlace(values, logits.cols);
        const S sum = normalised ? sumOfChosen(values, choices, routing.perToken) : S{1};
        for (int64_t a = 0; a < routing.perToken; ++a)
            weight[a] = narrow<T>(values[choices[a]] / sum);
    }
}

template <class T>
void chooseBackwardRows(const Matrix& probabilities, const Routing& routing, bool normalised, const Matrix& dWeights,
                        const Matrix& dLogits) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < dLogits.rows; ++t) {
        const S* p = rowOf<S>(probabilities, t);
        const T* dw = rowOf<T>(dWeights, t);
        const int32_t* choices = routing.choices + t * routing.perToken;
        T* to = rowOf<T>(dLogits, t);
        const S sum = normalised ? sumOfChosen(p, choices, routing.perToken) : S{1};
        S mean = 0; // of the gradients, weighted
        for (int64_t a = 0; a < routing.perToken; ++a)
            mean += p[choices[a]] / sum * static_cast<S>(widen(dw[a]));
        for (int64_t e = 0; e < dLogits.cols; ++e)
            to[e] = narrow<T>(normalised ? S{0} : -p[e] * mean);
        for (int64_t a = 0; a < routing.perToken; ++a)
            to[choices[a]] = narrow<T>(p[choices[a]] / sum * (static_cast<S>(widen(dw[a])) - mean));
    }
}

// The numbers are those of tokens where one expert takes them all.
RP_INLINE int64_t rowOfChoice(const Routing& routing, int64_t choice) {
    return routing.rows ? routing.rows[choice] : choice;
}

template <class T>
void combineRowsOf(const Matrix* base, const Matrix& routed, const Routing& routing, const Matrix* weights,
                   const Matrix& out) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < out.rows; ++t) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            S sums[kChunk] = {}, values[kChunk];
            if (base) load(rowOf<T>(*base, t) + first, count, sums);
            for (int64_t a = 0; a < routing.perToken; ++a) {
                const S weight = weights ? static_cast<S>(widen(rowOf<T>(*weights, t)[a])) : S{1};
                load(rowOf<T>(routed, rowOfChoice(routing, t * routing.perToken + a)) + first, count, values);
                for (int64_t i = 0; i < count; ++i)
                    sums[i] += weight * values[i];
            }
            store(sums, count, rowOf<T>(out, t) + first);
        });
    }
}

// The element of `values` [T, A] that belongs to a row.
template <class V>
RP_INLINE V& ofRow(const Matrix& values, const Routing& routing, int64_t row) {
    const int64_t choice = routing.sources ? routing.sources[row] : row;
    return rowOf<V>(values, choice / routing.perToken)[choice % routing.perToken];
}

template <class T>
void scaleRowsOf(const Matrix& x, const Routing& routing, const Matrix& weights) {
    using S = Statistic<T>;
    for (int64_t row = 0; row < x.rows; ++row) {
        const S weight = static_cast<S>(widen(ofRow<T>(weights, routing, row)));
        T* values = rowOf<T>(x, row);
        for (int64_t i = 0; i < x.cols; ++i)
            values[i] = narrow<T>(static_cast<S>(widen(values[i])) * weight);
    }
}

template <class T>
void expertBackwardRows(const Matrix& dAct, const Matrix& gate, const Matrix& up, const Routing& routing,
                        const Matrix& weights, const Matrix& dGate, const Matrix& dUp, const Matrix* act,
                        const Matrix& dWeights) {
    using S = Statistic<T>;
    for (int64_t row = 0; row < gate.rows; ++row) {
        const S weight = static_cast<S>(widen(ofRow<T>(weights, routing, row)));
        double dWeight = 0;
        forChunks(gate.cols, [&](int64_t first, int64_t count) {
            S gates[kChunk], ups[kChunk], gradients[kChunk], acts[kChunk];
            load(rowOf<T>(gate, row) + first, count, gates);
            load(rowOf<T>(up, row) + first, count, ups);
            load(rowOf<T>(dAct, row) + first, count, gradients);
            for (int64_t i = 0; i < count; ++i) {
                const S g = gates[i], u = ups[i];
                const S inverse = S{1} + exponential(-g), sigmoid = S{1} / inverse;
                const S silu = rounded<T>(g / inverse), d = weight * gradients[i];
                acts[i] = rounded<T>(silu * u);
                ups[i] = d * silu;
                gates[i] = (d * u) * (sigmoid * (S{1} + g * (S{1} - sigmoid)));
            }
            dWeight += sumOf<S>(count, [&](int64_t i) { return gradients[i] * acts[i]; });
            for (int64_t i = 0; i < count; ++i)
                acts[i] *= weight;
            store(gates, count, rowOf<T>(dGate, row) + first);
            store(ups, count, rowOf<T>(dUp, row) + first);
            if (act) store(acts, count, rowOf<T>(*act, row) + first);
        });
        ofRow<T>(dWeights, routing, row) = narrow<T>(static_cast<S>(dWeight));
    }
}

} // namespace

void chooseExperts(const Target&, const Matrix& logits, bool normalised, const Matrix& probabilities,
                   const Routing& routing, const Matrix& weights) {
    visitFloating(logits.dtype,
                  [&]<class T>(T) { chooseRows<T>(logits, normalised, probabilities, routing, weights); });
}

void chooseExpertsBackward(const Target&, const Matrix& probabilities, const Routing& routing, bool normalised,
                           const Matrix& dWeights, const Matrix& dLogits) {
    visitFloating(dLogits.dtype,
                  [&]<class T>(T) { chooseBackwardRows<T>(probabilities, routing, normalised, dWeights, dLogits); });
}

void sortByExpert(const Target&, const Routing& routing) {
    int32_t* starts = routing.starts;
    for (int64_t e = 0; e <= routing.numExperts; ++e)
        starts[e] = 0;
    for (int64_t i = 0; i < routing.numRows(); ++i)
        ++starts[routing.choices[i] + 1];
    for (int64_t e = 0; e < routing.numExperts; ++e)
        starts[e + 1] += starts[e];
    // Each start moves on to the next expert's while rows are given out, and back after it.
    for (int64_t i = 0; i < routing.numRows(); ++i) {
        const int32_t row = starts[routing.choices[i]]++;
        routing.rows[i] = row;
        routing.sources[row] = static_cast<int32_t>(i);
    }
    for (int64_t e = routing.numExperts; e > 0; --e)
        starts[e] = starts[e - 1];
    starts[0] = 0;
}

void gatherRows(const Target&, const Matrix& x, const Routing& routing, const Matrix& out) {
    const auto bytes = static_cast<int64_t>(sizeOf(x.dtype));
    const auto at = [bytes](const Matrix& matrix, int64_t row) {
        return static_cast<char*>(matrix.data) + row * matrix.pitch * bytes;
    };
    for (int64_t row = 0; row < out.rows; ++row)
        std::memcpy(at(out, row), at(x, routing.sources[row] / routing.perToken),
                    static_cast<std::size_t>(x.cols * bytes));
}

void combineRows(const Target&, const Matrix* base, const Matrix& routed, const Routing& routing, const Matrix* weights,
                 const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) { combineRowsOf<T>(base, routed, routing, weights, out); });
}

void scaleRows(const Target&, const Matrix& x, const Routing& routing, const Matrix& weights) {
    visitFloating(x.dtype, [&]<class T>(T) { scaleRowsOf<T>(x, routing, weights); });
}

void expertSwiGluBackward(const Target&, const Matrix& dAct, const Matrix& gate, const Matrix& up,
                          const Routing& routing, const Matrix& weights, const Matrix& dGate, const Matrix& dUp,
                          const Matrix* act, const Matrix& dWeights) {
    visitFloating(gate.dtype, [&]<class T>(T) {
        expertBackwardRows<T>(dAct, gate, up, routing, weights, dGate, dUp, act, dWeights);
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
