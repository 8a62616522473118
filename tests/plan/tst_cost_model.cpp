// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/cost_model.h"

#include "plan/cost/device_rates.h"
#include "plan/cost/kernel_issue.h"
#include "plan/cost/layer_work.h"
#include "plan/cost/memory_table.h"
#include "plan/cost/step_flops.h"
#include "plan/rig/rig_presets.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <regex>
#include <string>

namespace roundpipe::plan {
namespace {

using testing::expectError;

// As measured: products of the 8B shape, and a copy within the device (speed-blueprint, tests/bench/RESULTS.md).
const DeviceSpec kH200{"NVIDIA H200", int64_t{141} << 30, 740e12, 4200e9, true};
const DeviceSpec k4090{"NVIDIA GeForce RTX 4090", int64_t{24} << 30, 150e12, 910e9, true};

Rig rigOf(const std::vector<DeviceSpec>& devices) {
    Rig rig;
    rig.devices = devices;
    return rig;
}

arch::ModelSpec smallModel(const std::string& architecture = "Qwen3ForCausalLM", const std::string& extra = {}) {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":[")" + architecture +
            R"("],"vocab_size":1000,"hidden_size":256,"intermediate_size":640,"num_hidden_layers":6,"head_dim":64,)"
            R"("num_attention_heads":4,"num_key_value_heads":2)" +
            extra + "}",
        "config.json"));
}

arch::ModelSpec fixtureModel(const char* file) {
    return arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs" / file));
}

TrainingShape shapeOf(int64_t sequences, int64_t rank = 32, int64_t maxLength = 2048) {
    TrainingShape shape;
    shape.maxLength = maxLength;
    shape.sequences = sequences;
    shape.lora.rank = rank;
    return shape;
}

LayerWork workOf(const arch::ModelSpec& model, int32_t layer, const TrainingShape& shape, bool wantsInput = true) {
    const auto adapted = arch::trainedLayers(model, shape.lora);
    return layerWork(model, LayerId(layer), adapted[static_cast<std::size_t>(layer)], shape, wantsInput);
}

double secondsOfAll(const Costs& costs) {
    double sum = 0;
    for (const LayerTimes& times : costs.times.front())
        sum += times.forward + times.recompute + times.backward;
    return sum;
}

// A block of Qwen3-8B at 2048 tokens by hand: seven linears of 192,937,984 weights; LoRA of 75,776 inputs and outputs;
// 2048 · 2049 / 2 pairs in 4096 columns.
TEST(CostModel, countsTheFlopsOfABlock) {
    RP_REQUIRE_FIXTURES();
    const arch::ModelSpec model = fixtureModel("Qwen3-8B.json");
    const LayerWork work = workOf(model, 5, shapeOf(1, 16));
    const double products = 2.0 * 2048 * 192'937'984;
    const double lora = 2.0 * 2048 * 16 * 75'776;
    const double attention = 4.0 * 2048 * 2049 / 2 * 4096;
    EXPECT_DOUBLE_EQ(totalFlops(work.forward), products + lora + attention);
    // Frozen weights: input gradients only. LoRA: the same two products again, and a gradient of each factor.
    EXPECT_DOUBLE_EQ(totalFlops(work.backward), products + 2 * lora + 2.5 * attention);
    // The output alone: the product of down, and that of its adapter's second factor.
    EXPECT_DOUBLE_EQ(totalFlops(work.output), 2.0 * 2048 * 4096 * (12288 + 16));
    // Gate and up with their adapters, and the first factor of down's.
    EXPECT_DOUBLE_EQ(totalFlops(work.gateUp), 2.0 * 2048 * (2 * (4096 * 12288 + 16 * (4096 + 12288)) + 16 * 12288));
}

