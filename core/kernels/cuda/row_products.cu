// SPDX-License-Identifier: GPL-3.0-or-later
// Linears of a single row; formulas and roundings stand in cpu/row_products.cpp. Nothing but the reading of weights
// takes time. A warp works on a row of W (of rowGlu on one of gate and one of up) with kUnderWay packs of each under
// way at once in every lane. As many blocks are started as run at once and each takes every so many rows, because it
// makes the norm of x for itself, in shared memory.
//
// Orders, in the statistics type: a lane adds its part of the adapter's product, then its own packs from left to right,
// which lie a warp's width apart; the lanes pairwise; then bias and residual. The norm's squares as in norm.cu, in
// blocks of kThreads.
#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

namespace {

// Columns and rows are counted in 32 bits, as registers are few.
constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocksEach = 2;              // of a multiprocessor
constexpr int kUnderWay = 4;                // packs of a lane, of each of its rows
constexpr int64_t kSharedBytes = 96 * 1024; // every GPU since Ampere grants a block 99 KiB
constexpr int kPrefetchedBytes = 32 * 128;  // of a row: a line of the cache for each lane

template <class T>
struct Input {
    const T* x;
    const T* normWeight;
    bool addsOne;
    Statistic<T> eps;
    int cols;

    explicit Input(const RowInput& input)
        : x(static_cast<const T*>(input.x.data))
        , normWeight(static_cast<const T*>(input.normWeight.data))
        , addsOne(input.normWeight.addsOne)
        , eps(static_cast<Statistic<T>>(input.eps))
        , cols(static_cast<int>(input.x.cols)) {}
};

template <class T>
struct Linear {
    View<const T> weight, b;
    int numRows = 0, rank = 0;
    const T* bias = nullptr;
    const T* product = nullptr;
    Statistic<T> scale = 0;

    explicit Linear(const RowLinear& linear)
        : weight(linear.weight)
        , b(linear.b)
        , numRows(static_cast<int>(linear.weight.rows))
        , rank(linear.b.rows > 0 ? static_cast<int>(linear.b.cols) : 0)
        , bias(static_cast<const T*>(linear.bias))
        , product(static_cast<const T*>(linear.product))
        , scale(static_cast<Statistic<T>>(linear.scale)) {}

    // Of a row's adapter, what the lane adds.
    __device__ Statistic<T> adapterPart(int row, int lane) const {
        Statistic<T> sum = 0;
        const T* own = b.row(row);
#pragma unroll 1 // ranks are small
        for (int i = lane; i < rank; i += 32)
            sum += widen(own[i]) * widen(product[i]);
        return sum * scale;
    }
    __device__ Statistic<T> biasOf(int row) const {
        return bias ? widen(bias[row]) : Statistic<T>{0};
    }
};

// One below the other; what is not there has no rows.
template <class T>
struct Linears {
    Linear<T> all[kMostRowLinears];

