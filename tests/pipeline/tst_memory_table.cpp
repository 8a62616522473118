// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that the planner trusts against what the engine really lays out, allocates and moves.
#include "device/buffer.h"
#include "device/cpu_device.h"
#include "geometry/host_bytes.h"
#include "model/model.h"
#include "optim/adamw.h"
#include "pipeline/parameters.h"
#include "pipeline/pipeline.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/memory_table.h"
#include "transfer/weight_slots.h"

#include "plan/program.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace roundpipe::testing {
namespace {

using geometry::Saving;

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
    bool trainsBase = false;
    Moments moments = Moments::kFp32;
    std::vector<std::string> modulesToSave = {};
    WeightFormat weights = WeightFormat::kAsIs;
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
        list.push_back({"weights", "LlamaForCausalLM", R"(,"attention_bias":true,"mlp_bias":true)"});
        list.push_back({"tiedWeights", "Qwen3ForCausalLM", R"(,"tie_word_embeddings":true)"});
        for (std::size_t c = list.size() - 2; c < list.size(); ++c)
            list[c].trainsBase = true;
        list.back().moments = Moments::kBf16;
        list.push_back({"tiedModules", "Qwen3ForCausalLM", R"(,"tie_word_embeddings":true)"});
        list.back().modulesToSave = {"lm_head", "norm"};
        list.push_back({"norms", "Qwen3ForCausalLM", "", {"q_proj"}, 3, 0.25, DType::kF32});
        list.back().modulesToSave = {"norm"};
        list.push_back({"head", "LlamaForCausalLM", "", {"model.layers.3.mlp.up_proj"}, 3});
        list.back().modulesToSave = {"lm_head"};
        list.push_back({"nf4", "LlamaForCausalLM", R"(,"attention_bias":true,"mlp_bias":true)"});
        list.back().weights = WeightFormat::kNf4;
        for (const bool isEven : {false, true}) { // sides as FP8 products take them, and others
            list.push_back({isEven ? "evenFp8" : "fp8", "LlamaForCausalLM",
                            isEven ? R"(,"intermediate_size":64,"hidden_size":48,"head_dim":16)" : ""});
            list.back().weights = WeightFormat::kFp8;
        }
        list.push_back(
            {"int8", "Qwen3ForCausalLM", R"(,"tie_word_embeddings":true)", {"q_proj"}, 3, 0.25, DType::kF32});
        list.back().weights = WeightFormat::kInt8;
        list.back().modulesToSave = {"norm"};
        const std::string experts =
            R"(,"num_experts":6,"num_experts_per_tok":2,"moe_intermediate_size":20,"mlp_only_layers":[1])";
        list.push_back({"experts", "Qwen3MoeForCausalLM", experts});
        list.push_back({"adaptedExperts",
                        "Qwen3MoeForCausalLM",
                        experts,
                        {"all-linear", "gate_proj", "up_proj", "down_proj"},
                        3,
                        0.25});
        list.push_back({"someExperts", "Qwen3MoeForCausalLM", experts, {"experts.2.up_proj", "experts.5.down_proj"}});
        const std::string shared = experts + R"(,"shared_expert_intermediate_size":44)";
        list.push_back({"sharedExperts", "Qwen2MoeForCausalLM", shared, {"all-linear", "up_proj"}, 3, 0.25});
        list.push_back({"weightsOfSharedExperts", "Qwen2MoeForCausalLM", shared});
        list.back().trainsBase = true;
        list.push_back({"mixtral",
                        "MixtralForCausalLM",
                        R"(,"num_local_experts":4,"num_experts_per_tok":2,"sliding_window":8)",
                        {"all-linear", "w1", "w2", "w3"}});
        list.push_back({"weightsOfExperts", "Qwen3MoeForCausalLM", experts});
        list.back().trainsBase = true;
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

arch::Trained trainedOf(const Case& c) {
    if (c.trainsBase) return arch::Trained::weights();
    return arch::LoraConfig{c.rank, 8, c.dropout, false, c.targets, c.modulesToSave};
}

plan::TrainingShape shapeOf(const Case& c) {
    plan::TrainingShape shape;
    shape.maxLength = c.maxLength;
    shape.sequences = c.sequences;
    shape.operandType = c.dtype;
    shape.weights = c.weights;
    shape.trainsBase = c.trainsBase;
    shape.moments = c.moments;
    shape.lora = trainedOf(c).lora;
    return shape;
}

plan::Costs costsOf(const Case& c, int32_t numDevices, bool areGpus) {
    plan::Rig rig;
    rig.devices.assign(static_cast<std::size_t>(numDevices), {"device", int64_t{24} << 30, 150e12, 900e9, areGpus});
    return plan::modelCosts(modelOf(c), shapeOf(c), rig);
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

// One stage for each kind of work, many, uneven ones, and such that tell devices apart.
std::vector<plan::Plan> plans() {
    std::vector<plan::Plan> all{
        planOf({}, {0, 7}, {}, 1),
        planOf({{0, 5}}, {5, 7}, {{0, 5}}, 1),
        planOf({{0, 1}, {1, 5}}, {5, 7}, {{4, 5}, {0, 4}}, 2),
        planOf({{0, 2}, {2, 4}, {4, 6}}, {6, 7}, {{5, 6}, {3, 5}, {1, 3}, {0, 1}}, 3),
        planOf({{0, 3}, {3, 6}}, {6, 7}, {{4, 6}, {1, 4}}, 2),
    };
    all.back().deviceTable = {DeviceId(0), DeviceId(1), DeviceId(1), DeviceId(0), DeviceId(0)};
    all.back().tableRestarts = true;
    for (const std::size_t cut : {std::size_t{1}, std::size_t{4}}) {
        all.push_back(all[cut]);
        all.back().deviceTable = {DeviceId(1)};
        all.back().keepsPackets = true;
    }
    // Of all plans, also with layers that stay (others on each device), and with less uploaded ahead.
    const std::size_t count = all.size();
    for (std::size_t p = 0; p < count; ++p)
        for (const int32_t depth : {1, 3}) {
            plan::Plan plan = all[p];
            plan.prefetchDepth = depth;
            plan.resident.assign(3, std::vector<bool>(7));
            for (std::size_t d = 0; d < 3; ++d)
                for (std::size_t l = d; l < 7; l += static_cast<std::size_t>(depth) + 1)
                    plan.resident[d][l] = true;
            all.push_back(plan);
        }
    // And with less saved: of all blocks alike, and of each something else.
    for (std::size_t p = 0; p < count; ++p)
        for (const std::vector<Saving>& saving : {std::vector{Saving::kInput},
                                                  {Saving::kWithoutGateUp},
                                                  {Saving::kWithoutGateUp, Saving::kInput, Saving::kAll}}) {
            plan::Plan plan = all[p];
            plan.saving.assign(7, Saving::kAll);
            for (std::size_t l = 1; l < 6; ++l)
                plan.saving[l] = saving[l % saving.size()];
            all.push_back(plan);
        }
    return all;
}

constexpr std::pair<int32_t, int32_t> kSteps[] = {{1, 1}, {4, 1}, {3, 2}, {9, 5}}; // microbatches in a round, rounds

// What may be saved in host memory: of all blocks alike, and of each something else.
const std::vector<std::vector<Saving>> kOnHost{
    {Saving::kAll}, {Saving::kWithoutGateUp}, {Saving::kInput}, {Saving::kInput, Saving::kWithoutGateUp, Saving::kAll}};

// With so many of each backward stage's deepest blocks saved in host memory.
plan::Plan savedOnHost(plan::Plan plan, int32_t firstTrainable, int32_t count, const std::vector<Saving>& whats) {
    plan.saving.assign(7, Saving::kAll);
    for (const plan::LayerRange& stage : plan.backward)
        for (int32_t l = stage.end - 1; l >= std::max({stage.begin, firstTrainable, 1, stage.end - count}); --l) {
            const auto i = static_cast<std::size_t>(l);
            plan.saving[i] = {whats[i % whats.size()], true};
        }
    return plan;
}

// Those that go down to what is trained.
std::vector<plan::Plan> plansOf(const Case& c, int32_t firstTrainable) {
    std::vector<plan::Plan> all = plans();
    for (plan::Plan& plan : all)
        if ((c.trainsBase || c.name == "tiedModules") && !plan.backward.empty()) plan.backward.back().begin = 0;
    for (std::size_t p = 0, count = all.size(); p < count; ++p)
        if (all[p].saving.empty())
            for (const std::size_t ofStage : {1, 7})
                all.push_back(savedOnHost(all[p], firstTrainable, static_cast<int32_t>(ofStage),
                                          kOnHost[(p + ofStage / 2) % kOnHost.size()]));
    return all;
}

class MemoryTable : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Shapes, MemoryTable, ::testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name; });

