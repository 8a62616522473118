// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary positions with the norm of heads; formulas and roundings stand in cpu/rotary.cpp. A head is worked on by 8 or
// 32 neighbouring lanes of a warp, so that its sums need no shared memory; a lane takes packs of 16 bytes where heads
// and rows allow it. Heads whose columns all turn and fit one pair of packs a lane go forward in rotary_whole.cuh.
//
// Orders, in the statistics type: a lane adds its own columns, pairs first and then those that don't turn, from left to
// right; the lanes of a head are then added pairwise. headsIntoCache, whose few heads only wait for memory, takes a
// warp for each, and its lanes single columns from left to right.
#include "kernels/cuda/column_sums.cuh"
#include "kernels/cuda/rotary_whole.cuh"

namespace roundpipe::kernels::cuda {

namespace {

__device__ inline void sineAndCosine(float angle, float* sine, float* cosine) {
    sincosf(angle, sine, cosine);
}
__device__ inline void sineAndCosine(double angle, double* sine, double* cosine) {
    sincos(angle, sine, cosine);
}

template <class S>
__global__ void rotaryTableKernel(const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                                  double scaling, View<S> cosSin, int64_t rows) {
    const auto [row, i] = planeIndex();
    if (row >= rows || i >= halfDim) return;
    S sine, cosine;
    sineAndCosine(static_cast<S>(positions[row]) * static_cast<S>(inverseFrequencies[i]), &sine, &cosine);
    cosSin.row(row)[i] = cosine * static_cast<S>(scaling);
    cosSin.row(row)[halfDim + i] = sine * static_cast<S>(scaling);
}

// One head of one token, worked on by neighbouring lanes of a warp. Packs come in pairs (c, c + half), then the columns
// that don't turn.
template <int N>
struct HeadWalk {
    int lane, numLanes;
    int64_t half, headDim;