    explicit Linears(std::span<const RowLinear> linears) : all{at(linears, 0), at(linears, 1), at(linears, 2)} {
        static_assert(kMostRowLinears == 3);
    }
    static Linear<T> at(std::span<const RowLinear> linears, std::size_t i) {
        return Linear<T>(i < linears.size() ? linears[i] : RowLinear{});
    }
};

// Weights are read once: they must not displace x.
template <class T, int N>
__device__ inline Pack<T, N> streamedPack(const T* from) {
    if constexpr (sizeof(Pack<T, N>) == 16) {
        Pack<T, N> pack;
        *reinterpret_cast<uint4*>(&pack) = __ldcs(reinterpret_cast<const uint4*>(from));
        return pack;
    } else {
        return packAt<T, N>(from);
    }
}

// The beginning of a row is on its way while x is made ready.
template <class T>
__device__ inline void prefetch(const T* row, int cols, int lane) {
    const int offset = lane * (kPrefetchedBytes / 32) / static_cast<int>(sizeof(T));
    if (offset < cols) asm volatile("prefetch.global.L2 [%0];" ::"l"(row + offset));
}

// RMSNorm of x in shared memory.
template <int N, class T>
__device__ const T* normedInput(const Input<T>& input) {
    using S = Statistic<T>;
    extern __shared__ uint4 shared[];
    __shared__ S slots[32];
    T* normed = reinterpret_cast<T*>(shared);
    const int begin = static_cast<int>(threadIdx.x) * N;
    S sum = 0, values[N], weights[N];
    for (int c = begin; c < input.cols; c += kThreads * N) {
        load(input.x + c, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            sum += values[i] * values[i];
    }
    const S rstd = inverseRoot(blockSum(sum, slots) / static_cast<S>(input.cols) + input.eps);
    for (int c = begin; c < input.cols; c += kThreads * N) {
        load(input.x + c, values);
        load(input.normWeight + c, weights);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = weighed<T>(values[i] * rstd, weights[i], input.addsOne);
        store(values, normed + c);
    }
    __syncthreads();
    return normed;
}

// A lane's part of the products of x with some rows of weights.
template <int N, int kRows, class T>
__device__ void multiply(const T* x, const T* const (&rows)[kRows], int cols, int lane, Statistic<T> (&sums)[kRows]) {
    using S = Statistic<T>;
#pragma unroll 1 // registers are few, and enough is under way
    for (int first = lane * N; first < cols; first += 32 * N * kUnderWay) {
        Pack<T, N> packs[kRows][kUnderWay];
#pragma unroll
        for (int p = 0; p < kUnderWay; ++p)
#pragma unroll
            for (int r = 0; r < kRows; ++r)
                if (first + p * 32 * N < cols) packs[r][p] = streamedPack<T, N>(rows[r] + first + p * 32 * N);
#pragma unroll
        for (int p = 0; p < kUnderWay; ++p) {
            if (first + p * 32 * N >= cols) break;
            S values[N], weights[N];
            load(x + first + p * 32 * N, values);
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                unpack(packs[r][p], weights);
#pragma unroll
                for (int i = 0; i < N; ++i)
                    sums[r] += values[i] * weights[i];
            }
        }
    }
}

// The rows of a warp are every so many, from its own number on.
struct RowWalk {
    int lane = static_cast<int>(threadIdx.x) % 32;
    int first = static_cast<int>(blockIdx.x * kWarps + threadIdx.x / 32);
    int step = static_cast<int>(gridDim.x * kWarps);
};

template <class T, int N, bool kNormed>
__global__ void __launch_bounds__(kThreads, kBlocksEach)
    rowProductKernel(Input<T> input, Linears<T> linears, const T* residual, T* out, int numRows) {
    using S = Statistic<T>;
    const RowWalk walk;
    const T* x = input.x;
    if constexpr (kNormed) {
        const Linear<T>& linear = linears.all[0];
        if (walk.first < linear.numRows) prefetch(linear.weight.row(walk.first), input.cols, walk.lane);
        x = normedInput<N>(input);
    }
    for (int row = walk.first; row < numRows; row += walk.step) {
        int at = row, which = 0;
        while (at >= linears.all[which].numRows)
            at -= linears.all[which++].numRows;
        const Linear<T>& linear = linears.all[which];
        const T* const rows[] = {linear.weight.row(at)};
        S sums[] = {linear.adapterPart(at, walk.lane)};
        multiply<N>(x, rows, input.cols, walk.lane, sums);
        const S y = warpSum(sums[0]) + linear.biasOf(at);
        if (walk.lane == 0) out[row] = narrow<T>(residual ? y + widen(residual[row]) : y);
    }
}

template <class T, int N, bool kNormed, Activation kActivation>
__global__ void __launch_bounds__(kThreads, kBlocksEach)
    rowGluKernel(Input<T> input, Linear<T> gate, Linear<T> up, T* out) {
    using S = Statistic<T>;
    const RowWalk walk;
    const T* x = input.x;
    if constexpr (kNormed) {
        if (walk.first < gate.numRows) {
            prefetch(gate.weight.row(walk.first), input.cols, walk.lane);
            prefetch(up.weight.row(walk.first), input.cols, walk.lane);
        }
        x = normedInput<N>(input);
    }
    for (int row = walk.first; row < gate.numRows; row += walk.step) {
        const T* const rows[] = {gate.weight.row(row), up.weight.row(row)};
        S sums[] = {gate.adapterPart(row, walk.lane), up.adapterPart(row, walk.lane)};
        multiply<N>(x, rows, input.cols, walk.lane, sums);
        const S g = rounded<T>(warpSum(sums[0]) + gate.biasOf(row));
        const S u = rounded<T>(warpSum(sums[1]) + up.biasOf(row));
        if (walk.lane == 0)
            out[row] = narrow<T>(u * rounded<T>(g / (S{1} + exponential(-sigmoidArgument<kActivation>(g)))));
    }
}

unsigned blocksFor(int64_t numRows) {
    int device = 0, numProcessors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&numProcessors, cudaDevAttrMultiProcessorCount, device);
    return static_cast<unsigned>(std::min<int64_t>((numRows + kWarps - 1) / kWarps, numProcessors * kBlocksEach));
}

