// SPDX-License-Identifier: GPL-3.0-or-later
// Exact attention and its gradients, by the formulas of cpu/attention.cpp, in tiles held in shared memory, products
// in plain arithmetic of the statistics type. It serves fp32 and fp64, and checks; on tensor cores the model has faster
// ones for bf16 and fp16.
//
// A block works on kTile rows (queries, or keys in the gradients of keys and values) and walks over tiles of as many
// columns. Eight neighbouring lanes share two rows: of a product of scores each lane has every eighth column, of an
// output every eighth of the head's columns. A lane thus owns what it sums, and no sum is shared between blocks.
//
// Orders: products add along their depth from first to last, tiles come with rising columns, heads of a group one after
// the other; a row's weights are summed by each lane, then pairwise over the eight.
#include "kernels/cuda/attention_few.cuh"
#include "kernels/cuda/device.cuh"

namespace roundpipe::kernels::cuda {

namespace {

constexpr int kLanes = 8;
constexpr int kRowsPerThread = 2;
constexpr int64_t kSharedBytes = 99 * 1024; // what every GPU since Ampere grants a block

// Head sizes up to 8 * kCols; tiles as large as shared memory allows.
template <class S, int kCols, int kNumTiles, int kNumScores>
struct Layout {
    static constexpr int kPitch = kLanes * kCols + 1; // odd: rows start in different banks
    static constexpr int64_t bytes(int tile) {
        return static_cast<int64_t>(sizeof(S)) * (kNumTiles * tile * kPitch + kNumScores * tile * (tile + 1));
    }
    static constexpr int kTile = bytes(32) <= kSharedBytes ? 32 : bytes(16) <= kSharedBytes ? 16 : 8;
    static constexpr int kThreads = kTile / kRowsPerThread * kLanes;
    static constexpr int64_t kBytes = bytes(kTile);
    static constexpr int kTileElements = kTile * kPitch;
    static_assert(kBytes <= kSharedBytes);
};

struct Geometry {
    const int32_t* starts;    // null: one sequence, whose numTokens queries follow each other
    const int32_t* positions; // then: where the first of them is
    int64_t numTiles;         // row tiles of the longest sequence
    int64_t numTokens;
    int64_t numHeads, group, headDim, window;
    double scale;
};

// The sequence of a block: its first rows in q and k, and how many there are.
struct Sequence {
    int64_t first, numQueries, numKeys, offset; // query i is at position offset + i
    __device__ Sequence(const Geometry& g, int64_t index) {
        first = g.starts ? g.starts[index] : 0;
        numQueries = g.starts ? g.starts[index + 1] - first : g.numTokens;
        offset = g.starts ? 0 : g.positions[0];
        numKeys = offset + numQueries;
    }
};

__device__ inline int64_t firstVisible(int64_t position, int64_t window) {
    return window > 0 && position >= window ? position - window + 1 : 0;
}

// tile [kTile][kPitch] = rows [first, first + count) of one head, zeros beyond.
template <class L, class T, class S>
__device__ void loadTile(const View<T>& from, int64_t firstRow, int64_t firstCol, int64_t count, int64_t headDim,
                         S* tile) {
    for (int i = static_cast<int>(threadIdx.x); i < L::kTile * (L::kPitch - 1); i += L::kThreads) {
        const int row = i / (L::kPitch - 1), col = i % (L::kPitch - 1);
        const bool real = row < count && col < headDim;
        tile[row * L::kPitch + col] = real ? static_cast<S>(widen(from.row(firstRow + row)[firstCol + col])) : S{0};
    }
}

// The rows of a thread: its index among the row groups, and that plus half a tile.
template <class L>
struct Place {
    int lane = static_cast<int>(threadIdx.x) % kLanes;
    int group = static_cast<int>(threadIdx.x) / kLanes;
    __device__ int row(int i) const { return group + i * (L::kTile / kRowsPerThread); }
};

// scores[i][j] = rows[row i] · cols[lane + 8 j]
template <class L, class S, int kScores>
__device__ void multiply(const Place<L>& place, const S* rows, const S* cols, int64_t headDim,
                         S (&scores)[kRowsPerThread][kScores]) {
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i)
#pragma unroll
        for (int j = 0; j < kScores; ++j)
            scores[i][j] = 0;
    for (int c = 0; c < headDim; ++c) {
        S left[kRowsPerThread];
#pragma unroll
        for (int i = 0; i < kRowsPerThread; ++i)
            left[i] = rows[place.row(i) * L::kPitch + c];
#pragma unroll
        for (int j = 0; j < kScores; ++j) {
            const S right = cols[(place.lane + kLanes * j) * L::kPitch + c];
#pragma unroll
            for (int i = 0; i < kRowsPerThread; ++i)
                scores[i][j] += left[i] * right;
        }
    }
}

// sums[i][c] += the sum over j of weights[row i][j] * cols[j][lane + 8 c]
template <class L, class S, int kCols>
__device__ void multiplyAdd(const Place<L>& place, const S* weights, const S* cols, S (&sums)[kRowsPerThread][kCols]) {
    for (int j = 0; j < L::kTile; ++j) {
        S left[kRowsPerThread];
#pragma unroll
        for (int i = 0; i < kRowsPerThread; ++i)
            left[i] = weights[place.row(i) * (L::kTile + 1) + j];
#pragma unroll
        for (int c = 0; c < kCols; ++c) {
            const S right = cols[j * L::kPitch + place.lane + kLanes * c];
#pragma unroll
            for (int i = 0; i < kRowsPerThread; ++i)
                sums[i][c] += left[i] * right;
        }
    }
}

template <class L, class T, class S, int kCols>
__device__ void storeRows(const Place<L>& place, const S (&sums)[kRowsPerThread][kCols], const View<T>& to,
                          int64_t firstRow, int64_t firstCol, int64_t count, int64_t headDim) {
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i) {
        if (place.row(i) >= count) continue;
        T* row = to.row(firstRow + place.row(i)) + firstCol;
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            if (place.lane + kLanes * c < headDim) row[place.lane + kLanes * c] = narrow<T>(sums[i][c]);
    }
}

