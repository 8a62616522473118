// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/clamped_experts.cpp, where formulas and roundings stand. Bound by memory: a thread takes packs of
// 16 bytes of gates and ups where all rows allow it. Sums over a row run in lanes and a fixed tree.
#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {
namespace {

__device__ int64_t expertOf(const Routing& routing, int64_t row) {
    return routing.choices[routing.sources[row]];
}

// The element of `values` [T, A] that belongs to a row.
template <class V>
__device__ V& ofChoice(const View<V>& values, const Routing& routing, int64_t row) {
    const int64_t choice = routing.sources[row];
    return values.row(choice / routing.perToken)[choice % routing.perToken];
}

// N gates and as many ups, which a single pair need not be aligned for.
template <int N, class T, class S>
__device__ void loadPairs(const T* from, S (&to)[2 * N]) {
    if constexpr (N > 1) {
        load(from, to);
    } else {
        to[0] = static_cast<S>(widen(from[0]));
        to[1] = static_cast<S>(widen(from[1]));
    }
}
template <int N, class T, class S>
__device__ void storePairs(const S (&from)[2 * N], T* to) {
    if constexpr (N > 1) {
        store(from, to);
    } else {
        to[0] = narrow<T>(from[0]);
        to[1] = narrow<T>(from[1]);
    }
}

template <class T, int N>
__global__ void addExpertBiasKernel(View<T> x, Routing routing, View<T> biases, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S values[N], bias[N];
    load(x.row(row) + item * N, values);
    load(biases.row(expertOf(routing, row)) + item * N, bias);
#pragma unroll
    for (int i = 0; i < N; ++i)
        values[i] += bias[i];
    store(values, x.row(row) + item * N);
}

// N gates and as many ups at a time.
template <class T, int N>
__global__ void clampedGluKernel(ClampedGate gate, View<T> gateUp, View<T> out, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    const S limit = static_cast<S>(gate.limit), slope = static_cast<S>(gate.slope);
    S pairs[2 * N], acts[N];
    loadPairs<N>(gateUp.row(row) + item * 2 * N, pairs);
#pragma unroll
    for (int i = 0; i < N; ++i) {
        const ClampedPair<S> pair = clampedPair(pairs[2 * i], pairs[2 * i + 1], limit);
        acts[i] = rounded<T>(pair.gate / (S{1} + exponential(-slope * pair.gate))) * rounded<T>(pair.up + S{1});
    }
    store(acts, out.row(row) + item * N);
}

// A block for each row.
template <class T, int N>
__global__ void clampedBackwardKernel(ClampedGate gate, View<T> dAct, View<T> gateUp, Routing routing, View<T> weights,
                                      View<T> dRows, View<T> biases, int64_t numOutputs, View<T> dGateUp, View<T> act,
                                      View<T> dWeights, int64_t items) {
    using S = Statistic<T>;
    __shared__ S slots[32];
    const auto row = static_cast<int64_t>(blockIdx.x);
    const S limit = static_cast<S>(gate.limit), slope = static_cast<S>(gate.slope);
    const S weight = static_cast<S>(widen(ofChoice(weights, routing, row)));
    const T *gradientsOut = dRows.row(row), *bias = biases.row(expertOf(routing, row));
    S dWeight = 0;
    for (int64_t c = threadIdx.x; c < numOutputs; c += blockDim.x)
        dWeight += static_cast<S>(widen(gradientsOut[c])) * static_cast<S>(widen(bias[c]));
    for (int64_t item = threadIdx.x; item < items; item += blockDim.x) {
        S pairs[2 * N], gradients[N], acts[N];
        loadPairs<N>(gateUp.row(row) + item * 2 * N, pairs);
        load(dAct.row(row) + item * N, gradients);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const ClampedPair<S> pair = clampedPair(pairs[2 * i], pairs[2 * i + 1], limit);
            const S g = pair.gate, inverse = S{1} + exponential(-slope * g), sigmoid = S{1} / inverse;
            const S given = rounded<T>(g / inverse), plusOne = rounded<T>(pair.up + S{1}), d = weight * gradients[i];
            acts[i] = rounded<T>(given * plusOne);
            dWeight += gradients[i] * acts[i];
            acts[i] *= weight;
            pairs[2 * i] = pair.gateIsCut ? S{0} : (d * plusOne) * (sigmoid * (S{1} + slope * g * (S{1} - sigmoid)));
            pairs[2 * i + 1] = pair.upIsCut ? S{0} : d * given;
        }
        storePairs<N>(pairs, dGateUp.row(row) + item * 2 * N);
        if (act.data) store(acts, act.row(row) + item * N);
    }
    dWeight = blockSum(dWeight, slots);
    if (threadIdx.x == 0) ofChoice(dWeights, routing, row) = narrow<T>(dWeight);
}

// launch(how many gates and ups a thread takes), for matrices of acts and of gates and ups.
template <class T, class Launch>
void launchPairs(std::initializer_list<Matrix> acts, std::initializer_list<Matrix> pairs, Launch&& launch) {
    constexpr int N = kPackOf<T> / 2;
    const auto takes = [](int n) { return [n](const Matrix& matrix) { return takesPacks(matrix, n); }; };
    if (std::ranges::all_of(acts, takes(N)) && std::ranges::all_of(pairs, takes(2 * N)))
        launch(std::integral_constant<int, N>{});
    else
        launch(std::integral_constant<int, 1>{});
}

} // namespace

void addExpertBias(const Target& target, const Matrix& x, const Routing& routing, const Matrix& biases) {
    visitFloating(x.dtype, [&]<class T>(T) {
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const Plane plane(x.rows, x.cols / N);
            addExpertBiasKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(x), routing, View<T>(biases), x.rows, x.cols / N);
        };
        constexpr int N = kPackOf<T>;
        if (takesPacks(x, N) && takesPacks(biases, N))
            launch(std::integral_constant<int, N>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("addExpertBias");
}

void clampedGlu(const Target& target, const ClampedGate& gate, const Matrix& gateUp, const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        launchPairs<T>({out}, {gateUp}, [&]<int N>(std::integral_constant<int, N>) {
            const Plane plane(out.rows, out.cols / N);
            clampedGluKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                gate, View<T>(gateUp), View<T>(out), out.rows, out.cols / N);
        });
    });
    checkLaunch("clampedGlu");
}

void expertClampedGluBackward(const Target& target, const ClampedGate& gate, const Matrix& dAct, const Matrix& gateUp,
                              const Routing& routing, const Matrix& weights, const Matrix& dRows, const Matrix& biases,
                              const Matrix& dGateUp, const Matrix* act, const Matrix& dWeights) {
    visitFloating(gateUp.dtype, [&]<class T>(T) {
        const Matrix again = act ? *act : Matrix{nullptr, dAct.dtype, dAct.rows, dAct.cols, dAct.cols};
        launchPairs<T>({dAct, again}, {gateUp, dGateUp}, [&]<int N>(std::integral_constant<int, N>) {
            const int64_t items = dAct.cols / N;
            clampedBackwardKernel<T, N>
                <<<static_cast<unsigned>(dAct.rows), threadsForRow(items), 0, streamOf(target)>>>(
                    gate, View<T>(dAct), View<T>(gateUp), routing, View<T>(weights), View<T>(dRows), View<T>(biases),
                    dRows.cols, View<T>(dGateUp), View<T>(again), View<T>(dWeights), items);
        });
    });
    checkLaunch("expertClampedGluBackward");
}

} // namespace roundpipe::kernels::cuda