TEST(CostModel, countsTheFlopsOfAStepWithAndWithoutWhatIsComputedAgain) {
    const arch::ModelSpec model = smallModel(); // embedding, six blocks, head
    const TrainingShape shape = shapeOf(2, 8, 256);
    const LayerWork block = workOf(model, 2, shape);
    const LayerWork frozen = layerWork(model, LayerId(2), {}, shape, true),
                    bare = layerWork(model, LayerId(7), {}, shape, true);
    double attention = 0;
    for (const KernelWork& kernel : frozen.forward)
        if (kernel.kind == KernelWork::Kind::kAttentionForward) attention += kernel.flops;
    ASSERT_GT(attention, 0);
    // Of adapters nothing counts, of the base forward and the gradient of the input, of attention that twice.
    const double needed =
        6 * (2 * (totalFlops(frozen.forward) - attention) + 3 * attention) + 2 * totalFlops(bare.forward);
    Plan plan;
    plan.numLayers = 8;
    plan.fused = {0, 8};
    const StepFlops whole = stepFlops(model, shape, plan, 3);
    EXPECT_DOUBLE_EQ(whole.needed, 3 * needed);
    EXPECT_NEAR(whole.done, whole.needed, 1e-9 * whole.needed);
    plan.forward = {{0, 6}};
    plan.fused = {6, 8};
    plan.backward = {{3, 6}, {0, 3}}; // blocks 1 to 5 again, but for the output of 5 and of 2
    const StepFlops cut = stepFlops(model, shape, plan, 3);
    EXPECT_DOUBLE_EQ(cut.needed, whole.needed);
    const double again = 5 * totalFlops(block.forward) - 2 * totalFlops(block.output);
    EXPECT_NEAR(cut.done, cut.needed + 3 * again, 1e-9 * cut.done);
    plan.saving.assign(8, geometry::Saving::kInput); // blocks 3 to 5 and 1 and 2: all but the last of a stage twice
    plan.saving.front() = plan.saving.back() = geometry::Saving::kAll;
    plan.saving[6] = geometry::Saving::kWithoutGateUp; // in the fused stage
    const double twice = 3 * (totalFlops(block.forward) - totalFlops(block.output)) + totalFlops(block.gateUp);
    EXPECT_NEAR(stepFlops(model, shape, plan, 3).done, cut.done + 3 * twice, 1e-9 * cut.done);
}

// Backward reads what a norm behind a half is given: down's product is made with gate and up, and only the norm and the
// sum are the output's alone.
TEST(CostModel, countsWhatNormsBehindTheHalvesNeed) {
    const TrainingShape shape = shapeOf(1, 8, 256);
    const arch::ModelSpec model = smallModel("Olmo2ForCausalLM"), plain = smallModel("LlamaForCausalLM");
    const LayerWork work = workOf(model, 2, shape), other = workOf(plain, 2, shape);
    EXPECT_EQ(totalFlops(work.output), 0);
    EXPECT_DOUBLE_EQ(totalFlops(work.gateUp), totalFlops(other.gateUp) + totalFlops(other.output));
    EXPECT_DOUBLE_EQ(totalFlops(work.forward), totalFlops(other.forward));
    EXPECT_DOUBLE_EQ(totalFlops(work.backward), totalFlops(other.backward));
    const auto bytesOf = [](const std::vector<KernelWork>& kernels) {
        double sum = 0;
        for (const KernelWork& kernel : kernels)
            sum += kernel.bytes;
        return sum;
    };
    EXPECT_GT(bytesOf(work.forward), bytesOf(other.forward));
    EXPECT_GT(bytesOf(work.backward), bytesOf(other.backward));
}

TEST(CostModel, leavesOutWhatNobodyNeeds) {
    const arch::ModelSpec model = smallModel();
    const TrainingShape shape = shapeOf(1, 8, 256);
    const double linears = 2.0 * 256 * 256 * (256 + 2 * 128); // dx of q, k and v
    const double adapters = 2.0 * 256 * 8 * 3 * 256;
    EXPECT_DOUBLE_EQ(totalFlops(workOf(model, 1, shape, true).backward) -
                         totalFlops(workOf(model, 1, shape, false).backward),
                     linears + adapters);
    EXPECT_EQ(totalFlops(workOf(model, 0, shape).backward), 0);
    const Costs costs = modelCosts(model, shape, rigOf({k4090}));
    EXPECT_EQ(costs.firstTrainable, 1);
    EXPECT_EQ(costs.times[0][0].backward, 0);
    EXPECT_GT(costs.times[0][0].forward, 0);
    EXPECT_LT(costs.times[0][1].backward, costs.times[0][2].backward);
    EXPECT_DOUBLE_EQ(costs.times[0][2].backward, costs.times[0][6].backward);

    TrainingShape deepOnly = shape;
    deepOnly.lora.targets = {"model.layers.3.mlp.up_proj"};
    const Costs deep = modelCosts(model, deepOnly, rigOf({k4090}));
    EXPECT_EQ(deep.firstTrainable, 4);
    EXPECT_EQ(deep.times[0][3].backward, 0);
    EXPECT_GT(deep.times[0][5].backward, 0);
}

