// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over rows. A block takes 32 columns of a part, a warp one of its rows at a time, so that a row's columns are
// read together; a second kernel adds the parts to what is there.
//
// Orders, in the statistics type: a thread adds every eighth row of its part from first to last, then the eight
// pairwise; the parts come in their order. It follows from the numbers of rows and parts alone.
#pragma once

#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

inline constexpr int kSumColumns = 32, kSumRows = 8;

// term(row, column): what is summed.
template <class S, class Term>
__global__ void __launch_bounds__(kSumColumns* kSumRows)
    partSumsKernel(Term term, int64_t rows, int64_t partRows, View<S> parts, int64_t cols) {
    __shared__ S lanes[kSumRows][kSumColumns];
    const int64_t col = static_cast<int64_t>(blockIdx.x) * kSumColumns + threadIdx.x;
    const int64_t first = static_cast<int64_t>(blockIdx.y) * partRows;
    const int64_t end = min(first + partRows, rows);
    S sum = 0;
    if (col < cols)
        for (int64_t row = first + threadIdx.y; row < end; row += kSumRows)
            sum += term(row, col);
    lanes[threadIdx.y][threadIdx.x] = sum;
    for (unsigned height = kSumRows / 2; height > 0; height /= 2) {
        __syncthreads();
        if (threadIdx.y < height) lanes[threadIdx.y][threadIdx.x] += lanes[threadIdx.y + height][threadIdx.x];
    }
    if (threadIdx.y == 0 && col < cols) parts.row(blockIdx.y)[col] = lanes[0][threadIdx.x];
}

template <class S>
__global__ void __launch_bounds__(256) addPartsKernel(View<S> parts, int64_t numParts, S* out, int64_t cols) {
    const int64_t col = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    S sum = out[col];
    for (int64_t p = 0; p < numParts; ++p)
        sum += parts.row(p)[col];
    out[col] = sum;
}

template <class S, class Term>
void addSumsOver(const Target& target, int64_t rows, const Matrix& parts, void* out, const Term& term,
                 const char* kernel) {
    const int64_t cols = parts.cols;
    const dim3 grid(static_cast<unsigned>((cols + kSumColumns - 1) / kSumColumns), static_cast<unsigned>(parts.rows));
    partSumsKernel<S><<<grid, dim3(kSumColumns, kSumRows), 0, streamOf(target)>>>(
        term, rows, (rows + parts.rows - 1) / parts.rows, View<S>(parts), cols);
    addPartsKernel<S><<<static_cast<unsigned>((cols + 255) / 256), 256, 0, streamOf(target)>>>(
        View<S>(parts), parts.rows, static_cast<S*>(out), cols);
    checkLaunch(kernel);
}

} // namespace roundpipe::kernels::cuda
