// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/experts.cpp, where formulas, roundings and the order of chosen experts stand. A warp routes a
// token: it finds the largest logits one by one, each the largest of those that come after the one before it. Sums
// over all experts or over a row run in lanes and a fixed tree. Sorting takes a block for each expert, which goes
// through all choices twice, in their order, so nothing need be kept between kernels; integers alone are counted with
// atomics. The rest is bound by memory: a thread takes a pack of 16 bytes where all rows allow it.
#include "kernels/cuda/device.cuh"

#include <climits>

namespace roundpipe::kernels::cuda {

namespace {

constexpr int kTokensOfBlock = 4; // a warp each
constexpr int kSortThreads = 1024;

template <class S>
struct Candidate {
    S value;
    int expert; // INT_MAX: none
    __device__ bool isBefore(const Candidate& other) const {
        if (expert == INT_MAX || other.expert == INT_MAX) return expert < other.expert;
        return value > other.value || (value == other.value && expert < other.expert);
    }
};

// The first candidate of a token after `last`, the same in every lane.
template <class T, class S = Statistic<T>>
__device__ Candidate<S> nextLargest(const T* logits, int numExperts, const Candidate<S>& last, int lane) {
    Candidate<S> best{S{0}, INT_MAX};
    for (int e = lane; e < numExperts; e += 32) {
        const S logit = static_cast<S>(widen(logits[e]));
        const Candidate<S> candidate{logit == logit ? logit : minusInfinity<S>(), e};
        if ((last.expert < 0 || last.isBefore(candidate)) && candidate.isBefore(best)) best = candidate;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const Candidate<S> other{__shfl_xor_sync(~0u, best.value, offset), __shfl_xor_sync(~0u, best.expert, offset)};
        if (other.isBefore(best)) best = other;
    }
    return best;
}

__device__ void sortAscending(int32_t* values, int count) {
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && values[j - 1] > values[j]; --j) {
            const int32_t value = values[j];
            values[j] = values[j - 1];
            values[j - 1] = value;
        }
}

template <class T, class S = Statistic<T>>
__device__ void softmax(const T* logits, int numExperts, S* probabilities, int lane) {
    S largest = minusInfinity<S>();
    for (int e = lane; e < numExperts; e += 32) {
        const S logit = static_cast<S>(widen(logits[e]));
        largest = largest > logit ? largest : logit;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const S other = __shfl_xor_sync(~0u, largest, offset);
        largest = largest > other ? largest : other;
    }
    S sum = 0;
    for (int e = lane; e < numExperts; e += 32)
        sum += probabilities[e] = exponential(static_cast<S>(widen(logits[e])) - largest);
    sum = warpSum(sum);
    for (int e = lane; e < numExperts; e += 32)
        probabilities[e] /= sum;
}

template <class S>
__device__ S sumOfChosen(const S* probabilities, const int32_t* choices, int count) {
    S sum = 0;
    for (int a = 0; a < count; ++a)
        sum += probabilities[choices[a]];
    return sum;
}

template <class T>
__global__ void chooseKernel(View<T> logits, int64_t numTokens, int numExperts, int perToken, bool normalised,
                             View<Statistic<T>> probabilities, int32_t* allChoices, View<T> weights) {
    using S = Statistic<T>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int64_t t = static_cast<int64_t>(blockIdx.x) * kTokensOfBlock + threadIdx.x / 32;
    if (t >= numTokens) return;
    int32_t* choices = allChoices + t * perToken;
    S* p = probabilities.row(t);
    Candidate<S> last{S{0}, -1};
    for (int a = 0; a < perToken; ++a) {
        last = nextLargest(logits.row(t), numExperts, last, lane);
        if (lane == 0) choices[a] = last.expert;
    }
    if (lane == 0) sortAscending(choices, perToken);
    softmax(logits.row(t), numExperts, p, lane);
    __syncwarp();
    const S sum = normalised ? sumOfChosen(p, choices, perToken) : S{1};
    for (int a = lane; a < perToken; a += 32)
        weights.row(t)[a] = narrow<T>(p[choices[a]] / sum);
}

template <class T>
__global__ void chooseBackwardKernel(View<Statistic<T>> probabilities, int64_t numTokens, int numExperts, int perToken,
                                     const int32_t* allChoices, bool normalised, View<T> dWeights, View<T> dLogits) {
    using S = Statistic<T>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int64_t t = static_cast<int64_t>(blockIdx.x) * kTokensOfBlock + threadIdx.x / 32;
    if (t >= numTokens) return;
    const int32_t* choices = allChoices + t * perToken;
    const S* p = probabilities.row(t);
    const T* dw = dWeights.row(t);
    T* to = dLogits.row(t);
    const S sum = normalised ? sumOfChosen(p, choices, perToken) : S{1};
    S mean = 0;
    for (int a = 0; a < perToken; ++a)
        mean += p[choices[a]] / sum * static_cast<S>(widen(dw[a]));
    for (int e = lane; e < numExperts; e += 32)
        to[e] = narrow<T>(normalised ? S{0} : -p[e] * mean);
    __syncwarp();
    for (int a = lane; a < perToken; a += 32)
        to[choices[a]] = narrow<T>(p[choices[a]] / sum * (static_cast<S>(widen(dw[a])) - mean));
}

__global__ void __launch_bounds__(kSortThreads) sortKernel(Routing routing, int64_t numRows) {
    __shared__ int numBelow;
    __shared__ int ofWarps[kSortThreads / 32];
    const int expert = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32, warp = thread / 32;
    if (thread == 0) numBelow = 0;
    __syncthreads();
    int mine = 0;
    for (int64_t i = thread; i < numRows; i += kSortThreads)
        mine += routing.choices[i] < expert;
    atomicAdd(&numBelow, mine);
    __syncthreads();
    int next = numBelow;
    if (thread == 0) {
        routing.starts[expert] = next;
        if (expert == routing.numExperts - 1) routing.starts[routing.numExperts] = static_cast<int32_t>(numRows);
    }
    for (int64_t first = 0; first < numRows; first += kSortThreads) {
        const int64_t i = first + thread;
        const bool isOf = i < numRows && routing.choices[i] == expert;
        const unsigned lanes = __ballot_sync(~0u, isOf);
        if (lane == 0) ofWarps[warp] = __popc(lanes);
        __syncthreads();
        int before = __popc(lanes & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < kSortThreads / 32; ++w) {
            before += w < warp ? ofWarps[w] : 0;
            all += ofWarps[w];
        }
        if (isOf) {
            routing.rows[i] = next + before;
            routing.sources[next + before] = static_cast<int32_t>(i);
        }
        next += all;
        __syncthreads(); // before the counts are those of the next choices
    }
}

template <class U, int N>
__global__ void gatherKernel(View<U> x, const int32_t* sources, int perToken, View<U> out, int64_t rows,
                             int64_t items) {
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    *reinterpret_cast<Pack<U, N>*>(out.row(row) + item * N) = packAt<U, N>(x.row(sources[row] / perToken) + item * N);
}

// `U` has the size of an element.
template <class U>
void gather(const Target& target, const Matrix& x, const Routing& routing, const Matrix& out) {
    const auto launch = [&]<int N>(std::integral_constant<int, N>) {
        const Plane plane(out.rows, out.cols / N);
        gatherKernel<U, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
            View<U>(x), routing.sources, static_cast<int>(routing.perToken), View<U>(out), out.rows, out.cols / N);
    };
    constexpr int N = kPackOf<U>;
    if (takesPacks(x, N) && takesPacks(out, N))
        launch(std::integral_constant<int, N>{});
    else
        launch(std::integral_constant<int, 1>{});
    checkLaunch("gatherRows");
}

