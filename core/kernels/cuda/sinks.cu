// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of cpu/sinks.cpp, where the formula stands. A warp is a head of a token.
#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {
namespace {

constexpr int kHeadsOfBlock = 8; // a warp each

template <class T>
__global__ void addSinksKernel(const T* sinks, int64_t numHeads, int64_t headDim, bool byToken, Statistic<T>* logSumExp,
                               View<T> out, int64_t numTokens) {
    using S = Statistic<T>;
    const int64_t index = static_cast<int64_t>(blockIdx.x) * kHeadsOfBlock + threadIdx.x / 32;
    if (index >= numTokens * numHeads) return;
    const int64_t token = index / numHeads, head = index % numHeads;
    S* own = logSumExp + (byToken ? index : head * numTokens + token);
    const S before = *own, sink = static_cast<S>(widen(sinks[head])), largest = before > sink ? before : sink;
    const S weight = exponential(before - largest), sum = weight + exponential(sink - largest), factor = weight / sum;
    __syncwarp(); // all have read it
    if (threadIdx.x % 32 == 0) *own = largest + logarithm(sum);
    T* values = out.row(token) + head * headDim;
    for (int64_t c = threadIdx.x % 32; c < headDim; c += 32)
        values[c] = narrow<T>(static_cast<S>(widen(values[c])) * factor);
}

} // namespace

void addSinks(const Target& target, const void* sinks, int64_t numHeads, bool byToken, void* logSumExp,
              const Matrix& out) {
    const int64_t numWarps = out.rows * numHeads;
    visitFloating(out.dtype, [&]<class T>(T) {
        addSinksKernel<T><<<static_cast<unsigned>((numWarps + kHeadsOfBlock - 1) / kHeadsOfBlock), 32 * kHeadsOfBlock,
                            0, streamOf(target)>>>(static_cast<const T*>(sinks), numHeads, out.cols / numHeads, byToken,
                                                   static_cast<Statistic<T>*>(logSumExp), View<T>(out), out.rows);
    });
    checkLaunch("addSinks");
}

} // namespace roundpipe::kernels::cuda
