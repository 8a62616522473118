// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over rows for the twins. Order: the rows of a part from first to last, then the parts, all in the statistics
// type.
#pragma once

#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {

// out[c] += sum over rows of the terms that loadTerms(row, first, count, terms) gives for columns [first, first +
// count).
template <class S, class LoadTerms>
RP_INLINE void addSumsOver(int64_t rows, const Matrix& parts, S* out, LoadTerms&& loadTerms) {
    const int64_t partRows = (rows + parts.rows - 1) / parts.rows;
    for (int64_t p = 0; p < parts.rows; ++p) {
        S* sums = rowOf<S>(parts, p);
        for (int64_t c = 0; c < parts.cols; ++c)
            sums[c] = 0;
        const int64_t end = (p + 1) * partRows < rows ? (p + 1) * partRows : rows;
        for (int64_t row = p * partRows; row < end; ++row)
            forChunks(parts.cols, [&](int64_t first, int64_t count) {
                S terms[kChunk];
                loadTerms(row, first, count, terms);
                for (int64_t i = 0; i < count; ++i)
                    sums[first + i] += terms[i];
            });
        for (int64_t c = 0; c < parts.cols; ++c)
            out[c] += sums[c];
    }
}

} // namespace roundpipe::kernels::RP_LEVEL