// Of a layer, as microbatches are added.
int64_t deviceGradients(const transfer::HostWeightStore& store, LayerId layer) {
    return geometry::alignUp(
        geometry::bytesOf(store.adapters().masterType(), store.adapters().shape(layer).gradientElements));
}

TEST_P(MemoryTable, hasTheBytesOfEveryLayer) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), trainedOf(c), c.dtype, c.weights);
    const plan::Costs costs = costsOf(c, 1, true);
    const transfer::HostWeightStore store(model->layouts, c.dtype, false);
    const int64_t tokens = c.maxLength * c.sequences;
    ASSERT_EQ(costs.numLayers(), model->numLayers());
    EXPECT_EQ(costs.firstTrainable, model->firstTrainableLayer());
    EXPECT_EQ(costs.packetBytes, model->hiddenBytes(tokens));
    for (int32_t l = 0; l < model->numLayers(); ++l) {
        SCOPED_TRACE(l);
        const LayerId id(l);
        const geometry::LayerSizes& sizes = costs.layers[id.index()];
        EXPECT_EQ(sizes.name, model->layouts[id.index()].spec.name);
        if (!c.trainsBase && c.modulesToSave.empty()) {
            EXPECT_EQ(sizes.trainedElements, model->layouts[id.index()].adapter.numElements);
        }
        EXPECT_EQ(sizes.baseUp, store.uploadBytes(id));
        EXPECT_EQ(sizes.adapterUp, geometry::bytesOf(c.dtype, store.adapters().shape(id).uploadElements()));
        EXPECT_EQ(sizes.version, store.adapters().blockBytes(id));
        EXPECT_EQ(sizes.masters, static_cast<int64_t>(store.adapters().masters(id).size()));
        EXPECT_EQ(sizes.gradientsDown, store.adapters().bytes(id).gradients);
        EXPECT_EQ(sizes.gradients, deviceGradients(store, id));
        const bool isOfWeights = model->layouts[id.index()].adapter.empty();
        EXPECT_EQ(sizes.gradientsDown * (isOfWeights && c.dtype == DType::kBF16 ? 2 : 1),
                  geometry::bytesOf(statisticsType(c.dtype), store.adapters().shape(id).gradientElements))
            << "of weights they travel in bf16 where devices compute in it";
        EXPECT_EQ(sizes.weights, transfer::WeightSlots::slotBytes(store, l));
        EXPECT_EQ(sizes.isBlock, l > 0 && l + 1 < model->numLayers());
        const model::Block* block = sizes.isBlock ? model->blocks[id.index() - 1].get() : nullptr;
        EXPECT_EQ(sizes.saved, block ? block->savedBytes(tokens, Saving::kAll) : 0);
        EXPECT_EQ(sizes.savedWithoutGateUp, block ? block->savedBytes(tokens, Saving::kWithoutGateUp) : 0);
        EXPECT_EQ(sizes.workspace, block    ? block->workspaceBytes(tokens)
                                   : l == 0 ? 0
                                            : model->head->workspaceBytes(tokens));
    }
}

