// SPDX-License-Identifier: GPL-3.0-or-later
// Exact attention and its gradients. For query i of a head and the keys j that it sees:
//     s_ij = scale * q_i · k_j      lse_i = log sum_j e^s_ij      p_ij = e^(s_ij - lse_i)      out_i = sum_j p_ij v_j
// and, with delta_i = dOut_i · out_i, which is the mean of dOut_i · v_j under p_ij:
//     dv_j = sum_i p_ij dOut_i      ds_ij = p_ij (dOut_i · v_j - delta_i) * scale
//     dq_i = sum_j ds_ij k_j        dk_j = sum_i ds_ij q_i
// The probabilities of all pairs are never held: forward keeps lse alone, and backward makes them again from it.
//
// Work goes in tiles of 32 queries by 32 keys, widened into local buffers and padded with zeros, so that products run
// over whole vectors. Forward walks over tiles of keys with a running maximum and sum per query and corrects both, and
// the output so far, when the maximum grows: no exponential is above 1. Backward walks twice, for dq over keys and for
// dk and dv over queries, so that each gradient is summed in one place.
//
// Orders: a product adds along its depth from first to last (vectors hold neighbouring columns); tiles come with rising
// keys or queries, query heads that share a key/value head one after the other; sums over a row are sumOf's.
#include "kernels/cpu/twins.h"

#include <cstring>

namespace roundpipe::kernels::RP_LEVEL {

namespace {

constexpr int64_t kTile = 32;
constexpr int64_t kPadding = 16; // columns of a product come in multiples of this

RP_INLINE int64_t padded(int64_t size, int64_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}
RP_INLINE int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}
RP_INLINE int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

template <class S>
struct alignas(64) Tile {
    S values[kTile * kMaxHeadDim];
};
template <class S>
struct alignas(64) Scores {
    S values[kTile * kTile];
};

// c [rows, cols] += a [rows, depth] * b [depth, cols]; rows a multiple of 4, cols of kPadding; c and b dense by cols.
template <class S>
void multiplyAdd(int64_t rows, int64_t cols, int64_t depth, const S* a, int64_t aPitch, const S* b, S* c) {
    typedef S Vector __attribute__((vector_size(32)));
    constexpr int64_t kLanes = 32 / sizeof(S);
    for (int64_t row = 0; row < rows; row += 4) {
        for (int64_t col = 0; col < cols; col += 2 * kLanes) {
            Vector sums[4][2];
            for (int r = 0; r < 4; ++r)
                std::memcpy(&sums[r], c + (row + r) * cols + col, sizeof sums[r]);
            for (int64_t d = 0; d < depth; ++d) {
                Vector factors[2];
                std::memcpy(&factors, b + d * cols + col, sizeof factors);
                for (int r = 0; r < 4; ++r) {
                    const S left = a[(row + r) * aPitch + d];
                    sums[r][0] += left * factors[0];
                    sums[r][1] += left * factors[1];
                }
            }
            for (int r = 0; r < 4; ++r)
                std::memcpy(c + (row + r) * cols + col, &sums[r], sizeof sums[r]);
        }
    }
}

// One head's columns of q, k, v or a gradient; `first` is the row of the sequence's first token.
template <class T>
struct HeadView {
    T* data;
    int64_t pitch;
    int64_t headDim;