bool inputTakesPacks(const RowInput& input, int n) {
    return takesPacks(input.x, n) && takesPacks(input.normWeight.data);
}

// launch(N, kNormed, bytes of shared memory) for the pack that fits.
template <class T, class Launch>
void launchRows(const RowInput& input, bool packed, Launch&& launch) {
    const int64_t bytes = input.normWeight ? input.x.cols * static_cast<int64_t>(sizeof(T)) : 0;
    if (bytes > kSharedBytes)
        throw unsupported("Norms of " + std::to_string(input.x.cols) +
                              " columns are more than a GPU's product of a "
                              "single row takes in this precision.",
                          "Use bf16.");
    const auto launchWith = [&]<int N>(std::integral_constant<int, N> pack) {
        if (input.normWeight)
            launch(pack, std::true_type{}, bytes);
        else
            launch(pack, std::false_type{}, bytes);
    };
    if (packed)
        launchWith(std::integral_constant<int, kPackOf<T>>{});
    else
        launchWith(std::integral_constant<int, 1>{});
}

template <class Kernel, class... Arguments>
void startRows(const char* name, const Target& target, Kernel kernel, int64_t numRows, int64_t sharedBytes,
               const Arguments&... arguments) {
    if (sharedBytes > 48 * 1024)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes));
    kernel<<<blocksFor(numRows), kThreads, static_cast<std::size_t>(sharedBytes), streamOf(target)>>>(arguments...);
    checkLaunch(name);
}

} // namespace

void rowProduct(const Target& target, const RowInput& input, std::span<const RowLinear> linears, const Matrix* residual,
                const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        bool packed = inputTakesPacks(input, kPackOf<T>);
        for (const RowLinear& linear : linears)
            packed = packed && takesPacks(linear.weight, kPackOf<T>);
        const T* added = residual ? static_cast<const T*>(residual->data) : nullptr;
        launchRows<T>(
            input, packed,
            [&]<int N, bool kNormed>(std::integral_constant<int, N>, std::bool_constant<kNormed>, int64_t sharedBytes) {
                startRows("rowProduct", target, rowProductKernel<T, N, kNormed>, out.cols, sharedBytes, Input<T>(input),
                          Linears<T>(linears), added, static_cast<T*>(out.data), static_cast<int>(out.cols));
            });
    });
}

void rowGlu(const Target& target, Activation activation, const RowInput& input, const RowLinear& gate,
            const RowLinear& up, const Matrix& out) {
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(out.dtype, [&]<class T>(T) {
            const bool packed = inputTakesPacks(input, kPackOf<T>) && takesPacks(gate.weight, kPackOf<T>) &&
                                takesPacks(up.weight, kPackOf<T>);
            launchRows<T>(input, packed,
                          [&]<int N, bool kNormed>(std::integral_constant<int, N>, std::bool_constant<kNormed>,
                                                   int64_t sharedBytes) {
                              startRows("rowGlu", target, rowGluKernel<T, N, kNormed, a>, out.cols, sharedBytes,
                                        Input<T>(input), Linear<T>(gate), Linear<T>(up), static_cast<T*>(out.data));
                          });
        });
    });
}

} // namespace roundpipe::kernels::cuda
