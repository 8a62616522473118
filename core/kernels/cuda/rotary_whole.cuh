// SPDX-License-Identifier: GPL-3.0-or-later
// Norm and rotary of heads whose columns all turn, the usual case: each lane has one pair of packs of a head, so all
// that a thread reads is on its way before it waits. Forward only: backward in this manner measured slower than the
// plain kernel. Sums: a lane adds its pairs from left to right, low and high at once, then the head's lanes pairwise.
#pragma once

#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

struct HeadGrid {
    int64_t numTokens, numHeads, headDim, half;
    int numLanes; // of a head: a power of two, at most 32
};

// Turns pairs by their angles; with `direction` -1 back.
template <int N, class S>
__device__ inline void turn(S (&low)[N], S (&high)[N], const S (&cosines)[N], const S (&sines)[N], S direction) {
#pragma unroll
    for (int i = 0; i < N; ++i) {
        const S turned = low[i] * cosines[i] - direction * high[i] * sines[i];
        high[i] = high[i] * cosines[i] + direction * low[i] * sines[i];
        low[i] = turned;
    }
}

// A thread's place: kHeads heads of a token, which share the lane's cosines, sines and weights. Places beyond the end
// repeat the last one without writing, as warps must stay whole.
template <int kHeads>
struct WholePlace {
    int lane;
    int64_t token, firstHead, numReal, numHeads;
    __device__ explicit WholePlace(const HeadGrid& grid)
        : lane(static_cast<int>(threadIdx.x) % grid.numLanes), numHeads(grid.numHeads) {
        const int64_t groups = (grid.numHeads + kHeads - 1) / kHeads;
        const int64_t index = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / grid.numLanes;
        token = min(index / groups, grid.numTokens - 1);
        firstHead = index % groups * kHeads;
        numReal = index < grid.numTokens * groups ? min(static_cast<int64_t>(kHeads), numHeads - firstHead) : 0;
    }
    __device__ int64_t head(int i) const { return min(firstHead + i, numHeads - 1); }
};

template <class T, int N, int kHeads>
__global__ void wholeForwardKernel(View<T> x, const T* weight, bool addsOne, double eps, View<Statistic<T>> cosSin,
                                   View<T> out, Statistic<T>* rstds, HeadGrid grid) {
    using S = Statistic<T>;
    const WholePlace<kHeads> place(grid);
    const int64_t c = place.lane * N, d = c + grid.half;
    Pack<T, N> lows[kHeads], highs[kHeads];
#pragma unroll
    for (int i = 0; i < kHeads; ++i) {
        lows[i] = packAt<T, N>(x.row(place.token) + place.head(i) * grid.headDim + c);
        highs[i] = packAt<T, N>(x.row(place.token) + place.head(i) * grid.headDim + d);
    }
    S cosines[N], sines[N], lowWeights[N], highWeights[N];
    load(cosSin.row(place.token) + c, cosines);
    load(cosSin.row(place.token) + d, sines);
    if (weight) {
        load(weight + c, lowWeights);
        load(weight + d, highWeights);
    }
#pragma unroll
    for (int i = 0; i < kHeads; ++i) {
        S low[N], high[N];
        unpack(lows[i], low);
        unpack(highs[i], high);
        if (weight) {
            S sum = 0;
#pragma unroll
            for (int j = 0; j < N; ++j)
                sum += low[j] * low[j] + high[j] * high[j];
            const S mean = warpSum(sum, grid.numLanes) / static_cast<S>(grid.headDim);
            const S rstd = inverseRoot(mean + static_cast<S>(eps));
#pragma unroll
            for (int j = 0; j < N; ++j) {
                low[j] = rounded<T>(weighed<T>(low[j] * rstd, lowWeights[j], addsOne));
                high[j] = rounded<T>(weighed<T>(high[j] * rstd, highWeights[j], addsOne));
            }
            if (rstds && i < place.numReal && place.lane == 0)
                rstds[place.token * grid.numHeads + place.head(i)] = rstd;
        }
        turn(low, high, cosines, sines, S{1});
        if (i < place.numReal) {
            store(low, out.row(place.token) + place.head(i) * grid.headDim + c);
            store(high, out.row(place.token) + place.head(i) * grid.headDim + d);
        }
    }
}

} // namespace roundpipe::kernels::cuda
