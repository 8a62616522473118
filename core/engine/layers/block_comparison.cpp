// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/layers/block_comparison.h"

#include "arch/layers.h"
#include "base/error.h"
#include "device/open_devices.h"
#include "device/streams/thread_setup.h"
#include "engine/layers/layer_bench.h"
#include "kernels/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <future>

namespace roundpipe::engine {
namespace {

// Rounding to 16 bits on the way, in other places and orders, and differences of what is nearly equal.
constexpr double kTolerance = 2e-2;
constexpr double kToleranceOfFp8 = 8e-2; // what lies between two values of e4m3, a tenth apart, may become either
constexpr int32_t kBlock = 2;            // not the first, whose input needs no gradient

constexpr int64_t kExperts = 8;

struct BlockCase {
    int64_t numHeads, numKvHeads, headDim, window;
    std::vector<int32_t> lengths;
    bool deterministic = true;
    DType operandType = DType::kBF16;
    int64_t expertsPerToken = 0; // of kExperts; 0: a dense block
    int64_t sharedSize = 0;      // of an expert beside them
    bool stacked = false;        // experts, with the sinks and biases of gpt-oss
    WeightFormat weights = WeightFormat::kAsIs;
};

// Head sizes of the families that are trained; sequences of one token, in numbers that are no powers of two, longer
// than a tile; scores that fit in one call, in several calls, or not at all (geometry/attention_backend.h). Each in
// bf16 and fp16.
std::vector<BlockCase> cases() {
    std::vector<BlockCase> all{{4, 2, 64, 0, {1, 37, 200}},       {8, 2, 128, 0, {513, 1, 64, 300, 7}},
                               {4, 4, 96, 0, {130, 129}},         {8, 8, 128, 100, {400, 90, 250}},
                               {9, 3, 64, 0, {2049, 2500, 2100}}, {9, 3, 64, 0, {4200}},
                               {2, 1, 256, 0, {300, 20}}};
    const auto again = [&all](const auto& otherwise) {
        for (std::size_t i = 0, count = all.size(); i < count; ++i)
            otherwise(all.emplace_back(BlockCase(all[i])));
    };
    again([](BlockCase& one) { one.deterministic = false; });
    again([](BlockCase& one) { one.operandType = DType::kF16; });
    for (const std::vector<int32_t>& lengths : {std::vector<int32_t>{1}, {513, 1, 64, 300, 7}, {2049, 2500}}) {
        BlockCase& one = all.emplace_back(BlockCase{8, 2, 128, 0, lengths});
        one.weights = WeightFormat::kFp8;
    }
    // Which experts a token has hangs on the last bit of its logits: in 16 bits it has all.
    for (const DType type : {DType::kF32, DType::kBF16, DType::kF16}) {
        BlockCase one{4, 2, 64, 0, {1, 37, 200, 513}};
        one.operandType = type;
        one.expertsPerToken = type == DType::kF32 ? 3 : kExperts;
        all.push_back(one);
        BlockCase& shared = all.emplace_back(one);
        shared.sharedSize = 320;
        for (const int64_t window : {0, 100}) {
            BlockCase& stacked = all.emplace_back(one);
            stacked.stacked = true;
            stacked.window = window;
        }
    }
    return all;
}

arch::ModelSpec modelOf(const BlockCase& one) {
    arch::ModelConfig config;
    config.family = arch::Family::kQwen3;
    config.architecture = "Qwen3ForCausalLM";
    config.vocabSize = 64;
    config.hiddenSize = 256;
    config.intermediateSize = 512;
    config.numLayers = kBlock;
    config.numHeads = one.numHeads;
    config.numKvHeads = one.numKvHeads;
    config.headDim = one.headDim;
    config.maxPositions = 8192;
    config.qkNorm = true;
    config.tiedEmbeddings = true;
    config.slidingWindow.assign(kBlock, one.window);
    if (one.expertsPerToken > 0) {
        config.family = arch::Family::kQwen3Moe;
        config.architecture = "Qwen3MoeForCausalLM";
        config.experts.count = kExperts;
        config.experts.perToken = one.expertsPerToken;
        config.experts.intermediateSize = 192;
        config.experts.sharedSize = one.sharedSize;
        config.experts.normalised = true;
        config.experts.sparse.assign(kBlock, true);
    }
    if (one.stacked) {
        config.family = arch::Family::kGptOss;
        config.architecture = "GptOssForCausalLM";
        config.qkNorm = false;
        config.qkvBias = config.outputBias = config.attentionSinks = config.experts.stacked = true;
    }
    return arch::makeModelSpec(config);
}

TokenBatch batchOf(const BlockCase& one) {
    TokenBatch batch;
    batch.starts.push_back(0);
    for (const int32_t length : one.lengths) {
        batch.exampleIds.push_back(static_cast<int64_t>(batch.exampleIds.size()));
        for (int32_t i = 0; i < length; ++i) {
            batch.ids.push_back(i % 64);
            batch.labels.push_back(i % 64);
            batch.positions.push_back(i);
        }
        batch.starts.push_back(batch.starts.back() + length);
    }
    return batch;
}

plan::TrainingShape shapeOf(const BlockCase& one) {
    plan::TrainingShape shape;
    shape.maxLength = std::ranges::max(one.lengths);
    shape.sequences = static_cast<int64_t>(one.lengths.size());
    shape.lora.rank = 8;
    shape.lora.dropout = 0;
    if (one.expertsPerToken > 0 && !one.stacked)
        shape.lora.targets = {"all-linear", "gate_proj", "up_proj", "down_proj"};
    if (one.stacked && one.window == 0) shape.lora.targets = {"all-linear", "gate_up_proj", "down_proj"};
    shape.deterministic = one.deterministic;
    shape.operandType = one.operandType;
    shape.weights = one.weights;
    return shape;
}

struct Results {
    std::vector<std::byte> output, inputGradient, trainedGradient;
    bool operator==(const Results&) const = default;
};

Results computed(LayerBench& bench) {
    bench.issueBoth(1);
    bench.synchronize();
    return {bench.output(), bench.inputGradient(), bench.trainedGradient()};
}

double distance(DType dtype, const std::vector<std::byte>& found, const std::vector<std::byte>& expected) {
    double difference = 0, whole = 0;
    kernels::visitFloating(dtype, [&](auto type) {
        using T = decltype(type);
        for (std::size_t i = 0; i + sizeof(T) <= expected.size(); i += sizeof(T)) {
            T a, b;
            std::memcpy(&a, &found[i], sizeof(T));
            std::memcpy(&b, &expected[i], sizeof(T));
            const auto x = static_cast<double>(kernels::widen(a)), y = static_cast<double>(kernels::widen(b));
            difference += (x - y) * (x - y);
            whole += y * y;
        }
    });
    return std::isfinite(difference) && whole > 0 ? std::sqrt(difference / whole) : 1;
}

BlockComparison compare(const BlockCase& one, device::Device& gpu, device::Device& cpu) {
    const plan::TrainingShape shape = shapeOf(one);
    const bool isFp8 = one.weights == WeightFormat::kFp8;
    const auto model = model::makeModel(modelOf(one), shape.trained(), shape.operandType, one.weights);
    LayerBench onGpu(gpu, *model, kBlock, shape, batchOf(one));
    const bool multiplies = onGpu.fp8() != model::Fp8Products::kNone;
    LayerBench onCpu(cpu, *model, kBlock, shape, batchOf(one), onGpu.fp8());
    const Results found = computed(onGpu), expected = computed(onCpu);
    BlockComparison result;
    const std::string experts = one.expertsPerToken > 0
                                    ? fmt::format(" of {}experts ({} a token{})", one.stacked ? "stacked " : "",
                                                  one.expertsPerToken, one.sharedSize > 0 ? " and a shared one" : "")
                                    : "";
    result.name =
        fmt::format("block{}, {}/{} heads of {}{}, {} sequence{} up to {}, {}{}", experts, one.numHeads, one.numKvHeads,
                    one.headDim, one.window > 0 ? fmt::format(" window {}", one.window) : "", shape.sequences,
                    shape.sequences == 1 ? "" : "s", shape.maxLength, one.deterministic ? "strict" : "fast",
                    one.operandType == DType::kF16   ? ", fp16"
                    : one.operandType == DType::kF32 ? ", fp32"
                                                     : "");
    if (isFp8) result.name += multiplies ? ", weights multiplied in FP8" : ", without FP8 units";
    result.tolerance = multiplies ? kToleranceOfFp8 : kTolerance;
    result.largestError = std::max({distance(one.operandType, found.output, expected.output),
                                    distance(one.operandType, found.inputGradient, expected.inputGradient),
                                    distance(DType::kF32, found.trainedGradient, expected.trainedGradient)});
    result.isSame = !one.deterministic || computed(onGpu) == found;
    return result;
}

} // namespace

std::vector<BlockComparison> compareBlocks(const std::string& name,
                                           const std::function<void(const BlockComparison&)>& done) {
    // A thread of its own, because LibTorch's settings are the thread's.
    auto all = std::async(std::launch::async, [&] {
        device::setUpComputeThread();
        const auto devices = device::openDevices({name, "cpu"}, {});
        std::vector<BlockComparison> compared;
        for (const BlockCase& one : cases()) {
            compared.push_back(compare(one, *devices[0], *devices[1]));
            done(compared.back());
        }
        return compared;
    });
    return all.get();
}

} // namespace roundpipe::engine