template <class T, int kCols>
using ForwardLayout = Layout<Statistic<T>, kCols, 3, 1>;

template <class T, int kCols>
__global__ void __launch_bounds__(ForwardLayout<T, kCols>::kThreads)
    attentionKernel(Geometry g, View<T> q, View<T> k, View<T> v, View<T> out, Statistic<T>* logSumExp) {
    using S = Statistic<T>;
    using L = ForwardLayout<T, kCols>;
    constexpr int kScores = L::kTile / kLanes;
    extern __shared__ __align__(16) unsigned char shared[];
    S* qTile = reinterpret_cast<S*>(shared);
    S* kTile = qTile + L::kTileElements;
    S* vTile = kTile + L::kTileElements;
    S* weights = vTile + L::kTileElements;
    const Sequence sequence(g, blockIdx.x / g.numTiles);
    // Long rows of tiles first, so that the last blocks are short ones.
    const int64_t q0 = (g.numTiles - 1 - blockIdx.x % g.numTiles) * L::kTile;
    if (q0 >= sequence.numQueries) return;
    const int64_t head = blockIdx.y, kvHead = head / g.group;
    const int64_t rows = min(static_cast<int64_t>(L::kTile), sequence.numQueries - q0);
    const Place<L> place;
    loadTile<L>(q, sequence.first + q0, head * g.headDim, rows, g.headDim, qTile);
    S sums[kRowsPerThread][kCols] = {}, scores[kRowsPerThread][kScores];
    S largest[kRowsPerThread], total[kRowsPerThread];
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i) {
        largest[i] = minusInfinity<S>();
        total[i] = 0;
    }
    const int64_t lastKey = sequence.offset + q0 + rows - 1;
    for (int64_t k0 = firstVisible(sequence.offset + q0, g.window) / L::kTile * L::kTile; k0 <= lastKey;
         k0 += L::kTile) {
        const int64_t cols = min(static_cast<int64_t>(L::kTile), sequence.numKeys - k0);
        __syncthreads(); // the tiles of the last round were read
        loadTile<L>(k, sequence.first + k0, kvHead * g.headDim, cols, g.headDim, kTile);
        loadTile<L>(v, sequence.first + k0, kvHead * g.headDim, cols, g.headDim, vTile);
        __syncthreads();
        multiply(place, qTile, kTile, g.headDim, scores);
#pragma unroll
        for (int i = 0; i < kRowsPerThread; ++i) {
            const int64_t position = sequence.offset + q0 + place.row(i), low = firstVisible(position, g.window);
            S next = largest[i], sum = 0;
#pragma unroll
            for (int j = 0; j < kScores; ++j) {
                const int64_t key = k0 + place.lane + kLanes * j;
                scores[i][j] =
                    key >= low && key <= position ? scores[i][j] * static_cast<S>(g.scale) : minusInfinity<S>();
                next = scores[i][j] > next ? scores[i][j] : next;
            }
            for (int offset = kLanes / 2; offset > 0; offset /= 2) {
                const S other = __shfl_xor_sync(~0u, next, offset);
                next = other > next ? other : next;
            }
            const S base = next == minusInfinity<S>() ? S{0} : next; // nothing visible so far
#pragma unroll
            for (int j = 0; j < kScores; ++j) {
                const S weight = exponential(scores[i][j] - base);
                sum += weight;
                weights[place.row(i) * (L::kTile + 1) + place.lane + kLanes * j] = weight;
            }
            const S correction = exponential(largest[i] - base);
            total[i] = total[i] * correction + warpSum(sum, kLanes);
            largest[i] = next;
#pragma unroll
            for (int c = 0; c < kCols; ++c)
                sums[i][c] *= correction;
        }
        __syncwarp(); // the lanes that share rows are in one warp
        multiplyAdd(place, weights, vTile, sums);
    }