struct Allocated {
    std::vector<int64_t> onDevices;
    int64_t onHost = 0;
};

// A pipeline of the case on CPU workers, built and taken down.
Allocated allocatedBy(const Case& c, const plan::Plan& plan, const plan::StepShape& step, int32_t numDevices) {
    const device::HostBufferBytes before = device::hostBufferBytes();
    const auto model = model::makeModel(modelOf(c), trainedOf(c), c.dtype, c.weights);
    transfer::HostWeightStore store(model->layouts, c.dtype, false);
    store.adapters().publishAll();
    optim::AdamW adamw(optim::AdamWConfig{}, store.adapters().masterType(), momentTypeOf(c.moments, c.dtype),
                       pipeline::parametersOf(store.adapters()));
    const device::DeviceContext context;
    std::vector<std::unique_ptr<device::Device>> devices;
    std::vector<device::Device*> pointers;
    for (int32_t d = 0; d < numDevices; ++d)
        pointers.push_back(devices.emplace_back(device::makeCpuDevice(DeviceId(d), context)).get());
    pipeline::PipelineOptions options;
    options.step.microbatches = step.roundSize;
    options.step.rounds = step.rounds;
    if (step.oneStepStale) options.updates = Updates::kOneStepStale;
    options.step.largest = {c.maxLength * c.sequences, c.sequences, c.maxLength};
    const pipeline::Pipeline pipeline({*model, plan, pointers, store, adamw}, options);
    Allocated allocated;
    for (const device::Device* device : pointers) {
        EXPECT_EQ(device->numAllocations(), 1);
        allocated.onDevices.push_back(device->allocatedBytes());
    }
    EXPECT_EQ(device::hostBufferBytes().pinned, before.pinned) << "no device is a GPU";
    allocated.onHost = device::hostBufferBytes().pageable - before.pageable;
    for (int32_t l = 0; l < model->numLayers(); ++l) {
        const LayerId id(l);
        allocated.onHost += static_cast<int64_t>(adamw.firstMoment(id).size() + adamw.secondMoment(id).size());
    }
    return allocated;
}

