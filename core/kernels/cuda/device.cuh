// SPDX-License-Identifier: GPL-3.0-or-later
// What the CUDA kernels share: packs of 16 bytes (the widest access, which kernels bound by memory need to reach its
// rate), sums over warps and blocks in a fixed order, grids, and launches that check.
#pragma once

#include "base/error.h"
#include "kernels/formulas.h"
#include "kernels/implementation.h"
#include "kernels/scalar.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <string>

namespace roundpipe::kernels::cuda {

// N neighbouring elements, read and written at once.
template <class T, int N>
struct alignas(N * sizeof(T) < 16 ? N * sizeof(T) : 16) Pack {
    T values[N];
};

// Elements of T in 16 bytes.
template <class T>
inline constexpr int kPackOf = static_cast<int>(16 / sizeof(T));

// A matrix on the device, of known type.
template <class T>
struct View {
    T* data;
    int64_t pitch;

    explicit View(const Matrix& matrix) : data(static_cast<T*>(matrix.data)), pitch(matrix.pitch) {}
    __device__ T* row(int64_t r) const { return data + r * pitch; }
};

// Whether all rows of the matrix begin where a pack of N may begin, and end with a whole one.
inline bool takesPacks(const Matrix& matrix, int n) {
    const int64_t bytes = static_cast<int64_t>(sizeOf(matrix.dtype));
    const int64_t alignment = std::min<int64_t>(16, n * bytes);
    return matrix.cols % n == 0 && matrix.pitch * bytes % alignment == 0 &&
           reinterpret_cast<uintptr_t>(matrix.data) % static_cast<uintptr_t>(alignment) == 0;
}
inline bool takesPacks(const void* vector) {
    return reinterpret_cast<uintptr_t>(vector) % 16 == 0;
}

template <class T, int N>
__device__ inline Pack<T, N> packAt(const T* from) {
    return *reinterpret_cast<const Pack<T, N>*>(from);
}
template <class T, int N, class S>
__device__ inline void unpack(const Pack<T, N>& pack, S (&to)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i)
        to[i] = static_cast<S>(widen(pack.values[i]));
}

template <int N, class T, class S>
__device__ inline void load(const T* from, S (&to)[N]) {
    unpack(packAt<T, N>(from), to);
}

template <int N, class T, class S>
__device__ inline void store(const S (&from)[N], T* to) {
    Pack<T, N> pack;
#pragma unroll
    for (int i = 0; i < N; ++i)
        pack.values[i] = narrow<T>(from[i]);
    *reinterpret_cast<Pack<T, N>*>(to) = pack;
}

// The sum over the lanes of a warp whose numbers differ in the bits below `width`; the same bits in each of them.
template <class S>
__device__ inline S warpSum(S value, int width = 32) {
    for (int offset = width / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

// The sum over a block of whole warps, the same bits in every thread. `slots`: shared, 32 elements.
template <class S>
__device__ inline S blockSum(S value, S* slots) {
    const int lane = static_cast<int>(threadIdx.x) % 32, numWarps = static_cast<int>(blockDim.x) / 32;
    value = warpSum(value);
    if (numWarps == 1) return value;
    __syncthreads(); // slots may be in use by an earlier sum
    if (lane == 0) slots[threadIdx.x / 32] = value;
    __syncthreads();
    return warpSum(lane < numWarps ? slots[lane] : S{0});
}

// Threads of a block that works on a row of `items`: whole warps, about two items each.
inline unsigned threadsForRow(int64_t items) {
    unsigned threads = 32;
    while (threads < 1024 && threads * 2 < items)
        threads *= 2;
    return threads;
}

// A grid of one thread for each of rows x items: narrow rows share a block.
struct Plane {
    dim3 grid, block;
    Plane(int64_t rows, int64_t items) {
        block = dim3(256, 1, 1);
        while (block.x > 1 && block.x / 2 >= items) {
            block.x /= 2;
            block.y *= 2;
        }
        grid = dim3(static_cast<unsigned>((rows + block.y - 1) / block.y),
                    static_cast<unsigned>((items + block.x - 1) / block.x), 1);
    }
};
struct PlaneIndex {
    int64_t row, item;
};
__device__ inline PlaneIndex planeIndex() {
    return {static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y,
            static_cast<int64_t>(blockIdx.y) * blockDim.x + threadIdx.x};
}

inline cudaStream_t streamOf(const Target& target) {
    return static_cast<cudaStream_t>(target.stream);
}

// After each launch. Errors of earlier, asynchronous work surface here too.
inline void checkLaunch(const char* kernel) {
    const cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess) return;
    throw Error(ErrorKind::kDevice,
                std::string("The CUDA kernel ") + kernel + " could not be started: " + cudaGetErrorString(status) + ".",
                "Check the GPU with nvidia-smi; if it happens again, report it with the run folder.");
}

__device__ inline float exponential(float x) {
    return expf(x);
}
__device__ inline double exponential(double x) {
    return exp(x);
}
__device__ inline float logarithm(float x) {
    return logf(x);
}
__device__ inline double logarithm(double x) {
    return log(x);
}
__device__ inline float inverseRoot(float x) {
    return 1.0f / sqrtf(x);
}
__device__ inline double inverseRoot(double x) {
    return 1.0 / sqrt(x);
}
template <class S>
__device__ inline S minusInfinity() {
    return static_cast<S>(-__int_as_float(0x7f800000));
}
template <class S>
__device__ inline S notANumber() {
    return static_cast<S>(__int_as_float(0x7fc00000));
}

} // namespace roundpipe::kernels::cuda
