// The cost model's bytes against what the engine really lays out, allocates and moves.
#include "../plan/parameter_costs.h"
#include "model/layer.h"
#include "pipeline/device_memory.h"
#include "pipeline/pipeline.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/layer_sizes.h"
#include "plan/cost/memory_model.h"
#include "plan/program.h"
#include "transfer/host_weight_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace roundpipe::testing {
namespace {

struct Case {
    std::string name;
    std::string architecture = "Qwen3ForCausalLM";
    std::string extra = {}; // of config.json
    std::vector<std::string> targets = {"all-linear"};
    int64_t rank = 4;
    double dropout = 0;
    DType dtype = DType::kBF16;
    int64_t maxLength = 37;
    int64_t sequences = 3;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> list;
        list.push_back({"plain"});
        list.push_back({"tied", "Qwen3ForCausalLM", R"(,"tie_word_embeddings":true)"});
        list.push_back({"biases", "LlamaForCausalLM", R"(,"attention_bias":true,"mlp_bias":true)"});
        list.push_back({"window", "MistralForCausalLM", R"(,"sliding_window":8)"});
        list.push_back({"dropout", "Qwen2ForCausalLM", "", {"q_proj", "down_proj"}, 3, 0.25});
        list.push_back({"headAdapted", "Qwen3ForCausalLM", "", {"all-linear", "lm_head"}, 5, 0.1, DType::kF16});
        list.push_back({"fewBlocks", "LlamaForCausalLM", "", {"model.layers.3.mlp.up_proj"}, 1, 0, DType::kF32});
        list.push_back({"doubles", "Qwen3ForCausalLM", "", {"v_proj"}, 2, 0.5, DType::kF64, 5, 1});
        list.push_back(
            {"wideVocabulary", "LlamaForCausalLM", R"(,"vocab_size":300007)", {"o_proj"}, 8, 0, DType::kBF16, 200, 2});
        return list;
    }();
    return all;
}

arch::ModelSpec modelOf(const Case& c) {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":[")" + c.architecture +
            R"("],"vocab_size":101,"hidden_size":36,"intermediate_size":52,"num_hidden_layers":5,"head_dim":12,)"
            R"("num_attention_heads":3,"num_key_value_heads":1)" +
            c.extra + "}",
        "config.json"));
}

arch::LoraConfig loraOf(const Case& c) {
    return {c.rank, 8, c.dropout, false, c.targets};
}

plan::Costs costsOf(const Case& c) {
    plan::TrainingShape shape;
    shape.maxLength = c.maxLength;
    shape.sequences = c.sequences;
    shape.operandType = c.dtype;
    shape.lora = loraOf(c);
    plan::Rig rig;
    rig.devices = {{"RTX 4090", int64_t{24} << 30, 150e12, 900e9, true}};
    return plan::modelCosts(modelOf(c), shape, rig);
}

batch::MicrobatchBounds largestOf(const Case& c) {
    return {c.maxLength * c.sequences, c.sequences, c.maxLength};
}

plan::Plan planOf(std::vector<plan::LayerRange> forward, plan::LayerRange fused, std::vector<plan::LayerRange> backward,
                  int32_t numDevices) {
    plan::Plan plan;
    plan.numLayers = 7;
    plan.forward = std::move(forward);
    plan.fused = fused;
    plan.backward = std::move(backward);
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    return plan;
}

class MemoryModel : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Shapes, MemoryModel, ::testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(MemoryModel, hasTheBytesOfEveryLayer) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), loraOf(c), c.dtype);
    const plan::Costs costs = costsOf(c);
    const transfer::HostWeightStore store(model->layouts, c.dtype, false);
    const batch::MicrobatchBounds largest = largestOf(c);
    ASSERT_EQ(costs.numLayers(), model->numLayers());
    EXPECT_EQ(costs.firstTrainable, model->firstTrainableLayer());
    EXPECT_EQ(costs.packetBytes, model->hiddenBytes(largest.tokens));
    EXPECT_EQ(costs.batchBytes, pipeline::BatchBlock::maxBytes(largest));
    for (int32_t l = 0; l < model->numLayers(); ++l) {
        SCOPED_TRACE(l);
        const plan::LayerSizes& sizes = costs.layers[static_cast<std::size_t>(l)];
        const model::LayerLayout& layout = model->layouts[static_cast<std::size_t>(l)];
        EXPECT_EQ(sizes.name, layout.spec.name);
        EXPECT_EQ(sizes.trainedElements, layout.adapter.numElements);
        EXPECT_EQ(sizes.baseUp, store.uploadBytes(LayerId(l)));
        EXPECT_EQ(sizes.adapterUp, store.adapters().blockBytes(LayerId(l)));
        EXPECT_EQ(sizes.gradients, pipeline::gradientBytes(*model, l, l + 1));
        EXPECT_EQ(sizes.gradientsDown, static_cast<int64_t>(store.adapters().masters(LayerId(l)).size()));
        EXPECT_EQ(sizes.weights, device::alignUp(layout.base.bytes) + device::alignUp(sizes.adapterUp));
        EXPECT_EQ(sizes.isBlock, l > 0 && l + 1 < model->numLayers());
        if (l == 0) {
            EXPECT_EQ(sizes.saved + sizes.workspace, 0);
        } else if (!sizes.isBlock) {
            EXPECT_EQ(sizes.saved, 0);
            EXPECT_EQ(sizes.workspace, model->head->workspaceBytes(largest.tokens));
        } else {
            const model::Block& block = *model->blocks[static_cast<std::size_t>(l) - 1];
            EXPECT_EQ(sizes.saved, block.savedBytes(largest.tokens));
            EXPECT_EQ(sizes.workspace, block.workspaceBytes(largest.tokens, largest.sequences, largest.length));
        }
    }
}