TEST_P(MemoryTable, isWhatARunAllocatesOnEveryDeviceAndOnTheHost) {
    const Case& c = GetParam();
    for (const plan::Plan& plan : plansOf(c, costsOf(c, 1, false).firstTrainable))
        for (const auto& [microbatches, rounds] : kSteps) {
            SCOPED_TRACE(plan.describe() + ", " + std::to_string(rounds) + " rounds of " +
                         std::to_string(microbatches));
            const int32_t numDevices = 3;
            const plan::Costs costs = costsOf(c, numDevices, false);
            const plan::StepShape step{microbatches, rounds, microbatches == 4};
            const Allocated allocated = allocatedBy(c, plan, step, numDevices);
            for (int32_t d = 0; d < numDevices; ++d)
                EXPECT_EQ(plan::deviceMemory(plan, costs, step, DeviceId(d)).ownBytes(),
                          allocated.onDevices[static_cast<std::size_t>(d)]);
            EXPECT_EQ(plan::hostMemory(plan, costs, step).total(), allocated.onHost);
        }
}

// Shared slots of a device, by walking many steps of its turns from every slot that a step can begin with.
int64_t sharedSlotBytes(const plan::Plan& plan, const plan::Costs& costs, DeviceId device) {
    std::map<bool, int64_t> most, largest; // by whether it is a block
    const int32_t firsts = plan.tableRestarts ? 1 : static_cast<int32_t>(plan.deviceTable.size());
    for (int32_t first = 0; first < firsts; ++first) {
        std::vector<plan::Slot> turns;
        int64_t slots = first;
        for (int step = 0; step < 12; ++step) {
            // As many rounds as make a difference where the table restarts with the step.
            const auto rounds = static_cast<int32_t>(plan.deviceTable.size());
            const plan::Program program = plan::trainingProgram(plan, costs.firstTrainable, rounds, 1, slots);
            slots += program.numSlots();
            for (const plan::Slot& slot : program.slots)
                if (slot.device == device) turns.push_back(slot);
        }
        for (std::size_t i = 0; i < turns.size() / 2; ++i) {
            std::set<int32_t> here, ahead;
            const auto isShared = [&](int32_t l) { return !plan.isResident(device, l); };
            for (int32_t l = turns[i].layers.begin; l < turns[i].layers.end; ++l)
                if (isShared(l)) here.insert(l);
            for (std::size_t j = i + 1; j < turns.size() && (plan.prefetchDepth > 0 || j == i + 1); ++j)
                for (int32_t l = turns[j].layers.begin; l < turns[j].layers.end; ++l)
                    if (isShared(l) &&
                        (plan.prefetchDepth == 0 || static_cast<int32_t>(ahead.size()) < plan.prefetchDepth))
                        ahead.insert(l);
            here.insert(ahead.begin(), ahead.end());
            std::map<bool, int64_t> count;
            for (const int32_t l : here) {
                const geometry::LayerSizes& layer = costs.layers[static_cast<std::size_t>(l)];
                most[layer.isBlock] = std::max(most[layer.isBlock], ++count[layer.isBlock]);
                largest[layer.isBlock] = std::max(largest[layer.isBlock], layer.weights);
            }
        }
    }
    return most[false] * largest[false] + most[true] * largest[true];
}