#pragma unroll
    for (int i = 0; i < kRowsPerThread; ++i) {
#pragma unroll
        for (int c = 0; c < kCols; ++c)
            sums[i][c] /= total[i];
        if (logSumExp && place.lane == 0 && place.row(i) < rows)
            logSumExp[head * g.numTokens + sequence.first + q0 + place.row(i)] = largest[i] + logarithm(total[i]);
    }
    storeRows(place, sums, out, sequence.first + q0, head * g.headDim, rows, g.headDim);
}

// delta[head][token] = out · dOut: one warp each.
template <class T>
__global__ void outputProductsKernel(View<T> out, View<T> dOut, Statistic<T>* delta, int64_t numTokens,
                                     int64_t numHeads, int64_t headDim) {
    const int64_t index = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    if (index >= numTokens * numHeads) return;
    const int64_t token = index / numHeads, head = index % numHeads;
    Statistic<T> sum = 0;
    for (int64_t c = threadIdx.x % 32; c < headDim; c += 32)
        sum += widen(out.row(token)[head * headDim + c]) * widen(dOut.row(token)[head * headDim + c]);
    sum = warpSum(sum);
    if (threadIdx.x % 32 == 0) delta[head * numTokens + token] = sum;
}

template <class T, int kCols>
using BackwardLayout = Layout<Statistic<T>, kCols, 4, 2>;

