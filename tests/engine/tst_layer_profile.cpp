// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/layers/layer_profile.h"

#include "base/error.h"
#include "device/open_devices.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/layer_kinds.h"
#include "plan/cost/measured_times.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roundpipe::engine {
namespace {

using testing::expectError;

arch::ModelSpec modelOf(const std::string& architecture, const std::string& extra = {}) {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":[")" + architecture +
            R"("],"vocab_size":64,"hidden_size":32,"intermediate_size":48,"num_hidden_layers":4,"head_dim":16,)"
            R"("num_attention_heads":2,"num_key_value_heads":1)" +
            extra + "}",
        "config.json"));
}

plan::TrainingShape shapeOf(DType dtype = DType::kF32) {
    plan::TrainingShape shape;
    shape.maxLength = 24;
    shape.sequences = 2;
    shape.averageLength = 20.5;
    shape.trainedShare = 0.3;
    shape.operandType = dtype;
    shape.lora.rank = 4;
    return shape;
}

plan::DeviceProfile profileOf(const arch::ModelSpec& model, const plan::TrainingShape& shape, int numDevices = 1) {
    const auto devices = device::openDevices({"cpu:" + std::to_string(numDevices)}, {});
    std::vector<device::Device*> pointers;
    for (const auto& device : devices)
        pointers.push_back(device.get());
    return profileLayers(pointers, model, shape, [](const std::string&) { return true; });
}

constexpr const char* kStacked = R"(,"num_local_experts":4,"num_experts_per_tok":2)";

TEST(LayerProfile, timesEveryKindOfLayer) {
    plan::TrainingShape headOnly = shapeOf(DType::kBF16);
    headOnly.lora.targets = {"lm_head"};
    plan::TrainingShape dropping = shapeOf();
    dropping.lora.dropout = 0.2;
    dropping.lora.targets = {"model.layers.1.mlp.up_proj"};
    plan::TrainingShape norms = dropping;
    norms.lora.modulesToSave = {"norm"};
    const arch::ModelSpec windows =
        modelOf("Qwen3ForCausalLM", R"(,"use_sliding_window":true,"sliding_window":8,"max_window_layers":2)");
    for (const auto& [model, shape] : {std::pair{modelOf("LlamaForCausalLM"), shapeOf()},
                                       {modelOf("GptOssForCausalLM", kStacked), shapeOf()},
                                       {windows, shapeOf(DType::kF64)},
                                       {modelOf("Qwen2ForCausalLM", R"(,"tie_word_embeddings":true)"), headOnly},
                                       {modelOf("Qwen3ForCausalLM"), dropping},
                                       {modelOf("Qwen3ForCausalLM"), norms}}) {
        const auto parts = arch::trainedLayers(model, shape.lora);
        const auto kinds = plan::layerKinds(model, parts);
        const auto firstTrainable = static_cast<std::size_t>(plan::firstTrained(parts));
        const plan::DeviceProfile profile = profileOf(model, shape);
        EXPECT_EQ(profile.device, "CPU worker");
        EXPECT_EQ(profile.source, "profile");
        EXPECT_GT(profile.upBytesPerSecond, 0);
        EXPECT_GT(profile.downBytesPerSecond, 0);
        for (std::size_t l = 0; l < kinds.size(); ++l) {
            SCOPED_TRACE(kinds[l]);
            ASSERT_TRUE(profile.kinds.contains(kinds[l]));
            const plan::LayerTimes& times = profile.kinds.at(kinds[l]);
            EXPECT_GT(times.forward, 0);
            EXPECT_GT(times.recompute, 0);
            EXPECT_EQ(times.backward > 0, l >= firstTrainable || l + 1 == kinds.size());
        }
    }
}

// What is measured replaces what was estimated, on equal devices side by side.
TEST(LayerProfile, isWhatALaterPlanFinds) {
    const testing::TemporaryFolder folder;
    const arch::ModelSpec model = modelOf("Qwen3ForCausalLM");
    const plan::DeviceProfile profile = profileOf(model, shapeOf(), 2);
    plan::saveProfile(profile, folder.path());
    plan::Rig rig;
    rig.devices.assign(2, {"CPU worker", int64_t{1} << 30, 50e9, 10e9, false});
    plan::Costs costs = plan::modelCosts(model, shapeOf(), rig);
    plan::applyMeasured(costs, plan::loadMeasured(model, shapeOf(), rig, folder.path()));
    const auto kinds = plan::layerKinds(model, arch::trainedLayers(model, shapeOf().lora));
    for (std::size_t l = 0; l < kinds.size(); ++l)
        EXPECT_EQ(costs.times[1][l].forward, profile.kinds.at(kinds[l]).forward);
}

TEST(LayerProfile, refusesWhatCannotRunAndStopsWhenAsked) {
    const auto devices = device::openDevices({"cpu"}, {});
    const arch::ModelSpec experts = modelOf("GptOssForCausalLM", kStacked);
    const auto goOn = [](const std::string&) { return true; };
    plan::TrainingShape whole = shapeOf();
    whole.trainsBase = true;
    expectError(ErrorKind::kUnsupported, {"gpt-oss", "planned"},
                [&] { profileLayers({devices[0].get()}, experts, whole, goOn); });
    expectError(ErrorKind::kCancelled, {"stopped"}, [&] {
        profileLayers({devices[0].get()}, modelOf("LlamaForCausalLM"), shapeOf(),
                      [](const std::string&) { return false; });
    });
    plan::TrainingShape absurd = shapeOf();
    absurd.maxLength = 0;
    expectError(ErrorKind::kInvalidInput, {"maximal length"},
                [&] { profileLayers({devices[0].get()}, modelOf("LlamaForCausalLM"), absurd, goOn); });
}

} // namespace
} // namespace roundpipe::engine