// By going through many steps and evaluations, as a device takes its two buffers in turn: what each of them must hold.
int64_t gradientsMet(const plan::Plan& plan, const transfer::HostWeightStore& store, int32_t firstTrainable,
                     DeviceId device) {
    std::array<int64_t, 2> most{};
    std::size_t turn = 0;
    int64_t before = 0;
    for (int32_t step = 0; step < 50; ++step) {
        const plan::Program program = plan::trainingProgram(plan, firstTrainable, 7, 1, before);
        before += program.numSlots();
        if (step % 3 == 0) before += plan::evaluationProgram(plan, 1, before).numSlots();
        for (const plan::Slot& slot : program.slots) {
            if (slot.device != device || slot.work == plan::Work::kForward) continue;
            int64_t ofSlot = 0;
            for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l)
                ofSlot += deviceGradients(store, LayerId(l));
            int64_t& ofBuffer = most[turn++ % 2];
            ofBuffer = std::max(ofBuffer, ofSlot);
        }
    }
    return most[0] + most[1];
}

// The same sum again, by hand and buffer by buffer, from the engine's own parts: what the pipeline takes is enough, and
// nothing of it is counted twice or left out.
TEST_P(MemoryTable, isTheSumOfTheEnginesParts) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), trainedOf(c), c.dtype, c.weights);
    const transfer::HostWeightStore store(model->layouts, c.dtype, false);
    const plan::Costs costs = costsOf(c, 3, false);
    const int64_t tokens = c.maxLength * c.sequences;
    const int64_t packet = geometry::alignUp(model->hiddenBytes(tokens));
    int64_t workspace = model->head->workspaceBytes(tokens);
    for (const auto& block : model->blocks)
        workspace = std::max(workspace, block->workspaceBytes(tokens));
    const int64_t batch = 4 * geometry::alignUp(4 * tokens) + geometry::alignUp(4 * (c.sequences + 1)) +
                          geometry::alignUp(8 * c.sequences);
    for (const plan::Plan& plan : plansOf(c, model->firstTrainableLayer()))
        for (const auto& [microbatches, rounds] : kSteps)
            for (int32_t d = 0; d < 3; ++d) {
                SCOPED_TRACE(plan.describe() + ", device " + std::to_string(d));
                int64_t assembled = 0; // each packed layer of a turn, or one in turn where they are more than four
                int64_t residents = 0, hidden = 0, inner = 0, saved = 0, kept = 0;
                for (int32_t l = 0; l < 7; ++l)
                    if (plan.isResident(DeviceId(d), l)) residents += transfer::WeightSlots::slotBytes(store, l);
                for (const plan::Slot& slot : plan::roundOn(plan, model->firstTrainableLayer(), DeviceId(d)).slots) {
                    const auto& [begin, end] = slot.layers;
                    const int64_t between = end - begin - 1;
                    const int64_t packed = isPacked(c.weights) ? std::min(end, 6) - std::max(begin, 1) : 0;
                    assembled = std::max(assembled, (packed > 4 ? 1 : packed) * model->layouts[1].base.bytes);
                    int32_t firstOnHost = end;
                    for (int32_t l = end - 1; l >= begin && slot.work != plan::Work::kFused; --l)
                        if (plan.isOnHost(l)) {
                            firstOnHost = l;
                            const auto& block = *model->blocks[static_cast<std::size_t>(l) - 1];
                            const Saving what = plan.savingOf(l).what;
                            const int64_t sent = what == Saving::kInput ? 0 : block.savedBytes(tokens, what);
                            kept = std::max(kept, packet + geometry::alignUp(sent));
                        }
                    if (slot.work == plan::Work::kForward) {
                        hidden = std::max(hidden, std::min<int64_t>(between, 2));
                        continue;
                    }
                    hidden = std::max<int64_t>(hidden, firstOnHost - begin - 1);
                    const int32_t first = model->firstTrainableLayer();
                    const bool alsoFirst =
                        begin <= first && first > 0 && c.modulesToSave == std::vector<std::string>{"norm"};
                    inner = std::max(inner, std::min<int64_t>(between + (alsoFirst ? 1 : 0), 2));
                    int64_t own = 0, inTurns = 0;
                    for (int32_t l = std::max({begin, 1, model->firstTrainableLayer()}); l < std::min(end, 6); ++l) {
                        const bool isAll = plan.savingOf(l).what == Saving::kAll;
                        const int64_t bytes = model->blocks[static_cast<std::size_t>(l) - 1]->savedBytes(
                            tokens, isAll ? Saving::kAll : Saving::kWithoutGateUp);
                        if (plan.savingOf(l).what == Saving::kInput)
                            inTurns = std::max(inTurns, bytes);
                        else if (!plan.isOnHost(l))
                            own += bytes;
                    }
                    saved = std::max(saved, own + inTurns);
                }
                const plan::DeviceMemoryTable table =
                    plan::deviceMemory(plan, costs, {microbatches, rounds}, DeviceId(d));
                EXPECT_EQ(table.weights, sharedSlotBytes(plan, costs, DeviceId(d)) + assembled);
                EXPECT_EQ(table.residents, residents);
                if (std::ranges::find(plan.deviceTable, DeviceId(d)) != plan.deviceTable.end()) {
                    EXPECT_EQ(table.gradients, gradientsMet(plan, store, model->firstTrainableLayer(), DeviceId(d)));
                }
                const int64_t crossing = plan.keepsPackets ? 2 + 0 + microbatches + 2 : 2 + 2 + 3;
                EXPECT_EQ(table.activations, (crossing + hidden + inner) * packet + saved + 2 * kept)
                    << "inputs, output gradients, outgoing; outputs of layers; gradients between layers; saved; on the "
                       "way to host memory";
                EXPECT_EQ(table.workspace, workspace);
                EXPECT_EQ(table.batches,
                          2 * (microbatches * rounds * batch + geometry::alignUp(8 * microbatches * rounds)));
                EXPECT_EQ(table.context, costs.contextBytes[static_cast<std::size_t>(d)]);
            }
}