TEST(CostModel, computesOnlyTrainedPositionsInTheHead) {
    const arch::ModelSpec model = smallModel();
    TrainingShape shape = shapeOf(4, 8, 256);
    const double all = totalFlops(workOf(model, 7, shape).forward);
    EXPECT_DOUBLE_EQ(all, 2.0 * 1024 * 256 * 1000);
    shape.trainedShare = 0.25;
    EXPECT_DOUBLE_EQ(totalFlops(workOf(model, 7, shape).forward), all / 4);
}

TEST(CostModel, looksNoFurtherThanTheWindow) {
    const auto attention = [](const char* extra, int64_t length) {
        const LayerWork work = workOf(smallModel("MistralForCausalLM", extra), 1, shapeOf(1, 8, length));
        for (const KernelWork& kernel : work.forward)
            if (kernel.kind == KernelWork::Kind::kAttentionForward) return kernel.flops;
        return 0.0;
    };
    const char* window = R"(,"sliding_window":16)";
    const char* none = R"(,"sliding_window":null)";
    EXPECT_DOUBLE_EQ(attention(window, 16), attention(none, 16));
    EXPECT_DOUBLE_EQ(attention(none, 64), 4.0 * 64 * 65 / 2 * 256);
    EXPECT_DOUBLE_EQ(attention(window, 64), 4.0 * (16 * 17 / 2 + 48 * 16) * 256);
}

TEST(CostModel, takesTimesFromTheAverageLengthAndBytesFromTheLongest) {
    TrainingShape shape = shapeOf(64, 8, 512); // so much that launches hide
    const Costs longest = modelCosts(smallModel(), shape, rigOf({k4090}));
    shape.averageLength = 128;
    const Costs average = modelCosts(smallModel(), shape, rigOf({k4090}));
    EXPECT_EQ(longest.tokens, 64 * 512);
    EXPECT_EQ(average.tokens, 64 * 128);
    EXPECT_EQ(average.packetBytes, longest.packetBytes);
    EXPECT_EQ(average.layers[2].saved, longest.layers[2].saved);
    EXPECT_LT(secondsOfAll(average), secondsOfAll(longest));
}

// The roofline: with one rate out of reach the other decides.
TEST(CostModel, isBoundByWhatIsScarce) {
    const arch::ModelSpec model = smallModel();
    const TrainingShape shape = shapeOf(2, 8);
    const LayerWork work = workOf(model, 2, shape);
    DeviceSpec device = k4090;
    device.matrixFlops = 1e30;
    DeviceRates rates = ratesOf(device, DType::kBF16, true, {32, 128, 2048});
    rates.gapSeconds = rates.issueSeconds = 0;
    const double atMemory = totalBytes(work.forward) / device.memoryBytesPerSecond;
    EXPECT_GT(secondsOf(work.forward, rates), atMemory);
    EXPECT_LT(secondsOf(work.forward, rates), 2 * atMemory);

    device = k4090;
    device.memoryBytesPerSecond = 1e30;
    rates = ratesOf(device, DType::kBF16, true, {32, 128, 2048});
    rates.gapSeconds = rates.issueSeconds = 0;
    const double atPeak = totalFlops(work.forward) / device.matrixFlops;
    EXPECT_GT(secondsOf(work.forward, rates), atPeak);
    const KernelWork large{
        KernelWork::Kind::kProduct, 2 * 8192.0 * 8192 * 8192, 3 * 8192.0 * 8192 * 2, 8192, 8192, 8192};
    EXPECT_NEAR(secondsOf(large, rates), large.flops / device.matrixFlops, 0.02 * large.flops / device.matrixFlops);

    // Next to nothing to compute: the host's issuing decides.
    rates = ratesOf(k4090, DType::kBF16, true, {32, 128, 2048});
    const LayerWork tiny = workOf(model, 2, shapeOf(1, 8, 1));
    EXPECT_DOUBLE_EQ(secondsOf(tiny.forward, rates), static_cast<double>(tiny.forward.size()) * rates.issueSeconds);
}