template <class T, int N>
__global__ void combineKernel(View<T> base, View<T> routed, const int32_t* allRows, int perToken, View<T> weights,
                              View<T> out, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [t, item] = planeIndex();
    if (t >= rows || item >= items) return;
    S sums[N] = {}, values[N];
    if (base.data) load(base.row(t) + item * N, sums);
    for (int a = 0; a < perToken; ++a) {
        const S weight = weights.data ? static_cast<S>(widen(weights.row(t)[a])) : S{1};
        const int64_t choice = t * perToken + a;
        load(routed.row(allRows ? allRows[choice] : choice) + item * N, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            sums[i] += weight * values[i];
    }
    store(sums, out.row(t) + item * N);
}

// The element of `values` [T, A] that belongs to a row.
template <class V>
__device__ V& ofRow(const View<V>& values, const int32_t* sources, int perToken, int64_t row) {
    const int64_t choice = sources ? sources[row] : row;
    return values.row(choice / perToken)[choice % perToken];
}

template <class T, int N>
__global__ void scaleRowsKernel(View<T> x, const int32_t* sources, int perToken, View<T> weights, int64_t rows,
                                int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    const S weight = static_cast<S>(widen(ofRow(weights, sources, perToken, row)));
    S values[N];
    load(x.row(row) + item * N, values);
#pragma unroll
    for (int i = 0; i < N; ++i)
        values[i] *= weight;
    store(values, x.row(row) + item * N);
}

// A block for each row.
template <class T, int N>
__global__ void expertBackwardKernel(View<T> dAct, View<T> gate, View<T> up, const int32_t* sources, int perToken,
                                     View<T> weights, View<T> dGate, View<T> dUp, View<T> act, View<T> dWeights,
                                     int64_t items) {
    using S = Statistic<T>;
    __shared__ S slots[32];
    const auto row = static_cast<int64_t>(blockIdx.x);
    const S weight = static_cast<S>(widen(ofRow(weights, sources, perToken, row)));
    S dWeight = 0;
    for (int64_t item = threadIdx.x; item < items; item += blockDim.x) {
        S gates[N], ups[N], gradients[N], acts[N];
        load(gate.row(row) + item * N, gates);
        load(up.row(row) + item * N, ups);
        load(dAct.row(row) + item * N, gradients);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const S g = gates[i], u = ups[i];
            const S inverse = S{1} + exponential(-g), sigmoid = S{1} / inverse;
            const S silu = rounded<T>(g / inverse), d = weight * gradients[i];
            acts[i] = rounded<T>(silu * u);
            dWeight += gradients[i] * acts[i];
            acts[i] *= weight;
            ups[i] = d * silu;
            gates[i] = (d * u) * (sigmoid * (S{1} + g * (S{1} - sigmoid)));
        }
        store(gates, dGate.row(row) + item * N);
        store(ups, dUp.row(row) + item * N);
        if (act.data) store(acts, act.row(row) + item * N);
    }
    dWeight = blockSum(dWeight, slots);
    if (threadIdx.x == 0) ofRow(dWeights, sources, perToken, row) = narrow<T>(dWeight);
}

