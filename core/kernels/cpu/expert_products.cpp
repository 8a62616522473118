// SPDX-License-Identifier: GPL-3.0-or-later
// Products of routed rows with the weights of their experts:
//     out = alpha * x W (+ out), of the rows of each expert        gradient = alpha * aᵀ b (+ gradient)
// The twins of CUDA's grouped products, which the self-test compares; on a CPU layers multiply expert by expert by
// LibTorch, as there counts can be read. Sums run in double, from the first term to the last; rounded once.
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {

namespace {

// to[n] = alpha * sums[n] (+ to[n])
template <class S, class T>
RP_INLINE void put(const double* sums, int64_t count, double alpha, bool adds, T* to) {
    for (int64_t n = 0; n < count; ++n) {
        double value = alpha * sums[n];
        if (adds) value += static_cast<double>(widen(to[n]));
        to[n] = narrow<T>(static_cast<S>(value));
    }
}

// sums[n] = sum over k of left(k) * right(k, n) for `count` columns
template <class Left, class Right>
RP_INLINE void sumProducts(int64_t inner, int64_t count, double* sums, Left&& left, Right&& right) {
    for (int64_t n = 0; n < count; ++n)
        sums[n] = 0;
    for (int64_t k = 0; k < inner; ++k) {
        const double factor = left(k);
        for (int64_t n = 0; n < count; ++n)
            sums[n] += factor * right(k, n);
    }
}

// body(number within the run, rows [begin, end))
template <class Body>
RP_INLINE void forRun(const int32_t* starts, const ExpertRun& run, Body&& body) {
    for (int64_t e = 0; e < run.count; ++e)
        body(e, starts[run.first + e], starts[run.first + e + 1]);
}

template <class T>
void productOf(const Matrix& x, const int32_t* starts, const ExpertRun& weights, bool transposed, double alpha,
               bool adds, const Matrix& out) {
    const int64_t pitch = weights.matrix.pitch;
    forRun(starts, weights, [&](int64_t e, int64_t begin, int64_t end) {
        const T* weight = static_cast<const T*>(weights.matrix.data) + e * weights.stride;
        for (int64_t row = begin; row < end; ++row)
            forChunks(out.cols, [&](int64_t first, int64_t count) {
                double sums[kChunk];
                const T* from = rowOf<T>(x, row);
                sumProducts(
                    x.cols, count, sums, [&](int64_t k) { return static_cast<double>(widen(from[k])); },
                    [&](int64_t k, int64_t n) {
                        const int64_t at = transposed ? (first + n) * pitch + k : k * pitch + first + n;
                        return static_cast<double>(widen(weight[at]));
                    });
                put<Statistic<T>>(sums, count, alpha, adds, rowOf<T>(out, row) + first);
            });
    });
}

template <class T>
void gradientOf(const Matrix& a, const Matrix& b, const int32_t* starts, double alpha, bool adds,
                const ExpertRun& gradients) {
    using S = Statistic<T>;
    forRun(starts, gradients, [&](int64_t e, int64_t begin, int64_t end) {
        S* gradient = static_cast<S*>(gradients.matrix.data) + e * gradients.stride;
        for (int64_t m = 0; m < a.cols; ++m)
            forChunks(b.cols, [&](int64_t first, int64_t count) {
                double sums[kChunk];
                sumProducts(
                    end - begin, count, sums,
                    [&](int64_t k) { return static_cast<double>(widen(rowOf<T>(a, begin + k)[m])); },
                    [&](int64_t k, int64_t n) {
                        return static_cast<double>(widen(rowOf<T>(b, begin + k)[first + n]));
                    });
                put<S>(sums, count, alpha, adds, gradient + m * gradients.matrix.pitch + first);
            });
    });
}

} // namespace

void expertProduct(const Target&, const Matrix& x, const int32_t* starts, const ExpertRun& weights, bool transposed,
                   double alpha, bool adds, const Matrix& out) {
    visitFloating(x.dtype, [&]<class T>(T) { productOf<T>(x, starts, weights, transposed, alpha, adds, out); });
}

void expertGradient(const Target&, const Matrix& a, const Matrix& b, const int32_t* starts, double alpha, bool adds,
                    const ExpertRun& gradients) {
    visitFloating(a.dtype, [&]<class T>(T) { gradientOf<T>(a, b, starts, alpha, adds, gradients); });
}

} // namespace roundpipe::kernels::RP_LEVEL