TEST(CostModel, moreTokensAreNeverFasterAndBetterDevicesNeverSlower) {
    const std::string experts = R"(,"num_experts":8,"num_experts_per_tok":2,"moe_intermediate_size":96)";
    for (const auto& model :
         {smallModel(), smallModel("Qwen3MoeForCausalLM", experts),
          smallModel("Qwen2MoeForCausalLM", experts + R"(,"shared_expert_intermediate_size":128)")}) {
        double before = 0;
        for (const int64_t length : {1, 2, 7, 8, 100, 300, 301, 1000, 4096}) {
            const double seconds = secondsOfAll(modelCosts(model, shapeOf(2, 8, length), rigOf({k4090})));
            EXPECT_GE(seconds, before) << length;
            before = seconds;
        }
        double previous = std::numeric_limits<double>::infinity();
        for (const double factor : {0.25, 0.5, 1.0, 1.5, 4.0}) {
            DeviceSpec wider = k4090, quicker = k4090;
            wider.memoryBytesPerSecond *= factor;
            quicker.matrixFlops *= factor;
            const double seconds = std::max(secondsOfAll(modelCosts(model, shapeOf(2, 8), rigOf({wider}))),
                                            secondsOfAll(modelCosts(model, shapeOf(2, 8), rigOf({quicker}))));
            EXPECT_LE(seconds, previous) << factor;
            previous = seconds;
        }
        EXPECT_GE(secondsOfAll(modelCosts(model, shapeOf(2, 64), rigOf({k4090}))),
                  secondsOfAll(modelCosts(model, shapeOf(2, 8), rigOf({k4090}))));
    }
}

TEST(CostModel, aHigherRankTakesNoLessTime) {
    RP_REQUIRE_FIXTURES();
    for (const DeviceSpec& device : {k4090, kH200})
        for (const arch::ModelSpec& model : {smallModel(), fixtureModel("Qwen3-8B.json")})
            for (const int64_t sequences : {1, 4, 16}) {
                double before = 0;
                for (const int64_t rank : {8, 16, 32, 64, 96, 127, 128, 160, 192, 256, 512}) {
                    const double seconds = secondsOfAll(modelCosts(model, shapeOf(sequences, rank), rigOf({device})));
                    EXPECT_GE(seconds, before) << device.name << ", rank " << rank << ", " << sequences;
                    before = seconds;
                }
            }
}

TEST(CostModel, givesEveryDeviceItsOwnTimes) {
    const Costs costs = modelCosts(smallModel(), shapeOf(16, 8), rigOf({k4090, kH200, k4090}));
    ASSERT_EQ(costs.numDevices(), 3);
    EXPECT_EQ(costs.times[0][3].forward, costs.times[2][3].forward);
    EXPECT_GT(costs.times[0][3].forward, costs.times[1][3].forward);
    EXPECT_NO_THROW(validate(costs));
    EXPECT_GT(costs.hostPinnedBytes, 0);
    const DeviceSpec worker{"CPU worker", int64_t{8} << 30, 60e9, 12e9, false};
    const Costs onCpu = modelCosts(smallModel(), shapeOf(2, 8), rigOf({worker}));
    EXPECT_EQ(onCpu.hostPinnedBytes, 0);
    EXPECT_EQ(onCpu.contextBytes[0], int64_t{16} << 20);
    EXPECT_GT(onCpu.times[0][3].forward, 100 * costs.times[0][3].forward);
}

