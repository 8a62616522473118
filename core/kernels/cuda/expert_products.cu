// SPDX-License-Identifier: GPL-3.0-or-later
// Products of routed rows with the weights of their experts, whose counts are known on the device alone. A block
// computes a tile of one expert's result: of rows, it finds which expert's by counting the tiles of those before it,
// and leaves where there are fewer tiles than the grid has room for. 16-bit operands go through tensor cores (mma
// of warps, fp32 sums) in tiles that are copied into shared memory two steps ahead; fp32 and fp64 through plain
// arithmetic. Sums run over the inner dimension in one order, so bits repeat.
#include "kernels/cuda/device.cuh"

#include <type_traits>

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
                                   int tileRows, int tileCols) {
    const int64_t n = static_cast<int64_t>(blockIdx.x) * tileCols;
    if constexpr (form == Form::kGradient) {
        const auto expert = static_cast<int>(blockIdx.z);
        const int64_t begin = experts.starts[experts.first + expert], end = experts.starts[experts.first + expert + 1];
        const int64_t m = static_cast<int64_t>(blockIdx.y) * tileRows;
        return {a.row(begin) + m, b.row(begin) + n, out.row(m) + experts.stride * expert + n,
                sizes.m - m,      sizes.n - n,      end - begin};
    } else {
        const Tile rows = rowTile(experts, static_cast<int>(blockIdx.y), tileRows);
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
    const TileWork<T, S> work = workOf<T, S, form>(a, b, out, experts, sizes, kPlainTile, kPlainTile);
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

// Tensor cores: tiles of so many steps of the inner dimension in shared memory, and 64 x 64 results for each warp.
constexpr int kTileRows = 128, kWarpTile = 64, kPack = 8; // elements in 16 bytes

template <int kCols_, int kDepth_, int kStages_, int kBlocks_>
struct TileShape {
    static constexpr int kCols = kCols_, kDepth = kDepth_, kStages = kStages_;
    static constexpr int kBlocks = kBlocks_; // on a multiprocessor
    static constexpr int kWarpCols = kCols / kWarpTile;
    static constexpr int kThreads = kTileRows / kWarpTile * kWarpCols * 32;
    static constexpr int kElements = (kTileRows + kCols) * kDepth; // of a step
    static constexpr int kBytes = kStages * kElements * 2;
};
// What a GeForce card's 100 KB hold, and what fewer reads of the second cache are gained by where there is more.
using SmallTiles = TileShape<128, 32, 3, 2>;
using LargeTiles = TileShape<256, 64, 3, 1>;

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

// A tile in shared memory: kAcross x kDepth, or kDepth x kAcross of what is stored by the inner dimension. A pack is
// moved within its row such that the same one of eight rows lies in all 32 banks, which is what ldmatrix reads at once.
template <bool kByInner, int kAcross, int kDepth>
struct TilePlaces {
    static constexpr int kRowElements = kByInner ? kAcross : kDepth, kRows = kByInner ? kDepth : kAcross;
    static constexpr int kRowPacks = kRowElements / kPack;

    __device__ static int of(int row, int pack) {
        return row * kRowElements + (pack ^ (kRowPacks < 8 ? row >> 1 & 3 : row & 7)) * kPack;
    }
};

// Copies an operand's tiles, each thread the same packs of all.
template <class T, bool kByInner, int kAcross, int kDepth, int kThreads, bool kPacked>
struct TileCopy {
    using Places = TilePlaces<kByInner, kAcross, kDepth>;
    static constexpr int kRowsAtOnce = kThreads / Places::kRowPacks;
    static_assert(kRowsAtOnce % 8 == 0 && Places::kRows % kRowsAtOnce == 0, "a thread's packs are moved alike");

    const T* m_from; // this thread's first pack
    int64_t m_pitch, m_across, m_inner;
    int m_row, m_pack;

    __device__ TileCopy(const T* from, int64_t pitch, int64_t across, int64_t inner)
        : m_pitch(pitch)
        , m_across(across)
        , m_inner(inner)
        , m_row(static_cast<int>(threadIdx.x) / Places::kRowPacks)
        , m_pack(static_cast<int>(threadIdx.x) % Places::kRowPacks) {
        m_from = from + m_row * pitch + m_pack * kPack;
    }
    // The tile from inner index k0 on; zeros where nothing is there.
    __device__ void operator()(T* to, int64_t k0) const {
        const int64_t rows = kByInner ? m_inner - k0 : m_across, cols = kByInner ? m_across : m_inner - k0;
        const int64_t left = cols - m_pack * kPack;
        const int count = left <= 0 ? 0 : left < kPack ? static_cast<int>(left) : kPack;
        const T* source = m_from + (kByInner ? k0 * m_pitch : k0);
        to += Places::of(m_row, m_pack);
#pragma unroll
        for (int row = 0; row < Places::kRows; row += kRowsAtOnce) {
            const int there = m_row + row < rows ? count : 0;
            if constexpr (kPacked) { // from nowhere, where none is there
                copyAhead(to, source, there * static_cast<int>(sizeof(T)));
            } else {
                for (int c = 0; c < kPack; ++c)
                    to[c] = c < there ? source[c] : T{0};
            }
            to += kRowsAtOnce * Places::kRowElements;
            source += kRowsAtOnce * m_pitch;
        }
    }
};

// Four 8 x 8 matrices, whose rows begin where the lanes (eight for each) say; transposed where `kTurned`.
template <bool kTurned>
__device__ inline void loadMatrices(unsigned (&to)[4], const void* row) {
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(row));
    if constexpr (kTurned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(shared));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(shared));
}

