// SPDX-License-Identifier: GPL-3.0-or-later
// RMSNorm over rows of D columns, and its gradient:
//     rstd = 1 / sqrt(mean(x²) + eps)      out = round_T(x * rstd) * w      or x * rstd * (1 + w), see NormWeight
// with w what is multiplied by, n = x * rstd and g = dy * w:
//     dx = rstd * (g - n * mean(g * n)), plus the residual's gradient where there is one
//     dw = sum over rows of dy * n
// The inner rounding is Hugging Face's, which casts back before the weight; the gradients pass it unchanged. Forward
// keeps rstd, so that backward needs no sum of squares; n is made again from x.
//
// Orders: a chunk is summed as sumOf does, the chunks from first to last in double; rows as in column_sums.h.
#include "kernels/cpu/column_sums.h"

namespace roundpipe::kernels::RP_LEVEL {

namespace {

template <class T>
void rmsNormRows(const Matrix& x, NormWeight weight, double eps, const Matrix& out, Statistic<T>* rstds) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < x.rows; ++t) {
        const T* from = rowOf<T>(x, t);
        T* to = rowOf<T>(out, t);
        S buffer[kChunk], weights[kChunk];
        double squares = 0;
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            load(from + first, count, buffer);
            squares += sumOf<S>(count, [&](int64_t i) { return buffer[i] * buffer[i]; });
        });
        const S rstd = S{1} / std::sqrt(static_cast<S>(squares / static_cast<double>(x.cols)) + static_cast<S>(eps));
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            load(from + first, count, buffer);
            load(static_cast<const T*>(weight.data) + first, count, weights);
            for (int64_t i = 0; i < count; ++i)
                buffer[i] = weighed<T>(buffer[i] * rstd, weights[i], weight.addsOne);
            store(buffer, count, to + first);
        });
        if (rstds) rstds[t] = rstd;
    }
}

template <class T>
void rmsNormBackwardRows(const Matrix& dy, const Matrix& x, NormWeight weight, const Statistic<T>* rstds,
                         const Matrix* residual, const Matrix& dx) {
    using S = Statistic<T>;
    for (int64_t t = 0; t < x.rows; ++t) {
        const T* gradient = rowOf<T>(dy, t);
        const T* from = rowOf<T>(x, t);
        const T* kept = residual ? rowOf<T>(*residual, t) : nullptr;
        T* to = rowOf<T>(dx, t);
        const S rstd = rstds[t];
        S values[kChunk], gradients[kChunk], weights[kChunk];
        const auto loadChunk = [&](int64_t first, int64_t count) {
            load(from + first, count, values);
            load(gradient + first, count, gradients);
            load(static_cast<const T*>(weight.data) + first, count, weights);
            for (int64_t i = 0; i < count; ++i) {
                values[i] *= rstd;
                gradients[i] *= normFactor(weights[i], weight.addsOne);
            }
        };
        double products = 0;
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            loadChunk(first, count);
            products += sumOf<S>(count, [&](int64_t i) { return gradients[i] * values[i]; });
        });
        const S mean = static_cast<S>(products / static_cast<double>(x.cols));
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            loadChunk(first, count);
            for (int64_t i = 0; i < count; ++i)
                values[i] = rstd * (gradients[i] - values[i] * mean);
            if (kept) {
                load(kept + first, count, gradients);
                for (int64_t i = 0; i < count; ++i)
                    values[i] += gradients[i];
            }
            store(values, count, to + first);
        });
    }
}

} // namespace

void rmsNorm(const Target&, const Matrix& x, NormWeight weight, double eps, const Matrix& out, void* rstd) {
    visitFloating(x.dtype, [&]<class T>(T) { rmsNormRows<T>(x, weight, eps, out, static_cast<Statistic<T>*>(rstd)); });
}

void rmsNormBackward(const Target&, const Matrix& dy, const Matrix& x, NormWeight weight, const void* rstd,
                     const Matrix* residual, const Matrix& dx) {
    visitFloating(x.dtype, [&]<class T>(T) {
        rmsNormBackwardRows<T>(dy, x, weight, static_cast<const Statistic<T>*>(rstd), residual, dx);
    });
}

void rmsNormWeightGradient(const Target&, const Matrix& dy, const Matrix& x, const void* rstd, const Matrix& parts,
                           void* out) {
    visitFloating(x.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const auto* rstds = static_cast<const S*>(rstd);
        addSumsOver(x.rows, parts, static_cast<S*>(out), [&](int64_t row, int64_t first, int64_t count, S* terms) {
            S values[kChunk];
            load(rowOf<T>(dy, row) + first, count, terms);
            load(rowOf<T>(x, row) + first, count, values);
            for (int64_t i = 0; i < count; ++i)
                terms[i] *= values[i] * rstds[row];
        });
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