TEST(CostModel, readsTheWeightsOfEveryExpert) {
    RP_REQUIRE_FIXTURES();
    for (const char* file : {"Qwen3-30B-A3B.json", "gpt-oss-120b.json"}) {
        SCOPED_TRACE(file);
        const arch::ModelSpec model = fixtureModel(file);
        const auto& experts = model.config.experts;
        const double matrices = 3.0 * static_cast<double>(experts.intermediateSize * model.config.hiddenSize);
        const double weightBytes = static_cast<double>(experts.count) * matrices * 2;
        // Few tokens: reading the experts is all that counts.
        const LayerWork few = workOf(model, 1, shapeOf(1, 8, 64));
        EXPECT_GT(totalBytes(few.forward), weightBytes);
        EXPECT_LT(totalBytes(few.forward), 1.2 * weightBytes);
        const Costs costs = modelCosts(model, shapeOf(1, 8, 64), rigOf({k4090}));
        EXPECT_GT(costs.times[0][1].forward, weightBytes / k4090.memoryBytesPerSecond);
        // Many: a token pays for the experts that it meets, not for all.
        const double flops = totalFlops(workOf(model, 1, shapeOf(4, 8)).forward);
        const double ofExperts = 2 * 8192.0 * static_cast<double>(experts.perToken) * matrices;
        EXPECT_GT(flops, ofExperts);
        EXPECT_LT(flops, 2 * 8192.0 * static_cast<double>(model.numActiveParameters()));
        EXPECT_GT(static_cast<double>(costs.layers[1].baseUp), weightBytes);
    }
}

// What products of experts took on an H100, bf16, 8,192 tokens dealt at random: the rows of that table of the figures,
// in tera-operations a second.
struct MeasuredProduct {
    std::string model, product;
    double rate = 0;
};
std::vector<MeasuredProduct> measuredProducts() {
    std::ifstream file(testing::sourceFolder() / "tests/bench/RESULTS.md");
    const std::regex row(
        R"(\|(?: ([^|]*))? \| (x Wᵀ|dy W|dyᵀ x), at random \| \d+ \| \d+ \| [\d.]+ \| (\d+) \| [\d.]+ \|)");
    std::vector<MeasuredProduct> products;
    std::string model;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("| Qwen3-30B-A3B | x Wᵀ, rows dealt evenly")) model = "Qwen3-30B-A3B";
        std::smatch found;
        if (line.find(", at random |") == std::string::npos || !std::regex_match(line, found, row)) continue;
        if (found[1].length() > 0) model = found[1];
        products.push_back({model, found[2], std::stod(found[3])});
    }
    return products;
}

TEST(CostModel, productsOfExpertsTakeWhatWasMeasured) {
    struct Experts {
        const char* model;
        double count, perToken, in, out; // as tests/bench/expert_products
    };
    constexpr std::array<Experts, 4> kExperts{
        Experts{"Qwen3-30B-A3B", 128, 8, 2048, 768}, Experts{"Qwen3-235B-A22B", 128, 8, 4096, 1536},
        Experts{"gpt-oss-20b", 32, 4, 2880, 5760}, Experts{"Mixtral-8x7B", 8, 2, 4096, 14336}};
    const DeviceRates rates = ratesOf(devicePreset("h100").device, DType::kBF16, true, {32, 128, 2048});
    const std::vector<MeasuredProduct> products = measuredProducts();
    ASSERT_EQ(products.size(), 10U) << "the table is written otherwise than this test reads it";
    double worst = 0;
    for (const MeasuredProduct& measured : products) {
        const auto* const of = std::ranges::find(kExperts, measured.model, &Experts::model);
        ASSERT_NE(of, kExperts.end()) << measured.model;
        std::vector<KernelWork> kernels;
        KernelIssue issue(kernels, shapeOf(4));
        const double rows = 8192 * of->perToken / of->count;
        if (measured.product == "x Wᵀ") issue.product(rows, of->out, of->in, false, of->count);
        if (measured.product == "dy W") issue.product(rows, of->in, of->out, false, of->count);
        if (measured.product == "dyᵀ x") issue.gradient(of->out, of->in, rows, of->count);
        const double rate = 1e-12 * kernels.front().flops / secondsOf(kernels.front(), rates);
        worst = std::max(worst, std::abs(rate / measured.rate - 1));
        EXPECT_NEAR(rate / measured.rate, 1, 0.15) << measured.model << ", " << measured.product;
    }
    std::printf("products of experts: %.1f %% off at most\n", 100 * worst);
}

