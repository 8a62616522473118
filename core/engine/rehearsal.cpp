// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rehearsal.h"

#include "base/error.h"
#include "device/device_hung.h"
#include "device/host_memory.h"
#include "device/open_devices.h"
#include "device/order/races.h"
#include "model/init.h"
#include "optim/adamw.h"
#include "pipeline/parameters.h"
#include "pipeline/pipeline.h"
#include "transfer/random_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <tuple>
#include <utility>

namespace roundpipe::engine {
namespace {

constexpr int64_t kVocabulary = 1024;
constexpr int64_t kNumBlocks = 6;
constexpr int64_t kMaxTokens = 640; // of a microbatch
constexpr int32_t kMicrobatches = 3;
constexpr int64_t kNumSteps = 3;
constexpr uint64_t kSeed = 11;

using geometry::LayerSaving;
using geometry::Saving;

enum class Trains : uint8_t { kAdapters, kWholeModules /* beside them */, kWeights };

struct Way {
    std::vector<int32_t> forward;  // layers per stage
    std::vector<int32_t> backward; // the fused stage first
    int32_t residentPercent = 0;
    int32_t prefetchDepth = 0;
    bool leavesNoGap = false; // a step is submitted before the last one is updated
    bool checksSlots = true;  // which takes memory meanwhile
    int32_t rounds = 1;       // of a step
    bool replicas = false;    // one on each device
    Trains trains = Trains::kAdapters;
    Updates updates = Updates::kSynchronous;
    bool inFp16 = false;                  // else bf16 where there are GPUs, fp32 where there are none
    std::vector<LayerSaving> saving = {}; // of the blocks in turn; empty: all of each, on the device
    WeightFormat weights = WeightFormat::kAsIs;
    bool keepsPackets = false; // on one device, or on each of replicas
};

Way with(Trains trains, Way way) {
    way.trains = trains;
    return way;
}

Way oneStepStale(Way way) {
    way.updates = Updates::kOneStepStale;
    return way;
}

Way inFp16(Way way) {
    way.inFp16 = true;
    return way;
}

Way packed(Way way, WeightFormat weights) {
    way.weights = weights;
    return way;
}

Way withPacketsKept(Way way) {
    way.keepsPackets = true;
    return way;
}

Way withSaving(Way way, std::vector<LayerSaving> saving) {
    way.saving = std::move(saving);
    return way;
}

// One choice for all blocks, and one in which stages have all that lie on the device.
const std::array<std::vector<LayerSaving>, 6> kSavings{std::vector<LayerSaving>{Saving::kWithoutGateUp},
                                                       {Saving::kInput},
                                                       {{Saving::kAll, true}},
                                                       {{Saving::kWithoutGateUp, true}},
                                                       {{Saving::kInput, true}},
                                                       {Saving::kInput, Saving::kWithoutGateUp, Saving::kAll}};

std::string savedText(const std::vector<LayerSaving>& saving) {
    std::string text;
    for (const LayerSaving one : saving)
        text += (text.empty() ? ", saved: " : " ") + std::string(one.spelling());
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
    constexpr std::array kTrained{"", "whole modules, ", "weights, "}; // [Trains]
    const char* const trained = kTrained[static_cast<std::size_t>(way.trains)];
    const std::string saved = savedText(way.saving) + (way.keepsPackets ? ", packets stay" : "") +
                              (way.updates == Updates::kOneStepStale ? ", one step stale" : "") +
                              (way.inFp16 ? ", fp16" : "") +
                              (isPacked(way.weights) ? std::string(", ") + spellingOf(way.weights) : "");
    if (way.replicas)
        return fmt::format("{}{} replicas, {} % resident{}", trained, numDevices, way.residentPercent, saved);
    return fmt::format("{}{} device{}, {} | {}, {} % resident, {}{}{}{}", trained, numDevices,
                       numDevices == 1 ? "" : "s", listed(way.forward), listed(way.backward), way.residentPercent,
                       way.prefetchDepth == 0 ? "a slot ahead" : fmt::format("{} ahead", way.prefetchDepth),
                       way.leavesNoGap ? ", no gap" : "", way.checksSlots ? "" : ", no memory taken meanwhile", saved);
}

// What is asked for, and all on the device of what cannot be saved in host memory.
void fillSaving(plan::Plan& plan, const std::vector<LayerSaving>& saving) {
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
        transfer::fillRandomly(tensor, kSeed);
        store.filled(tensor, tensor.rows);
    }
    for (const geometry::LayerLayout& layout : store.layouts())
        if (!layout.adapter.empty())
            model::initAdapter(layout, kSeed,
                               reinterpret_cast<float*>(store.adapters().masters(layout.spec.id).data()));
    store.adapters().publishAll();
}

struct Circumstances {
    device::OnSpan onSpan = {};
    device::OrderLog* order = nullptr;
    double hangSeconds = 0;
    LossScale lossScale = {};
};

class SmallTraining {
public:
    SmallTraining(const Way& way, const std::vector<std::string>& names, const Circumstances& given = {});