    HeadView(const Matrix& matrix, int64_t first, int64_t head, int64_t dim)
        : data(rowOf<T>(matrix, first) + head * dim), pitch(matrix.pitch), headDim(dim) {}
    T* row(int64_t r) const { return data + r * pitch; }
};

// tile [kTile, padded K] = rows [first, first + count), zeros beyond.
template <class T, class S>
void loadTile(const HeadView<T>& from, int64_t first, int64_t count, S* tile) {
    const int64_t width = padded(from.headDim, kPadding);
    std::memset(tile, 0, sizeof(S) * static_cast<std::size_t>(kTile * width));
    for (int64_t r = 0; r < count; ++r)
        load(from.row(first + r), from.headDim, tile + r * width);
}

// tile [padded K, kTile]: the same, transposed.
template <class T, class S>
void loadTransposed(const HeadView<T>& from, int64_t first, int64_t count, S* tile) {
    std::memset(tile, 0, sizeof(S) * static_cast<std::size_t>(kTile * padded(from.headDim, kPadding)));
    S row[kMaxHeadDim];
    for (int64_t r = 0; r < count; ++r) {
        load(from.row(first + r), from.headDim, row);
        for (int64_t i = 0; i < from.headDim; ++i)
            tile[i * kTile + r] = row[i];
    }
}

template <class T, class S>
void storeTile(const S* tile, const HeadView<T>& to, int64_t first, int64_t count) {
    const int64_t width = padded(to.headDim, kPadding);
    for (int64_t r = 0; r < count; ++r)
        store(tile + r * width, to.headDim, to.row(first + r));
}

// The keys that query position i sees: [first, last].
struct Visible {
    int64_t window;
    RP_INLINE int64_t first(int64_t i) const { return window > 0 ? larger(0, i - window + 1) : 0; }
    // The last query that sees key j, of `numQueries`.
    RP_INLINE int64_t lastQuery(int64_t j, int64_t numQueries) const {
        return window > 0 ? smaller(numQueries - 1, j + window - 1) : numQueries - 1;
    }
};

// Queries are the last numQueries of numKeys positions. logSumExp [numQueries] or null.
template <class T>
void forwardHead(const AttentionShape& shape, int64_t numQueries, int64_t numKeys, const HeadView<T>& q,
                 const HeadView<T>& k, const HeadView<T>& v, const HeadView<T>& out, Statistic<T>* logSumExp) {
    using S = Statistic<T>;
    const int64_t width = padded(shape.headDim, kPadding), offset = numKeys - numQueries;
    const Visible visible{shape.window};
    Tile<S> qTile, kTransposed, vTile, sums;
    Scores<S> scores;
    for (int64_t q0 = 0; q0 < numQueries; q0 += kTile) {
        const int64_t rows = smaller(kTile, numQueries - q0), paddedRows = padded(rows, 4);
        loadTile(q, q0, rows, qTile.values);
        std::memset(&sums, 0, sizeof(S) * static_cast<std::size_t>(kTile * width));
        S maxima[kTile], totals[kTile] = {};
        for (S& maximum : maxima)
            maximum = -std::numeric_limits<S>::infinity();
        const int64_t lastKey = offset + q0 + rows - 1;
        for (int64_t k0 = visible.first(offset + q0) / kTile * kTile; k0 <= lastKey; k0 += kTile) {
            const int64_t cols = smaller(kTile, numKeys - k0);
            loadTransposed(k, k0, cols, kTransposed.values);
            loadTile(v, k0, cols, vTile.values);
            std::memset(&scores, 0, sizeof scores);
            multiplyAdd(paddedRows, kTile, width, qTile.values, width, kTransposed.values, scores.values);
            for (int64_t r = 0; r < rows; ++r) {
                S* row = scores.values + r * kTile;
                const int64_t position = offset + q0 + r;
                const int64_t low = visible.first(position) - k0, high = position - k0;
                for (int64_t j = 0; j < kTile; ++j) {
                    const S scaled = row[j] * static_cast<S>(shape.scale);
                    row[j] = j >= low && j <= high ? scaled : -std::numeric_limits<S>::infinity();
                }
                const S maximum = largestOf(row, kTile, maxima[r]);
                if (maximum == -std::numeric_limits<S>::infinity()) {
                    std::memset(row, 0, sizeof(S) * kTile); // nothing visible so far
                    continue;
                }
                for (int64_t j = 0; j < kTile; ++j)
                    row[j] = exponential(row[j] - maximum);
                const S correction = exponential(maxima[r] - maximum);
                totals[r] = totals[r] * correction + static_cast<S>(sumOf<S>(kTile, [&](int64_t j) { return row[j]; }));
                maxima[r] = maximum;
                if (correction != S{1})
                    for (int64_t i = 0; i < width; ++i)
                        sums.values[r * width + i] *= correction;
            }
            multiplyAdd(paddedRows, width, kTile, scores.values, kTile, vTile.values, sums.values);
        }
        for (int64_t r = 0; r < rows; ++r) {
            for (int64_t i = 0; i < width; ++i)
                sums.values[r * width + i] /= totals[r];
            if (logSumExp) logSumExp[q0 + r] = maxima[r] + std::log(totals[r]);
        }
        storeTile(sums.values, out, q0, rows);
    }
}

// What the two backward passes share: a tile's products become probabilities and gradients of scores. `queryFirst` says
// whether tile rows are queries (else they are keys).
template <class S>
void gradientOfScores(const AttentionShape& shape, bool rowsAreQueries, int64_t rows, int64_t q0, int64_t k0,
                      int64_t numQueries, const S* logSumExp, const S* delta, S* probabilities, S* gradients) {
    const Visible visible{shape.window};
    const S scale = static_cast<S>(shape.scale);
    for (int64_t r = 0; r < rows; ++r) {
        S* p = probabilities + r * kTile;
        S* g = gradients + r * kTile;
        if (rowsAreQueries) {
            const int64_t low = visible.first(q0 + r) - k0, high = q0 + r - k0;
            for (int64_t j = 0; j < kTile; ++j) {
                const S value = exponential(p[j] * scale - logSumExp[q0 + r]);
                p[j] = j >= low && j <= high ? value : S{0};
                g[j] = p[j] * (g[j] - delta[q0 + r]) * scale;
            }
        } else {
            const int64_t low = k0 + r - q0, high = visible.lastQuery(k0 + r, numQueries) - q0;
            S normalisers[kTile] = {}, deltas[kTile] = {};
            for (int64_t j = 0; j < kTile && q0 + j < numQueries; ++j) {
                normalisers[j] = logSumExp[q0 + j];
                deltas[j] = delta[q0 + j];
            }
            for (int64_t j = 0; j < kTile; ++j) {
                const S value = exponential(p[j] * scale - normalisers[j]);
                p[j] = j >= low && j <= high ? value : S{0};
                g[j] = p[j] * (g[j] - deltas[j]) * scale;
            }
        }
    }
}

template <class T>
struct BackwardHead {
    HeadView<T> q, k, v, dOut;
    const Statistic<T>* logSumExp; // [length]
    const Statistic<T>* delta;     // [length] dOut · out of each query
};

template <class T>
void queryGradients(const AttentionShape& shape, int64_t length, const BackwardHead<T>& head, const HeadView<T>& dq) {
    using S = Statistic<T>;
    const int64_t width = padded(shape.headDim, kPadding);
    Tile<S> qTile, dOutTile, kTransposed, vTransposed, kRows, sums;
    Scores<S> probabilities, gradients;
    for (int64_t q0 = 0; q0 < length; q0 += kTile) {
        const int64_t rows = smaller(kTile, length - q0), paddedRows = padded(rows, 4);
        loadTile(head.q, q0, rows, qTile.values);
        loadTile(head.dOut, q0, rows, dOutTile.values);
        std::memset(&sums, 0, sizeof(S) * static_cast<std::size_t>(kTile * width));
        for (int64_t k0 = Visible{shape.window}.first(q0) / kTile * kTile; k0 < q0 + rows; k0 += kTile) {
            const int64_t cols = smaller(kTile, length - k0);
            loadTile(head.k, k0, cols, kRows.values);
            loadTransposed(head.k, k0, cols, kTransposed.values);
            loadTransposed(head.v, k0, cols, vTransposed.values);
            std::memset(&probabilities, 0, sizeof probabilities);
            std::memset(&gradients, 0, sizeof gradients);
            multiplyAdd(paddedRows, kTile, width, qTile.values, width, kTransposed.values, probabilities.values);
            multiplyAdd(paddedRows, kTile, width, dOutTile.values, width, vTransposed.values, gradients.values);
            gradientOfScores(shape, true, rows, q0, k0, length, head.logSumExp, head.delta, probabilities.values,
                             gradients.values);
            multiplyAdd(paddedRows, width, kTile, gradients.values, kTile, kRows.values, sums.values);
        }
        storeTile(sums.values, dq, q0, rows);
    }
}

// `heads`: the query heads that share this key/value head.
template <class T>
void keyValueGradients(const AttentionShape& shape, int64_t length, const BackwardHead<T>& first, int64_t numHeads,
                       int64_t statisticsPitch, const HeadView<T>& dk, const HeadView<T>& dv) {
    using S = Statistic<T>;
    const int64_t width = padded(shape.headDim, kPadding);
    Tile<S> kRows, vRows, qTransposed, dOutTransposed, rowsTile, dkSums, dvSums;
    Scores<S> probabilities, gradients;
    for (int64_t k0 = 0; k0 < length; k0 += kTile) {
        const int64_t rows = smaller(kTile, length - k0), paddedRows = padded(rows, 4);
        loadTile(first.k, k0, rows, kRows.values);
        loadTile(first.v, k0, rows, vRows.values);
        std::memset(&dkSums, 0, sizeof(S) * static_cast<std::size_t>(kTile * width));
        std::memset(&dvSums, 0, sizeof(S) * static_cast<std::size_t>(kTile * width));
        const int64_t lastQuery = Visible{shape.window}.lastQuery(k0 + rows - 1, length);
        for (int64_t h = 0; h < numHeads; ++h) {
            BackwardHead<T> head = first;
            head.q.data += h * shape.headDim;
            head.dOut.data += h * shape.headDim;
            head.logSumExp += h * statisticsPitch;
            head.delta += h * statisticsPitch;
            for (int64_t q0 = k0; q0 <= lastQuery; q0 += kTile) {
                const int64_t cols = smaller(kTile, length - q0);
                loadTransposed(head.q, q0, cols, qTransposed.values);
                loadTransposed(head.dOut, q0, cols, dOutTransposed.values);
                std::memset(&probabilities, 0, sizeof probabilities);
                std::memset(&gradients, 0, sizeof gradients);
                multiplyAdd(paddedRows, kTile, width, kRows.values, width, qTransposed.values, probabilities.values);
                multiplyAdd(paddedRows, kTile, width, vRows.values, width, dOutTransposed.values, gradients.values);
                gradientOfScores(shape, false, rows, q0, k0, length, head.logSumExp, head.delta, probabilities.values,
                                 gradients.values);
                loadTile(head.dOut, q0, cols, rowsTile.values);
                multiplyAdd(paddedRows, width, kTile, probabilities.values, kTile, rowsTile.values, dvSums.values);
                loadTile(head.q, q0, cols, rowsTile.values);
                multiplyAdd(paddedRows, width, kTile, gradients.values, kTile, rowsTile.values, dkSums.values);
            }
        }
        storeTile(dkSums.values, dk, k0, rows);
        storeTile(dvSums.values, dv, k0, rows);
    }
}

// delta [H, T]: the dot product of a query's output with its gradient.
template <class T>
void outputProducts(const AttentionShape& shape, const Matrix& out, const Matrix& dOut, Statistic<T>* delta) {
    using S = Statistic<T>;
    S left[kMaxHeadDim], right[kMaxHeadDim];
    for (int64_t t = 0; t < out.rows; ++t) {
        for (int64_t h = 0; h < shape.numHeads; ++h) {
            load(rowOf<T>(out, t) + h * shape.headDim, shape.headDim, left);
            load(rowOf<T>(dOut, t) + h * shape.headDim, shape.headDim, right);
            delta[h * out.rows + t] =
                static_cast<S>(sumOf<S>(shape.headDim, [&](int64_t i) { return left[i] * right[i]; }));
        }
    }
}

template <class T>
void backwardAll(const AttentionShape& shape, const int32_t* starts, const Matrix& q, const Matrix& k, const Matrix& v,
                 const Matrix& out, const Statistic<T>* logSumExp, const Matrix& dOut, const Matrix& dq,
                 const Matrix& dk, const Matrix& dv, Statistic<T>* delta) {
    outputProducts<T>(shape, out, dOut, delta);
    const int64_t numTokens = q.rows, dim = shape.headDim, group = shape.numHeads / shape.numKvHeads;
    for (int64_t s = 0; s < shape.numSequences; ++s) {
        const int64_t first = starts[s], length = starts[s + 1] - first;
        for (int64_t g = 0; g < shape.numKvHeads; ++g) {
            const auto headAt = [&](int64_t h) {
                return BackwardHead<T>{HeadView<T>(q, first, h, dim),     HeadView<T>(k, first, g, dim),
                                       HeadView<T>(v, first, g, dim),     HeadView<T>(dOut, first, h, dim),
                                       logSumExp + h * numTokens + first, delta + h * numTokens + first};
            };
            for (int64_t h = g * group; h < (g + 1) * group; ++h)
                queryGradients<T>(shape, length, headAt(h), HeadView<T>(dq, first, h, dim));
            keyValueGradients<T>(shape, length, headAt(g * group), group, numTokens, HeadView<T>(dk, first, g, dim),
                                 HeadView<T>(dv, first, g, dim));
        }
    }
}

} // namespace

