// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/fp8.cpp, where formulas and roundings stand. Bound by memory: a block quantises a row, which its
// threads keep in registers between its largest value and its codes; a block transposes a square, of which a thread
// turns 4 x 4 codes in registers.
#include "base/fp8.h"
#include "kernels/cuda/device.cuh"

#include <cuda_fp8.h>

namespace roundpipe::kernels::cuda {
namespace {

struct FactorsOfColumns {
    ColumnFactors parts[kMostColumnFactors];
    int count = 0;

    explicit FactorsOfColumns(std::span<const ColumnFactors> factors) : count(static_cast<int>(factors.size())) {
        std::ranges::copy(factors, parts);
    }
    bool takesPacks(int n) const {
        bool all = true;
        for (int i = 0; i < count; ++i)
            all = all && parts[i].cols % n == 0 && cuda::takesPacks(parts[i].factors);
        return all;
    }
};

__device__ uint8_t codeOf(float value) {
#if __CUDA_ARCH__ >= 890
    return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
#else
    return toE4m3(value);
#endif
}

// The largest of a block of whole warps, the same in every thread; what is no number does not count.
__device__ float blockLargest(float value, float* slots) {
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
    const int lane = static_cast<int>(threadIdx.x) % 32, numWarps = static_cast<int>(blockDim.x) / 32;
    if (lane == 0) slots[threadIdx.x / 32] = value;
    __syncthreads();
    value = lane < numWarps ? slots[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(~0u, value, offset));
    return value;
}

template <class T, int N>
__device__ void loadFactored(const T* row, const FactorsOfColumns& factors, int64_t col, float (&values)[N]) {
    load<N>(row + col, values);
    int64_t begin = 0;
#pragma unroll
    for (int i = 0; i < kMostColumnFactors; ++i) { // those beyond have no columns
        const ColumnFactors& part = factors.parts[i];
        if (col >= begin && col < begin + part.cols) {
            float some[N];
            load<N>(part.factors + (col - begin), some);
#pragma unroll
            for (int k = 0; k < N; ++k)
                values[k] *= some[k];
        }
        begin += part.cols;
    }
}

constexpr int kKeptPacks = 4;     // of a thread; more are read again
constexpr int kMostThreads = 768; // that a multiprocessor has registers for, with what each of them keeps

template <class T, int N>
__global__ void __launch_bounds__(kMostThreads)
    quantiseFp8Kernel(View<T> x, int64_t cols, FactorsOfColumns factors, Fp8Rows out) {
    __shared__ float slots[32];
    const T* const from = x.row(blockIdx.x);
    const auto numPacks = static_cast<int>(cols / N), step = static_cast<int>(blockDim.x);
    const auto first = static_cast<int>(threadIdx.x);
    float kept[kKeptPacks][N];
    float largest = 0;
#pragma unroll
    for (int k = 0; k < kKeptPacks; ++k) {
        const int pack = first + k * step;
        if (pack >= numPacks) continue;
        loadFactored<T, N>(from, factors, int64_t{pack} * N, kept[k]);
#pragma unroll
        for (int i = 0; i < N; ++i)
            largest = fmaxf(largest, fabsf(kept[k][i]));
    }
    for (int pack = first + kKeptPacks * step; pack < numPacks; pack += step) {
        float values[N];
        loadFactored<T, N>(from, factors, int64_t{pack} * N, values);
#pragma unroll
        for (int i = 0; i < N; ++i)
            largest = fmaxf(largest, fabsf(values[i]));
    }
    largest = blockLargest(largest, slots);
    const bool isThere = largest > kLeastForE4m3;
    const float inverse = isThere ? kLargestE4m3 / largest : 0;
    if (threadIdx.x == 0) out.scales[blockIdx.x] = isThere ? largest / kLargestE4m3 : 0;
    uint8_t* const to = out.codes + static_cast<int64_t>(blockIdx.x) * cols;
    const auto put = [&](const float(&values)[N], int pack) {
        Pack<uint8_t, N> codes;
#pragma unroll
        for (int i = 0; i < N; ++i)
            codes.values[i] = codeOf(values[i] * inverse);
        *reinterpret_cast<Pack<uint8_t, N>*>(to + int64_t{pack} * N) = codes;
    };
#pragma unroll
    for (int k = 0; k < kKeptPacks; ++k)
        if (first + k * step < numPacks) put(kept[k], first + k * step);
    for (int pack = first + kKeptPacks * step; pack < numPacks; pack += step) {
        float values[N];
        loadFactored<T, N>(from, factors, int64_t{pack} * N, values);
        put(values, pack);
    }
}

template <class T, int N>
__global__ void scaleFp8ProductKernel(View<T> y, int64_t rows, int64_t items, const float* rowScales,
                                      const float* colScales, const T* bias) {
    const PlaneIndex at = planeIndex();
    if (at.row >= rows || at.item >= items) return;
    using S = Statistic<T>;
    const int64_t col = at.item * N;
    const S scale = static_cast<S>(rowScales[at.row]);
    S values[N], more[N];
    load<N>(y.row(at.row) + col, values);
#pragma unroll
    for (int i = 0; i < N; ++i)
        values[i] *= scale;
    if (colScales != nullptr) {
        load<N>(colScales + col, more);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] *= more[i];
    }
    if (bias != nullptr) {
        load<N>(bias + col, more);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] += more[i];
    }
    store<N>(values, y.row(at.row) + col);
}

