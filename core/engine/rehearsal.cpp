// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rehearsal.h"

#include "base/error.h"
#include "device/host_memory.h"
#include "device/open_devices.h"
#include "model/init.h"
#include "optim/adamw.h"
#include "pipeline/parameters.h"
#include "pipeline/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace roundpipe::engine {
namespace {

constexpr int64_t kVocabulary = 1024;
constexpr int64_t kNumBlocks = 6;
constexpr int64_t kMaxTokens = 640; // of a microbatch
constexpr int32_t kMicrobatches = 3;
constexpr int64_t kNumSteps = 3;
constexpr uint64_t kSeed = 11;

using geometry::Saving;

struct Way {
    std::vector<int32_t> forward;  // layers per stage
    std::vector<int32_t> backward; // the fused stage first
    int32_t residentPercent = 0;
    int32_t prefetchDepth = 0;
    bool leavesNoGap = false;        // a step is submitted before the last one is updated
    bool checksSlots = true;         // which takes memory meanwhile
    int32_t rounds = 1;              // of a step
    bool replicas = false;           // one on each device
    bool trainsBase = false;         // the weights; else adapters
    std::vector<Saving> saving = {}; // of the blocks in turn; empty: all of each
};

Way ofWeights(Way way) {
    way.trainsBase = true;
    return way;
}

Way withSaving(Way way, std::vector<Saving> saving) {
    way.saving = std::move(saving);
    return way;
}

// One choice for all blocks, and one in which stages have all three.
const std::array<std::vector<Saving>, 3> kSavings{
    std::vector{Saving::kWithoutGateUp}, {Saving::kInput}, {Saving::kInput, Saving::kWithoutGateUp, Saving::kAll}};

std::string savedText(const std::vector<Saving>& saving) {
    std::string text;
    for (const Saving one : saving)
        text += (text.empty() ? ", saved: " : " ") + std::string(spellingOf(one));
    return text;
}

// Shapes of which GPUs take LibTorch's flash attention.
arch::ModelSpec smallModel() {
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
    config.tiedEmbeddings = true;
    config.slidingWindow.assign(kNumBlocks, 0);
    return arch::makeModelSpec(config);
}

std::string listed(const std::vector<int32_t>& stages) {
    return fmt::format("{}", fmt::join(stages, " "));
}

std::string nameOf(const Way& way, std::size_t numDevices) {
    const char* const trained = way.trainsBase ? "weights, " : "";
    const std::string saved = savedText(way.saving);
    if (way.replicas)
        return fmt::format("{}{} replicas, {} % resident{}", trained, numDevices, way.residentPercent, saved);
    return fmt::format("{}{} device{}, {} | {}, {} % resident, {}{}{}{}", trained, numDevices,
                       numDevices == 1 ? "" : "s", listed(way.forward), listed(way.backward), way.residentPercent,
                       way.prefetchDepth == 0 ? "a slot ahead" : fmt::format("{} ahead", way.prefetchDepth),
                       way.leavesNoGap ? ", no gap" : "", way.checksSlots ? "" : ", no memory taken meanwhile", saved);
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
    if (way.trainsBase && at > 0) plan.backward.push_back({0, at}); // down to the embedding
    plan.prefetchDepth = way.prefetchDepth;
    if (!way.saving.empty()) plan.saving.assign(static_cast<std::size_t>(numLayers), Saving::kAll);
    for (std::size_t block = 1; block + 1 < plan.saving.size(); ++block)
        plan.saving[block] = way.saving[block % way.saving.size()];
    plan.tableRestarts = way.replicas;
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

std::vector<TokenBatch> batchesOf(int64_t step) {
    std::mt19937 draw(static_cast<uint32_t>(step) + 1);
    std::vector<TokenBatch> batches(kMicrobatches);
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
            batch.exampleIds.push_back(step * kMicrobatches * 3 + sequence);
        }
    }
    return batches;
}

void fillAtRandom(transfer::HostWeightStore& store) {
    for (const transfer::HostTensor& tensor : store.tensors()) {
        model::fillRandom(*tensor.place, kSeed, tensor.data);
        store.filled(tensor, tensor.rows);
    }
    for (const geometry::LayerLayout& layout : store.layouts())
        if (!layout.adapter.empty())
            model::initAdapter(layout, kSeed,
                               reinterpret_cast<float*>(store.adapters().masters(layout.spec.id).data()));
    store.adapters().publishAll();
}

// What a loop must not take any more of: pieces of device memory, and page-locked bytes.
std::pair<int64_t, int64_t> memoryTaken(const std::vector<device::Device*>& devices) {
    int64_t numPieces = 0;
    for (const device::Device* device : devices)
        numPieces += device->numAllocations();
    return {numPieces, device::pinnedBytes()};
}

std::vector<double> lossesOf(pipeline::Pipeline& pipeline, const std::vector<device::Device*>& devices,
                             const Way& way) {
    constexpr double kLearningRate = 1e-2;
    std::vector<double> losses;
    const auto taken = memoryTaken(devices);
    pipeline::Ticket ticket = pipeline.submit(batchesOf(0), kLearningRate);
    for (int64_t step = 1; step < kNumSteps; ++step) {
        if (!way.leavesNoGap) losses.push_back(pipeline.await(ticket).loss);
        const pipeline::Ticket next = pipeline.submit(batchesOf(step), kLearningRate);
        if (way.leavesNoGap) losses.push_back(pipeline.await(ticket).loss);
        ticket = next;
    }
    losses.push_back(pipeline.await(ticket).loss);
    losses.push_back(pipeline.evaluate(batchesOf(0)).loss);
    if (!way.checksSlots && memoryTaken(devices) != taken)
        throw Error(ErrorKind::kInternal, "the steps took memory that was not there before the first one");
    return losses;
}