TEST_P(MemoryTable, countsTheHostsBuffers) {
    const Case& c = GetParam();
    const auto model = model::makeModel(modelOf(c), trainedOf(c), c.dtype, c.weights);
    const transfer::HostWeightStore store(model->layouts, c.dtype, false);
    const plan::Costs costs = costsOf(c, 1, true);
    int64_t masters = 0, versions = 0;
    for (const geometry::LayerLayout& layout : model->layouts) {
        masters += static_cast<int64_t>(store.adapters().masters(layout.spec.id).size());
        versions += geometry::alignUp(store.adapters().blockBytes(layout.spec.id));
    }
    const geometry::HostBytes host = geometry::hostBytes(costs.layers);
    EXPECT_EQ(host.base, store.bytes());
    EXPECT_EQ(host.base == 0, c.trainsBase);
    EXPECT_EQ(host.versions, 2 * versions);
    EXPECT_EQ(host.moments, c.moments == Moments::kBf16 ? masters : 2 * masters);
    const bool tiedModules = c.name == "tiedModules"; // an adapter's file has the table twice
    const int64_t table = tiedModules ? int64_t{101} * 36 * 4 : 0;
    EXPECT_EQ(host.checkpoint, masters + table + host.moments);
    EXPECT_EQ(host.adapterFile, masters + table);
    EXPECT_EQ(host.gradientSums + host.usesSums, host.masters);
    EXPECT_EQ(host.usesSums > 0, c.name == "tiedWeights" || tiedModules);
    EXPECT_EQ(costs.hostBytes, host.total());
    EXPECT_EQ(costs.gradientSumBytes, host.gradientSums);
    EXPECT_EQ(costs.hostPinnedBytes, host.total() - host.masters - host.moments - host.usesSums);
}

struct Packets {
    int64_t posted = 0;
    int64_t most = 0; // at a time
};

// Issues a program's slots in order, as one device does, with the readers that the program counts.
Packets packetsOf(const plan::Plan& plan, const plan::Program& program, int32_t firstTrainable) {
    using Key = std::tuple<bool, int32_t, int32_t>; // gradient?, layer, microbatch
    std::map<Key, int32_t> readersLeft;
    Packets packets;
    const auto read = [&](bool gradient, int32_t layer, int32_t m) {
        const auto found = readersLeft.find({gradient, layer, m});
        ASSERT_NE(found, readersLeft.end());
        if (--found->second == 0) readersLeft.erase(found);
    };
    const auto post = [&](bool gradient, int32_t layer, int32_t m) {
        const auto& readers = gradient ? program.gradientReaders : program.inputReaders;
        if (readers[static_cast<std::size_t>(layer)] == 0) return;
        readersLeft[{gradient, layer, m}] = readers[static_cast<std::size_t>(layer)];
        ++packets.posted;
        packets.most = std::max(packets.most, static_cast<int64_t>(readersLeft.size()));
    };
    for (const plan::Slot& slot : program.slots)
        for (int32_t m = program.firstMicrobatch(slot); m < program.endMicrobatch(slot); ++m) {
            for (const int32_t layer : plan::inputsRead(plan, slot))
                read(false, layer, m);
            if (slot.work == plan::Work::kBackward && !plan.keepsPackets) read(true, slot.layers.end, m);
            if (slot.work == plan::Work::kForward)
                for (int32_t l = slot.layers.begin + 1; l <= slot.layers.end; ++l)
                    post(false, l, m);
            else if (slot.layers.begin > firstTrainable)
                post(true, slot.layers.begin, m);
        }
    EXPECT_TRUE(readersLeft.empty());
    return packets;
}