constexpr int kSquare = 128; // codes
constexpr int kWords = kSquare / 4;

// Of 4 words, the bytes of a column become a word.
__device__ void turn(uint32_t (&words)[4]) {
    const uint32_t low01 = __byte_perm(words[0], words[1], 0x5140), high01 = __byte_perm(words[0], words[1], 0x7362);
    const uint32_t low23 = __byte_perm(words[2], words[3], 0x5140), high23 = __byte_perm(words[2], words[3], 0x7362);
    words[0] = __byte_perm(low01, low23, 0x5410);
    words[1] = __byte_perm(low01, low23, 0x7632);
    words[2] = __byte_perm(high01, high23, 0x5410);
    words[3] = __byte_perm(high01, high23, 0x7632);
}

// Rows and columns in words of 4 codes.
__global__ void transposeWordsKernel(const uint32_t* codes, int64_t rowWords, int64_t colWords, uint32_t* out) {
    __shared__ uint32_t square[kSquare][kWords + 1];
    const int64_t rowWord = static_cast<int64_t>(blockIdx.y) * kWords,
                  colWord = static_cast<int64_t>(blockIdx.x) * kWords;
    if (rowWord + threadIdx.y < rowWords && colWord + threadIdx.x < colWords) {
        uint32_t words[4];
        const uint32_t* const from = codes + 4 * (rowWord + threadIdx.y) * colWords + colWord + threadIdx.x;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            words[i] = from[i * colWords];
        turn(words);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            square[4 * threadIdx.x + i][threadIdx.y] = words[i];
    }
    __syncthreads();
    if (rowWord + threadIdx.x >= rowWords) return;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = static_cast<int>(threadIdx.y) + kWords * i;
        if (4 * colWord + row < 4 * colWords)
            out[(4 * colWord + row) * rowWords + rowWord + threadIdx.x] = square[row][threadIdx.x];
    }
}

__global__ void transposeCodesKernel(const uint8_t* codes, int64_t rows, int64_t cols, uint8_t* out) {
    const int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at < rows * cols) out[at] = codes[at % rows * cols + at / rows];
}

// Of a block whose threads keep a row of so many packs.
unsigned threadsKeeping(int64_t packs) {
    const int64_t each = (packs + kKeptPacks - 1) / kKeptPacks;
    return static_cast<unsigned>(std::clamp<int64_t>((each + 31) / 32 * 32, 32, kMostThreads));
}

} // namespace

void quantiseFp8(const Target& target, const Matrix& x, std::span<const ColumnFactors> factors, const Fp8Rows& out) {
    const FactorsOfColumns all(factors);
    visitFloating(x.dtype, [&]<class T>(T) {
        constexpr int kPack = kPackOf<T>;
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            quantiseFp8Kernel<T, N><<<static_cast<unsigned>(x.rows), threadsKeeping(x.cols / N), 0, streamOf(target)>>>(
                View<T>(x), x.cols, all, out);
        };
        if (takesPacks(x, kPack) && takesPacks(out.codes) && all.takesPacks(kPack))
            launch(std::integral_constant<int, kPack>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("quantiseFp8");
}

void scaleFp8Product(const Target& target, const Matrix& y, const float* rowScales, const float* colScales,
                     const void* bias) {
    visitFloating(y.dtype, [&]<class T>(T) {
        constexpr int kPack = kPackOf<T>;
        const auto launch = [&]<int N>(std::integral_constant<int, N>) {
            const int64_t items = y.cols / N;
            const Plane plane(y.rows, items);
            scaleFp8ProductKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(y), y.rows, items, rowScales, colScales, static_cast<const T*>(bias));
        };
        if (takesPacks(y, kPack) && takesPacks(colScales) && takesPacks(bias))
            launch(std::integral_constant<int, kPack>{});
        else
            launch(std::integral_constant<int, 1>{});
    });
    checkLaunch("scaleFp8Product");
}

void transposeCodes(const Target& target, const uint8_t* codes, int64_t rows, int64_t cols, uint8_t* out) {
    if (rows % 4 == 0 && cols % 4 == 0 && takesPacks(codes) && takesPacks(out)) {
        const dim3 grid(static_cast<unsigned>((cols + kSquare - 1) / kSquare),
                        static_cast<unsigned>((rows + kSquare - 1) / kSquare));
        transposeWordsKernel<<<grid, dim3(kWords, kWords), 0, streamOf(target)>>>(
            reinterpret_cast<const uint32_t*>(codes), rows / 4, cols / 4, reinterpret_cast<uint32_t*>(out));
    } else {
        constexpr int kThreadsOfBytes = 256;
        const auto blocks = static_cast<unsigned>((rows * cols + kThreadsOfBytes - 1) / kThreadsOfBytes);
        transposeCodesKernel<<<blocks, kThreadsOfBytes, 0, streamOf(target)>>>(codes, rows, cols, out);
    }
    checkLaunch("transposeCodes");
}

} // namespace roundpipe::kernels::cuda
