// SPDX-License-Identifier: GPL-3.0-or-later
// Products of routed rows with the weights of their experts, whose counts are known on the device alone. A block
// computes a tile of one expert's result: of rows, it finds which expert's by counting the tiles of those before it,
// and leaves where there are fewer tiles than the grid has room for. 16-bit operands go through tensor cores (the warp
// matrix functions, fp32 sums) in tiles that are copied ahead into the other half of shared memory; fp32 and fp64
// through plain arithmetic. Sums run over the inner dimension in one order, so bits repeat.
#include "kernels/cuda/device.cuh"

#include <mma.h>

namespace roundpipe::kernels::cuda {

namespace {

// What is multiplied: out = A B with A (m, k) and B (k, n).
enum class Form {
    kRowsByTransposed, // A rows of x; B a weight, transposed
    kRowsByWeight,     // A rows of x; B a weight
    kGradient,         // A rows of a, transposed; B rows of b; k the rows
};

constexpr bool isStoredByInner(Form form, bool isA) { // (k, ·) in memory, else (·, k)
    return isA ? form == Form::kGradient : form != Form::kRowsByTransposed;
}

struct Sizes {
    int64_t n, inner; // inner: of all forms but gradients
    int64_t m;        // of gradients
    double alpha;
    bool adds;
};

// Of experts [first, first + count).
struct Experts {
    const int32_t* starts;
    int first, count;
    int64_t stride; // of weights or gradients, elements
};

struct Tile {
    int expert;         // within the run; -1: none
    int64_t begin, end; // rows of the expert
    int64_t first;      // row of the tile
};

__device__ Tile rowTile(const Experts& experts, int index, int tileRows) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    int before = 0;
    for (int base = 0; base < experts.count; base += 32) {
        const int e = base + lane;
        const int begin = e < experts.count ? experts.starts[experts.first + e] : 0;
        const int end = e < experts.count ? experts.starts[experts.first + e + 1] : 0;
        const int tiles = (end - begin + tileRows - 1) / tileRows;
        int upTo = tiles; // with all lanes below
        for (int offset = 1; offset < 32; offset *= 2) {
            const int other = __shfl_up_sync(~0u, upTo, offset);
            if (lane >= offset) upTo += other;
        }
        const unsigned beyond = __ballot_sync(~0u, index < before + upTo);
        if (beyond != 0) {
            const int owner = __ffs(static_cast<int>(beyond)) - 1;
            const int firstTile = before + __shfl_sync(~0u, upTo - tiles, owner);
            const int64_t from = __shfl_sync(~0u, begin, owner);
            return {base + owner, from, __shfl_sync(~0u, end, owner),
                    from + static_cast<int64_t>(index - firstTile) * tileRows};
        }
        before += __shfl_sync(~0u, upTo, 31);
    }
    return {-1, 0, 0, 0};
}

// What a block computes: out (rows, cols) = A B over `inner`.
template <class T, class Out>
struct TileWork {
    const T* a;
    const T* b;
    Out* out;
    int64_t rows = 0, cols = 0, inner = 0; // that are left from the tile's corner on
};

template <class T, class Out, Form form>
__device__ TileWork<T, Out> workOf(View<T> a, View<T> b, View<Out> out, const Experts& experts, const Sizes& sizes,
                                   int tile) {
    const int64_t n = static_cast<int64_t>(blockIdx.x) * tile;
    if constexpr (form == Form::kGradient) {
        const auto expert = static_cast<int>(blockIdx.z);
        const int64_t begin = experts.starts[experts.first + expert], end = experts.starts[experts.first + expert + 1];
        const int64_t m = static_cast<int64_t>(blockIdx.y) * tile;
        return {a.row(begin) + m, b.row(begin) + n, out.row(m) + experts.stride * expert + n,
                sizes.m - m,      sizes.n - n,      end - begin};
    } else {
        const Tile rows = rowTile(experts, static_cast<int>(blockIdx.y), tile);
        if (rows.expert < 0) return {};
        const T* weight = b.data + experts.stride * rows.expert;
        return {a.row(rows.first),
                form == Form::kRowsByTransposed ? weight + n * b.pitch : weight + n,
                out.row(rows.first) + n,
                rows.end - rows.first,
                sizes.n - n,
                sizes.inner};
    }
}

template <class T, class Out, class S>
__device__ void put(Out* to, S sum, const Sizes& sizes) {
    S value = static_cast<S>(sizes.alpha) * sum;
    if (sizes.adds) value += static_cast<S>(widen(*to));
    *to = narrow<Out>(value);
}

// Plain arithmetic: 256 threads, 4 x 4 results each.
constexpr int kPlainTile = 64, kPlainDepth = 16;

template <class T, Form form>
__global__ void __launch_bounds__(256)
    plainKernel(View<T> a, View<T> b, View<Statistic<T>> out, Experts experts, Sizes sizes) {
    using S = Statistic<T>;
    __shared__ S as[kPlainDepth][kPlainTile + 1], bs[kPlainDepth][kPlainTile + 1];
    const TileWork<T, S> work = workOf<T, S, form>(a, b, out, experts, sizes, kPlainTile);
    if (work.rows <= 0) return;
    const int thread = static_cast<int>(threadIdx.x), x = thread % 16, y = thread / 16;
    const auto copy = [&](S(&to)[kPlainDepth][kPlainTile + 1], const T* from, int64_t pitch, int64_t across, int64_t k0,
                          bool byInner) {
        for (int i = thread; i < kPlainDepth * kPlainTile; i += 256) {
            const int k = byInner ? i / kPlainTile : i % kPlainDepth, c = byInner ? i % kPlainTile : i / kPlainDepth;
            const bool isThere = k0 + k < work.inner && c < across;
            to[k][c] =
                isThere ? static_cast<S>(widen(byInner ? from[(k0 + k) * pitch + c] : from[c * pitch + k0 + k])) : S{0};
        }
    };
    S sums[4][4] = {};
    for (int64_t k0 = 0; k0 < work.inner; k0 += kPlainDepth) {
        copy(as, work.a, a.pitch, work.rows, k0, isStoredByInner(form, true));
        copy(bs, work.b, b.pitch, work.cols, k0, isStoredByInner(form, false));
        __syncthreads();
        for (int k = 0; k < kPlainDepth; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += as[k][y * 4 + i] * bs[k][x * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (y * 4 + i < work.rows && x * 4 + j < work.cols)
                put<T>(work.out + (y * 4 + i) * out.pitch + x * 4 + j, sums[i][j], sizes);
}

// Tensor cores: 8 warps, 32 x 64 results each.
constexpr int kTile = 128, kDepth = 32, kThreads = 256, kSpare = 8; // spare: so that rows lie in other banks
constexpr int kTileElements = kTile * (kDepth + kSpare);            // no less than kDepth * (kTile + kSpare)
constexpr int kStagingPitch = 20;

template <class T>
struct TensorType;
template <>
struct TensorType<BF16> {
    using Type = __nv_bfloat16;
};
template <>
struct TensorType<F16> {
    using Type = __half;
};

__device__ inline void copyAhead(void* to, const void* from, int bytes) { // of 16, the others become zeros
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared), "l"(from), "r"(bytes));
}
__device__ inline void endCopies() {
    asm volatile("cp.async.commit_group;\n");
}
template <int kOpen>
__device__ inline void awaitCopies() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(kOpen));
}