// Each row meets the A and B of its expert; of gate and up together, which are one parameter.
TEST(CostModel, countsAdaptersOfStackedExperts) {
    RP_REQUIRE_FIXTURES();
    const arch::ModelSpec model = fixtureModel("gpt-oss-120b.json");
    const TrainingShape attention = shapeOf(4, 8);
    TrainingShape all = attention;
    all.lora.targets = {"all-linear", "gate_up_proj", "down_proj"};
    const double hidden = static_cast<double>(model.config.hiddenSize);
    const double inner = static_cast<double>(model.config.experts.intermediateSize);
    const double routed = 8192.0 * static_cast<double>(model.config.experts.perToken);
    const double sides = (hidden + 2 * inner) + (inner + hidden);
    const LayerWork with = workOf(model, 1, all), without = workOf(model, 1, attention);
    const double rank = static_cast<double>(all.lora.rank);
    EXPECT_NEAR(totalFlops(with.forward) - totalFlops(without.forward), 2 * routed * rank * sides, 1);
    EXPECT_NEAR(totalFlops(with.backward) - totalFlops(without.backward), 4 * routed * rank * sides, 1);
    const Costs costs = modelCosts(model, all, rigOf({k4090})), plain = modelCosts(model, attention, rigOf({k4090}));
    const auto elements = static_cast<int64_t>(static_cast<double>(model.config.experts.count) * rank * sides);
    EXPECT_EQ(costs.layers[1].adapterUp - plain.layers[1].adapterUp, 2 * elements);
}

// Three products of so many weights for each token, whatever it is routed to, and the reading of them.
TEST(CostModel, countsTheSharedExpertAsAnMlp) {
    RP_REQUIRE_FIXTURES();
    arch::ModelConfig config = fixtureModel("Qwen3-30B-A3B.json").config;
    const arch::ModelSpec plain = arch::makeModelSpec(config);
    config.experts.sharedSize = 4096;
    const arch::ModelSpec shared = arch::makeModelSpec(config);
    const TrainingShape shape = shapeOf(4, 8);
    const LayerWork with = workOf(shared, 1, shape), without = workOf(plain, 1, shape);
    const double weights = 3.0 * 4096 * static_cast<double>(config.hiddenSize);
    const double more = totalFlops(with.forward) - totalFlops(without.forward);
    EXPECT_GT(more, 2 * 8192 * weights);
    EXPECT_LT(more, 1.05 * 2 * 8192 * weights) << "adapters and the weight take little";
    EXPECT_GT(totalFlops(with.backward) - totalFlops(without.backward), 2 * 8192 * weights);
    EXPECT_GT(totalBytes(with.forward) - totalBytes(without.forward), 2 * weights);
}

TEST(CostModel, packsWhatTravels) {
    RP_REQUIRE_FIXTURES();
    const auto sizesOf = [](const char* file, WeightFormat format) {
        TrainingShape shape = shapeOf(1);
        shape.weights = format;
        return modelCosts(fixtureModel(file), shape, rigOf({k4090}));
    };
    const Costs plain = sizesOf("Qwen3-8B.json", {}), packed = sizesOf("Qwen3-8B.json", WeightFormat::kNf4);
    const double share = static_cast<double>(packed.layers[3].baseUp) / static_cast<double>(plain.layers[3].baseUp);
    // 4 bits, 8 for a block of 64 and 32 for 256 of those; gate and up have spare columns where they are not packed.
    EXPECT_NEAR(share, (4 + 8.0 / 64 + 32.0 / (64 * 256)) / 16, 4e-3);
    EXPECT_EQ(packed.layers[0].baseUp, plain.layers[0].baseUp);
    EXPECT_LT(packed.hostBytes, plain.hostBytes / 2);
    EXPECT_LT(packed.layers[3].weights, plain.layers[3].weights / 3) << "they stay packed in a slot";
    EXPECT_GE(packed.layers[3].assembled, plain.layers[3].hostBase);
    EXPECT_EQ(packed.layers[0].assembled, 0) << "an embedding is not packed";
    EXPECT_EQ(packed.times[0][3].forward, plain.times[0][3].forward);
    EXPECT_EQ(plain.times[0][3].unpack, 0);
    const double unpacking = packed.times[0][3].unpack;
    const double bytes = static_cast<double>(packed.layers[3].baseUp + packed.layers[3].assembled);
    EXPECT_NEAR(unpacking, bytes / k4090.memoryBytesPerSecond, 0.3 * unpacking);

    // gpt-oss as published: what travels is what the files hold.
    const arch::ModelSpec model = fixtureModel("gpt-oss-20b.json");
    const Costs mxfp4 = sizesOf("gpt-oss-20b.json", WeightFormat::kMxfp4);
    int64_t stored = 0;
    for (const arch::TensorSpec& tensor : model.layers[1].tensors)
        stored += arch::storedBytes(tensor, DType::kBF16);
    EXPECT_GE(mxfp4.layers[1].baseUp, stored);
    EXPECT_LE(mxfp4.layers[1].baseUp, stored + 256 * static_cast<int64_t>(model.layers[1].tensors.size()));
}