// 16 rows and 16 steps of the inner dimension: A's quarters lie (0, 0), (8, 0), (0, 8), (8, 8), B's (0, 0), (0, 8),
// (8, 0), (8, 8), as the instruction below takes them (PTX ISA, "Matrix Fragments for mma.m16n8k16").
template <class Places, bool kByInner, bool isA, class T>
__device__ inline void loadFragment(unsigned (&to)[4], const T* tile, int across, int k) {
    const int lane = static_cast<int>(threadIdx.x) % 32, first = lane / 8 % 2 * 8, second = lane / 16 * 8;
    const int a = across + (isA ? first : second), b = k + (isA ? second : first), row = lane % 8;
    if constexpr (kByInner)
        loadMatrices<true>(to, tile + Places::of(b + row, a / kPack));
    else
        loadMatrices<false>(to, tile + Places::of(a + row, b / kPack));
}

// sums (16, 8) += A (16, 16) B (16, 8).
template <class T>
__device__ inline void multiplyAdd(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    if constexpr (std::is_same_v<T, BF16>)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                     "{%8, %9}, {%0, %1, %2, %3};\n"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                     "{%8, %9}, {%0, %1, %2, %3};\n"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two neighbours in a row, which an instruction writes at once where memory allows it.
template <class T, class Out>
__device__ inline void putPair(Out* to, float first, float second, int64_t cols, bool inPairs, const Sizes& sizes) {
    if (inPairs && cols > 1) {
        using Two = Pack<Out, 2>;
        Two pair = sizes.adds ? *reinterpret_cast<const Two*>(to) : Two{};
        put<T>(&pair.values[0], first, sizes);
        put<T>(&pair.values[1], second, sizes);
        *reinterpret_cast<Two*>(to) = pair;
    } else {
        if (cols > 0) put<T>(to, first, sizes);
        if (cols > 1) put<T>(to + 1, second, sizes);
    }
}

// kPacked: both operands are copied in packs of 16 bytes.
template <class T, class Out, Form form, bool kPacked, class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    tensorKernel(View<T> a, View<T> b, View<Out> out, Experts experts, Sizes sizes, bool inPairs) {
    constexpr bool kAByInner = isStoredByInner(form, true), kBByInner = isStoredByInner(form, false);
    constexpr int kDepth = Shape::kDepth, kStages = Shape::kStages;
    constexpr int kRowParts = kWarpTile / 16, kColParts = kWarpTile / 8;
    using CopyA = TileCopy<T, kAByInner, kTileRows, kDepth, Shape::kThreads, kPacked>;
    using CopyB = TileCopy<T, kBByInner, Shape::kCols, kDepth, Shape::kThreads, kPacked>;
    extern __shared__ __align__(128) unsigned char shared[];
    T* const memory = reinterpret_cast<T*>(shared);
    const TileWork<T, Out> work = workOf<T, Out, form>(a, b, out, experts, sizes, kTileRows, Shape::kCols);
    if (work.rows <= 0) return;

    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int warpRow = warp / Shape::kWarpCols * kWarpTile, warpCol = warp % Shape::kWarpCols * kWarpTile;
    const CopyA copyA(work.a, a.pitch, work.rows, work.inner);
    const CopyB copyB(work.b, b.pitch, work.cols, work.inner);
    const auto tileOf = [&](int stage) { return memory + stage * Shape::kElements; };
    const auto copy = [&](int64_t k0, int stage) {
        if (k0 < work.inner) {
            copyA(tileOf(stage), k0);
            copyB(tileOf(stage) + kTileRows * kDepth, k0);
        }
        endCopies(); // also of none, as they are awaited by number
    };
    float sums[kRowParts][kColParts][4] = {};
    for (int stage = 0; stage + 1 < kStages; ++stage)
        copy(int64_t{stage} * kDepth, stage);
    int stage = 0;
    for (int64_t k0 = 0; k0 < work.inner; k0 += kDepth) {
        awaitCopies<kStages - 2>();
        __syncthreads(); // what all have copied is there, and what was multiplied last may be written over
        copy(k0 + (kStages - 1) * kDepth, stage == 0 ? kStages - 1 : stage - 1);
        const T *as = tileOf(stage), *bs = as + kTileRows * kDepth;
#pragma unroll
        for (int k = 0; k < kDepth; k += 16) {
            unsigned left[kRowParts][4], right[kColParts / 2][4];
#pragma unroll
            for (int i = 0; i < kRowParts; ++i)
                loadFragment<typename CopyA::Places, kAByInner, true>(left[i], as, warpRow + 16 * i, k);
#pragma unroll
            for (int j = 0; j < kColParts / 2; ++j)
                loadFragment<typename CopyB::Places, kBByInner, false>(right[j], bs, warpCol + 16 * j, k);
#pragma unroll
            for (int i = 0; i < kRowParts; ++i)
#pragma unroll
                for (int j = 0; j < kColParts; ++j)
                    multiplyAdd<T>(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
        stage = stage + 1 == kStages ? 0 : stage + 1;
    }

    // A lane has two neighbours of a row, and of the row eight further down.
#pragma unroll
    for (int i = 0; i < kRowParts; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = warpRow + 16 * i + 8 * half + lane / 4;
            if (row >= work.rows) continue;
#pragma unroll
            for (int j = 0; j < kColParts; ++j) {
                const int col = warpCol + 8 * j + lane % 4 * 2;
                putPair<T>(work.out + row * out.pitch + col, sums[i][j][2 * half], sums[i][j][2 * half + 1],
                           work.cols - col, inPairs, sizes);
            }
        }
}

int64_t tilesOf(int64_t size, int tile) {
    return (size + tile - 1) / tile;
}

template <Form form>
dim3 gridOf(const Sizes& sizes, int count, int64_t rows, int tileRows, int tileCols) {
    const auto n = static_cast<unsigned>(tilesOf(sizes.n, tileCols));
    if constexpr (form == Form::kGradient)
        return dim3(n, static_cast<unsigned>(tilesOf(sizes.m, tileRows)), static_cast<unsigned>(count));
    else // each expert may have a tile that is not full
        return dim3(n, static_cast<unsigned>(rows / tileRows + count), 1);
}

// Whether packs of 16 bytes may be copied from every row.
bool startsInPacks(const Matrix& matrix, int64_t stride) {
    const auto bytes = static_cast<int64_t>(sizeOf(matrix.dtype));
    return matrix.pitch * bytes % 16 == 0 && stride * bytes % 16 == 0 && takesPacks(matrix.data);
}

bool startsInPairs(const Matrix& matrix, int64_t stride) {
    return matrix.pitch % 2 == 0 && stride % 2 == 0 &&
           reinterpret_cast<uintptr_t>(matrix.data) % (2 * sizeOf(matrix.dtype)) == 0;
}

// The current device's, of a block that asks for it.
bool hasShared(int bytes) {
    int device = 0, most = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return bytes <= most;
}

template <class T, Form form, class Shape>
void launchTiles(const Target& target, const Matrix& a, const Matrix& b, const Matrix& out, const Experts& experts,
                 const Sizes& sizes) {
    using Out = std::conditional_t<form == Form::kGradient, float, T>;
    constexpr bool kIsGradient = form == Form::kGradient;
    const dim3 grid = gridOf<form>(sizes, experts.count, a.rows, kTileRows, Shape::kCols);
    const bool inPairs = startsInPairs(out, kIsGradient ? experts.stride : 0);
    void (*const kernel)(View<T>, View<T>, View<Out>, Experts, Sizes, bool) =
        startsInPacks(a, 0) && startsInPacks(b, kIsGradient ? 0 : experts.stride)
            ? tensorKernel<T, Out, form, true, Shape>
            : tensorKernel<T, Out, form, false, Shape>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::kBytes);
    kernel<<<grid, Shape::kThreads, Shape::kBytes, streamOf(target)>>>(View<T>(a), View<T>(b), View<Out>(out), experts,
                                                                       sizes, inPairs);
}

template <class T, Form form>
void launch(const Target& target, const Matrix& a, const Matrix& b, const Matrix& out, const Experts& experts,
            const Sizes& sizes, const char* name) {
    if constexpr (sizeof(T) == 2) {
        if (sizes.n > LargeTiles::kCols && hasShared(LargeTiles::kBytes))
            launchTiles<T, form, LargeTiles>(target, a, b, out, experts, sizes);
        else
            launchTiles<T, form, SmallTiles>(target, a, b, out, experts, sizes);
    } else {
        const dim3 grid = gridOf<form>(sizes, experts.count, a.rows, kPlainTile, kPlainTile);
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
