// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of a few new queries over a cache, as an answer is made token by token: a block is one head of one query,
// and its teams of eight lanes share the keys out among themselves. Two rows of keys and values a team are under way at
// once, as nothing but the reading of the cache takes time here.
//
// Orders: a team takes every 64th key with rising positions; teams of a warp are joined pairwise, then warps in turn.
#pragma once

#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

constexpr int kFewQueries = 8; // beyond, tiles of queries share what they read
constexpr int kFewThreads = 512;
constexpr int kTeamLanes = 8;
constexpr int kTeamsPerWarp = 32 / kTeamLanes;

// What some of the keys add up to: softmax weights below a common largest score.
template <class S, int kCols>
struct PartialAnswer {
    S largest = minusInfinity<S>(), total = 0, sums[kCols] = {};

    // Both weighed against the larger of the two.
    __device__ void scaleTo(S next) {
        const S factor = next == minusInfinity<S>() ? S{1} : exponential(largest - next);
        total *= factor;
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            sums[c] *= factor;
        largest = next;
    }
    // Joins what the lane at `offset` has; both lanes end with the same bits.
    __device__ void join(int offset) {
        const S other = __shfl_xor_sync(~0u, largest, offset);
        scaleTo(other > largest ? other : largest);
        total += __shfl_xor_sync(~0u, total, offset);
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            sums[c] += __shfl_xor_sync(~0u, sums[c], offset);
    }
    __device__ void add(S score, const S (&value)[kCols]) {
        if (score > largest) scaleTo(score);
        const S weight = largest == minusInfinity<S>() ? S{0} : exponential(score - largest);
        total += weight;
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            sums[c] += weight * value[c];
    }
};

// The column of a head that is a lane's c-th: packs of kWidth, the lanes' one beside the other.
template <int kWidth>
__device__ inline int columnOf(int lane, int c) {
    return (c / kWidth * kTeamLanes + lane) * kWidth + c % kWidth;
}

// A lane's columns of a head's row; zeros beyond the head.
template <class T, class S, int kCols, int kWidth>
__device__ inline void loadHead(const T* row, int lane, int64_t headDim, S (&to)[kCols]) {
#pragma unroll
    for (int c = 0; c < kCols; c += kWidth) {
        S part[kWidth] = {};
        if (columnOf<kWidth>(lane, c) < headDim) load<kWidth>(row + columnOf<kWidth>(lane, c), part);
#pragma unroll
        for (int i = 0; i < kWidth; ++i)
            to[c + i] = part[i];
    }
}

template <class T, int kCols, int kWidth>
__global__ void __launch_bounds__(kFewThreads)
    attentionFewKernel(AttentionShape shape, const int32_t* positions, View<T> q, View<T> keys, View<T> values,
                       View<T> out, Statistic<T>* logSumExp) {
    using Score = Statistic<T>;
    constexpr int kWarps = kFewThreads / 32, kAtOnce = kCols <= 16 ? 2 : 1;
    __shared__ Score joined[kWarps][kTeamLanes * kCols], largest[kWarps], totals[kWarps];
    const int lane = static_cast<int>(threadIdx.x) % kTeamLanes, warp = static_cast<int>(threadIdx.x) / 32;
    const int team = static_cast<int>(threadIdx.x) % 32 / kTeamLanes;
    const int64_t head = blockIdx.x, query = blockIdx.y, position = positions[0] + query, headDim = shape.headDim;
    const int64_t column = head / (shape.numHeads / shape.numKvHeads) * headDim;
    const int64_t low = shape.window > 0 && position >= shape.window ? position - shape.window + 1 : 0;

    Score asked[kCols];
    loadHead<T, Score, kCols, kWidth>(q.row(query) + head * headDim, lane, headDim, asked);
    PartialAnswer<Score, kCols> answer;
    constexpr int kStride = kWarps * kTeamsPerWarp;
    for (int64_t first = low + warp * kTeamsPerWarp; first <= position; first += kAtOnce * kStride) { // one for a warp
        Score key[kAtOnce][kCols], value[kAtOnce][kCols];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int64_t row = min(first + team + i * kStride, position);
            loadHead<T, Score, kCols, kWidth>(keys.row(row) + column, lane, headDim, key[i]);
            loadHead<T, Score, kCols, kWidth>(values.row(row) + column, lane, headDim, value[i]);
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            Score score = 0;
#pragma unroll
            for (int c = 0; c < kCols; ++c)
                score += asked[c] * key[i][c];
            score = warpSum(score, kTeamLanes) * static_cast<Score>(shape.scale);
            answer.add(first + team + i * kStride <= position ? score : minusInfinity<Score>(), value[i]);
        }
    }
    for (int offset = kTeamLanes; offset < 32; offset *= 2)
        answer.join(offset);
    if (team == 0) {
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            joined[warp][columnOf<kWidth>(lane, c)] = answer.sums[c];
        largest[warp] = answer.largest;
        totals[warp] = answer.total;
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < headDim; c += kFewThreads) {
        Score most = largest[0], total = 0, sum = 0;
        for (int w = 1; w < kWarps; ++w)
            most = largest[w] > most ? largest[w] : most;
        for (int w = 0; w < kWarps; ++w) {
            const Score factor = exponential(largest[w] - most);
            total += factor * totals[w];
            sum += factor * joined[w][c];
        }
        out.row(query)[head * headDim + c] = narrow<T>(sum / total);
        if (logSumExp && c == 0) logSumExp[head * gridDim.y + query] = most + logarithm(total);
    }
}

// For heads of at most 8 * kCols columns and at most kFewQueries rows of q, the first at positions[0].
template <class T, int kCols>
void launchFewQueries(const Target& target, const AttentionShape& shape, const int32_t* positions, const Matrix& q,
                      const Matrix& keys, const Matrix& values, const Matrix& out, void* logSumExp) {
    const dim3 grid(static_cast<unsigned>(shape.numHeads), static_cast<unsigned>(q.rows));
    const auto launch = [&]<int kWidth>(std::integral_constant<int, kWidth>) {
        attentionFewKernel<T, kCols, kWidth>
            <<<grid, kFewThreads, 0, streamOf(target)>>>(shape, positions, View<T>(q), View<T>(keys), View<T>(values),
                                                         View<T>(out), static_cast<Statistic<T>*>(logSumExp));
    };
    constexpr int kPack = kPackOf<T>;
    if (shape.headDim % kPack == 0 && takesPacks(q, kPack) && takesPacks(keys, kPack) && takesPacks(values, kPack))
        launch(std::integral_constant<int, kPack>{});
    else
        launch(std::integral_constant<int, 1>{});
    checkLaunch("attentionCached of few queries");
}

} // namespace roundpipe::kernels::cuda
