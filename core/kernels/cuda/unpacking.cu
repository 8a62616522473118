// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/unpacking.cpp, where formulas and roundings stand. Bound by memory: a thread writes 16 bytes at a
// time where all rows allow it, of codes that a warp reads side by side, and has a few of them under way.
#include "base/fp8.h"
#include "base/mxfp4.h"
#include "base/nf4.h"
#include "kernels/cuda/device.cuh"
#include "kernels/packing.h"

#include <limits>

namespace roundpipe::kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kPacksEach = 4;

__constant__ std::array<float, 16> nf4Values = kNf4Values, e2m1Values = kE2m1Values;
__constant__ std::array<float, 256> dynamicCode = kDynamicCode;

// Packs of a matrix in the order of rows; blocks of a column of the grid have one of the repeated matrices.
struct Packs {
    uint32_t count;
    uint32_t ofRow;
    Repeated all;

    Packs(const Matrix& out, int n, const Repeated& repeated) : all(repeated) {
        const int64_t all = out.rows * (out.cols / n);
        RP_CHECK(all <= std::numeric_limits<int32_t>::max());
        count = static_cast<uint32_t>(all);
        ofRow = static_cast<uint32_t>(out.cols / n);
    }
    dim3 grid() const {
        return {(count + kThreads * kPacksEach - 1) / (kThreads * kPacksEach), static_cast<unsigned>(all.count)};
    }
    // What belongs to the block's matrix, of what belongs to the first.
    template <class T>
    __device__ const T* packed(const T* first) const {
        return reinterpret_cast<const T*>(reinterpret_cast<const char*>(first) + blockIdx.y * all.packedBytes);
    }
    template <class T>
    __device__ View<T> out(View<T> first) const {
        first.data = reinterpret_cast<T*>(reinterpret_cast<char*>(first.data) + blockIdx.y * all.outBytes);
        return first;
    }
};

template <int N, class T>
__device__ void storePack(const float (&values)[N], T* to) {
    Pack<T, N> pack;
#pragma unroll
    for (int i = 0; i < N; ++i)
        pack.values[i] = narrow<T>(values[i]);
    *reinterpret_cast<Pack<T, N>*>(to) = pack;
}

// Of an even number of codes, the first of which begins a byte; or of one. kShift: of the first of a byte's two.
template <int kShift, int N>
__device__ void codesAt(const uint8_t* codes, int64_t first, int (&to)[N]) {
    if constexpr (N == 1) {
        to[0] = codes[first / 2] >> (first % 2 == 0 ? kShift : 4 - kShift) & 15;
    } else {
        const Pack<uint8_t, N / 2> bytes = packAt<uint8_t, N / 2>(codes + first / 2);
#pragma unroll
        for (int i = 0; i < N; ++i)
            to[i] = bytes.values[i / 2] >> (i % 2 == 0 ? kShift : 4 - kShift) & 15;
    }
}

template <class T, int N>
__global__ void unpackNf4Kernel(Nf4Parts all, View<T> allOut, Packs packs) {
    const Nf4Parts parts{packs.packed(all.codes), packs.packed(all.magnitudes), packs.packed(all.scales),
                         packs.packed(all.mean)};
    const View<T> out = packs.out(allOut);
    __shared__ float table[16]; // read by many threads at different places at once
    if (threadIdx.x < 16) table[threadIdx.x] = nf4Values[threadIdx.x];
    __syncthreads();
    const float mean = *parts.mean;
    const uint32_t begin = blockIdx.x * (kThreads * kPacksEach) + threadIdx.x;
#pragma unroll
    for (int each = 0; each < kPacksEach; ++each) {
        const uint32_t pack = begin + each * kThreads;
        if (pack >= packs.count) return;
        const int64_t first = static_cast<int64_t>(pack) * N, block = first / kNf4Block;
        int codes[N];
        codesAt<4>(parts.codes, first, codes);
        const float magnitude =
            __fadd_rn(__fmul_rn(dynamicCode[parts.magnitudes[block]], parts.scales[block / kNf4Scales]), mean);
        float values[N];
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = table[codes[i]] * magnitude;
        const uint32_t row = pack / packs.ofRow;
        storePack(values, out.row(row) + (pack - row * packs.ofRow) * N);
    }
}

// A pack lies in one group, as a row's first value may begin none only where packs are of one.
template <class T, int N>
__global__ void unpackMxfp4Kernel(const uint8_t* allCodes, const uint8_t* allScales, View<T> allOut, Packs packs) {
    const uint8_t *const parts = packs.packed(allCodes), *const scales = packs.packed(allScales);
    const View<T> out = packs.out(allOut);
    __shared__ float table[16]; // as above
    if (threadIdx.x < 16) table[threadIdx.x] = e2m1Values[threadIdx.x];
    __syncthreads();
    const uint32_t begin = blockIdx.x * (kThreads * kPacksEach) + threadIdx.x;
#pragma unroll
    for (int each = 0; each < kPacksEach; ++each) {
        const uint32_t pack = begin + each * kThreads;
        if (pack >= packs.count) return;
        const int64_t first = static_cast<int64_t>(pack) * N;
        int codes[N];
        codesAt<0>(parts, first, codes);
        const float scale = fromE8m0(scales[first / kMxfp4Group]);
        float values[N];
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = table[codes[i]] * scale;
        const uint32_t row = pack / packs.ofRow;
        storePack(values, out.row(row) + (pack - row * packs.ofRow) * N);
    }
}

