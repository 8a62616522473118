// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of cpu/elementwise.cpp, where formulas and roundings stand. All are bound by memory: a thread takes a
// pack of 16 bytes where all rows allow it, else one element, and reads before it writes, so gradients may replace
// their inputs. Rows narrower than a block share one (Plane). Dropout takes four columns a thread, because a draw has
// four numbers. Nothing is added across elements, so there is no order to keep.
#include "kernels/cuda/device.cuh"
#include "kernels/draws.h"

namespace roundpipe::kernels::cuda {

namespace {

template <class T, int N>
__global__ void embedKernel(View<T> table, int64_t numIds, const int32_t* ids, View<T> out, int64_t rows,
                            int64_t items) {
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    const int64_t id = ids[row];
    Pack<T, N> pack;
    if (id >= 0 && id < numIds) {
        pack = *reinterpret_cast<const Pack<T, N>*>(table.row(id) + item * N);
    } else {
#pragma unroll
        for (int i = 0; i < N; ++i)
            pack.values[i] = narrow<T>(notANumber<Statistic<T>>());
    }
    *reinterpret_cast<Pack<T, N>*>(out.row(row) + item * N) = pack;
}

template <class T, int N>
__global__ void sigmoidKernel(View<T> x, View<T> out, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S values[N];
    load(x.row(row) + item * N, values);
#pragma unroll
    for (int i = 0; i < N; ++i)
        values[i] = S{1} / (S{1} + exponential(-values[i]));
    store(values, out.row(row) + item * N);
}

template <class T, int N>
__global__ void sigmoidBackwardKernel(View<T> dOut, View<T> out, View<T> dX, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S values[N], gradients[N];
    load(out.row(row) + item * N, values);
    load(dOut.row(row) + item * N, gradients);
#pragma unroll
    for (int i = 0; i < N; ++i)
        gradients[i] *= values[i] * (S{1} - values[i]);
    store(gradients, dX.row(row) + item * N);
}

template <class T, int N, Activation kActivation>
__global__ void gluKernel(View<T> gate, View<T> up, View<T> out, int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S gates[N], ups[N];
    load(gate.row(row) + item * N, gates);
    load(up.row(row) + item * N, ups);
#pragma unroll
    for (int i = 0; i < N; ++i)
        ups[i] *= rounded<T>(gates[i] / (S{1} + exponential(-sigmoidArgument<kActivation>(gates[i]))));
    store(ups, out.row(row) + item * N);
}

template <class T, int N, Activation kActivation>
__global__ void gluBackwardKernel(View<T> dOut, View<T> gate, View<T> up, View<T> dGate, View<T> dUp, View<T> act,
                                  int64_t rows, int64_t items) {
    using S = Statistic<T>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S gates[N], ups[N], gradients[N], acts[N];
    load(gate.row(row) + item * N, gates);
    load(up.row(row) + item * N, ups);
    load(dOut.row(row) + item * N, gradients);
#pragma unroll
    for (int i = 0; i < N; ++i) {
        const S g = gates[i], u = ups[i], d = gradients[i];
        const S inverse = S{1} + exponential(-sigmoidArgument<kActivation>(g)), sigmoid = S{1} / inverse;
        const S activated = rounded<T>(g / inverse);
        acts[i] = activated * u;
        ups[i] = d * activated;
        gates[i] = (d * u) * (sigmoid * (S{1} + sigmoidSlope<kActivation>(g) * (S{1} - sigmoid)));
    }
    store(gates, dGate.row(row) + item * N);
    store(ups, dUp.row(row) + item * N);
    if (act.data) store(acts, act.row(row) + item * N);
}

// out = scale * a + b, or scale * a where b is null. b's pitch 0 repeats one row.
template <class A, class B, int N>
__global__ void scaleAddKernel(View<A> a, double scale, View<B> b, View<B> out, int64_t rows, int64_t items) {
    using S = std::conditional_t<std::is_same_v<A, double>, double, Statistic<B>>;
    const auto [row, item] = planeIndex();
    if (row >= rows || item >= items) return;
    S values[N], others[N];
    load(a.row(row) + item * N, values);
#pragma unroll
    for (int i = 0; i < N; ++i)
        values[i] *= static_cast<S>(scale);
    if (b.data) {
        load(b.row(row) + item * N, others);
#pragma unroll
        for (int i = 0; i < N; ++i)
            values[i] += others[i];
    }
    store(values, out.row(row) + item * N);
}

template <class A, class B>
void scaleAdd(const Target& target, const Matrix& a, double scale, const Matrix* b, const Matrix& out,
              const char* name) {
    Matrix added = b ? *b : Matrix{nullptr, out.dtype, a.rows, a.cols, a.cols};
    const auto launch = [&]<int N>(std::integral_constant<int, N>) {
        const Plane plane(a.rows, a.cols / N);
        scaleAddKernel<A, B, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(View<A>(a), scale, View<B>(added),
                                                                                  View<B>(out), a.rows, a.cols / N);
    };
    constexpr int N = sizeof(A) > sizeof(B) ? kPackOf<A> : kPackOf<B>;
    if (takesPacks(a, N) && takesPacks(added, N) && takesPacks(out, N))
        launch(std::integral_constant<int, N>{});
    else
        launch(std::integral_constant<int, 1>{});
    checkLaunch(name);
}

// A thread takes four columns, which share one draw.
template <class T, bool kPacked>
__global__ void dropoutKernel(View<T> x, const uint64_t* rowKeys, uint64_t moduleKey, double probability, View<T> out,
                              int64_t rows, int64_t cols) {
    using S = Statistic<T>;
    const auto [row, group] = planeIndex();
    if (row >= rows || group * 4 >= cols) return;
    const S scale = keptScale<S>(probability);
    const Philox4 draws = dropoutDraws(rowKeys[row], moduleKey, group);
    const auto drop = [&](S value, int i) {
        return uniform(draws.values[i]) >= static_cast<float>(probability) ? value * scale : S{0};
    };
    const T* from = x.row(row) + group * 4;
    T* to = out.row(row) + group * 4;
    if constexpr (kPacked) {
        S values[4];
        load(from, values);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            values[i] = drop(values[i], i);
        store(values, to);
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (group * 4 + i < cols) to[i] = narrow<T>(drop(widen(from[i]), i));
    }
}

__global__ void rowKeysKernel(uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                              int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys) {
    const int64_t t = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (t >= numTokens || t < starts[0] || t >= starts[numSequences]) return;
    int64_t low = 0, high = numSequences; // starts[low] <= t < starts[high]
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        (starts[middle] <= t ? low : high) = middle;
    }
    rowKeys[t] = rowKey(seed, step, exampleIds[low], positions[t]);
}

// launch(N, plane) with whole packs of T where all matrices take them, else element by element.
template <class T, class Launch, class... Matrices>
void launchPlane(Launch&& launch, const Matrix& first, const Matrices&... others) {
    constexpr int N = kPackOf<T>;
    if (takesPacks(first, N) && (takesPacks(others, N) && ...))
        launch(std::integral_constant<int, N>{}, Plane(first.rows, first.cols / N));
    else
        launch(std::integral_constant<int, 1>{}, Plane(first.rows, first.cols));
}

constexpr int kNumPitches = static_cast<int>(std::tuple_size_v<RowPitches>);
struct PitchValues { // what a kernel can index
    int32_t all[kNumPitches];
};

__global__ void __launch_bounds__(256)
    sequenceOffsetsKernel(const int32_t* starts, SequenceRange range, PitchValues pitches, int32_t* out) {
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int64_t width = range.count + 1;
    if (i >= width) return;
    const int32_t start = starts[min(range.first + i, range.numSequences)];
    const int32_t end = starts[min(range.first + i + 1, range.numSequences)];
#pragma unroll
    for (int p = 0; p < kNumPitches; ++p)
        out[p * width + i] = start * pitches.all[p];
    out[kNumPitches * width + i] = i < range.count ? end - start : 0;
}

} // namespace