std::vector<double> trainIn(const Way& way, const std::vector<std::string>& names) {
    const auto devices = device::openDevices(names, {});
    std::vector<device::Device*> pointers;
    for (const auto& device : devices)
        pointers.push_back(device.get());
    arch::LoraConfig lora;
    lora.rank = 16;
    lora.alpha = 32;
    lora.dropout = 0.05;
    lora.targets = {"all-linear"};
    const bool pinned = std::ranges::any_of(pointers, &device::Device::pinnedHost);
    const arch::Trained trained = way.trainsBase ? arch::Trained::weights() : arch::Trained(lora);
    const auto model = model::makeModel(smallModel(), trained, pinned ? DType::kBF16 : DType::kF32);
    transfer::HostWeightStore store(model->layouts, model->operandType, pinned);
    fillAtRandom(store);
    optim::AdamW adamw(optim::AdamWConfig{}, store.adapters().masterType(), pipeline::parametersOf(store.adapters()));
    pipeline::PipelineOptions options;
    options.step.largest = {kMaxTokens, 3, kMaxTokens};
    options.step.microbatches = (kMicrobatches + way.rounds - 1) / way.rounds;
    options.step.rounds = way.rounds;
    options.maxGradNorm = 0.5;
    options.seed = kSeed;
    options.checksSlots = way.checksSlots;
    pipeline::Pipeline pipeline({*model, planOfWay(way, model->numLayers(), pointers.size()), pointers, store, adamw},
                                options);
    return lossesOf(pipeline, pointers, way);
}

std::vector<Way> ways() {
    const std::vector<Way> cuts{{{}, {8}}, {{1}, {7}}, {{2, 2, 2}, {2, 2, 2, 1}}, {{5}, {3, 4}}};
    std::vector<Way> all;
    for (const Way& cut : cuts)
        for (const int32_t percent : {0, 50, 100})
            for (const int32_t depth : {0, 1, 3})
                all.push_back({cut.forward, cut.backward, percent, depth, (percent / 50 + depth) % 2 == 1});
    return all;
}

Way replicas(int32_t residentPercent) {
    Way way = ways().front();
    way.residentPercent = residentPercent;
    way.replicas = true;
    return way;
}

std::string compared(const std::vector<double>& losses, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < losses.size(); ++i)
        if (losses[i] != expected[i])
            return fmt::format("{} is {:a}, on one device in one stage {:a}",
                               i < kNumSteps ? fmt::format("the loss of step {}", i + 1) : "the validation loss",
                               losses[i], expected[i]);
    return {};
}

} // namespace

std::vector<Rehearsal> rehearse(const std::vector<std::string>& devices,
                                const std::function<void(const Rehearsal&)>& done) {
    RP_CHECK(!devices.empty());
    const std::array expected{trainIn(ways().front(), {devices.front()}),
                              trainIn(ofWeights(ways().front()), {devices.front()})}; // [trainsBase]
    std::vector<Rehearsal> all;
    const auto rehearseOn = [&](const std::vector<std::string>& some, const Way& way, const char* remark) {
        Rehearsal& one = all.emplace_back();
        one.name = nameOf(way, some.size()) + remark;
        try {
            // Replicas add gradients as so many rounds do.
            Way rounds = ways().front();
            rounds.trainsBase = way.trainsBase;
            rounds.rounds = static_cast<int32_t>(some.size());
            one.problem = compared(trainIn(way, some),
                                   way.replicas ? trainIn(rounds, {some.front()}) : expected[way.trainsBase ? 1 : 0]);
        } catch (const Error& error) {
            one.problem = error.message();
        }
        done(one);
    };
    for (std::size_t count = 1; count <= devices.size(); ++count) {
        const std::vector<std::string> some(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count));
        for (const Way& way : ways())
            rehearseOn(some, way, "");
        for (const Way& way : ways())
            if (way.prefetchDepth == 1) rehearseOn(some, ofWeights(way), "");
        for (const int32_t percent : {50, 100})
            if (count > 1) rehearseOn(some, replicas(percent), "");
        if (count > 1) rehearseOn(some, ofWeights(replicas(50)), "");
        for (const Way& way : ways())
            for (const std::vector<Saving>& saving : kSavings) {
                if (way.residentPercent != 50 || way.prefetchDepth != 1) continue;
                rehearseOn(some, withSaving(way, saving), "");
                rehearseOn(some, ofWeights(withSaving(way, saving)), "");
            }
        if (count > 1) rehearseOn(some, withSaving(replicas(50), kSavings.back()), "");
        Way unchecked = ways().back();
        unchecked.checksSlots = false;
        rehearseOn(some, unchecked, "");
    }
    // Links that copies take longer on: other waits, the same bits.
    const std::string likeA3090 = devices.front() + "@3090";
    rehearseOn({likeA3090, likeA3090}, replicas(50), ", both on the first as an RTX 3090");
    for (const Way& way : ways())
        if (way.residentPercent == 50) rehearseOn({likeA3090, likeA3090}, way, ", both on the first as an RTX 3090");
    return all;
}

} // namespace roundpipe::engine