    std::vector<double> losses(int64_t numSteps); // of so many steps, then of a validation
    pipeline::StepResult runStep(int64_t step) { return m_pipeline->await(submit(step)); }
    bool hangs() { return m_pipeline->hangs(); }
    std::vector<std::byte> masters() const; // of all layers

private:
    pipeline::Ticket submit(int64_t step) {
        constexpr double kLearningRate = 1e-2;
        return m_pipeline->submit(batchesOf(step), kLearningRate);
    }
    std::pair<int64_t, int64_t> memoryTaken() const;

    Way m_way;
    std::vector<std::unique_ptr<device::Device>> m_devices;
    std::unique_ptr<const model::Model> m_model;
    std::unique_ptr<transfer::HostWeightStore> m_store;
    std::unique_ptr<optim::AdamW> m_adamw;
    std::unique_ptr<pipeline::Pipeline> m_pipeline;
};

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
    m_model = model::makeModel(smallModel(), trained, operandTypeOf(precision, pinned), way.weights);
    m_store = std::make_unique<transfer::HostWeightStore>(m_model->layouts, m_model->operandType, pinned);
    fillAtRandom(*m_store);
    const Moments moments = ofWeights ? Moments::kBf16 : Moments::kFp32; // rounded at random, which must not show
    m_adamw = std::make_unique<optim::AdamW>(optim::AdamWConfig{}, m_store->adapters().masterType(),
                                             momentTypeOf(moments, m_model->operandType),
                                             pipeline::parametersOf(m_store->adapters()));
    pipeline::PipelineOptions options;
    options.step.largest = {kMaxTokens, 3, kMaxTokens};
    options.step.microbatches = (kMicrobatches + way.rounds - 1) / way.rounds;
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

// What a loop must not take any more of: pieces of device memory, and page-locked bytes.
std::pair<int64_t, int64_t> SmallTraining::memoryTaken() const {
    int64_t numPieces = 0;
    for (const auto& device : m_devices)
        numPieces += device->numAllocations();
    return {numPieces, device::pinnedBytes()};
}

std::vector<double> SmallTraining::losses(int64_t numSteps) {
    std::vector<double> losses;
    const auto taken = memoryTaken();
    pipeline::Ticket ticket = submit(0);
    for (int64_t step = 1; step < numSteps; ++step) {
        if (!m_way.leavesNoGap) losses.push_back(m_pipeline->await(ticket).loss);
        const pipeline::Ticket next = submit(step);
        if (m_way.leavesNoGap) losses.push_back(m_pipeline->await(ticket).loss);
        ticket = next;
    }
    losses.push_back(m_pipeline->await(ticket).loss);
    losses.push_back(m_pipeline->evaluate(batchesOf(0)).loss);
    if (!m_way.checksSlots && memoryTaken() != taken)
        throw Error(ErrorKind::kInternal, "the steps took memory that was not there before the first one");
    return losses;
}

std::vector<std::byte> SmallTraining::masters() const {
    std::vector<std::byte> all;
    for (const geometry::LayerLayout& layout : m_store->layouts())
        std::ranges::copy(std::as_const(*m_store).adapters().masters(layout.spec.id), std::back_inserter(all));
    return all;
}

std::vector<double> trainIn(const Way& way, const std::vector<std::string>& names) {
    return SmallTraining(way, names).losses(kNumSteps);
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
                               i + 1 < losses.size() ? fmt::format("the loss of step {}", i + 1)
                                                     : "the validation loss",
                               losses[i], expected[i]);
    return {};
}

// Spans that begin late by chance, on all streams: whoever forgot to wait reads what is not there yet.
std::string withDelays(const std::vector<std::string>& devices, int64_t numSteps) {
    std::atomic<uint32_t> numSpans{0};
    const auto delay = [&numSpans](const trace::Record&) {
        constexpr uint32_t kOneIn = 16, kMostMicroseconds = 500;
        std::minstd_rand draw(numSpans.fetch_add(1) + 1);
        draw.discard(2);
        if (draw() % kOneIn == 0) std::this_thread::sleep_for(std::chrono::microseconds(draw() % kMostMicroseconds));
    };
    const Way way{{2, 2, 2}, {2, 2, 2, 1}, 50, 1, true};
    return compared(SmallTraining(way, devices, {.onSpan = delay}).losses(numSteps),
                    SmallTraining(ways().front(), {devices.front()}).losses(numSteps));
}