// A tile of kRows x kCols, of which `rows` x `cols` are there; the rest is zeros.
template <class T, int kRows, int kCols, bool kPacked>
__device__ void copyTile(T* to, const T* from, int64_t pitch, int64_t rows, int64_t cols) {
    constexpr int kPacks = kCols / 8;
#pragma unroll
    for (int i = static_cast<int>(threadIdx.x); i < kRows * kPacks; i += kThreads) {
        const int row = i / kPacks, col = i % kPacks * 8;
        T* pack = to + row * (kCols + kSpare) + col;
        const int64_t left = row < rows ? cols - col : 0;
        if constexpr (kPacked) {
            const int count = left <= 0 ? 0 : left < 8 ? static_cast<int>(left) : 8;
            copyAhead(pack, count > 0 ? from + row * pitch + col : from, count * static_cast<int>(sizeof(T)));
        } else {
            for (int c = 0; c < 8; ++c)
                pack[c] = c < left ? from[row * pitch + col + c] : T{0};
        }
    }
}

// The tile of an operand from inner index k0 on.
template <class T, bool kByInner, bool kPacked>
__device__ void copyOperand(T* to, const T* from, int64_t pitch, int64_t across, int64_t inner, int64_t k0) {
    if constexpr (kByInner)
        copyTile<T, kDepth, kTile, kPacked>(to, from + k0 * pitch, pitch, inner - k0, across);
    else
        copyTile<T, kTile, kDepth, kPacked>(to, from + k0, pitch, across, inner - k0);
}

