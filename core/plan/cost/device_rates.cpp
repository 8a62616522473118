// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/device_rates.h"

#include "base/units.h"
#include "geometry/attention_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace roundpipe::plan {
namespace {

// Peak memory of the process less what the engine had cut is 0.99 to 1.23 GiB in the seven runs on H200s of
// tests/bench/RESULTS.md, 4.1 to 6.9 GiB in those of one long sequence: this much, and what attention allocates itself.
// Other GPUs were not measured; their contexts are not larger.
constexpr int64_t kContextBytes = 700 * kMiB;

// A CPU worker's share of the process: rings of trace records for its five streams, 5 MiB, and what the library of
// LibTorch's products keeps of memory into which it packed operands, 5.5 MiB of a model with 512 columns, 11 MiB with
// 1024 (profiles of allocations, tests/bench/RESULTS.md). tests/bench/memory.py holds it against processes.
constexpr int64_t kWorkerContextBytes = 16 * kMiB;

// Twice the rate is what data sheets say. On an H200 products of 2,048 rows took what 1.78 says beside those of 16 bits
// in a step (tests/bench/RESULTS.md, 2026-11-29); others were not measured.
constexpr int32_t kAda = 89;
constexpr int32_t kScalesFp8 = 90; // cuBLASLt's products there
constexpr double kFp8Speedup = 1.78;

constexpr double kExpertAddedInner = 200;
constexpr double kTile = 128; // the side of a piece of a product that a multiprocessor computes at a time

// What differs from one generation of GPUs to the next. Our kernel for experts multiplies by the instructions of warps,
// with which Hopper does less than with its own: 0.48 and kExpertAddedInner fit 14 products on an H100 within a tenth
// (tests/bench/RESULTS.md). Others have no better ones: the same part of what such instructions do there, not measured.
// Shares are of DeviceSpec::matrixFlops. LibTorch's attention uses the tensor cores of Ampere, hence a smaller share of
// Hopper's; 0.45 and 0.41 fit the runs on H200s.
struct Generation {
    std::array<std::string_view, 4> names; // parts of a device's name
    double inSteps;                        // of products of 16-bit operands in a step: all of it together is short of
                                           // power, a product alone is not
    double fp32Share;                      // of products of fp32 operands: no tensor cores
    double experts;                        // of products of experts, by our kernel
    double attentionForward;               // of LibTorch's flash attention
    double attentionBackward;
    double cudnnForward = 0; // of cuDNN's attention
    double cudnnBackward = 0;
};
constexpr Generation kHopper{{"H100", "H200", "H800", "H20"}, 0.96, 0.08, 0.48, 0.45, 0.41, 0.75, 0.69};
constexpr Generation kAmpereServer{{"A100", "A800", "", ""}, 1, 0.07, 0.78, 0.70, 0.55};
constexpr Generation kWorkstation{{"A6000", "A5000", "A40", "L40"}, 1, 0.28, 0.78, 0.80, 0.65};
constexpr Generation kGeForce{{"", "", "", ""}, 1, 0.50, 0.78, 0.80, 0.65};

const Generation& generationOf(const DeviceSpec& device) {
    for (const Generation* generation : {&kHopper, &kAmpereServer, &kWorkstation})
        for (const std::string_view name : generation->names)
            if (!name.empty() && device.name.find(name) != std::string::npos) return *generation;
    return kGeForce;
}

// cuDNN's attention where the engine uses it (core/model/attention).
void useCudnn(DeviceRates& rates, const DeviceSpec& device, bool deterministic, const AttentionUse& attention) {
    const Generation& generation = generationOf(device);
    if (generation.cudnnForward == 0) return;
    rates.attentionForwardFlops = device.matrixFlops * generation.cudnnForward;
    rates.attentionForwardAdded = 430;
    if (deterministic && geometry::cudnnSequencesAtOnce(attention.numHeads, attention.maxLength) == 0) return;
    rates.attentionBackwardFlops = device.matrixFlops * generation.cudnnBackward;
    rates.attentionBackwardAdded = 770;
    rates.multiprocessorsOfParts = 0;
}

DeviceRates gpuRates(const DeviceSpec& device, DType operandType, bool deterministic, const AttentionUse& attention) {
    const Generation& generation = generationOf(device);
    const bool halves = operandType == DType::kBF16 || operandType == DType::kF16;
    DeviceRates rates;
    rates.productFlops = device.matrixFlops * (halves ? generation.inSteps : generation.fp32Share);
    if (operandType == DType::kF64) rates.productFlops /= 16;
    if (multipliesFp8(device, operandType)) rates.fp8Speedup = kFp8Speedup;
    rates.scalesFp8After = device.computeCapability != kScalesFp8;
    rates.addedRows = 32;
    rates.addedCols = 32;
    rates.addedInner = 64;
    if (halves) rates.expertFlops = device.matrixFlops * generation.experts;
    rates.expertAddedInner = kExpertAddedInner;
    rates.attentionForwardFlops = device.matrixFlops * generation.attentionForward;
    rates.attentionBackwardFlops = device.matrixFlops * generation.attentionBackward;
    if (halves && deterministic) rates.multiprocessorsOfParts = device.numMultiprocessors;
    if (!halves) rates.attentionForwardFlops = rates.attentionBackwardFlops = 0.25 * rates.productFlops;
    rates.productBytesPerSecond = 0.80 * device.memoryBytesPerSecond;
    rates.narrowProductBytesPerSecond = 0.72 * device.memoryBytesPerSecond;
    rates.passBytesPerSecond = 0.95 * device.memoryBytesPerSecond;
    rates.heavyPassBytesPerSecond = 0.66 * device.memoryBytesPerSecond;
    rates.gapSeconds = 1.5e-6;
    rates.issueSeconds = 9.2e-6;
    const auto backend =
        geometry::attentionBackend(device.isGpu, device.computeCapability, operandType, attention.headDim);
    if (backend == geometry::AttentionBackend::kCudnn) useCudnn(rates, device, deterministic, attention);
    return rates;
}

// One thread of our CPU kernels and LibTorch's products, measured on an EPYC core by CPU time: products of 2048 cubed
// 70 to 80 GFLOP/s, of a side of 8 22 to 28; attention 26 forward, 22 backward; long copies 17 GB/s, norms, SwiGLU and
// sums 7 to 17, cross-entropy 2.9, dropout 2.1.
DeviceRates cpuRates(const DeviceSpec& device, DType operandType) {
    DeviceRates rates;
    rates.productFlops = device.matrixFlops * (operandType == DType::kF64 ? 0.5 : 1);
    rates.addedRows = 4;
    rates.addedCols = 16;
    rates.addedInner = 12;
    rates.attentionForwardFlops = 0.32 * rates.productFlops;
    rates.attentionBackwardFlops = 0.28 * rates.productFlops;
    rates.productBytesPerSecond = rates.narrowProductBytesPerSecond = device.memoryBytesPerSecond;
    rates.passBytesPerSecond = 0.55 * device.memoryBytesPerSecond;
    rates.heavyPassBytesPerSecond = 0.15 * device.memoryBytesPerSecond;
    rates.gapSeconds = 3e-6;
    return rates;
}

// How much of the GPU works while the parts of so many heads run, one on a multiprocessor: the last ones may be few.
double shareAtWork(double heads, int32_t multiprocessors) {
    if (multiprocessors == 0) return 1;
    const double parts = heads * std::ceil(multiprocessors / heads);
    return parts / (multiprocessors * std::ceil(parts / multiprocessors));
}

// On average a token of a sequence looks at half of it.
double withAdded(const KernelWork& attention, double added) {
    return 1 + 2 * added / attention.rows;
}

// A product with a side shorter than a tile reads slower. One that is somewhat wider takes no less time than the widest
// of those: else an adapter of rank 128 would be faster than one of rank 64.
double secondsOfBytes(const KernelWork& product, const DeviceRates& rates) {
    const double side = std::min({product.rows, product.cols, product.inner});
    if (side < kTile) return product.bytes / rates.narrowProductBytesPerSecond;
    const double others = 1 / product.rows + 1 / product.cols + 1 / product.inner - 1 / side;
    const double ofTile = product.bytes * (1 + kTile * others) / (1 + side * others); // what it reads with such a side
    return std::max(product.bytes / rates.productBytesPerSecond, ofTile / rates.narrowProductBytesPerSecond);
}

// The last tile of an expert's rows is half full in the mean.
double flopsOfExperts(const KernelWork& product, const DeviceRates& rates) {
    const double rows = std::max(kTile, product.rows + kTile / 2);
    const double cols = kTile * std::ceil(product.cols / kTile);
    return 2 * product.groups * rows * cols * (product.inner + rates.expertAddedInner);
}

} // namespace