unsigned blocksOf(int64_t numTokens) {
    return static_cast<unsigned>((numTokens + kTokensOfBlock - 1) / kTokensOfBlock);
}

Matrix orNone(const Matrix* matrix, const Matrix& like) {
    return matrix ? *matrix : Matrix{nullptr, like.dtype, like.rows, like.cols, like.cols};
}

} // namespace

void chooseExperts(const Target& target, const Matrix& logits, bool normalised, const Matrix& probabilities,
                   const Routing& routing, const Matrix& weights) {
    visitFloating(logits.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        chooseKernel<T><<<blocksOf(logits.rows), 32 * kTokensOfBlock, 0, streamOf(target)>>>(
            View<T>(logits), logits.rows, static_cast<int>(routing.numExperts), static_cast<int>(routing.perToken),
            normalised, View<S>(probabilities), routing.choices, View<T>(weights));
    });
    checkLaunch("chooseExperts");
}

void chooseExpertsBackward(const Target& target, const Matrix& probabilities, const Routing& routing, bool normalised,
                           const Matrix& dWeights, const Matrix& dLogits) {
    visitFloating(dLogits.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        chooseBackwardKernel<T><<<blocksOf(dLogits.rows), 32 * kTokensOfBlock, 0, streamOf(target)>>>(
            View<S>(probabilities), dLogits.rows, static_cast<int>(routing.numExperts),
            static_cast<int>(routing.perToken), routing.choices, normalised, View<T>(dWeights), View<T>(dLogits));
    });
    checkLaunch("chooseExpertsBackward");
}

void sortByExpert(const Target& target, const Routing& routing) {
    sortKernel<<<static_cast<unsigned>(routing.numExperts), kSortThreads, 0, streamOf(target)>>>(routing,
                                                                                                 routing.numRows());
    checkLaunch("sortByExpert");
}

void gatherRows(const Target& target, const Matrix& x, const Routing& routing, const Matrix& out) {
    switch (sizeOf(x.dtype)) {
    case 8:
        return gather<uint64_t>(target, x, routing, out);
    case 4:
        return gather<uint32_t>(target, x, routing, out);
    case 2:
        return gather<uint16_t>(target, x, routing, out);
    default:
        return gather<uint8_t>(target, x, routing, out);
    }
}

void combineRows(const Target& target, const Matrix* base, const Matrix& routed, const Routing& routing,
                 const Matrix* weights, const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        const Matrix added = orNone(base, out);
        const Matrix factors = weights ? *weights : Matrix{};
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const Plane plane(out.rows, out.cols / N);
            combineKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(added), View<T>(routed), routing.rows, static_cast<int>(routing.perToken), View<T>(factors),
                View<T>(out), out.rows, out.cols / N);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(added, N) && takesPacks(routed, N) && takesPacks(out, N))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("combineRows");
}

void scaleRows(const Target& target, const Matrix& x, const Routing& routing, const Matrix& weights) {
    visitFloating(x.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const Plane plane(x.rows, x.cols / N);
            scaleRowsKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(x), routing.sources, static_cast<int>(routing.perToken), View<T>(weights), x.rows, x.cols / N);
        };
        if (takesPacks(x, kPackOf<T>))
            launch(std::integral_constant<int, kPackOf<T>>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("scaleRows");
}

void expertSwiGluBackward(const Target& target, const Matrix& dAct, const Matrix& gate, const Matrix& up,
                          const Routing& routing, const Matrix& weights, const Matrix& dGate, const Matrix& dUp,
                          const Matrix* act, const Matrix& dWeights) {
    visitFloating(gate.dtype, [&]<class T>(T) {
        const Matrix again = orNone(act, gate);
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const int64_t items = gate.cols / N;
            expertBackwardKernel<T, N><<<static_cast<unsigned>(gate.rows), threadsForRow(items), 0, streamOf(target)>>>(
                View<T>(dAct), View<T>(gate), View<T>(up), routing.sources, static_cast<int>(routing.perToken),
                View<T>(weights), View<T>(dGate), View<T>(dUp), View<T>(again), View<T>(dWeights), items);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(dAct, N) && takesPacks(gate, N) && takesPacks(up, N) && takesPacks(dGate, N) &&
            takesPacks(dUp, N) && takesPacks(again, N))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("expertSwiGluBackward");
}

} // namespace roundpipe::kernels::cuda