// All that the devices are given to do, logged: no access to memory may be without order, even if it went well this
// time.
std::string withLog(const Way& way, const std::vector<std::string>& devices) {
    device::OrderLog log;
    SmallTraining(way, devices, {.order = &log}).losses(kNumSteps);
    const std::vector<device::Race> races = device::racesIn(log);
    return races.empty() ? "" : fmt::format("not ordered: {}; {}", races.front().first, races.front().second);
}

// Those in which packets stay on a device.
std::vector<Way> waysOfPackets(std::size_t numDevices) {
    if (numDevices > 1) {
        Way replicated = withPacketsKept(ways().back());
        replicated.replicas = true;
        return {replicated};
    }
    std::vector<Way> kept;
    for (const Way& way : ways()) {
        if (way.prefetchDepth != 1 || way.residentPercent != 50) continue;
        kept.push_back(withPacketsKept(way));
        kept.push_back(oneStepStale(kept.back()));
        kept.push_back(with(Trains::kWeights, withPacketsKept(withSaving(way, kSavings.back()))));
        kept.push_back(withPacketsKept(withSaving(way, kSavings[2]))); // all in host memory
    }
    return kept;
}

// All that so many devices are tried with.
std::vector<Way> waysOfTeam(std::size_t numDevices) {
    const bool areSeveral = numDevices > 1;
    std::vector<Way> few, all = ways(); // few: of each cut, half of the layers resident, one ahead
    for (const Way& way : ways()) {
        if (way.prefetchDepth != 1) continue;
        all.push_back(with(Trains::kWeights, way));
        for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8})
            all.push_back(packed(way, weights));
        if (way.residentPercent == 50) few.push_back(way);
    }
    for (const Way& way : few) {
        all.push_back(with(Trains::kWholeModules, way));
        for (const Trains trains : {Trains::kAdapters, Trains::kWeights}) {
            const Way trained = with(trains, way);
            for (const std::vector<LayerSaving>& saving : kSavings)
                all.push_back(withSaving(trained, saving));
            all.push_back(inFp16(trained));
            all.push_back(oneStepStale(trained));
        }
    }
    all.push_back(with(Trains::kWholeModules, withSaving(ways().back(), kSavings.back())));
    all.push_back(packed(with(Trains::kWholeModules, ways().back()), WeightFormat::kNf4));
    std::ranges::copy(waysOfPackets(numDevices), std::back_inserter(all));
    if (areSeveral) {
        const Way half = replicas(50);
        for (const Way& way : {replicas(100), half, with(Trains::kWeights, half), with(Trains::kWholeModules, half),
                               withSaving(half, kSavings.back()), inFp16(half), oneStepStale(half)})
            all.push_back(way);
    }
    all.push_back(ways().back());
    all.back().checksSlots = false;
    return all;
}

// Some of each kind of plan that moves other things, or moves them at other times.
std::vector<Way> waysToLog(std::size_t numDevices) {
    std::vector<Way> some;
    for (const Way& way : ways()) {
        if (way.prefetchDepth != 1) continue;
        some.push_back(way);
        some.push_back(with(Trains::kWeights, way));
    }
    for (const std::vector<LayerSaving>& saving : kSavings)
        some.push_back(withSaving(ways().back(), saving));
    for (const Way& way : waysOfPackets(numDevices))
        some.push_back(way);
    some.push_back(with(Trains::kWholeModules, ways().back()));
    some.push_back(inFp16(ways().back()));
    for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8})
        some.push_back(packed(ways()[ways().size() / 2], weights));
    for (const Trains trains : {Trains::kAdapters, Trains::kWeights})
        some.push_back(oneStepStale(with(trains, ways().back())));
    if (numDevices > 1) {
        some.push_back(replicas(50));
        some.push_back(oneStepStale(replicas(50)));
    }
    return some;
}

// Steps whose loss scale is too large must update nothing, until it is small enough.
std::string withSkippedSteps(const std::string& name) {
    constexpr double kTooLarge = 0x1p30;
    constexpr int64_t kMostSteps = 30;
    SmallTraining training(inFp16(ways().front()), {name}, {.lossScale = {kTooLarge, kTooLarge}});
    const std::vector<std::byte> before = training.masters();
    for (int64_t step = 0; step < kMostSteps; ++step) {
        const bool skipped = training.runStep(step).skipped, isSame = training.masters() == before;
        if (step == 0 && !skipped) return fmt::format("the step with a loss scale of {} was not skipped", kTooLarge);
        if (skipped != isSame) return skipped ? "a skipped step made an update" : "a step made no update";
        if (!skipped) return {};
    }
    return "every step was skipped";
}