void embed(const Target& target, const Matrix& table, const int32_t* ids, const Matrix& out) {
    visitFloating(out.dtype, [&]<class T>(T) {
        launchPlane<T>(
            [&]<int N>(std::integral_constant<int, N>, const Plane& plane) {
                embedKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                    View<T>(table), table.rows, ids, View<T>(out), out.rows, out.cols / N);
            },
            out, table);
    });
    checkLaunch("embed");
}

void sigmoid(const Target& target, const Matrix& x, const Matrix& out) {
    visitFloating(x.dtype, [&]<class T>(T) {
        launchPlane<T>(
            [&]<int N>(std::integral_constant<int, N>, const Plane& plane) {
                sigmoidKernel<T, N>
                    <<<plane.grid, plane.block, 0, streamOf(target)>>>(View<T>(x), View<T>(out), x.rows, x.cols / N);
            },
            x, out);
    });
    checkLaunch("sigmoid");
}

void sigmoidBackward(const Target& target, const Matrix& dOut, const Matrix& out, const Matrix& dX) {
    visitFloating(out.dtype, [&]<class T>(T) {
        launchPlane<T>(
            [&]<int N>(std::integral_constant<int, N>, const Plane& plane) {
                sigmoidBackwardKernel<T, N><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                    View<T>(dOut), View<T>(out), View<T>(dX), out.rows, out.cols / N);
            },
            out, dOut, dX);
    });
    checkLaunch("sigmoidBackward");
}