// With kRowsAreKeys: first = dk and second = dv of a tile of keys, over the queries that see them of all heads of the
// group. Else: first = dq of a tile of queries.
template <class T, int kCols, bool kRowsAreKeys>
__global__ void __launch_bounds__(BackwardLayout<T, kCols>::kThreads)
    attentionBackwardKernel(Geometry g, View<T> q, View<T> k, View<T> v, View<T> dOut, const Statistic<T>* logSumExp,
                            const Statistic<T>* delta, View<T> first, View<T> second) {
    using S = Statistic<T>;
    using L = BackwardLayout<T, kCols>;
    constexpr int kScores = L::kTile / kLanes;
    extern __shared__ __align__(16) unsigned char shared[];
    S* rowsA = reinterpret_cast<S*>(shared); // q or k
    S* rowsB = rowsA + L::kTileElements;     // dOut or v
    S* colsA = rowsB + L::kTileElements;     // k or q
    S* colsB = colsA + L::kTileElements;     // v or dOut
    S* gradients = colsB + L::kTileElements;
    S* probabilities = gradients + L::kTile * (L::kTile + 1);
    const Sequence sequence(g, blockIdx.x / g.numTiles);
    const int64_t tileIndex = blockIdx.x % g.numTiles, length = sequence.numKeys;
    const int64_t r0 = (kRowsAreKeys ? tileIndex : g.numTiles - 1 - tileIndex) * L::kTile;
    if (r0 >= length) return;
    const int64_t rows = min(static_cast<int64_t>(L::kTile), length - r0);
    const int64_t firstHead = kRowsAreKeys ? blockIdx.y * g.group : blockIdx.y;
    const int64_t numHeads = kRowsAreKeys ? g.group : 1;
    const int64_t kvCol = firstHead / g.group * g.headDim, rowCol = kRowsAreKeys ? kvCol : firstHead * g.headDim;
    const Place<L> place;
    loadTile<L>(kRowsAreKeys ? k : q, sequence.first + r0, rowCol, rows, g.headDim, rowsA);
    loadTile<L>(kRowsAreKeys ? v : dOut, sequence.first + r0, rowCol, rows, g.headDim, rowsB);
    S firstSums[kRowsPerThread][kCols] = {}, secondSums[kRowsPerThread][kCols] = {};
    S scores[kRowsPerThread][kScores], products[kRowsPerThread][kScores];
    int64_t begin = kRowsAreKeys ? r0 : firstVisible(r0, g.window) / L::kTile * L::kTile, last = r0 + rows - 1;
    if (kRowsAreKeys) last = g.window > 0 ? min(length - 1, last + g.window - 1) : length - 1;
    for (int64_t head = firstHead; head < firstHead + numHeads; ++head) {
        const S* headLogSumExp = logSumExp + head * g.numTokens + sequence.first;
        const S* headDelta = delta + head * g.numTokens + sequence.first;
        const int64_t colCol = kRowsAreKeys ? head * g.headDim : kvCol;
        for (int64_t c0 = begin; c0 <= last; c0 += L::kTile) {
            const int64_t cols = min(static_cast<int64_t>(L::kTile), length - c0);
            __syncthreads(); // the tiles of the last round were read
            loadTile<L>(kRowsAreKeys ? q : k, sequence.first + c0, colCol, cols, g.headDim, colsA);
            loadTile<L>(kRowsAreKeys ? dOut : v, sequence.first + c0, colCol, cols, g.headDim, colsB);
            __syncthreads();
            multiply(place, rowsA, colsA, g.headDim, scores);
            multiply(place, rowsB, colsB, g.headDim, products);
#pragma unroll
            for (int i = 0; i < kRowsPerThread; ++i) {
#pragma unroll
                for (int j = 0; j < kScores; ++j) {
                    const int col = place.lane + kLanes * j;
                    const int64_t row = r0 + place.row(i);
                    const int64_t query = kRowsAreKeys ? c0 + col : row, key = kRowsAreKeys ? row : c0 + col;
                    S probability = 0, gradient = 0;
                    if (query < length && key <= query && key >= firstVisible(query, g.window)) {
                        const S scale = static_cast<S>(g.scale);
                        probability = exponential(scores[i][j] * scale - headLogSumExp[query]);
                        gradient = probability * (products[i][j] - headDelta[query]) * scale;
                    }
                    gradients[place.row(i) * (L::kTile + 1) + col] = gradient;
                    if (kRowsAreKeys) probabilities[place.row(i) * (L::kTile + 1) + col] = probability;
                }
            }
            __syncwarp(); // the lanes that share rows are in one warp
            multiplyAdd(place, gradients, colsA, firstSums);
            if (kRowsAreKeys) multiplyAdd(place, probabilities, colsB, secondSums);
        }
    }
    storeRows(place, firstSums, first, sequence.first + r0, rowCol, rows, g.headDim);
    if (kRowsAreKeys) storeRows(place, secondSums, second, sequence.first + r0, rowCol, rows, g.headDim);
}

Geometry geometryOf(const AttentionShape& shape, const int32_t* starts, const int32_t* positions, int64_t numTokens) {
    return {starts,        positions,    0,          numTokens, shape.numHeads, shape.numHeads / shape.numKvHeads,
            shape.headDim, shape.window, shape.scale};
}

