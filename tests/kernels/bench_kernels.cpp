// SPDX-License-Identifier: GPL-3.0-or-later
// The self-test and the memory bandwidth of the kernels that are bound by it, for people at a terminal:
//     bench_kernels [device ordinals]        without ordinals: the CPU twins
#include "kernels/kernels.h"
#include "kernels/selftest/selftest.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#ifdef ROUNDPIPE_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

namespace {

using namespace roundpipe;
using namespace roundpipe::kernels;

bool runSelfTest(const std::vector<int>& devices) {
    int numFailed = 0;
    double seconds = 0;
    const std::vector<SelfTestResult> results = selfTest(devices);
    for (const SelfTestResult& result : results) {
        seconds += result.seconds;
        numFailed += result.passed ? 0 : 1;
        if (!result.passed)
            std::printf("FAILED  %-60s error %.3g allowed %.3g\n", result.name.c_str(), result.largestError,
                        result.tolerance);
    }
    std::printf("self-test: %zu comparisons, %d failed, %.1f s\n", results.size(), numFailed, seconds);
    return numFailed == 0;
}

#ifdef ROUNDPIPE_HAS_CUDA
void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
    std::exit(1);
}

class Bench {
public:
    Bench() {
        check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking));
        check(cudaEventCreate(&m_begin));
        check(cudaEventCreate(&m_end));
    }
    const Target target() const { return {true, m_stream}; }

    // Device memory of small pseudo-random bf16 numbers, or of small fp32 ones.
    Matrix matrix(DType dtype, int64_t rows, int64_t cols) {
        const std::size_t count = static_cast<std::size_t>(rows * cols);
        void* data = nullptr;
        check(cudaMalloc(&data, count * sizeOf(dtype)));
        std::vector<uint16_t> halves(count * sizeOf(dtype) / 2);
        uint32_t state = 1;
        for (uint16_t& half : halves) {
            state = state * 1664525u + 1013904223u;
            half = static_cast<uint16_t>(0x3f00u | ((state >> 16) & 0x80ffu)); // ±0.5 … ±1.99
        }
        check(cudaMemcpy(data, halves.data(), count * sizeOf(dtype), cudaMemcpyHostToDevice));
        return {data, dtype, rows, cols, cols};
    }

    // Milliseconds of one call: the mean of many after a warm-up.
    double milliseconds(const std::function<void()>& call) {
        for (int i = 0; i < 5; ++i)
            call();
        constexpr int kRepeats = 30;
        check(cudaEventRecord(m_begin, m_stream));
        for (int i = 0; i < kRepeats; ++i)
            call();
        check(cudaEventRecord(m_end, m_stream));
        check(cudaEventSynchronize(m_end));
        float elapsed = 0;
        check(cudaEventElapsedTime(&elapsed, m_begin, m_end));
        return static_cast<double>(elapsed) / kRepeats;
    }

    void report(const char* name, double bytes, const std::function<void()>& call) {
        const double time = milliseconds(call), rate = bytes / time / 1e9;
        std::printf("%-52s %8.3f ms %8.2f TB/s %6.0f %% of a copy\n", name, time, rate, 100 * rate / m_copyRate);
    }

    void measureCopy() {
        const Matrix from = matrix(DType::kBF16, 8192, 24576), to = matrix(DType::kBF16, 8192, 24576);
        const double bytes = 2.0 * 2 * 8192 * 24576;
        m_copyRate = 1;
        const double time = milliseconds([&] {
            check(cudaMemcpyAsync(to.data, from.data, static_cast<std::size_t>(bytes / 2), cudaMemcpyDeviceToDevice,
                                  m_stream));
        });
        m_copyRate = bytes / time / 1e9;
        std::printf("%-52s %8.3f ms %8.2f TB/s\n", "device copy, bytes read and written", time, m_copyRate);
    }

private:
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
    double m_copyRate = 1;
};

