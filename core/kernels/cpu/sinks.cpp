// SPDX-License-Identifier: GPL-3.0-or-later
// Sinks of attention: with l of a head's softmax, s its sink and m the larger of both,
//     sum = e^(l - m) + e^(s - m); l becomes m + log(sum), out is multiplied by e^(l - m) / sum, rounded once more
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {
namespace {

template <class T>
void addSinksOf(const T* sinks, int64_t numHeads, bool byToken, Statistic<T>* logSumExp, const Matrix& out) {
    using S = Statistic<T>;
    const int64_t headDim = out.cols / numHeads;
    for (int64_t t = 0; t < out.rows; ++t)
        for (int64_t h = 0; h < numHeads; ++h) {
            S& own = logSumExp[byToken ? t * numHeads + h : h * out.rows + t];
            const S sink = static_cast<S>(widen(sinks[h])), largest = own > sink ? own : sink;
            const S weight = exponential(own - largest), sum = weight + exponential(sink - largest);
            const S factor = weight / sum;
            own = largest + std::log(sum);
            T* head = rowOf<T>(out, t) + h * headDim;
            forChunks(headDim, [&](int64_t first, int64_t count) {
                S values[kChunk];
                load(head + first, count, values);
                for (int64_t i = 0; i < count; ++i)
                    values[i] *= factor;
                store(values, count, head + first);
            });
        }
}

} // namespace

void addSinks(const Target&, const void* sinks, int64_t numHeads, bool byToken, void* logSumExp, const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        addSinksOf(static_cast<const T*>(sinks), numHeads, byToken, static_cast<Statistic<T>*>(logSumExp), out);
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