void glu(const Target& target, Activation activation, const Matrix& gate, const Matrix& up, const Matrix& out) {
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(gate.dtype, [&]<class T>(T) {
            launchPlane<T>(
                [&]<int N>(std::integral_constant<int, N>, const Plane& plane) {
                    gluKernel<T, N, a><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                        View<T>(gate), View<T>(up), View<T>(out), gate.rows, gate.cols / N);
                },
                gate, up, out);
        });
    });
    checkLaunch("glu");
}

void gluBackward(const Target& target, Activation activation, const Matrix& dOut, const Matrix& gate, const Matrix& up,
                 const Matrix& dGate, const Matrix& dUp, const Matrix* act) {
    const Matrix product = act ? *act : Matrix{nullptr, gate.dtype, gate.rows, gate.cols, gate.cols};
    visitActivation(activation, [&]<Activation a>(std::integral_constant<Activation, a>) {
        visitFloating(gate.dtype, [&]<class T>(T) {
            launchPlane<T>(
                [&]<int N>(std::integral_constant<int, N>, const Plane& plane) {
                    gluBackwardKernel<T, N, a><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                        View<T>(dOut), View<T>(gate), View<T>(up), View<T>(dGate), View<T>(dUp), View<T>(product),
                        gate.rows, gate.cols / N);
                },
                gate, up, dOut, dGate, dUp, product);
        });
    });
    checkLaunch("gluBackward");
}

void add(const Target& target, const Matrix& a, const Matrix& b, const Matrix& out) {
    visitFloating(a.dtype, [&]<class T>(T) { scaleAdd<T, T>(target, a, 1, &b, out, "add"); });
}

void convert(const Target& target, const Matrix& in, double scale, const Matrix& out) {
    visitFloating(in.dtype, [&]<class A>(A) {
        visitFloating(out.dtype, [&]<class B>(B) { scaleAdd<A, B>(target, in, scale, nullptr, out, "convert"); });
    });
}

void dropout(const Target& target, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
             const Matrix& out) {
    const Plane plane(x.rows, (x.cols + 3) / 4);
    visitFloating(x.dtype, [&]<class T>(T) {
        if (takesPacks(x, 4) && takesPacks(out, 4))
            dropoutKernel<T, true><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(x), rowKeys, moduleKey, probability, View<T>(out), x.rows, x.cols);
        else
            dropoutKernel<T, false><<<plane.grid, plane.block, 0, streamOf(target)>>>(
                View<T>(x), rowKeys, moduleKey, probability, View<T>(out), x.rows, x.cols);
    });
    checkLaunch("dropout");
}

void makeRowKeys(const Target& target, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                 int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys) {
    rowKeysKernel<<<static_cast<unsigned>((numTokens + 255) / 256), 256, 0, streamOf(target)>>>(
        seed, step, exampleIds, starts, numSequences, positions, numTokens, rowKeys);
    checkLaunch("makeRowKeys");
}

void sequenceOffsets(const Target& target, const int32_t* starts, const SequenceRange& range, const RowPitches& pitches,
                     int32_t* out) {
    PitchValues values;
    std::ranges::copy(pitches, values.all);
    sequenceOffsetsKernel<<<static_cast<unsigned>((range.count + 256) / 256), 256, 0, streamOf(target)>>>(starts, range,
                                                                                                          values, out);
    checkLaunch("sequenceOffsets");
}

} // namespace roundpipe::kernels::cuda