void benchRows(Bench& bench) {
    const Target target = bench.target();
    constexpr int64_t T = 8192, D = 4096, F = 12288, H = 32, K = 128;
    const double hidden = 2.0 * T * D, wide = 2.0 * T * F;
    const Matrix x = bench.matrix(DType::kBF16, T, D), y = bench.matrix(DType::kBF16, T, D);
    const Matrix z = bench.matrix(DType::kBF16, T, D), out = bench.matrix(DType::kBF16, T, D);
    const Matrix weight = bench.matrix(DType::kBF16, 1, D), rstd = bench.matrix(DType::kF32, 1, T * H);
    const Matrix single = bench.matrix(DType::kF32, T, D), table = bench.matrix(DType::kF32, T, K);
    bench.report("rmsNorm bf16 8192x4096", 2 * hidden, [&] { rmsNorm(target, x, weight.data, 1e-6, out, rstd.data); });
    bench.report("rmsNormBackward + residual bf16 8192x4096", 4 * hidden,
                 [&] { rmsNormBackward(target, y, x, weight.data, rstd.data, &z, out); });
    bench.report("add bf16 8192x4096", 3 * hidden, [&] { add(target, x, y, out); });
    bench.report("convert bf16 to fp32 8192x4096", 3 * hidden, [&] { convert(target, x, 1, single); });
    bench.report("convert fp32 to bf16 8192x4096", 3 * hidden, [&] { convert(target, single, 1, out); });
    bench.report("headNormRotary bf16 8192x32x128", 2 * hidden + 4.0 * T * K,
                 [&] { headNormRotary(target, x, H, weight.data, 1e-6, table, out, rstd.data); });
    bench.report("headNormRotaryBackward bf16 8192x32x128", 3 * hidden + 4.0 * T * K,
                 [&] { headNormRotaryBackward(target, y, x, H, weight.data, rstd.data, table, out); });
    const Matrix keys = bench.matrix(DType::kF32, T, 2);
    bench.report("dropout bf16 8192x4096", 2 * hidden,
                 [&] { dropout(target, x, static_cast<const uint64_t*>(keys.data), 7, 0.1, out); });
    const Matrix gate = bench.matrix(DType::kBF16, T, F), up = bench.matrix(DType::kBF16, T, F);
    const Matrix act = bench.matrix(DType::kBF16, T, F), dAct = bench.matrix(DType::kBF16, T, F);
    const Matrix dGate = bench.matrix(DType::kBF16, T, F), dUp = bench.matrix(DType::kBF16, T, F);
    bench.report("swiGlu bf16 8192x12288", 3 * wide, [&] { glu(target, Activation::kSilu, gate, up, act); });
    bench.report("swiGluBackward with product bf16 8192x12288", 6 * wide,
                 [&] { gluBackward(target, Activation::kSilu, dAct, gate, up, dGate, dUp, &act); });
}

void benchLossAndAttention(Bench& bench) {
    const Target target = bench.target();
    constexpr int64_t C = 2048, V = 151936;
    const Matrix logits = bench.matrix(DType::kBF16, C, V), losses = bench.matrix(DType::kF32, 1, C);
    void* labels = nullptr;
    check(cudaMalloc(&labels, C * 4));
    check(cudaMemset(labels, 0, C * 4));
    bench.report("crossEntropy bf16 2048x151936, loss alone", 2.0 * C * V,
                 [&] { crossEntropy(target, logits, static_cast<int32_t*>(labels), 0, losses.data); });
    bench.report("crossEntropy bf16 2048x151936, gradient", 4.0 * C * V,
                 [&] { crossEntropy(target, logits, static_cast<int32_t*>(labels), 1, losses.data); });

    constexpr int64_t T = 4096, H = 32, G = 8, K = 128;
    const int32_t startsHost[] = {0, 2048, 4096};
    void* starts = nullptr;
    check(cudaMalloc(&starts, sizeof startsHost));
    check(cudaMemcpy(starts, startsHost, sizeof startsHost, cudaMemcpyHostToDevice));
    const AttentionShape shape{2, 2048, H, G, K, 0, 0.088};
    const Matrix q = bench.matrix(DType::kF32, T, H * K), k = bench.matrix(DType::kF32, T, G * K);
    const Matrix v = bench.matrix(DType::kF32, T, G * K), out = bench.matrix(DType::kF32, T, H * K);
    const Matrix dOut = bench.matrix(DType::kF32, T, H * K), dq = bench.matrix(DType::kF32, T, H * K);
    const Matrix dk = bench.matrix(DType::kF32, T, G * K), dv = bench.matrix(DType::kF32, T, G * K);
    const Matrix statistics = bench.matrix(DType::kF32, H, T), scratch = bench.matrix(DType::kF32, H, T);
    const double products = 2.0 * T * 2048 / 2 * H * K; // of one matrix product over the causal half
    const auto rate = [](double operations, double time) { return operations / time / 1e9; };
    const double forward = bench.milliseconds(
        [&] { attention(target, shape, static_cast<int32_t*>(starts), q, k, v, out, statistics.data); });
    std::printf("%-52s %8.3f ms %8.2f TFLOP/s\n", "attention fp32 2x2048, 32/8 heads of 128", forward,
                rate(2 * products, forward));
    const double backward = bench.milliseconds([&] {
        attentionBackward(target, shape, static_cast<int32_t*>(starts), q, k, v, out, statistics.data, dOut, dq, dk, dv,
                          scratch.data);
    });
    std::printf("%-52s %8.3f ms %8.2f TFLOP/s\n", "attentionBackward fp32 2x2048, 32/8 heads of 128", backward,
                rate(7 * products, backward));
}