TEST(HostPackets, areAsManyAsAreAliveAtATime) {
    plan::Costs costs = costsOf(cases().front(), 1, true);
    for (const plan::Plan& plan : plans())
        for (const int32_t firstTrainable : {0, 1, 3})
            for (const auto& [microbatches, rounds] : kSteps) {
                SCOPED_TRACE(plan.describe() + ", first " + std::to_string(firstTrainable));
                costs.firstTrainable = firstTrainable;
                const plan::StepShape step{microbatches, rounds};
                const Packets packets =
                    packetsOf(plan, plan::trainingProgram(plan, firstTrainable, step, 0), firstTrainable);
                const int64_t planned = plan::numPackets(plan, firstTrainable, step);
                EXPECT_EQ(plan::packetBytes(plan, costs, step), planned * geometry::alignUp(costs.packetBytes));
                EXPECT_GE(planned, packets.most);
                if (firstTrainable == 0) { // nothing of the next step begins early
                    EXPECT_LE(planned, packets.posted);
                    if (rounds == 1) {
                        EXPECT_EQ(planned, packets.most);
                    }
                }
                const int64_t ofRound = std::max(plan::numPackets(plan, 0, {microbatches}),
                                                 plan::numPackets(plan, firstTrainable, {microbatches}));
                EXPECT_LE(planned, 3 * ofRound) << "however many rounds follow";
            }
}

// What layers save there lives from their forward to their backward, and so does the input that goes with it.
TEST(HostPackets, andWhatIsSavedThereAreAsManyAsAreAliveAtATime) {
    const plan::Costs costs = costsOf(cases().front(), 1, true);
    for (const plan::Plan& bare : plans())
        for (const auto& [ofStage, what] :
             {std::pair{1, Saving::kAll}, {7, Saving::kAll}, {7, Saving::kWithoutGateUp}, {7, Saving::kInput}})
            for (const auto& [microbatches, rounds] : kSteps) {
                if (!bare.saving.empty()) continue;
                const plan::Plan plan = savedOnHost(bare, 1, ofStage, {what});
                const plan::StepShape step{microbatches, rounds};
                SCOPED_TRACE(plan.describe());
                const plan::Program program = plan::trainingProgram(plan, 1, step, 0);
                const Packets packets = packetsOf(plan, program, 1);
                EXPECT_GE(plan::numPackets(plan, 1, step), packets.most);
                int64_t alive = 0, most = 0;
                for (const plan::Slot& slot : program.slots)
                    for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
                        if (!plan.isOnHost(l) || what == Saving::kInput) continue; // its input is a packet
                        const int64_t count = program.endMicrobatch(slot) - program.firstMicrobatch(slot);
                        alive += slot.work == plan::Work::kForward ? count : -count;
                        most = std::max(most, alive);
                    }
                EXPECT_EQ(alive, 0);
                const int64_t saved = plan::numSavedOnHost(plan, 1, step);
                EXPECT_GE(saved, most);
                if (rounds == 1) {
                    EXPECT_EQ(saved, most);
                }
                plan::Plan without = plan;
                without.saving.clear();
                const int64_t packetsMore =
                    plan::packetBytes(plan, costs, step) - plan::packetBytes(without, costs, step);
                EXPECT_EQ(plan::hostMemory(plan, costs, step).total() - plan::hostMemory(without, costs, step).total(),
                          packetsMore + saved * geometry::alignUp(what == Saving::kAll
                                                                      ? costs.layers[1].saved
                                                                      : costs.layers[1].savedWithoutGateUp));
            }
}

} // namespace
} // namespace roundpipe::testing
