// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/parameter_gradients.cpp. Every row of the embedding's gradient has one owner, the block of the
// first token with that id, which adds that token and all later ones of the same id in their order, hence with the bits
// of the twin. Whoever finds an earlier token with its id leaves. Ids are searched a block's width at a time.
#include "kernels/cuda/column_sums.cuh"

namespace roundpipe::kernels::cuda {

namespace {

constexpr int kOwnerThreads = 256;

template <class T, int N>
__global__ void __launch_bounds__(kOwnerThreads)
    embedGradientKernel(View<T> dOut, int64_t numTokens, const int32_t* ids, View<Statistic<T>> table, int64_t numIds,
                        int64_t cols) {
    using S = Statistic<T>;
    __shared__ bool isSame[kOwnerThreads];
    const int64_t token = blockIdx.x;
    const int32_t id = ids[token];
    if (id < 0 || id >= numIds) return;
    bool isEarlier = false;
    for (int64_t t = threadIdx.x; t < token; t += kOwnerThreads)
        isEarlier = isEarlier || ids[t] == id;
    if (__syncthreads_or(isEarlier)) return;

    const int64_t col = (static_cast<int64_t>(blockIdx.y) * kOwnerThreads + threadIdx.x) * N;
    S sums[N], values[N];
    if (col < cols) load(table.row(id) + col, sums);
    for (int64_t first = token; first < numTokens; first += kOwnerThreads) {
        const int64_t t = first + threadIdx.x;
        const bool matches = t < numTokens && ids[t] == id;
        if (!__syncthreads_or(matches)) continue; // also: everybody is done with what isSame held
        isSame[threadIdx.x] = matches;
        __syncthreads();
        if (col >= cols) continue;
        for (int i = 0; i < kOwnerThreads; ++i) {
            if (!isSame[i]) continue;
            load(dOut.row(first + i) + col, values);
#pragma unroll
            for (int j = 0; j < N; ++j)
                sums[j] += values[j];
        }
    }
    if (col < cols) store(sums, table.row(id) + col);
}

template <class T>
struct ElementTerm {
    View<T> x;
    __device__ Statistic<T> operator()(int64_t row, int64_t col) const { return widen(x.row(row)[col]); }
};

} // namespace

void embedGradient(const Target& target, const Matrix& dOut, const int32_t* ids, const Matrix& table) {
    visitFloating(dOut.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const int64_t items = dOut.cols / N;
            const dim3 grid(static_cast<unsigned>(dOut.rows),
                            static_cast<unsigned>((items + kOwnerThreads - 1) / kOwnerThreads));
            embedGradientKernel<T, N><<<grid, kOwnerThreads, 0, streamOf(target)>>>(
                View<T>(dOut), dOut.rows, ids, View<Statistic<T>>(table), table.rows, dOut.cols);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(dOut, N) && takesPacks(table, N))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("embedGradient");
}

void addColumnSums(const Target& target, const Matrix& x, const Matrix& parts, void* out) {
    visitFloating(x.dtype, [&]<class T>(T) {
        addSumsOver<Statistic<T>>(target, x.rows, parts, out, ElementTerm<T>{View<T>(x)}, "addColumnSums");
    });
}

} // namespace roundpipe::kernels::cuda
