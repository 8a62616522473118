// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over rows. A block takes 32 columns of a part, a warp one of its rows at a time, so that a row's columns are
// read together; a second kernel adds the parts to what is there.
//
// Orders, in the statistics type: a thread adds every eighth row of its part from first to last, then the eight
// pairwise; the parts are added in the same way. It follows from the numbers of rows and parts alone.
#pragma once

#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

inline constexpr int kSumColumns = 32, kSumRows = 8;

// Of the sums of a column's threads, in the first of them.
template <class S>
__device__ S addPairwise(S sum) {
    __shared__ S lanes[kSumRows][kSumColumns];
    lanes[threadIdx.y][threadIdx.x] = sum;
    for (unsigned height = kSumRows / 2; height > 0; height /= 2) {
        __syncthreads();
        if (threadIdx.y < height) lanes[threadIdx.y][threadIdx.x] += lanes[threadIdx.y + height][threadIdx.x];
    }
    return lanes[0][threadIdx.x];
}

// term(row, column): what is summed.
template <class S, class Term>
__global__ void __launch_bounds__(kSumColumns* kSumRows)
    partSumsKernel(Term term, int64_t rows, int64_t partRows, View<S> parts, int64_t cols) {
    const int64_t col = static_cast<int64_t>(blockIdx.x) * kSumColumns + threadIdx.x;
    const int64_t first = static_cast<int64_t>(blockIdx.y) * partRows;
    const int64_t end = min(first + partRows, rows);
    S sum = 0;
    if (col < cols)
        for (int64_t row = first + threadIdx.y; row < end; row += kSumRows)
            sum += term(row, col);
    sum = addPairwise(sum);
    if (threadIdx.y == 0 && col < cols) parts.row(blockIdx.y)[col] = sum;
}

template <class S>
__global__ void __launch_bounds__(kSumColumns* kSumRows)
    addPartsKernel(View<S> parts, int64_t numParts, S* out, int64_t cols) {
    const int64_t col = static_cast<int64_t>(blockIdx.x) * kSumColumns + threadIdx.x;
    S sum = 0;
    if (col < cols)
        for (int64_t p = threadIdx.y; p < numParts; p += kSumRows)
            sum += parts.row(p)[col];
    sum = addPairwise(sum);
    if (threadIdx.y == 0 && col < cols) out[col] += sum;
}

template <class S, class Term>
void addSumsOver(const Target& target, int64_t rows, const Matrix& parts, void* out, const Term& term,
                 const char* kernel) {
    const int64_t cols = parts.cols;
    const auto acrossBlocks = static_cast<unsigned>((cols + kSumColumns - 1) / kSumColumns);
    const dim3 grid(acrossBlocks, static_cast<unsigned>(parts.rows)), block(kSumColumns, kSumRows);
    partSumsKernel<S>
        <<<grid, block, 0, streamOf(target)>>>(term, rows, (rows + parts.rows - 1) / parts.rows, View<S>(parts), cols);
    addPartsKernel<S>
        <<<acrossBlocks, block, 0, streamOf(target)>>>(View<S>(parts), parts.rows, static_cast<S*>(out), cols);
    checkLaunch(kernel);
}

} // namespace roundpipe::kernels::cuda