TEST(CostModel, productsInFp8AreFasterWhereThereAreUnitsForThem) {
    RP_REQUIRE_FIXTURES();
    const auto timesOn = [](int32_t computeCapability, WeightFormat weights, DType type = DType::kBF16) {
        DeviceSpec device = k4090;
        device.computeCapability = computeCapability;
        TrainingShape shape = shapeOf(4);
        shape.weights = weights;
        shape.operandType = type;
        return modelCosts(fixtureModel("Qwen3-8B.json"), shape, rigOf({device})).times[0][3];
    };
    const LayerTimes int8 = timesOn(86, WeightFormat::kInt8), unpacked = timesOn(86, WeightFormat::kFp8);
    EXPECT_EQ(unpacked.forward, int8.forward);
    EXPECT_EQ(unpacked.backward, int8.backward);
    EXPECT_EQ(unpacked.unpack, int8.unpack);
    for (const DType other : {DType::kF16, DType::kF32})
        EXPECT_EQ(timesOn(89, WeightFormat::kFp8, other).forward, timesOn(89, WeightFormat::kInt8, other).forward);
    const LayerTimes hopper = timesOn(90, WeightFormat::kFp8), ada = timesOn(89, WeightFormat::kFp8);
    for (const LayerTimes& times : {hopper, ada}) {
        EXPECT_LT(times.forward, 0.85 * int8.forward);
        EXPECT_GT(times.forward, 0.5 * int8.forward) << "attention and passes take as long";
        EXPECT_LT(times.backward, 0.85 * int8.backward);
        EXPECT_LT(times.unpack, int8.unpack);
    }
    EXPECT_GT(ada.forward, hopper.forward) << "a pass scales what products give";
    // What either kind of device issues is not counted twice.
    TrainingShape shape = shapeOf(4);
    shape.weights = WeightFormat::kFp8;
    const arch::ModelSpec model = fixtureModel("Qwen3-8B.json");
    const auto parts = arch::trainedLayers(model, shape.trained());
    const LayerWork fp8 = layerWork(model, LayerId(3), parts[3], shape, true);
    shape.weights = WeightFormat::kInt8;
    EXPECT_EQ(totalFlops(fp8.forward), totalFlops(layerWork(model, LayerId(3), parts[3], shape, true).forward));
}

TEST(CostModel, namesTheFieldOfAnAbsurdShape) {
    const auto refused = [](auto change, std::initializer_list<std::string> words) {
        TrainingShape shape = shapeOf(2, 8);
        change(shape);
        expectError(ErrorKind::kInvalidInput, words, [&] { modelCosts(smallModel(), shape, rigOf({k4090})); });
    };
    refused([](TrainingShape& s) { s.maxLength = 0; }, {"maximal length", "0"});
    refused([](TrainingShape& s) { s.maxLength = int64_t{1} << 40; }, {"maximal length"});
    refused([](TrainingShape& s) { s.sequences = -1; }, {"number of sequences", "-1"});
    refused([](TrainingShape& s) { s.sequences = int64_t{1} << 40; }, {"number of sequences"});
    refused([](TrainingShape& s) { s.averageLength = 4096; }, {"average length", "4096"});
    refused([](TrainingShape& s) { s.averageLength = std::nan(""); }, {"average length"});
    refused([](TrainingShape& s) { s.trainedShare = 0; }, {"trained"});
    refused([](TrainingShape& s) { s.operandType = DType::kI8; }, {"operand type"});
    const auto packAll = [](TrainingShape& s) {
        s.weights = WeightFormat::kInt8;
        s.trainsBase = true;
    };
    refused(packAll, {"fewer bits", "lora"});
    refused([](TrainingShape& s) { s.lora.rank = 0; }, {"rank"});
    refused([](TrainingShape& s) { s.lora.targets = {"c_attn"}; }, {"c_attn", "q_proj"});
}