// A device that does not come to an end with a step must end it in words, and leave the weights of the one before.
std::string withHang(const std::string& name) {
    std::atomic<bool> goesOn{false};
    const auto hang = [&goesOn](const trace::Record& span) {
        while (span.kind == trace::Kind::kFused && span.step == 1 && !goesOn)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    constexpr double kHangSeconds = 5;
    SmallTraining training(ways().front(), {name}, {.onSpan = hang, .hangSeconds = kHangSeconds});
    training.runStep(0);
    const std::vector<std::byte> before = training.masters();
    std::string problem = "the step came to an end";
    try {
        training.runStep(1);
    } catch (const device::DeviceHung&) {
        problem.clear();
    }
    if (problem.empty() && !training.hangs()) problem = "it does not hang";
    if (problem.empty() && training.masters() != before) problem = "the weights are not those of the step before";
    goesOn = true;
    return problem;
}

// Of so many devices, how many train together: one, two, and twice as many up to all.
std::vector<std::vector<std::string>> teamsOf(const std::vector<std::string>& devices) {
    std::vector<std::vector<std::string>> teams;
    for (std::size_t count = 1; count < devices.size(); count *= 2)
        teams.emplace_back(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count));
    teams.push_back(devices);
    return teams;
}

// A team between one device and all has seldom a fault that neither of them has, and would take as long as they.
std::vector<Way> triedBy(std::size_t numTraining, std::size_t numDevices, std::vector<Way> all) {
    constexpr std::size_t kOneIn = 5;
    if (numTraining == 1 || numTraining == numDevices) return all;
    std::size_t n = 0;
    std::erase_if(all, [&n](const Way&) { return n++ % kOneIn != 0; });
    return all;
}

} // namespace

std::vector<Rehearsal> rehearse(const std::vector<std::string>& devices,
                                const std::function<void(const Rehearsal&)>& done) {
    RP_CHECK(!devices.empty());
    std::map<std::tuple<Trains, bool, Updates, WeightFormat>, std::vector<double>>
        expected; // of what trains the same in one stage
    std::vector<Rehearsal> all;
    const auto add = [&](std::string name, const auto& problem) {
        Rehearsal& one = all.emplace_back();
        one.name = std::move(name);
        try {
            one.problem = problem();
        } catch (const Error& error) {
            one.problem = error.message();
        }
        done(one);
    };
    const auto rehearseOn = [&](const std::vector<std::string>& some, const Way& way, const char* remark) {
        add(nameOf(way, some.size()) + remark, [&] {
            Way simplest = ways().front();
            simplest.trains = way.trains;
            simplest.inFp16 = way.inFp16;
            simplest.updates = way.updates;
            simplest.weights = way.weights;
            if (way.replicas) { // which add gradients as so many rounds do
                simplest.rounds = static_cast<int32_t>(some.size());
                return compared(trainIn(way, some), trainIn(simplest, {some.front()}));
            }
            std::vector<double>& losses = expected[{way.trains, way.inFp16, way.updates, way.weights}];
            if (losses.empty()) losses = trainIn(simplest, {devices.front()});
            return compared(trainIn(way, some), losses);
        });
    };
    for (const std::vector<std::string>& some : teamsOf(devices))
        for (const Way& way : triedBy(some.size(), devices.size(), waysOfTeam(some.size())))
            rehearseOn(some, way, "");
    for (const std::vector<std::string>& some : teamsOf(devices))
        for (const Way& way : triedBy(some.size(), devices.size(), waysToLog(some.size())))
            add(nameOf(way, some.size()) + ", its order logged", [&] { return withLog(way, some); });
    // Links that copies take longer on: other waits, the same bits.
    const std::string likeA3090 = devices.front() + "@3090";
    rehearseOn({likeA3090, likeA3090}, replicas(50), ", both on the first as an RTX 3090");
    for (const Way& way : ways())
        if (way.residentPercent == 50) rehearseOn({likeA3090, likeA3090}, way, ", both on the first as an RTX 3090");
    const int64_t numSteps = devices.front().starts_with("cpu") ? 20 : 200;
    for (const std::vector<std::string>& some : teamsOf(devices))
        add(fmt::format("{} device{}, {} steps with delays in all streams", some.size(), some.size() == 1 ? "" : "s",
                        numSteps),
            [&] { return withDelays(some, numSteps); });
    add("steps that are skipped, fp16", [&] { return withSkippedSteps(devices.front()); });
    add("a device that hangs", [&] { return withHang(devices.front()); });
    return all;
}

} // namespace roundpipe::engine
