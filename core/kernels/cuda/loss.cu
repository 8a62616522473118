// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax cross-entropy and the sum of losses; the formulas stand in cpu/loss.cpp. One block a row. As the row is long
// and memory is what bounds, the largest logit and the sum of exponentials come from one reading: when a larger logit
// comes, the sum so far is scaled down to it. The second reading makes the gradient.
//
// Orders, in the statistics type: a thread adds its own packs from left to right, which lie a block's width apart; then
// lanes of a warp and warps of the block are merged pairwise. It follows from the row's length and alignment alone.
// sumInto adds in the same lanes as its twin, in double: the same bits. The likeliest token is one block's, whatever
// the order in which candidates meet: of equal ones the first is taken.
#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

namespace {

// A softmax under way: the largest value so far and the sum of e^(value - largest).
template <class S>
struct Softmax {
    S largest, sum;

    __device__ void merge(S otherLargest, S otherSum) {
        const S next = largest > otherLargest ? largest : otherLargest;
        if (next == minusInfinity<S>()) return; // both are empty
        sum = sum * exponential(largest - next) + otherSum * exponential(otherLargest - next);
        largest = next;
    }
};

template <class S>
__device__ Softmax<S> warpMerge(Softmax<S> part) {
    for (int offset = 16; offset > 0; offset /= 2) {
        const S largest = __shfl_xor_sync(~0u, part.largest, offset), sum = __shfl_xor_sync(~0u, part.sum, offset);
        part.merge(largest, sum);
    }
    return part;
}

template <class S>
__device__ Softmax<S> blockMerge(Softmax<S> part, Softmax<S>* slots) {
    const int lane = static_cast<int>(threadIdx.x) % 32, numWarps = static_cast<int>(blockDim.x) / 32;
    part = warpMerge(part);
    if (lane == 0) slots[threadIdx.x / 32] = part;
    __syncthreads();
    return warpMerge(lane < numWarps ? slots[lane] : Softmax<S>{minusInfinity<S>(), 0});
}

// One block a row: one reading for the statistics, one for the gradient.
template <class T, int N>
__global__ void __launch_bounds__(1024) crossEntropyKernel(View<T> logits, const int32_t* labels, double gradientScale,
                                                           Statistic<T>* losses, int64_t cols) {
    using S = Statistic<T>;
    __shared__ Softmax<S> slots[32];
    T* row = logits.row(blockIdx.x);
    const int64_t label = labels[blockIdx.x];
    S values[N];
    if (label < 0) {
        if (threadIdx.x == 0) losses[blockIdx.x] = 0;
        if (gradientScale == 0) return;
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = 0;
        for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N)
            store(values, row + c);
        return;
    }
    Softmax<S> softmax{minusInfinity<S>(), 0};
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        load(row + c, values);
        S largest = values[0], sum = 0;
#pragma unroll
        for (int i = 1; i < N; ++i)
            largest = values[i] > largest ? values[i] : largest;
        // The usual case costs one exponential a value: nothing larger than what was seen before.
        if (largest <= softmax.largest) largest = softmax.largest;
        if (largest == minusInfinity<S>()) continue; // only such so far: they add nothing
#pragma unroll
        for (int i = 0; i < N; ++i)
            sum += exponential(values[i] - largest);
        if (largest == softmax.largest)
            softmax.sum += sum;
        else
            softmax.merge(largest, sum);
    }
    softmax = blockMerge(softmax, slots);
    if (threadIdx.x == 0)
        losses[blockIdx.x] =
            label < cols ? logarithm(softmax.sum) - (widen(row[label]) - softmax.largest) : notANumber<S>();
    if (gradientScale == 0) return;
    __syncthreads(); // the label's logit was read
    const S inverse = S{1} / softmax.sum, scale = static_cast<S>(gradientScale);
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        load(row + c, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = scale * (exponential(values[i] - softmax.largest) * inverse - (c + i == label ? S{1} : S{0}));
        store(values, row + c);
    }
}