template <class T, class Out, Form form, bool kPacked>
__global__ void __launch_bounds__(kThreads)
    tensorKernel(View<T> a, View<T> b, View<Out> out, Experts experts, Sizes sizes) {
    using namespace nvcuda;
    using E = typename TensorType<T>::Type;
    constexpr bool kAByInner = isStoredByInner(form, true), kBByInner = isStoredByInner(form, false);
    using LayoutA = std::conditional_t<kAByInner, wmma::col_major, wmma::row_major>;
    using LayoutB = std::conditional_t<kBByInner, wmma::row_major, wmma::col_major>;
    constexpr int kPitchA = (kAByInner ? kTile : kDepth) + kSpare, kPitchB = (kBByInner ? kTile : kDepth) + kSpare;
    __shared__ alignas(128) T memory[4 * kTileElements];
    const TileWork<T, Out> work = workOf<T, Out, form>(a, b, out, experts, sizes, kTile);
    if (work.rows <= 0) return;

    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int warpRow = warp / 2 * 32, warpCol = warp % 2 * 64;
    const auto copy = [&](int64_t k0, int half) {
        T* to = memory + half * 2 * kTileElements;
        copyOperand<T, kAByInner, kPacked>(to, work.a, a.pitch, work.rows, work.inner, k0);
        copyOperand<T, kBByInner, kPacked>(to + kTileElements, work.b, b.pitch, work.cols, work.inner, k0);
        endCopies();
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][4];
    for (auto& row : sums)
        for (auto& sum : row)
            wmma::fill_fragment(sum, 0.0f);
    if (work.inner > 0) copy(0, 0);
    int half = 0;
    for (int64_t k0 = 0; k0 < work.inner; k0 += kDepth, half ^= 1) {
        if (k0 + kDepth < work.inner) {
            copy(k0 + kDepth, half ^ 1);
            awaitCopies<1>();
        } else {
            awaitCopies<0>();
        }
        __syncthreads();
        const E* as = reinterpret_cast<const E*>(memory + half * 2 * kTileElements);
        const E* bs = as + kTileElements;
#pragma unroll
        for (int k = 0; k < kDepth; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, E, LayoutA> left[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, E, LayoutB> right[4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int m = warpRow + 16 * i;
                wmma::load_matrix_sync(left[i], as + (kAByInner ? k * kPitchA + m : m * kPitchA + k), kPitchA);
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const int n = warpCol + 16 * j;
                wmma::load_matrix_sync(right[j], bs + (kBByInner ? k * kPitchB + n : n * kPitchB + k), kPitchB);
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
        }
        __syncthreads(); // before the half is filled anew
    }

    float* staging = reinterpret_cast<float*>(memory) + warp * 16 * kStagingPitch;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            wmma::store_matrix_sync(staging, sums[i][j], kStagingPitch, wmma::mem_row_major);
            __syncwarp();
            const int row = warpRow + 16 * i + lane / 2;
            for (int c = lane % 2 * 8; c < lane % 2 * 8 + 8; ++c) {
                const int col = warpCol + 16 * j + c;
                if (row < work.rows && col < work.cols)
                    put<T>(work.out + row * out.pitch + col, staging[lane / 2 * kStagingPitch + c], sizes);
            }
            __syncwarp();
        }
}

int64_t tilesOf(int64_t size, int tile) {
    return (size + tile - 1) / tile;
}

template <Form form>
dim3 gridOf(const Sizes& sizes, int count, int64_t rows, int tile) {
    const auto n = static_cast<unsigned>(tilesOf(sizes.n, tile));
    if constexpr (form == Form::kGradient)
        return dim3(n, static_cast<unsigned>(tilesOf(sizes.m, tile)), static_cast<unsigned>(count));
    else // each expert may have a tile that is not full
        return dim3(n, static_cast<unsigned>(rows / tile + count), 1);
}

// Whether packs of 16 bytes may be copied from every row.
bool startsInPacks(const Matrix& matrix, int64_t stride) {
    const auto bytes = static_cast<int64_t>(sizeOf(matrix.dtype));
    return matrix.pitch * bytes % 16 == 0 && stride * bytes % 16 == 0 && takesPacks(matrix.data);
}

template <class T, Form form>
void launch(const Target& target, const Matrix& a, const Matrix& b, const Matrix& out, const Experts& experts,
            const Sizes& sizes, const char* name) {
    constexpr bool kIsHalf = sizeof(T) == 2;
    const dim3 grid = gridOf<form>(sizes, experts.count, a.rows, kIsHalf ? kTile : kPlainTile);
    if constexpr (kIsHalf) {
        using Out = std::conditional_t<form == Form::kGradient, float, T>;
        const int64_t strideB = form == Form::kGradient ? 0 : experts.stride;
        if (startsInPacks(a, 0) && startsInPacks(b, strideB))
            tensorKernel<T, Out, form, true>
                <<<grid, kThreads, 0, streamOf(target)>>>(View<T>(a), View<T>(b), View<Out>(out), experts, sizes);
        else
            tensorKernel<T, Out, form, false>
                <<<grid, kThreads, 0, streamOf(target)>>>(View<T>(a), View<T>(b), View<Out>(out), experts, sizes);
    } else {
        plainKernel<T, form><<<grid, 256, 0, streamOf(target)>>>(View<T>(a), View<T>(b), View<T>(out), experts, sizes);
    }
    checkLaunch(name);
}

Experts runOf(const int32_t* starts, const ExpertRun& run) {
    return {starts, static_cast<int>(run.first), static_cast<int>(run.count), run.stride};
}

} // namespace

void expertProduct(const Target& target, const Matrix& x, const int32_t* starts, const ExpertRun& weights,
                   bool transposed, double alpha, bool adds, const Matrix& out) {
    const Sizes sizes{out.cols, x.cols, 0, alpha, adds};
    visitFloating(x.dtype, [&]<class T>(T) {
        if (transposed)
            launch<T, Form::kRowsByTransposed>(target, x, weights.matrix, out, runOf(starts, weights), sizes,
                                               "expertProduct");
        else
            launch<T, Form::kRowsByWeight>(target, x, weights.matrix, out, runOf(starts, weights), sizes,
                                           "expertProduct");
    });
}

void expertGradient(const Target& target, const Matrix& a, const Matrix& b, const int32_t* starts, double alpha,
                    bool adds, const ExpertRun& gradients) {
    const Sizes sizes{b.cols, 0, a.cols, alpha, adds};
    visitFloating(a.dtype, [&]<class T>(T) {
        launch<T, Form::kGradient>(target, a, b, gradients.matrix, runOf(starts, gradients), sizes, "expertGradient");
    });
}

} // namespace roundpipe::kernels::cuda
