// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed element by element, and the rows of the embedding:
//     sigmoid    out = sigma(x), backward dX = dOut * out * (1 - out)
//     glu        out = a(gate) * up, with a(g) = g * sigma(u), sigma(u) = 1 / (1 + e^-u), and u of g in formulas.h
//     backward   dUp = dOut * a(gate), dGate = dOut * up * sigma(u) * (1 + g * du/dg * (1 - sigma(u)))
//     scaled sum out = scale * a + b, of which add and convert are cases
//     dropout    out = x / (1 - p) where the draw says keep, else 0; which draw an element gets stands in draws.h
// a(gate) is rounded to T before the product, in backward too, because Hugging Face's activation leaves it rounded;
// everything else is rounded once, on storing. A scaled sum is computed in the statistics type of what it is stored in,
// or in double where its input is double. Nothing is added across elements, so there is no order to keep.
#include "kernels/cpu/twins.h"
#include "kernels/draws.h"

#include <cstring>

namespace roundpipe::kernels::RP_LEVEL {

namespace {

template <class T>
void embedRows(const Matrix& table, const int32_t* ids, const Matrix& out) {
    for (int64_t t = 0; t < out.rows; ++t) {
        T* to = rowOf<T>(out, t);
        if (ids[t] >= 0 && ids[t] < table.rows) {
            std::memcpy(to, rowOf<T>(table, ids[t]), static_cast<std::size_t>(out.cols) * sizeof(T));
        } else {
            const T notANumber = narrow<T>(std::numeric_limits<Statistic<T>>::quiet_NaN());
            for (int64_t i = 0; i < out.cols; ++i)
                to[i] = notANumber;
        }
    }
}

template <class T>
void sigmoidRows(const Matrix& x, const Matrix& out) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < x.rows; ++t) {
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            S values[kChunk];
            load(rowOf<T>(x, t) + first, count, values);
            for (int64_t i = 0; i < count; ++i)
                values[i] = S{1} / (S{1} + exponential(-values[i]));
            store(values, count, rowOf<T>(out, t) + first);
        });
    }
}

template <class T>
void sigmoidBackwardRows(const Matrix& dOut, const Matrix& out, const Matrix& dX) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < out.rows; ++t) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            S values[kChunk], gradients[kChunk];
            load(rowOf<T>(out, t) + first, count, values);
            load(rowOf<T>(dOut, t) + first, count, gradients);
            for (int64_t i = 0; i < count; ++i)
                gradients[i] *= values[i] * (S{1} - values[i]);
            store(gradients, count, rowOf<T>(dX, t) + first);
        });
    }
}

template <class T, Activation kActivation>
void gluRows(const Matrix& gate, const Matrix& up, const Matrix& out) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < gate.rows; ++t) {
        forChunks(gate.cols, [&](int64_t first, int64_t count) {
            S gates[kChunk], ups[kChunk];
            load(rowOf<T>(gate, t) + first, count, gates);
            load(rowOf<T>(up, t) + first, count, ups);
            for (int64_t i = 0; i < count; ++i)
                ups[i] *= rounded<T>(gates[i] / (S{1} + exponential(-sigmoidArgument<kActivation>(gates[i]))));
            store(ups, count, rowOf<T>(out, t) + first);
        });
    }
}

template <class T, Activation kActivation>
void gluBackwardRows(const Matrix& dOut, const Matrix& gate, const Matrix& up, const Matrix& dGate, const Matrix& dUp,
                     const Matrix* act) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < gate.rows; ++t) {
        forChunks(gate.cols, [&](int64_t first, int64_t count) {
            S gates[kChunk], ups[kChunk], gradients[kChunk], acts[kChunk];
            load(rowOf<T>(gate, t) + first, count, gates);
            load(rowOf<T>(up, t) + first, count, ups);
            load(rowOf<T>(dOut, t) + first, count, gradients);
            for (int64_t i = 0; i < count; ++i) {
                const S g = gates[i], u = ups[i], d = gradients[i];
                const S inverse = S{1} + exponential(-sigmoidArgument<kActivation>(g)), sigmoid = S{1} / inverse;
                const S activated = rounded<T>(g / inverse);
                acts[i] = activated * u;
                ups[i] = d * activated;
                gates[i] = (d * u) * (sigmoid * (S{1} + sigmoidSlope<kActivation>(g) * (S{1} - sigmoid)));
            }
            store(gates, count, rowOf<T>(dGate, t) + first);
            store(ups, count, rowOf<T>(dUp, t) + first);
            if (act) store(acts, count, rowOf<T>(*act, t) + first);
        });
    }
}