// Whatever the cuts: one stage each, many, uneven ones, and those of the balanced plan.
TEST_P(MemoryModel, equalsTheEnginesDeviceBytesForEveryPlan) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), loraOf(c), c.dtype);
    const plan::Costs costs = costsOf(c);
    std::vector<plan::Plan> plans;
    for (const int32_t numDevices : {1, 2, 3, 8})
        plans.push_back(
            plan::balancedPlan(plan::parameterCosts(model->spec, c.dtype), numDevices, model->firstTrainableLayer()));
    plans.push_back(planOf({}, {0, 7}, {}, 1));
    plans.push_back(planOf({{0, 1}, {1, 5}}, {5, 7}, {{4, 5}, {0, 4}}, 2));
    plans.push_back(planOf({{0, 6}}, {6, 7}, {{5, 6}, {3, 5}, {1, 3}, {0, 1}}, 3));
    for (const plan::Plan& plan : plans)
        for (const auto& [microbatches, rounds] : {std::pair{1, 1}, {3, 1}, {4, 3}}) {
            SCOPED_TRACE(plan.describe());
            pipeline::PipelineOptions options;
            options.step = {largestOf(c), microbatches, rounds};
            EXPECT_EQ(plan::engineDeviceBytes(plan, costs, microbatches * rounds),
                      pipeline::Pipeline::deviceBytes(*model, plan, options));
        }
}

TEST_P(MemoryModel, countsTheHostsBuffers) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), loraOf(c), c.dtype);
    const transfer::HostWeightStore store(model->layouts, c.dtype, false);
    const plan::Costs costs = costsOf(c);
    int64_t masters = 0, versions = 0;
    for (const model::LayerLayout& layout : model->layouts) {
        masters += static_cast<int64_t>(store.adapters().masters(layout.spec.id).size());
        versions += device::alignUp(store.adapters().blockBytes(layout.spec.id));
    }
    plan::TrainingShape shape;
    shape.operandType = c.dtype;
    const plan::HostBytes host = plan::hostBytes(model->spec, costs.layers, shape);
    EXPECT_EQ(host.base, store.bytes());
    EXPECT_EQ(host.versions, 2 * versions);
    EXPECT_EQ(host.moments, 2 * masters);
    EXPECT_EQ(host.adapterFile, masters);
    EXPECT_EQ(costs.hostBytes, host.total());
    EXPECT_EQ(costs.hostPinnedBytes, host.total() - host.masters - host.moments);
}

// Issues a program's slots in order, as one device does, with the readers that the engine counts.
int64_t packetsOf(const plan::Program& program, int32_t firstTrainable) {
    using Key = std::tuple<bool, int32_t, int32_t>; // gradient?, layer, microbatch
    std::map<Key, int32_t> readersLeft;
    int64_t most = 0;
    const auto read = [&](bool gradient, int32_t layer, int32_t m) {
        const auto found = readersLeft.find({gradient, layer, m});
        ASSERT_NE(found, readersLeft.end());
        if (--found->second == 0) readersLeft.erase(found);
    };
    const auto post = [&](bool gradient, int32_t layer, int32_t m) {
        const auto& readers = gradient ? program.gradientReaders : program.inputReaders;
        if (readers[static_cast<std::size_t>(layer)] == 0) return;
        readersLeft[{gradient, layer, m}] = readers[static_cast<std::size_t>(layer)];
        most = std::max(most, static_cast<int64_t>(readersLeft.size()));
    };
    for (const plan::Slot& slot : program.slots)
        for (int32_t m = program.firstMicrobatch(slot); m < program.endMicrobatch(slot); ++m) {
            if (slot.layers.begin > 0) read(false, slot.layers.begin, m);
            if (slot.work == plan::Work::kBackward) read(true, slot.layers.end, m);
            if (slot.work == plan::Work::kForward)
                for (int32_t l = slot.layers.begin + 1; l <= slot.layers.end; ++l)
                    post(false, l, m);
            else if (slot.layers.begin > firstTrainable)
                post(true, slot.layers.begin, m);
        }
    EXPECT_TRUE(readersLeft.empty());
    return most;
}

TEST(HostPackets, areThoseOfTheEnginesProgramOnOneDevice) {
    const Case c = cases().front();
    plan::Costs costs = costsOf(c);
    const std::vector<plan::Plan> plans = {
        planOf({}, {0, 7}, {}, 1),
        planOf({{0, 5}}, {5, 7}, {{0, 5}}, 1),
        planOf({{0, 1}, {1, 5}}, {5, 7}, {{4, 5}, {0, 4}}, 1),
        planOf({{0, 2}, {2, 4}, {4, 6}}, {6, 7}, {{5, 6}, {3, 5}, {1, 3}, {0, 1}}, 1),
    };
    for (const plan::Plan& plan : plans)
        for (const int32_t firstTrainable : {0, 1, 3})
            for (const auto& [microbatches, rounds] : {std::pair{1, 1}, {4, 1}, {3, 2}}) {
                SCOPED_TRACE(plan.describe() + ", first " + std::to_string(firstTrainable));
                costs.firstTrainable = firstTrainable;
                const plan::Program program =
                    plan::trainingProgram(plan, firstTrainable, microbatches * rounds, microbatches, 0);
                const int64_t packets = packetsOf(program, firstTrainable);
                EXPECT_EQ(plan::mostHostPackets(plan, costs, microbatches, rounds), packets);

                plan::Plan onTwo = plan;
                onTwo.deviceTable = {DeviceId(0), DeviceId(1)};
                EXPECT_GE(plan::mostHostPackets(onTwo, costs, microbatches, rounds), packets);
            }
}

} // namespace
} // namespace roundpipe::testing
