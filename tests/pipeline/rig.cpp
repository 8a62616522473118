// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig.h"

#include "device/cpu_device.h"
#include "kernels/random.h"
#include "model/init.h"
#include "pipeline/parameters.h"
#include "transfer/random_weights.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::testing {
namespace {

constexpr int64_t kVocab = 61;
constexpr int64_t kMaxTokens = 24;
constexpr uint64_t kSeed = 7;

const char* architectureOf(arch::Family family) {
    switch (family) {
    case arch::Family::kLlama:
        return "LlamaForCausalLM";
    case arch::Family::kQwen2Moe:
        return "Qwen2MoeForCausalLM";
    case arch::Family::kQwen3Moe:
        return "Qwen3MoeForCausalLM";
    default:
        return "Qwen3ForCausalLM";
    }
}

// All blocks but the second are sparse.
void addExperts(arch::ModelConfig& config) {
    config.experts.count = 6;
    config.experts.perToken = 2;
    config.experts.intermediateSize = 24;
    config.experts.normalised = true;
    for (int64_t block = 0; block < config.numLayers; ++block)
        config.experts.sparse.push_back(block != 1);
}

arch::ModelConfig tinyConfig(const RigSpec& spec) {
    arch::ModelConfig config;
    config.family = spec.family;
    config.architecture = architectureOf(spec.family);
    config.vocabSize = kVocab;
    config.hiddenSize = 32;
    config.intermediateSize = 48;
    config.numLayers = spec.numBlocks;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 8;
    config.maxPositions = 64;
    config.qkNorm = spec.family == arch::Family::kQwen3 || spec.family == arch::Family::kQwen3Moe;
    config.qkvBias = spec.family == arch::Family::kQwen2Moe;
    config.tiedEmbeddings = spec.tied;
    config.slidingWindow.assign(static_cast<std::size_t>(spec.numBlocks), 0);
    if (spec.family == arch::Family::kQwen2Moe || spec.family == arch::Family::kQwen3Moe) addExperts(config);
    if (spec.family == arch::Family::kQwen2Moe) config.experts.sharedSize = 40;
    return config;
}

plan::Plan makePlan(const RigSpec& spec, const model::Model& model) {
    plan::Plan plan;
    plan.numLayers = model.numLayers();
    std::vector<int32_t> forward = spec.forwardStages, backward = spec.backwardStages;
    if (spec.replicas && backward.empty()) backward = {plan.numLayers};
    if (backward.empty()) {
        backward = {plan.numLayers / (spec.numDevices + 1)};
        forward = {plan.numLayers - backward.front()};
        const int32_t trained = std::max(0, forward.front() - model.firstTrainableLayer());
        const int32_t numStages = std::min(spec.numDevices, trained);
        for (int32_t stage = 0; stage < numStages; ++stage)
            backward.push_back(trained * (stage + 1) / numStages - trained * stage / numStages);
    }
    const int32_t missing = plan.numLayers - std::accumulate(backward.begin(), backward.end(), 0);
    if (missing > model.firstTrainableLayer()) backward.push_back(missing);
    plan.forward = rangesOf(forward);
    int32_t end = plan.numLayers;
    for (std::size_t i = 0; i < backward.size(); ++i) {
        const plan::LayerRange range{end - backward[i], end};
        if (i == 0)
            plan.fused = range;
        else
            plan.backward.push_back(range);
        end = range.begin;
    }
    for (int32_t d = 0; d < spec.numDevices; ++d)
        plan.deviceTable.emplace_back(d);
    plan.tableRestarts = spec.tableRestarts || spec.replicas;
    if (spec.replicas) plan.replicas = spec.numDevices;
    plan.prefetchDepth = spec.prefetchDepth;
    plan.keepsPackets = spec.keepsPackets && plan.roundsStay();
    if (!spec.saving.empty() || spec.onHost > 0) plan.saving.resize(static_cast<std::size_t>(plan.numLayers));
    for (std::size_t block = 1; block + 1 < plan.saving.size() && !spec.saving.empty(); ++block)
        plan.saving[block] = spec.saving[(block - 1) % spec.saving.size()];
    for (const plan::LayerRange& stage : plan.backward) {
        const int32_t first = std::max({stage.begin, model.firstTrainableLayer(), 1, stage.end - spec.onHost});
        for (int32_t l = first; l < stage.end; ++l)
            plan.saving[static_cast<std::size_t>(l)].onHost = true;
    }
    for (int32_t d = 0; d < spec.numDevices && spec.residentPercent > 0; ++d) {
        std::vector<bool>& resident = plan.resident.emplace_back();
        for (int32_t l = 0; l < plan.numLayers; ++l) // spread, and others on each device
            resident.push_back((l + d) * spec.residentPercent / 100 != (l + d + 1) * spec.residentPercent / 100);
    }
    return plan;
}

uint32_t draw(uint64_t a, uint64_t b) {
    return kernels::philox(kSeed, a, b).values[0];
}

template <class T>
void fillMasters(transfer::HostWeightStore& store, const geometry::LayerLayout& layout) {
    auto* masters = reinterpret_cast<T*>(store.adapters().masters(layout.spec.id).data());
    model::initAdapter(layout, kSeed, masters);
    // B away from zero, so that A has a gradient from the first step.
    for (int64_t i = 0; i < layout.adapter.numElements; ++i)
        if (masters[i] == 0)
            masters[i] = static_cast<T>(0.05 * (kernels::uniform(draw(layout.spec.id.index(), i)) - 0.5));
}

} // namespace