template <class Kernel, class... Arguments>
void launchTiles(const char* name, const Target& target, Kernel kernel, int64_t numBlocks, int64_t numHeads,
                 int threads, int64_t bytes, const Arguments&... arguments) {
    if (bytes > 48 * 1024)
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    const dim3 grid(static_cast<unsigned>(numBlocks), static_cast<unsigned>(numHeads));
    kernel<<<grid, threads, static_cast<std::size_t>(bytes), streamOf(target)>>>(arguments...);
    checkLaunch(name);
}

// body(T{}, kCols) for the matrix's type and the head size, rounded up.
template <class Body>
void visitHead(DType dtype, int64_t headDim, Body&& body) {
    visitFloating(dtype, [&]<class T>(T type) {
        if (headDim <= 64)
            body(type, std::integral_constant<int, 8>{});
        else if (headDim <= 128)
            body(type, std::integral_constant<int, 16>{});
        else
            body(type, std::integral_constant<int, 32>{});
    });
}

void launchForward(const char* name, const Target& target, Geometry g, int64_t numSequences, int64_t maxLength,
                   const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    visitHead(q.dtype, g.headDim, [&]<class T, int kCols>(T, std::integral_constant<int, kCols>) {
        using L = ForwardLayout<T, kCols>;
        g.numTiles = (maxLength + L::kTile - 1) / L::kTile;
        launchTiles(name, target, attentionKernel<T, kCols>, g.numTiles * numSequences, g.numHeads, L::kThreads,
                    L::kBytes, g, View<T>(q), View<T>(k), View<T>(v), View<T>(out),
                    static_cast<Statistic<T>*>(logSumExp));
    });
}

} // namespace

void attention(const Target& target, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
               const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    launchForward("attention", target, geometryOf(shape, starts, nullptr, q.rows), shape.numSequences, shape.maxLength,
                  q, k, v, out, logSumExp);
}

void attentionCached(const Target& target, const AttentionShape& shape, const int32_t* positions, const Matrix& q,
                     const Matrix& keys, const Matrix& values, const Matrix& out, void* logSumExp) {
    if (q.rows <= kFewQueries)
        visitHead(q.dtype, shape.headDim, [&]<class T, int kCols>(T, std::integral_constant<int, kCols>) {
            launchFewQueries<T, kCols>(target, shape, positions, q, keys, values, out, logSumExp);
        });
    else
        launchForward("attentionCached", target, geometryOf(shape, nullptr, positions, q.rows), 1, q.rows, q, keys,
                      values, out, logSumExp);
}

void attentionBackward(const Target& target, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* scratch) {
    Geometry g = geometryOf(shape, starts, nullptr, q.rows);
    visitHead(q.dtype, g.headDim, [&]<class T, int kCols>(T, std::integral_constant<int, kCols>) {
        using S = Statistic<T>;
        using L = BackwardLayout<T, kCols>;
        S* delta = static_cast<S*>(scratch);
        const S* statistics = static_cast<const S*>(logSumExp);
        const int64_t numWarps = q.rows * shape.numHeads;
        outputProductsKernel<T><<<static_cast<unsigned>((numWarps + 7) / 8), 256, 0, streamOf(target)>>>(
            View<T>(out), View<T>(dOut), delta, q.rows, shape.numHeads, shape.headDim);
        checkLaunch("attentionBackward's output products");
        g.numTiles = (shape.maxLength + L::kTile - 1) / L::kTile;
        const int64_t numBlocks = g.numTiles * shape.numSequences;
        launchTiles("attentionBackward of queries", target, attentionBackwardKernel<T, kCols, false>, numBlocks,
                    shape.numHeads, L::kThreads, L::kBytes, g, View<T>(q), View<T>(k), View<T>(v), View<T>(dOut),
                    statistics, delta, View<T>(dq), View<T>(dq));
        launchTiles("attentionBackward of keys and values", target, attentionBackwardKernel<T, kCols, true>, numBlocks,
                    shape.numKvHeads, L::kThreads, L::kBytes, g, View<T>(q), View<T>(k), View<T>(v), View<T>(dOut),
                    statistics, delta, View<T>(dk), View<T>(dv));
    });
}

} // namespace roundpipe::kernels::cuda