DeviceRates ratesOf(const DeviceSpec& device, DType operandType, bool deterministic, const AttentionUse& attention) {
    return device.isGpu ? gpuRates(device, operandType, deterministic, attention) : cpuRates(device, operandType);
}

bool multipliesFp8(const DeviceSpec& device, DType operandType) {
    return device.isGpu && operandType == DType::kBF16 && device.computeCapability >= kAda;
}

bool issues(const DeviceRates& rates, const KernelWork& kernel) {
    switch (kernel.on) {
    case KernelWork::On::kAll:
        return true;
    case KernelWork::On::kPlain:
        return rates.fp8Speedup == 0;
    case KernelWork::On::kFp8:
        return rates.fp8Speedup > 0;
    case KernelWork::On::kFp8ScaledAfter:
        break;
    }
    return rates.fp8Speedup > 0 && rates.scalesFp8After;
}

double secondsOf(const KernelWork& kernel, const DeviceRates& rates) {
    using enum KernelWork::Kind;
    switch (kernel.kind) {
    case kProduct: {
        if (kernel.groups > 1 && rates.expertFlops > 0)
            return std::max(flopsOfExperts(kernel, rates) / rates.expertFlops, secondsOfBytes(kernel, rates));
        const double padded = 2 * kernel.groups * (kernel.rows + rates.addedRows) * (kernel.cols + rates.addedCols) *
                              (kernel.inner + rates.addedInner);
        const double speedup = kernel.inFp8 && rates.fp8Speedup > 0 ? rates.fp8Speedup : 1;
        return std::max(padded / (rates.productFlops * speedup), secondsOfBytes(kernel, rates));
    }
    case kAttentionForward:
        return std::max(kernel.flops * withAdded(kernel, rates.attentionForwardAdded) / rates.attentionForwardFlops,
                        kernel.bytes / rates.passBytesPerSecond);
    case kAttentionBackward:
        return std::max(kernel.flops * withAdded(kernel, rates.attentionBackwardAdded) /
                            (rates.attentionBackwardFlops * shareAtWork(kernel.groups, rates.multiprocessorsOfParts)),
                        kernel.bytes / rates.passBytesPerSecond);
    case kHeavyPass:
        return kernel.bytes / rates.heavyPassBytesPerSecond;
    case kPass:
        break;
    }
    return kernel.bytes / rates.passBytesPerSecond;
}

double secondsOf(const std::vector<KernelWork>& kernels, const DeviceRates& rates) {
    double device = 0, numIssued = 0;
    for (const KernelWork& kernel : kernels) {
        if (!issues(rates, kernel)) continue;
        device += secondsOf(kernel, rates) + rates.gapSeconds;
        ++numIssued;
    }
    return std::max(device, numIssued * rates.issueSeconds);
}

int64_t contextBytes(const DeviceSpec& device, const arch::ModelConfig& config, const TrainingShape& shape) {
    if (!device.isGpu) return kWorkerContextBytes;
    const auto backend =
        geometry::attentionBackend(device.isGpu, device.computeCapability, shape.operandType, config.headDim);
    const int64_t headsWithGaps = config.qkNorm ? config.numKvHeads : config.numHeads + 2 * config.numKvHeads;
    return kContextBytes + geometry::backendBytes(backend, {shape.maxTokens(), shape.maxLength, config.numHeads,
                                                            config.headDim, shape.deterministic,
                                                            device.numMultiprocessors, headsWithGaps * config.headDim});
}

} // namespace roundpipe::plan