template <class T, int N>
__global__ void unpackInt8Kernel(const int8_t* allCodes, const float* allScales, View<T> allOut, Packs packs) {
    const int8_t* const codes = packs.packed(allCodes);
    const float* const scales = packs.packed(allScales);
    const View<T> out = packs.out(allOut);
    const uint32_t begin = blockIdx.x * (kThreads * kPacksEach) + threadIdx.x;
#pragma unroll
    for (int each = 0; each < kPacksEach; ++each) {
        const uint32_t pack = begin + each * kThreads;
        if (pack >= packs.count) return;
        const uint32_t row = pack / packs.ofRow;
        const Pack<int8_t, N> from = packAt<int8_t, N>(codes + static_cast<int64_t>(pack) * N);
        const float scale = scales[row];
        float values[N];
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = static_cast<float>(from.values[i]) * scale * kInt8Part;
        storePack(values, out.row(row) + (pack - row * packs.ofRow) * N);
    }
}

template <class T, int N>
__global__ void unpackFp8Kernel(const uint8_t* allCodes, const float* allScales, View<T> allOut, Packs packs) {
    const uint8_t* const codes = packs.packed(allCodes);
    const float* const scales = packs.packed(allScales);
    const View<T> out = packs.out(allOut);
    const uint32_t begin = blockIdx.x * (kThreads * kPacksEach) + threadIdx.x;
#pragma unroll
    for (int each = 0; each < kPacksEach; ++each) {
        const uint32_t pack = begin + each * kThreads;
        if (pack >= packs.count) return;
        const uint32_t row = pack / packs.ofRow;
        const Pack<uint8_t, N> from = packAt<uint8_t, N>(codes + static_cast<int64_t>(pack) * N);
        const float scale = scales[row];
        float values[N];
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = fromE4m3(from.values[i]) * scale;
        storePack(values, out.row(row) + (pack - row * packs.ofRow) * N);
    }
}

// launch(T{}, number of elements of a pack)
template <class Launch>
void launchPacks(const Matrix& out, const void* codes, Launch&& launch) {
    visitFloating(out.dtype, [&]<class T>(T) {
        constexpr int kPack = kPackOf<T>;
        if (takesPacks(out, kPack) && takesPacks(codes))
            launch(T{}, std::integral_constant<int, kPack>{});
        else
            launch(T{}, std::integral_constant<int, 1>{});
    });
}

} // namespace

void unpackNf4(const Target& target, const Nf4Parts& parts, const Matrix& out, const Repeated& all) {
    launchPacks(out, parts.codes, [&]<class T, int N>(T, std::integral_constant<int, N>) {
        const Packs packs(out, N, all);
        unpackNf4Kernel<T, N><<<packs.grid(), kThreads, 0, streamOf(target)>>>(parts, View<T>(out), packs);
    });
    checkLaunch("unpackNf4");
}

void unpackInt8(const Target& target, const int8_t* values, const float* scales, const Matrix& out,
                const Repeated& all) {
    launchPacks(out, values, [&]<class T, int N>(T, std::integral_constant<int, N>) {
        const Packs packs(out, N, all);
        unpackInt8Kernel<T, N><<<packs.grid(), kThreads, 0, streamOf(target)>>>(values, scales, View<T>(out), packs);
    });
    checkLaunch("unpackInt8");
}

void unpackFp8(const Target& target, const uint8_t* codes, const float* scales, const Matrix& out,
               const Repeated& all) {
    launchPacks(out, codes, [&]<class T, int N>(T, std::integral_constant<int, N>) {
        const Packs packs(out, N, all);
        unpackFp8Kernel<T, N><<<packs.grid(), kThreads, 0, streamOf(target)>>>(codes, scales, View<T>(out), packs);
    });
    checkLaunch("unpackFp8");
}

void unpackMxfp4(const Target& target, const uint8_t* codes, const uint8_t* scales, const Matrix& out,
                 const Repeated& all) {
    launchPacks(out, codes, [&]<class T, int N>(T, std::integral_constant<int, N>) {
        const Packs packs(out, N, all);
        unpackMxfp4Kernel<T, N><<<packs.grid(), kThreads, 0, streamOf(target)>>>(codes, scales, View<T>(out), packs);
    });
    checkLaunch("unpackMxfp4");
}

} // namespace roundpipe::kernels::cuda