void attention(const Target&, const AttentionShape& shape, const int32_t* starts, const Matrix& q, const Matrix& k,
               const Matrix& v, const Matrix& out, void* logSumExp) {
    const int64_t dim = shape.headDim, group = shape.numHeads / shape.numKvHeads;
    visitFloating(q.dtype, [&]<class T>(T) {
        for (int64_t s = 0; s < shape.numSequences; ++s) {
            const int64_t first = starts[s], length = starts[s + 1] - first;
            for (int64_t h = 0; h < shape.numHeads; ++h) {
                auto* statistics = static_cast<Statistic<T>*>(logSumExp);
                if (statistics) statistics += h * q.rows + first;
                forwardHead<T>(shape, length, length, HeadView<T>(q, first, h, dim),
                               HeadView<T>(k, first, h / group, dim), HeadView<T>(v, first, h / group, dim),
                               HeadView<T>(out, first, h, dim), statistics);
            }
        }
    });
}

void attentionBackward(const Target&, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* scratch) {
    visitFloating(q.dtype, [&]<class T>(T) {
        backwardAll<T>(shape, starts, q, k, v, out, static_cast<const Statistic<T>*>(logSumExp), dOut, dq, dk, dv,
                       static_cast<Statistic<T>*>(scratch));
    });
}

void attentionCached(const Target&, const AttentionShape& shape, const int32_t* positions, const Matrix& q,
                     const Matrix& keys, const Matrix& values, const Matrix& out, void* logSumExp) {
    const int64_t dim = shape.headDim, group = shape.numHeads / shape.numKvHeads, numKeys = positions[0] + q.rows;
    visitFloating(q.dtype, [&]<class T>(T) {
        for (int64_t h = 0; h < shape.numHeads; ++h) {
            auto* statistics = static_cast<Statistic<T>*>(logSumExp);
            if (statistics) statistics += h * q.rows;
            forwardHead<T>(shape, q.rows, numKeys, HeadView<T>(q, 0, h, dim), HeadView<T>(keys, 0, h / group, dim),
                           HeadView<T>(values, 0, h / group, dim), HeadView<T>(out, 0, h, dim), statistics);
        }
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
