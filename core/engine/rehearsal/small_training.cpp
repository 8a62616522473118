// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rehearsal/small_training.h"

#include "base/error.h"
#include "device/cuda_runtime.h"
#include "device/host_memory.h"
#include "device/open_devices.h"
#include "model/init.h"

#include "pipeline/parameters.h"
#include "transfer/random_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>

namespace roundpipe::engine {
namespace {

constexpr int64_t kVocabulary = 1024;
constexpr int64_t kNumBlocks = 6;
constexpr int64_t kMaxTokens = 640; // of a microbatch
constexpr uint64_t kSeed = 11;

// Shapes of which GPUs take LibTorch's flash attention.
arch::ModelSpec smallModel(bool tied) {
    arch::ModelConfig config;
    config.family = arch::Family::kQwen3;
    config.architecture = "Qwen3ForCausalLM";
    config.vocabSize = kVocabulary;
    config.hiddenSize = 256;
    config.intermediateSize = 512;
    config.numLayers = kNumBlocks;
    config.numHeads = 4;
    config.numKvHeads = 2;
    config.headDim = 64;
    config.maxPositions = 1024;
    config.qkNorm = true;
    config.tiedEmbeddings = tied;
    config.slidingWindow.assign(kNumBlocks, 0);
    return arch::makeModelSpec(config);
}

// What is asked for, and all on the device of what cannot be saved in host memory.
void fillSaving(plan::Plan& plan, const std::vector<geometry::LayerSaving>& saving) {
    if (saving.empty()) return;
    plan.saving.resize(static_cast<std::size_t>(plan.numLayers));
    const auto asked = [&](int32_t block) { return saving[static_cast<std::size_t>(block) % saving.size()]; };
    for (int32_t block = 1; block + 1 < plan.numLayers; ++block)
        if (!asked(block).onHost) plan.saving[static_cast<std::size_t>(block)] = asked(block);
    for (const plan::LayerRange& stage : plan.backward)
        for (int32_t l = stage.end - 1; l >= std::max(stage.begin, 1) && asked(l).onHost; --l)
            plan.saving[static_cast<std::size_t>(l)] = asked(l);
}

plan::Plan planOfWay(const Way& way, int32_t numLayers, std::size_t numDevices) {
    plan::Plan plan;
    plan.numLayers = numLayers;
    int32_t at = 0;
    for (const int32_t size : way.forward) {
        plan.forward.push_back({at, at + size});
        at += size;
    }
    plan.fused = {at, numLayers};
    for (std::size_t i = 1; i < way.backward.size(); ++i) {
        plan.backward.push_back({at - way.backward[i], at});
        at -= way.backward[i];
    }
    if (way.trains != Trains::kAdapters && at > 0) plan.backward.push_back({0, at}); // down to the embedding
    plan.prefetchDepth = way.prefetchDepth;
    plan.keepsPackets = way.keepsPackets;
    fillSaving(plan, way.saving);
    plan.tableRestarts = way.replicas || way.unevenly;
    if (way.unevenly) plan.deviceTable.emplace_back(0);
    if (way.replicas) plan.replicas = static_cast<int32_t>(numDevices);
    for (std::size_t d = 0; d < numDevices; ++d) {
        plan.deviceTable.emplace_back(static_cast<int32_t>(d));
        std::vector<bool>& resident = plan.resident.emplace_back();
        const auto first = static_cast<int32_t>(d);
        for (int32_t l = first; l < first + numLayers; ++l)
            resident.push_back(l * way.residentPercent / 100 != (l + 1) * way.residentPercent / 100);
    }
    return plan;
}

std::vector<TokenBatch> batchesOf(int64_t step, int32_t microbatches) {
    std::mt19937 draw(static_cast<uint32_t>(step) + 1);
    std::vector<TokenBatch> batches(static_cast<std::size_t>(microbatches));
    for (TokenBatch& batch : batches) {
        batch.starts = {0};
        for (int sequence = 0; sequence < 3; ++sequence) {
            const auto length = static_cast<int32_t>(40 + draw() % 160);
            for (int32_t t = 0; t < length; ++t) {
                batch.ids.push_back(static_cast<int32_t>(draw() % kVocabulary));
                batch.labels.push_back(t % 5 == 0 ? kIgnoredLabel : static_cast<int32_t>(draw() % kVocabulary));
                batch.positions.push_back(t);
            }
            batch.starts.push_back(static_cast<int32_t>(batch.ids.size()));
            batch.exampleIds.push_back(step * microbatches * 3 + sequence);
        }
    }
    return batches;
}

void fillAtRandom(transfer::HostWeightStore& store) {
    for (const transfer::HostTensor& tensor : store.tensors()) {
        transfer::fillRandomly(tensor, kSeed);
        store.filled(tensor, tensor.rows);
    }
    for (const geometry::LayerLayout& layout : store.layouts())
        if (!layout.adapter.empty())
            model::initAdapter(layout, kSeed,
                               reinterpret_cast<float*>(store.adapters().masters(layout.spec.id).data()));
    store.adapters().publishAll();
}

} // namespace

std::string firstDifference(const Outcome& found, const Outcome& expected) {
    const auto differs = [](const std::string& what, double value, double should) {
        return fmt::format("{} is {:a}, on one device in one stage {:a}", what, value, should);
    };
    for (std::size_t i = 0; i < found.losses.size(); ++i) {
        if (found.losses[i] != expected.losses[i])
            return differs(fmt::format("the loss of step {}", i + 1), found.losses[i], expected.losses[i]);
        if (found.gradNorms[i] != expected.gradNorms[i])
            return differs(fmt::format("the gradient norm of step {}", i + 1), found.gradNorms[i],
                           expected.gradNorms[i]);
    }
    if (found.validationLoss != expected.validationLoss)
        return differs("the validation loss", found.validationLoss, expected.validationLoss);
    const auto [at, other] = std::ranges::mismatch(found.trained, expected.trained);
    if (at == found.trained.end() && other == expected.trained.end()) return {};
    return fmt::format("what is trained differs from byte {} of {} on from that of one device in one stage",
                       at - found.trained.begin(), expected.trained.size());
}

SmallTraining::SmallTraining(const Way& way, const std::vector<std::string>& names, const Circumstances& given)
    : m_way(way) {
    device::DeviceContext context;
    context.onSpan = given.onSpan;
    context.order = given.order;
    m_devices = device::openDevices(names, context);
    std::vector<device::Device*> devices;
    for (const auto& device : m_devices)
        devices.push_back(device.get());
    arch::LoraConfig lora;
    lora.rank = 16;
    lora.alpha = 32;
    lora.dropout = 0.05;
    lora.targets = {"all-linear"};
    if (way.trains == Trains::kWholeModules) lora.modulesToSave = {"embed_tokens", "norm"};
    const bool pinned = std::ranges::any_of(devices, &device::Device::pinnedHost);
    const bool ofWeights = way.trains == Trains::kWeights;
    const arch::Trained trained = ofWeights ? arch::Trained::weights() : arch::Trained(lora);
    const Precision precision = way.inFp16 ? Precision::kFp16 : Precision::kAuto;
    m_model = model::makeModel(smallModel(way.tied), trained, operandTypeOf(precision, pinned), way.weights);
    m_store = std::make_unique<transfer::HostWeightStore>(m_model->layouts, m_model->operandType, pinned);
    fillAtRandom(*m_store);
    const Moments moments = ofWeights ? Moments::kBf16 : Moments::kFp32; // rounded at random, which must not show
    m_adamw = std::make_unique<optim::AdamW>(optim::AdamWConfig{}, m_store->adapters().masterType(),
                                             momentTypeOf(moments, m_model->operandType),
                                             pipeline::parametersOf(m_store->adapters()));
    pipeline::PipelineOptions options;
    options.step.largest = {kMaxTokens, 3, kMaxTokens};
    options.step.microbatches = (way.microbatches + way.rounds - 1) / way.rounds;
    options.step.rounds = way.rounds;
    options.updates = way.updates;
    options.maxGradNorm = 0.5;
    options.seed = kSeed;
    options.checksSlots = way.checksSlots;
    options.hangSeconds = given.hangSeconds;
    options.lossScale = given.lossScale;
    m_pipeline = std::make_unique<pipeline::Pipeline>(
        pipeline::Pipeline::Parts{*m_model, planOfWay(way, m_model->numLayers(), devices.size()), devices, *m_store,
                                  *m_adamw},
        options);
}

pipeline::Ticket SmallTraining::submit(int64_t step) {
    constexpr double kLearningRate = 1e-2;
    return m_pipeline->submit(batchesOf(step, m_way.microbatches), kLearningRate);
}

int64_t SmallTraining::numAllocations() const {
    int64_t count = 0;
    for (const auto& device : m_devices) {
        count += device->numAllocations();
        if (device->kind() == device::DeviceKind::kCuda) count += device::cuda::libraryAllocations(device->cudaIndex());
    }
    return count;
}

// What a loop must not take any more of: pieces of device memory, and page-locked bytes.
std::pair<int64_t, int64_t> SmallTraining::memoryTaken() const {
    int64_t numPieces = 0;
    for (const auto& device : m_devices)
        numPieces += device->numAllocations();
    return {numPieces, device::pinnedBytes()};
}

Outcome SmallTraining::train(int64_t numSteps) {
    Outcome outcome;
    const auto await = [&](pipeline::Ticket ticket) {
        const pipeline::StepResult result = m_pipeline->await(ticket);
        outcome.losses.push_back(result.loss);
        outcome.gradNorms.push_back(result.gradNorm);
    };
    const auto taken = memoryTaken();
    pipeline::Ticket ticket = submit(0);
    for (int64_t step = 1; step < numSteps; ++step) {
        if (!m_way.leavesNoGap) await(ticket);
        const pipeline::Ticket next = submit(step);
        if (m_way.leavesNoGap) await(ticket);
        ticket = next;
    }
    await(ticket);
    outcome.validationLoss = m_pipeline->evaluate(batchesOf(0, m_way.microbatches)).loss;
    if (!m_way.checksSlots && memoryTaken() != taken)
        throw Error(ErrorKind::kInternal, "the steps took memory that was not there before the first one");
    outcome.trained = masters();
    return outcome;
}

std::vector<std::byte> SmallTraining::masters() const {
    std::vector<std::byte> all;
    for (const geometry::LayerLayout& layout : m_store->layouts())
        std::ranges::copy(std::as_const(*m_store).adapters().masters(layout.spec.id), std::back_inserter(all));
    return all;
}

} // namespace roundpipe::engine