    template <class Body>
    __device__ void pairs(Body&& body) const {
        for (int64_t c = lane * N; c < half; c += numLanes * N)
            body(c, c + half);
    }
    template <class Body>
    __device__ void rest(Body&& body) const {
        for (int64_t c = 2 * half + lane * N; c < headDim; c += numLanes * N)
            body(c);
    }
};

// The calling thread's head; tokens beyond the end repeat the last one without writing, as warps must stay whole.
struct HeadPlace {
    int64_t token, head;
    bool real;
    __device__ explicit HeadPlace(const HeadGrid& grid) {
        const int64_t index = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / grid.numLanes;
        const int64_t count = grid.numTokens * grid.numHeads;
        real = index < count;
        token = (real ? index : count - 1) / grid.numHeads;
        head = (real ? index : count - 1) % grid.numHeads;
    }
};

// Without weights (no norm) a thread reads what it then writes and nothing else, so out may be x.
template <class T, int N>
__global__ void headForwardKernel(View<T> x, const T* weight, bool addsOne, double eps, View<Statistic<T>> cosSin,
                                  View<T> out, Statistic<T>* rstds, HeadGrid grid) {
    using S = Statistic<T>;
    const HeadPlace place(grid);
    const HeadWalk<N> walk{static_cast<int>(threadIdx.x) % grid.numLanes, grid.numLanes, grid.half, grid.headDim};
    const T* from = x.row(place.token) + place.head * grid.headDim;
    T* to = out.row(place.token) + place.head * grid.headDim;
    S low[N], high[N], factors[N], rstd = 1;
    if (weight) {
        S sum = 0;
        const auto addSquares = [&](int64_t c) {
            load(from + c, low);
#pragma unroll
            for (int i = 0; i < N; ++i)
                sum += low[i] * low[i];
        };
        walk.pairs([&](int64_t c, int64_t d) {
            addSquares(c);
            addSquares(d);
        });
        walk.rest(addSquares);
        rstd = inverseRoot(warpSum(sum, grid.numLanes) / static_cast<S>(grid.headDim) + static_cast<S>(eps));
        if (rstds && place.real && walk.lane == 0) rstds[place.token * grid.numHeads + place.head] = rstd;
    }
    if (!place.real) return;
    const auto loadNormed = [&](int64_t c, S(&values)[N]) {
        load(from + c, values);
        if (!weight) return;
        load(weight + c, factors);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] = rounded<T>(weighed<T>(values[i] * rstd, factors[i], addsOne));
    };
    walk.pairs([&](int64_t c, int64_t d) {
        S sines[N];
        loadNormed(c, low);
        loadNormed(d, high);
        load(cosSin.row(place.token) + c, factors);
        load(cosSin.row(place.token) + d, sines);
        turn(low, high, factors, sines, S{1});
        store(low, to + c);
        store(high, to + d);
    });
    walk.rest([&](int64_t c) {
        loadNormed(c, low);
        store(low, to + c);
    });
}

struct TurnedHeads { // of CachedHeads and its matrices
    int64_t numTokens, numHeads, numKvHeads, headDim, half;
    double eps, scaling;
    bool addsOne; // the norms
    double inverseFrequencies[kMaxHeadDim / 2];
};

// A warp has one head of a token. Each lane reads what it then writes, so queries may be columns of qkv.
template <class T>
__global__ void headsIntoCacheKernel(TurnedHeads heads, View<T> qkv, const T* qNorm, const T* kNorm,
                                     const int32_t* positions, View<T> queries, View<T> keys, View<T> values) {
    using S = Statistic<T>;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int64_t index = (static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const int64_t ofToken = heads.numHeads + 2 * heads.numKvHeads, token = index / ofToken, head = index % ofToken;
    if (token >= heads.numTokens) return; // a whole warp
    const int64_t position = positions[token], headDim = heads.headDim, half = heads.half;
    const int64_t keyHead = head - heads.numHeads, valueHead = keyHead - heads.numKvHeads;
    const T* from = qkv.row(token) + head * headDim;
    if (valueHead >= 0) {
        for (int64_t c = lane; c < headDim; c += 32)
            values.row(position)[valueHead * headDim + c] = from[c];
        return;
    }
    const T* weight = keyHead < 0 ? qNorm : kNorm;
    T* to = keyHead < 0 ? queries.row(token) + head * headDim : keys.row(position) + keyHead * headDim;
    S rstd = 1;
    if (weight) {
        S sum = 0;
        for (int64_t c = lane; c < headDim; c += 32)
            sum += widen(from[c]) * widen(from[c]);
        rstd = inverseRoot(warpSum(sum) / static_cast<S>(headDim) + static_cast<S>(heads.eps));
    }
    const auto normed = [&](int64_t c) -> S {
        const S value = widen(from[c]);
        return weight ? rounded<T>(weighed<T>(value * rstd, static_cast<S>(widen(weight[c])), heads.addsOne)) : value;
    };
    for (int64_t c = lane; c < half; c += 32) {
        S low[] = {normed(c)}, high[] = {normed(c + half)}, sine[1], cosine[1];
        sineAndCosine(static_cast<S>(position) * static_cast<S>(heads.inverseFrequencies[c]), sine, cosine);
        sine[0] *= static_cast<S>(heads.scaling);
        cosine[0] *= static_cast<S>(heads.scaling);
        turn(low, high, cosine, sine, S{1});
        to[c] = narrow<T>(low[0]);
        to[c + half] = narrow<T>(high[0]);
    }
    for (int64_t c = 2 * half + lane; c < headDim; c += 32)
        to[c] = narrow<T>(normed(c));
}

// dx may be dy: each pack is written by the thread that alone reads it, after its last read.
template <class T, int N>
__global__ void headBackwardKernel(View<T> dy, View<T> x, const T* weight, bool addsOne, const Statistic<T>* rstds,
                                   View<Statistic<T>> cosSin, View<T> dx, HeadGrid grid) {
    using S = Statistic<T>;
    const HeadPlace place(grid);
    const HeadWalk<N> walk{static_cast<int>(threadIdx.x) % grid.numLanes, grid.numLanes, grid.half, grid.headDim};
    const int64_t first = place.head * grid.headDim;
    const T* gradient = dy.row(place.token) + first;
    const T* from = weight ? x.row(place.token) + first : nullptr;
    T* to = dx.row(place.token) + first;
    const S rstd = weight ? rstds[place.token * grid.numHeads + place.head] : S{1};
    S low[N], high[N], factors[N], values[N], mean = 0;
    const auto loadTurnedBack = [&](int64_t c, int64_t d) {
        S sines[N];
        load(gradient + c, low);
        load(gradient + d, high);
        load(cosSin.row(place.token) + c, factors);
        load(cosSin.row(place.token) + d, sines);
        turn(low, high, factors, sines, S{-1});
    };
    // gradients *= weight and values = the normed x, for the columns from c.
    const auto weigh = [&](int64_t c, S(&gradients)[N]) {
        load(from + c, values);
        load(weight + c, factors);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            values[i] *= rstd;
            gradients[i] *= normFactor(factors[i], addsOne);
        }
    };
    if (weight) {
        S sum = 0;
        const auto addProducts = [&](int64_t c, S(&gradients)[N]) {
            weigh(c, gradients);
#pragma unroll
            for (int i = 0; i < N; ++i)
                sum += gradients[i] * values[i];
        };
        walk.pairs([&](int64_t c, int64_t d) {
            loadTurnedBack(c, d);
            addProducts(c, low);
            addProducts(d, high);
        });
        walk.rest([&](int64_t c) {
            load(gradient + c, low);
            addProducts(c, low);
        });
        mean = warpSum(sum, grid.numLanes) / static_cast<S>(grid.headDim);
    }
    if (!place.real) return;
    const auto finish = [&](int64_t c, S(&gradients)[N]) {
        if (weight) {
            weigh(c, gradients);
#pragma unroll
            for (int i = 0; i < N; ++i)
                gradients[i] = rstd * (gradients[i] - values[i] * mean);
        }
        store(gradients, to + c);
    };
    walk.pairs([&](int64_t c, int64_t d) {
        loadTurnedBack(c, d);
        finish(c, low);
        finish(d, high);
    });
    walk.rest([&](int64_t c) {
        load(gradient + c, low);
        finish(c, low);
    });
}

// The heads of a token, from first to last.
template <class T>
struct HeadWeightTerm {
    View<T> dy, x;
    const Statistic<T>* rstds;
    View<Statistic<T>> cosSin;
    int64_t numHeads, headDim, half;

