// SPDX-License-Identifier: GPL-3.0-or-later
// RMSNorm and its gradient; formulas and roundings stand in cpu/norm.cpp. One block a row: the first pass sums, the
// second, which finds the row in the cache, writes.
//
// Orders, in the statistics type: a thread adds its own packs from left to right, which lie a block's width apart, then
// blockSum. It follows from the row's length and alignment alone.
#include "kernels/cuda/column_sums.cuh"

namespace roundpipe::kernels::cuda {

namespace {

// One block a row; the second pass finds the row in the cache.
template <class T, int N>
__global__ void __launch_bounds__(1024) rmsNormKernel(View<T> x, const T* weight, bool addsOne, double eps, View<T> out,
                                                      Statistic<T>* rstds, int64_t cols) {
    using S = Statistic<T>;
    __shared__ S slots[32];
    const int64_t row = blockIdx.x;
    const T* from = x.row(row);
    T* to = out.row(row);
    S sum = 0, values[N], weights[N];
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        load(from + c, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            sum += values[i] * values[i];
    }
    const S rstd = inverseRoot(blockSum(sum, slots) / static_cast<S>(cols) + static_cast<S>(eps));
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        load(from + c, values);
        load(weight + c, weights);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = weighed<T>(values[i] * rstd, weights[i], addsOne);
        store(values, to + c);
    }
    if (rstds && threadIdx.x == 0) rstds[row] = rstd;
}

// dx may be dy or residual: a thread writes only what it alone reads, and after its last read of it.
template <class T, int N>
__global__ void __launch_bounds__(1024)
    rmsNormBackwardKernel(View<T> dy, View<T> x, const T* weight, bool addsOne, const Statistic<T>* rstds,
                          View<T> residual, View<T> dx, int64_t cols) {
    using S = Statistic<T>;
    __shared__ S slots[32];
    const int64_t row = blockIdx.x;
    const S rstd = rstds[row];
    S sum = 0, values[N], gradients[N], weights[N];
    const auto loadPack = [&](int64_t c) {
        load(x.row(row) + c, values);
        load(dy.row(row) + c, gradients);
        load(weight + c, weights);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            values[i] *= rstd;
            gradients[i] *= normFactor(weights[i], addsOne);
        }
    };
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        loadPack(c);
#pragma unroll
        for (int i = 0; i < N; ++i)
            sum += gradients[i] * values[i];
    }
    const S mean = blockSum(sum, slots) / static_cast<S>(cols);
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        loadPack(c);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = rstd * (gradients[i] - values[i] * mean);
        if (residual.data) {
            load(residual.row(row) + c, gradients);
#pragma unroll
            for (int i = 0; i < N; ++i)
                values[i] += gradients[i];
        }
        store(values, dx.row(row) + c);
    }
}

template <class T>
struct NormWeightTerm {
    View<T> dy, x;
    const Statistic<T>* rstds;
    __device__ Statistic<T> operator()(int64_t row, int64_t col) const {
        return widen(dy.row(row)[col]) * (widen(x.row(row)[col]) * rstds[row]);
    }
};

} // namespace

void rmsNorm(const Target& target, const Matrix& x, NormWeight weight, double eps, const Matrix& out, void* rstd) {
    visitFloating(x.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            rmsNormKernel<T, N><<<static_cast<unsigned>(x.rows), threadsForRow(x.cols / N), 0, streamOf(target)>>>(
                View<T>(x), static_cast<const T*>(weight.data), weight.addsOne, eps, View<T>(out),
                static_cast<Statistic<T>*>(rstd), x.cols);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(x, N) && takesPacks(out, N) && takesPacks(weight.data))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("rmsNorm");
}

void rmsNormBackward(const Target& target, const Matrix& dy, const Matrix& x, NormWeight weight, const void* rstd,
                     const Matrix* residual, const Matrix& dx) {
    const Matrix kept = residual ? *residual : Matrix{nullptr, x.dtype, x.rows, x.cols, x.cols};
    visitFloating(x.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            rmsNormBackwardKernel<T, N>
                <<<static_cast<unsigned>(x.rows), threadsForRow(x.cols / N), 0, streamOf(target)>>>(
                    View<T>(dy), View<T>(x), static_cast<const T*>(weight.data), weight.addsOne,
                    static_cast<const Statistic<T>*>(rstd), View<T>(kept), View<T>(dx), x.cols);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(dy, N) && takesPacks(x, N) && takesPacks(kept, N) && takesPacks(dx, N) &&
            takesPacks(weight.data))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("rmsNormBackward");
}

void rmsNormWeightGradient(const Target& target, const Matrix& dy, const Matrix& x, const void* rstd,
                           const Matrix& parts, void* out) {
    visitFloating(x.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const NormWeightTerm<T> term{View<T>(dy), View<T>(x), static_cast<const S*>(rstd)};
        addSumsOver<S>(target, x.rows, parts, out, term, "rmsNormWeightGradient");
    });
}

} // namespace roundpipe::kernels::cuda