// A host's memory decides, up to what processors were seen to update.
TEST(CostModel, updatesAsFastAsTheHostsMemory) {
    TrainingShape shape = shapeOf(1);
    shape.trainsBase = true;
    Rig rig = rigOf({kH200});
    const auto secondsAt = [&](double bytesPerSecond) {
        rig.host.memoryBytesPerSecond = bytesPerSecond;
        return modelCosts(smallModel(), shape, rig).optimizerSeconds();
    };
    EXPECT_NEAR(secondsAt(44e9), 2 * secondsAt(88e9), 1e-9);
    EXPECT_GT(secondsAt(88e9), 1.1 * secondsAt(99.5e9));
    EXPECT_DOUBLE_EQ(secondsAt(200e9), secondsAt(350e9));
    EXPECT_GT(modelCosts(smallModel(), shape, rig).besideSteps, 1) << "half of the threads, and copies beside them";
}

// A tied table that is trained gets the gradients of both of its uses: read, and added to what is there.
TEST(CostModel, addsUpTheUsesOfATable) {
    TrainingShape shape = shapeOf(1);
    shape.trainsBase = true;
    const Rig rig = rigOf({kH200});
    const arch::ModelSpec model = smallModel("Qwen3ForCausalLM", R"(,"tie_word_embeddings":true)");
    const Costs tied = modelCosts(model, shape, rig), apart = modelCosts(smallModel(), shape, rig);
    const auto table = static_cast<double>(model.config.vocabSize * model.config.hiddenSize);
    constexpr double kRate = 110e9, kBf16 = 2, kFp32 = 4;
    for (const std::size_t l : {std::size_t{0}, tied.layers.size() - 1}) {
        EXPECT_TRUE(tied.layers[l].sharesTable);
        EXPECT_FALSE(apart.layers[l].sharesTable);
        EXPECT_NEAR(tied.addSeconds[l] * kRate / table, kBf16 + 2 * kFp32, 0.1);
    }
    EXPECT_FALSE(tied.layers[1].sharesTable);
    EXPECT_NEAR((tied.updateSeconds[0] - apart.updateSeconds[0]) * kRate / table, kFp32 - kBf16, 0.1);
}

TEST(Costs, namesWhatIsUnreal) {
    const Costs good = modelCosts(smallModel(), shapeOf(1, 8), rigOf({k4090}));
    EXPECT_NO_THROW(validate(good));
    const auto refused = [&](auto change, std::initializer_list<std::string> words) {
        Costs costs = good;
        change(costs);
        expectError(ErrorKind::kInvalidInput, words, [&] { validate(costs); });
    };
    refused([](Costs& c) { c.times[0][3].forward = -1; }, {"forward", "block 2", "device 0", "-1"});
    refused([](Costs& c) { c.times[0][3].recompute = std::nan(""); }, {"recompute", "block 2", "nan"});
    refused([](Costs& c) { c.times[0][7].backward = 1.0 / 0.0; }, {"backward", "head", "inf"});
    refused([](Costs& c) { c.times[0].pop_back(); }, {"Device 0", "7", "8"});
    refused([](Costs& c) { c.times.clear(); }, {"device"});
    refused([](Costs& c) { c.layers.clear(); }, {"layer"});
    refused([](Costs& c) { c.layers[2].saved = -5; }, {"saved", "block 1", "-5"});
    refused([](Costs& c) { c.layers[7].workspace = -5; }, {"workspace", "head"});
    refused([](Costs& c) { c.contextBytes = {1, 2}; }, {"context", "2"});
    refused([](Costs& c) { c.contextBytes = {-1}; }, {"context", "-1"});
    refused([](Costs& c) { c.firstTrainable = 9; }, {"first trainable", "9"});
    refused([](Costs& c) { c.packetBytes = -1; }, {"packet"});
    refused([](Costs& c) { c.hostBytes = -1; }, {"host"});
    refused([](Costs& c) { c.updateSeconds[1] = -1; }, {"optimizer"});
}

} // namespace
} // namespace roundpipe::plan