std::vector<plan::LayerRange> rangesOf(const std::vector<int32_t>& sizes) {
    std::vector<plan::LayerRange> ranges;
    int32_t begin = 0;
    for (const int32_t size : sizes) {
        ranges.push_back({begin, begin + size});
        begin += size;
    }
    return ranges;
}

Rig::Rig(const RigSpec& spec) : m_spec(spec) {
    arch::LoraConfig lora;
    lora.rank = 4;
    lora.alpha = 8;
    lora.dropout = spec.dropout;
    lora.targets = spec.targets;
    lora.modulesToSave = spec.modulesToSave;
    m_model =
        model::makeModel(arch::makeModelSpec(tinyConfig(spec)),
                         spec.trainsBase ? arch::Trained::weights() : arch::Trained(lora), spec.dtype, spec.weights);
    m_plan = makePlan(spec, *m_model);
    if (spec.replaceBlock) {
        auto& blocks = const_cast<model::Model&>(*m_model).blocks; // nobody else has seen it yet
        for (std::size_t b = 0; b < blocks.size(); ++b)
            blocks[b] = spec.replaceBlock(std::move(blocks[b]), static_cast<int32_t>(b) + 1);
    }

    m_store = std::make_unique<transfer::HostWeightStore>(m_model->layouts, spec.dtype, false);
    for (const transfer::HostTensor& tensor : m_store->tensors())
        transfer::fillRandomly(tensor, kSeed);
    for (const geometry::LayerLayout& layout : m_model->layouts) {
        if (layout.adapter.empty()) continue;
        if (spec.dtype == DType::kF64)
            fillMasters<double>(*m_store, layout);
        else
            fillMasters<float>(*m_store, layout);
    }
    m_store->adapters().publishAll();
    m_adamw = std::make_unique<optim::AdamW>(optim::AdamWConfig{}, m_store->adapters().masterType(),
                                             momentTypeOf(spec.moments, spec.dtype),
                                             pipeline::parametersOf(m_store->adapters()));

    device::DeviceContext context;
    context.recorder = &m_recorder;
    context.onSpan = spec.onSpan;
    context.order = spec.order;
    for (int32_t d = 0; d < spec.numDevices; ++d)
        m_devices.push_back(device::makeCpuDevice(DeviceId(d), context));
    if (spec.makeOptimizer) m_optimizer = spec.makeOptimizer(*m_adamw, *m_store);
    makePipeline(0, spec.lossScale);
}

void Rig::makePipeline(int64_t firstStep, const LossScale& lossScale) {
    std::vector<device::Device*> devices;
    for (const auto& device : m_devices)
        devices.push_back(device.get());
    pipeline::PipelineOptions options;
    options.step.largest = {kMaxTokens, 4, kMaxTokens};
    options.step.microbatches = m_spec.microbatches;
    options.step.rounds = m_spec.rounds;
    options.maxGradNorm = m_spec.maxGradNorm;
    options.updates = m_spec.updates;
    options.hangSeconds = m_spec.hangSeconds;
    options.seed = kSeed;
    options.firstStep = firstStep;
    options.lossScale = lossScale;
    options.checksSlots = m_spec.checksSlots;
    options.fp8OnCpus = m_spec.fp8OnCpus;
    optim::Optimizer& optimizer = m_optimizer ? *m_optimizer : *m_adamw;
    m_pipeline = std::make_unique<pipeline::Pipeline>(
        pipeline::Pipeline::Parts{*m_model, m_plan, devices, *m_store, optimizer, &m_recorder}, options);
}

Rig::~Rig() = default;

std::vector<TokenBatch> Rig::batches(int64_t step) const {
    const int32_t count = m_spec.stepSize > 0 ? m_spec.stepSize : m_spec.microbatches * m_spec.rounds;
    std::vector<TokenBatch> batches(static_cast<std::size_t>(count));
    uint64_t counter = 0;
    const auto next = [&](uint32_t below) { return draw(static_cast<uint64_t>(step) + 1000, counter++) % below; };
    int64_t example = step * 100;
    for (TokenBatch& batch : batches) {
        batch.starts = {0};
        for (uint32_t sequences = 1 + next(3); sequences > 0; --sequences) {
            const auto length = static_cast<int32_t>(3 + next(5));
            for (int32_t t = 0; t < length; ++t) {
                batch.ids.push_back(static_cast<int32_t>(next(kVocab)));
                batch.labels.push_back(t % 4 == 0 ? kIgnoredLabel : static_cast<int32_t>(next(kVocab)));
                batch.positions.push_back(t);
            }
            batch.starts.push_back(static_cast<int32_t>(batch.ids.size()));
            batch.exampleIds.push_back(example++);
        }
    }
    return batches;
}

std::vector<trace::Record> Rig::takeTrace() {
    std::vector<trace::Record> records;
    m_recorder.drain(records);
    return records;
}

} // namespace roundpipe::testing
