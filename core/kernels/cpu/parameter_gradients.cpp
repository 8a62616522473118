// SPDX-License-Identifier: GPL-3.0-or-later
// What gathers in a bias and in the rows of the embedding:
//     addColumnSums   out[c] += sum over t of x[t][c]
//     embedGradient   table[ids[t]] += dOut[t], token after token
// Nothing is rounded on the way.
#include "kernels/cpu/column_sums.h"

namespace roundpipe::kernels::RP_LEVEL {

namespace {

template <class T>
void embedGradientRows(const Matrix& dOut, const int32_t* ids, const Matrix& table) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < dOut.rows; ++t) {
        if (ids[t] < 0 || ids[t] >= table.rows) continue;
        S* sums = rowOf<S>(table, ids[t]);
        forChunks(dOut.cols, [&](int64_t first, int64_t count) {
            S values[kChunk];
            load(rowOf<T>(dOut, t) + first, count, values);
            for (int64_t i = 0; i < count; ++i)
                sums[first + i] += values[i];
        });
    }
}

} // namespace

void embedGradient(const Target&, const Matrix& dOut, const int32_t* ids, const Matrix& table) {
    visitFloating(dOut.dtype, [&]<class T>(T) { embedGradientRows<T>(dOut, ids, table); });
}

void addColumnSums(const Target&, const Matrix& x, const Matrix& parts, void* out) {
    visitFloating(x.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        addSumsOver(x.rows, parts, static_cast<S*>(out), [&](int64_t row, int64_t first, int64_t count, S* terms) {
            load(rowOf<T>(x, row) + first, count, terms);
        });
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