// A token of an 8B model: each call reads other weights than the one before, as caches hold those of some calls.
void benchAnswer(Bench& bench) {
    const Target target = bench.target();
    constexpr int64_t D = 4096, F = 12288, V = 151936, H = 32, G = 8, K = 128, kCapacity = 8192;
    constexpr int64_t kCopies = 12;
    const Matrix all = bench.matrix(DType::kBF16, kCopies, 2 * F * D);
    const Matrix x = bench.matrix(DType::kBF16, 1, F), norm = bench.matrix(DType::kBF16, 1, D);
    const Matrix out = bench.matrix(DType::kBF16, 1, V), residual = bench.matrix(DType::kBF16, 1, D);
    int64_t numCalls = 0;
    const auto weight = [&](int64_t rows, int64_t cols) {
        return RowLinear{dense(rowsOf(all, numCalls++ % kCopies, 1).data, DType::kBF16, rows, cols)};
    };
    const auto bytes = [](int64_t rows, int64_t cols) { return 2.0 * static_cast<double>(rows * cols); };
    const RowInput normed{columnsOf(x, 0, D), norm.data, 1e-6}, heads{columnsOf(x, 0, H * K)}, act{x};
    bench.report("rowProduct bf16 4096 to 6144 with norm", bytes((H + 2 * G) * K, D), [&] {
        rowProduct(target, normed, std::array{weight((H + 2 * G) * K, D)}, nullptr, columnsOf(out, 0, (H + 2 * G) * K));
    });
    bench.report("rowProduct bf16 4096 to 4096 with residual", bytes(D, H * K),
                 [&] { rowProduct(target, heads, std::array{weight(D, H * K)}, &residual, columnsOf(out, 0, D)); });
    bench.report("rowSwiGlu bf16 4096 to 2x12288 with norm", bytes(2 * F, D), [&] {
        const RowLinear gate = weight(F, D), up{rowsOf(dense(gate.weight.data, DType::kBF16, 2 * F, D), F, F)};
        rowGlu(target, Activation::kSilu, normed, gate, up, columnsOf(out, 0, F));
    });
    bench.report("rowProduct bf16 12288 to 4096 with residual", bytes(D, F),
                 [&] { rowProduct(target, act, std::array{weight(D, F)}, &residual, columnsOf(out, 0, D)); });
    bench.report("rowProduct bf16 4096 to 151936 with norm", bytes(V, D), [&] {
        rowProduct(target, normed, std::array{RowLinear{dense(all.data, DType::kBF16, V, D)}}, nullptr, out);
    });

    const Matrix qkv = bench.matrix(DType::kBF16, 1, (H + 2 * G) * K), queries = bench.matrix(DType::kBF16, 1, H * K);
    const Matrix keys = bench.matrix(DType::kBF16, kCapacity, G * K);
    const Matrix values = bench.matrix(DType::kBF16, kCapacity, G * K);
    void* pair = nullptr;
    check(cudaMalloc(&pair, 2 * sizeof(int32_t)));
    auto* numbers = static_cast<int32_t*>(pair); // a token's id, its position
    const std::vector<double> frequencies(K / 2, 0.01);
    const CachedHeads cached{H, G, K, norm.data, norm.data, 1e-6, frequencies, 1};
    AttentionShape shape;
    shape.numHeads = H;
    shape.numKvHeads = G;
    shape.headDim = K;
    shape.scale = 0.088;
    for (const int32_t position : {100, 6000}) {
        const std::array<int32_t, 2> given{0, position};
        check(cudaMemcpy(numbers, given.data(), sizeof given, cudaMemcpyHostToDevice));
        const std::string at = " at position " + std::to_string(position);
        bench.report(("headsIntoCache bf16 32/8 heads of 128" + at).c_str(), bytes(2, (H + 2 * G) * K),
                     [&] { headsIntoCache(target, cached, qkv, numbers + 1, queries, keys, values); });
        bench.report(("attentionCached bf16 32/8 heads of 128" + at).c_str(), bytes(2 * position, G * K), [&] {
            attentionCached(target, shape, numbers + 1, queries, keys, values, columnsOf(out, 0, H * K), nullptr);
        });
    }
    bench.report("nextToken bf16 151936", bytes(1, V), [&] { nextToken(target, out, numbers, numbers + 1); });
}
#endif

} // namespace

int main(int argc, char** argv) {
    std::vector<int> devices;
    for (int i = 1; i < argc; ++i)
        devices.push_back(std::atoi(argv[i]));
    const bool passed = runSelfTest(devices);
#ifdef ROUNDPIPE_HAS_CUDA
    for (const int device : devices) {
        check(cudaSetDevice(device));
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, device));
        std::printf("\ncuda:%d %s, %d multiprocessors\n", device, properties.name, properties.multiProcessorCount);
        Bench bench;
        bench.measureCopy();
        benchRows(bench);
        benchLossAndAttention(bench);
        benchAnswer(bench);
    }
#endif
    return passed ? 0 : 1;
}