template <class S>
__global__ void __launch_bounds__(kSumLanes) sumKernel(const S* values, int64_t count, double* total) {
    __shared__ double lanes[kSumLanes];
    double sum = 0;
    for (int64_t i = threadIdx.x; i < count; i += kSumLanes)
        sum += static_cast<double>(values[i]);
    lanes[threadIdx.x] = sum;
    for (unsigned width = kSumLanes / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) lanes[threadIdx.x] += lanes[threadIdx.x + width];
    }
    if (threadIdx.x == 0) total[0] += lanes[0];
}

template <class S>
struct Candidate {
    S logit = minusInfinity<S>();
    int32_t token = 0;

    __device__ void meet(S otherLogit, int32_t other) {
        if (!(otherLogit > logit || (otherLogit == logit && other < token))) return;
        logit = otherLogit;
        token = other;
    }
};

template <class S>
__device__ void warpMeet(Candidate<S>& candidate) {
    for (int offset = 16; offset > 0; offset /= 2) {
        const S logit = __shfl_xor_sync(~0u, candidate.logit, offset);
        candidate.meet(logit, __shfl_xor_sync(~0u, candidate.token, offset));
    }
}

template <class T, int N>
__global__ void __launch_bounds__(1024) nextTokenKernel(const T* logits, int64_t cols, int32_t* id, int32_t* position) {
    using S = Statistic<T>;
    __shared__ S logitOf[32];
    __shared__ int32_t tokenOf[32];
    const int lane = static_cast<int>(threadIdx.x) % 32, numWarps = static_cast<int>(blockDim.x) / 32;
    Candidate<S> best;
#pragma unroll 4 // what several packs read is under way together
    for (int64_t c = threadIdx.x * N; c < cols; c += blockDim.x * N) {
        S values[N];
        load(logits + c, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (values[i] > best.logit) best = {values[i], static_cast<int32_t>(c + i)};
    }
    warpMeet(best);
    if (lane == 0) {
        logitOf[threadIdx.x / 32] = best.logit;
        tokenOf[threadIdx.x / 32] = best.token;
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    best = {};
    if (lane < numWarps) best = {logitOf[lane], tokenOf[lane]};
    warpMeet(best);
    if (lane > 0) return;
    *id = best.token;
    ++*position;
}

} // namespace

void crossEntropy(const Target& target, const Matrix& logits, const int32_t* labels, double gradientScale,
                  void* losses) {
    visitFloating(logits.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            crossEntropyKernel<T, N>
                <<<static_cast<unsigned>(logits.rows), threadsForRow(logits.cols / N), 0, streamOf(target)>>>(
                    View<T>(logits), labels, gradientScale, static_cast<Statistic<T>*>(losses), logits.cols);
        };
        if (takesPacks(logits, kPackOf<T>))
            launch(std::integral_constant<int, kPackOf<T>>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("crossEntropy");
}

void sumInto(const Target& target, const void* values, DType dtype, int64_t count, double* total) {
    if (dtype == DType::kF64)
        sumKernel<<<1, kSumLanes, 0, streamOf(target)>>>(static_cast<const double*>(values), count, total);
    else
        sumKernel<<<1, kSumLanes, 0, streamOf(target)>>>(static_cast<const float*>(values), count, total);
    checkLaunch("sumInto");
}

void nextToken(const Target& target, const Matrix& logits, int32_t* id, int32_t* position) {
    visitFloating(logits.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            nextTokenKernel<T, N><<<1, threadsForRow(logits.cols / N), 0, streamOf(target)>>>(
                static_cast<const T*>(logits.data), logits.cols, id, position);
        };
        if (takesPacks(logits, kPackOf<T>))
            launch(std::integral_constant<int, kPackOf<T>>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("nextToken");
}

} // namespace roundpipe::kernels::cuda