    __device__ Statistic<T> operator()(int64_t token, int64_t col) const {
        Statistic<T> sum = 0;
#pragma unroll 4 // what several heads read is under way together
        for (int64_t head = 0; head < numHeads; ++head) {
            const int64_t first = head * headDim;
            sum += turnedBack(dy.row(token) + first, cosSin.row(token), col) *
                   (widen(x.row(token)[first + col]) * rstds[token * numHeads + head]);
        }
        return sum;
    }
    __device__ Statistic<T> turnedBack(const T* gradient, const Statistic<T>* angles, int64_t col) const {
        const Statistic<T> own = widen(gradient[col]);
        if (col >= 2 * half) return own;
        const int64_t pair = col < half ? col : col - half;
        const Statistic<T> cosine = angles[pair], sine = angles[half + pair];
        return col < half ? own * cosine + widen(gradient[col + half]) * sine
                          : own * cosine - widen(gradient[pair]) * sine;
    }
};

bool headsTakePacks(const Matrix& x, int n, const HeadGrid& grid) {
    return takesPacks(x, n) && grid.headDim % n == 0 && grid.half % n == 0;
}

constexpr int kThreads = 256;

// Lanes of a head when each has one pair of packs; 0 when that doesn't go.
template <class T>
int wholeLanes(const HeadGrid& grid, bool packed) {
    const int64_t lanes = grid.half / kPackOf<T>;
    const bool fits = packed && grid.headDim == 2 * grid.half && lanes > 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0;
    return fits ? static_cast<int>(lanes) : 0;
}

unsigned blocksFor(const HeadGrid& grid, int headsPerThread) {
    const int64_t groups = (grid.numHeads + headsPerThread - 1) / headsPerThread;
    return static_cast<unsigned>((grid.numTokens * groups * grid.numLanes + kThreads - 1) / kThreads);
}

// launch(N, grid) with the pack that fits and the lanes that suit it.
template <class T, class Launch>
void launchHeads(HeadGrid grid, bool packed, Launch&& launch) {
    const int64_t packs = packed ? grid.headDim / kPackOf<T> : grid.headDim;
    grid.numLanes = packs <= 32 ? 8 : 32;
    if (packed)
        launch(std::integral_constant<int, kPackOf<T>>{}, grid);
    else
        launch(std::integral_constant<int, 1>{}, grid);
}

} // namespace

void rotaryTable(const Target& target, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                 double scaling, const Matrix& cosSin) {
    const Plane plane(cosSin.rows, halfDim);
    if (cosSin.dtype == DType::kF64)
        rotaryTableKernel<<<plane.grid, plane.block, 0, streamOf(target)>>>(positions, inverseFrequencies, halfDim,
                                                                            scaling, View<double>(cosSin), cosSin.rows);
    else
        rotaryTableKernel<<<plane.grid, plane.block, 0, streamOf(target)>>>(positions, inverseFrequencies, halfDim,
                                                                            scaling, View<float>(cosSin), cosSin.rows);
    checkLaunch("rotaryTable");
}