// out = scale * a + b, or scale * a where b is null.
template <class A, class B>
void scaleAdd(const Matrix& a, double scale, const Matrix* b, const Matrix& out) {
    using S = std::conditional_t<std::is_same_v<A, double>, double, Statistic<B>>;
    for (int64_t t = 0; t < a.rows; ++t) {
        forChunks(a.cols, [&](int64_t first, int64_t count) {
            S values[kChunk], others[kChunk];
            load(rowOf<A>(a, t) + first, count, values);
            for (int64_t i = 0; i < count; ++i)
                values[i] *= static_cast<S>(scale);
            if (b) {
                load(rowOf<B>(*b, t) + first, count, others);
                for (int64_t i = 0; i < count; ++i)
                    values[i] += others[i];
            }
            store(values, count, rowOf<B>(out, t) + first);
        });
    }
}

template <class T>
void dropoutRows(const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability, const Matrix& out) {
    using S = Statistic<T>;
    const S scale = keptScale<S>(probability);
    for (int64_t t = 0; t < x.rows; ++t) {
        const T* from = rowOf<T>(x, t);
        T* to = rowOf<T>(out, t);
        for (int64_t first = 0; first < x.cols; first += 4) {
            const Philox4 draws = dropoutDraws(rowKeys[t], moduleKey, first / 4);
            const int64_t count = x.cols - first < 4 ? x.cols - first : 4;
            for (int64_t i = 0; i < count; ++i) {
                const bool keep = uniform(draws.values[i]) >= static_cast<float>(probability);
                to[first + i] = narrow<T>(keep ? widen(from[first + i]) * scale : S{0});
            }
        }
    }
}

} // namespace

void embed(const Target&, const Matrix& table, const int32_t* ids, const Matrix& out) {
    visitFloating(table.dtype, [&]<class T>(T) { embedRows<T>(table, ids, out); });
}

void sigmoid(const Target&, const Matrix& x, const Matrix& out) {
    visitFloating(x.dtype, [&]<class T>(T) { sigmoidRows<T>(x, out); });
}

void sigmoidBackward(const Target&, const Matrix& dOut, const Matrix& out, const Matrix& dX) {
    visitFloating(out.dtype, [&]<class T>(T) { sigmoidBackwardRows<T>(dOut, out, dX); });
}

void glu(const Target&, Activation activation, const Matrix& gate, const Matrix& up, const Matrix& out) {
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(gate.dtype, [&]<class T>(T) { gluRows<T, a>(gate, up, out); });
    });
}

void gluBackward(const Target&, Activation activation, const Matrix& dOut, const Matrix& gate, const Matrix& up,
                 const Matrix& dGate, const Matrix& dUp, const Matrix* act) {
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(gate.dtype, [&]<class T>(T) { gluBackwardRows<T, a>(dOut, gate, up, dGate, dUp, act); });
    });
}

void add(const Target&, const Matrix& a, const Matrix& b, const Matrix& out) {
    visitFloating(a.dtype, [&]<class T>(T) { scaleAdd<T, T>(a, 1, &b, out); });
}

void convert(const Target&, const Matrix& in, double scale, const Matrix& out) {
    visitFloating(in.dtype, [&]<class A>(A) {
        visitFloating(out.dtype, [&]<class B>(B) { scaleAdd<A, B>(in, scale, nullptr, out); });
    });
}

void dropout(const Target&, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
             const Matrix& out) {
    visitFloating(x.dtype, [&]<class T>(T) { dropoutRows<T>(x, rowKeys, moduleKey, probability, out); });
}

void makeRowKeys(const Target&, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                 int64_t numSequences, const int32_t* positions, int64_t /*numTokens*/, uint64_t* rowKeys) {
    for (int64_t s = 0; s < numSequences; ++s)
        for (int64_t t = starts[s]; t < starts[s + 1]; ++t)
            rowKeys[t] = rowKey(seed, step, exampleIds[s], positions[t]);
}

void sequenceOffsets(const Target&, const int32_t* starts, const SequenceRange& range, const RowPitches& pitches,
                     int32_t* out) {
    const int64_t width = range.count + 1;
    const auto startOf = [&](int64_t i) { return starts[std::min(range.first + i, range.numSequences)]; };
    for (int64_t i = 0; i < width; ++i) {
        for (std::size_t row = 0; row < pitches.size(); ++row)
            out[static_cast<int64_t>(row) * width + i] = startOf(i) * pitches[row];
        out[static_cast<int64_t>(pitches.size()) * width + i] = i < range.count ? startOf(i + 1) - startOf(i) : 0;
    }
}

} // namespace roundpipe::kernels::RP_LEVEL