void headNormRotary(const Target& target, const Matrix& x, int64_t numHeads, NormWeight normWeight, double eps,
                    const Matrix& cosSin, const Matrix& out, void* rstd) {
    const HeadGrid grid{x.rows, numHeads, x.cols / numHeads, cosSin.cols / 2, 0};
    visitFloating(x.dtype, [&]<class T>(T) {
        constexpr int kPack = kPackOf<T>;
        const bool packed = headsTakePacks(x, kPack, grid) && takesPacks(out, kPack) && takesPacks(cosSin, kPack) &&
                            takesPacks(normWeight.data);
        const T* weight = static_cast<const T*>(normWeight.data);
        auto* rstds = static_cast<Statistic<T>*>(rstd);
        HeadGrid whole = grid;
        whole.numLanes = wholeLanes<T>(grid, packed);
        if (whole.numLanes > 0) {
            constexpr int kHeads = 4;
            wholeForwardKernel<T, kPack, kHeads><<<blocksFor(whole, kHeads), kThreads, 0, streamOf(target)>>>(
                View<T>(x), weight, normWeight.addsOne, eps, View<Statistic<T>>(cosSin), View<T>(out), rstds, whole);
            return;
        }
        launchHeads<T>(grid, packed, [&]<int N>(std::integral_constant<int, N>, const HeadGrid& heads) {
            headForwardKernel<T, N><<<blocksFor(heads, 1), kThreads, 0, streamOf(target)>>>(
                View<T>(x), weight, normWeight.addsOne, eps, View<Statistic<T>>(cosSin), View<T>(out), rstds, heads);
        });
    });
    checkLaunch("headNormRotary");
}

void headsIntoCache(const Target& target, const CachedHeads& heads, const Matrix& qkv, const int32_t* positions,
                    const Matrix& queries, const Matrix& keys, const Matrix& values) {
    TurnedHeads turned{qkv.rows,
                       heads.numHeads,
                       heads.numKvHeads,
                       heads.headDim,
                       static_cast<int64_t>(heads.inverseFrequencies.size()),
                       heads.eps,
                       heads.scaling,
                       heads.qNorm.addsOne,
                       {}};
    std::ranges::copy(heads.inverseFrequencies, turned.inverseFrequencies);
    constexpr int kThreadsEach = 128;
    const int64_t numThreads = 32 * qkv.rows * (heads.numHeads + 2 * heads.numKvHeads);
    const auto numBlocks = static_cast<unsigned>((numThreads + kThreadsEach - 1) / kThreadsEach);
    visitFloating(qkv.dtype, [&]<class T>(T) {
        headsIntoCacheKernel<T><<<numBlocks, kThreadsEach, 0, streamOf(target)>>>(
            turned, View<T>(qkv), static_cast<const T*>(heads.qNorm.data), static_cast<const T*>(heads.kNorm.data),
            positions, View<T>(queries), View<T>(keys), View<T>(values));
    });
    checkLaunch("headsIntoCache");
}

void headNormRotaryBackward(const Target& target, const Matrix& dy, const Matrix& x, int64_t numHeads,
                            NormWeight normWeight, const void* rstd, const Matrix& cosSin, const Matrix& dx) {
    const HeadGrid grid{dy.rows, numHeads, dy.cols / numHeads, cosSin.cols / 2, 0};
    visitFloating(dy.dtype, [&]<class T>(T) {
        constexpr int kPack = kPackOf<T>;
        const bool packed = headsTakePacks(dy, kPack, grid) && takesPacks(dx, kPack) && takesPacks(cosSin, kPack) &&
                            (!normWeight || (takesPacks(x, kPack) && takesPacks(normWeight.data)));
        const T* weight = static_cast<const T*>(normWeight.data);
        const auto* rstds = static_cast<const Statistic<T>*>(rstd);
        launchHeads<T>(grid, packed, [&]<int N>(std::integral_constant<int, N>, const HeadGrid& heads) {
            headBackwardKernel<T, N><<<blocksFor(heads, 1), kThreads, 0, streamOf(target)>>>(
                View<T>(dy), View<T>(x), weight, normWeight.addsOne, rstds, View<Statistic<T>>(cosSin), View<T>(dx),
                heads);
        });
    });
    checkLaunch("headNormRotaryBackward");
}

void headNormWeightGradient(const Target& target, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* rstd,
                            const Matrix& cosSin, const Matrix& parts, void* out) {
    visitFloating(dy.dtype, [&]<class T>(T) {
        using S = Statistic<T>;
        const HeadWeightTerm<T> term{View<T>(dy),     View<T>(x), static_cast<const S*>(rstd),
                                     View<S>(cosSin), numHeads,   dy.cols / numHeads,
                                     cosSin.cols / 2};
        addSumsOver<S>(target, dy.rows, parts, out, term, "headNormWeightGradient");
    });
}

} // namespace roundpipe::kernels::cuda
