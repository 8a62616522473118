// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/run_shape.h"

#include "base/counted.h"
#include "base/units.h"
#include "batch/steps.h"
#include "plan/cost/measured_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roundpipe::session {
namespace {

// `sizes` counts up from the embedding.
std::vector<plan::LayerRange> rangesUp(const std::vector<int64_t>& sizes) {
    std::vector<plan::LayerRange> ranges;
    int32_t begin = 0;
    for (const int64_t size : sizes) {
        ranges.push_back({begin, begin + static_cast<int32_t>(size)});
        begin = ranges.back().end;
    }
    return ranges;
}

// `sizes` counts down from the head.
std::vector<plan::LayerRange> rangesDown(const std::vector<int64_t>& sizes, int32_t numLayers) {
    std::vector<plan::LayerRange> ranges;
    int32_t end = numLayers;
    for (const int64_t size : sizes) {
        ranges.push_back({end - static_cast<int32_t>(size), end});
        end = ranges.back().begin;
    }
    return ranges;
}

// A row as it is cut to data.max_length, with the trained share that all of it had.
void addCut(batch::ExampleLengths& to, const batch::ExampleLengths& from, int64_t index, const DataSection& data) {
    int64_t left = from.lengthOf(index);
    if (left > data.maxLength && data.overLength == OverLength::kDrop) return;
    const double trained =
        from.trained()[static_cast<std::size_t>(index)] / static_cast<double>(std::max<int64_t>(1, left));
    const int64_t again = data.overLength == OverLength::kSplit ? data.overlap : 0;
    do {
        const int64_t length = std::min(left, data.maxLength);
        to.add(length, std::llround(trained * static_cast<double>(length)));
        left -= length - (left > length ? again : 0);
    } while (left > 0 && data.overLength == OverLength::kSplit);
}

} // namespace

batch::StepRules stepRulesOf(const RunSpec& spec) {
    batch::StepRules rules = spec.batch;
    if (rules.microbatches == 0) rules.microbatches = kFewestMicrobatches;
    if (rules.microbatchSize == 0) rules.microbatchSize = kUsualSize;
    const bool isFilled =
        rules.tokensPerStep > 0 || rules.packing != Packing::kNone || spec.data.overLength == OverLength::kSplit;
    if (rules.microbatchTokens == 0 && isFilled) rules.microbatchTokens = rules.microbatchSize * spec.data.maxLength;
    return rules;
}

batch::DrawOrder drawOrderOf(const RunSpec& spec) {
    return {spec.data.shuffle, static_cast<uint64_t>(spec.seed)};
}

std::vector<batch::Share> sharesOf(const RunSpec& spec) {
    std::vector<batch::Share> shares;
    for (const DatasetSection& dataset : spec.data.datasets)
        shares.push_back({dataset.share, dataset.shareAmount});
    return shares;
}

arch::Trained trainedOf(const RunSpec& spec) {
    if (spec.method == Method::kFull) return arch::Trained::weights();
    const LoraSection& lora = spec.lora;
    return arch::LoraConfig{lora.rank, lora.alpha, lora.dropout, lora.rsLora, lora.targets, lora.modulesToSave};
}

optim::Schedule scheduleOf(const RunSpec& spec, int64_t totalSteps) {
    const OptimizerSection& o = spec.optimizer;
    return {o.schedule, o.learningRate, optim::resolveWarmup(o.warmupSteps, o.warmupRatio, totalSteps), totalSteps};
}

RunLengths cutTo(const DataSection& data, RunLengths lengths) {
    const auto cut = [&](std::shared_ptr<const batch::ExampleLengths>& all) {
        if (all == nullptr || all->longest() <= data.maxLength) return;
        auto shorter = std::make_shared<batch::ExampleLengths>();
        for (const batch::DatasetLengths& dataset : all->datasets()) {
            shorter->beginDataset();
            for (int64_t i = dataset.first; i < dataset.first + dataset.size; ++i)
                addCut(*shorter, *all, i, data);
        }
        all = std::move(shorter);
    };
    cut(lengths.training);
    cut(lengths.validation);
    lengths.averageLength = std::min(lengths.averageLength, static_cast<double>(data.maxLength));
    return lengths;
}

batch::StepContent stepContentOf(const RunSpec& spec, const RunLengths& lengths) {
    const batch::StepRules rules = stepRulesOf(spec);
    if (lengths.training)
        return batch::contentOf(*lengths.training, lengths.validation ? *lengths.validation : batch::ExampleLengths(),
                                rules, sharesOf(spec));
    int64_t longest = spec.data.maxLength;
    if (rules.microbatchTokens > 0) longest = std::min(longest, rules.microbatchTokens); // none may be longer
    return batch::contentOf({longest, lengths.averageLength, lengths.trainedShare}, rules);
}

std::string LengthsSource::text() const {
    if (numCounted > 0) return "counted in " + counted(numCounted, "example");
    const auto most = static_cast<double>(longest);
    const std::string text =
        averageLength < most ? fmt::format("assumed, {:.0f} tokens an example and {:.0f} at most", averageLength, most)
                             : fmt::format("assumed, {:.0f} tokens an example", most);
    return text + (trainedShare < 1 ? fmt::format(", {:.3g} % trained", 100 * trainedShare) : ", all trained");
}

LengthsSource sourceOf(const RunLengths& lengths, const batch::StepContent& content) {
    return {lengths.training ? lengths.training->size() : 0, content.average.length, content.largest.length,
            content.average.trainedShare};
}

RunSteps stepsOf(const RunSpec& spec, const RunLengths& lengths) {
    if (lengths.training == nullptr) return {0, spec.duration.maxSteps};
    const batch::Steps steps(*lengths.training, stepRulesOf(spec), drawOrderOf(spec), sharesOf(spec));
    return {steps.perEpoch(), steps.total(spec.duration.epochs, spec.duration.maxSteps)};
}

std::vector<EpochPart> epochPartsOf(const RunSpec& spec, const batch::ExampleLengths& training) {
    std::vector<EpochPart> parts;
    for (const int64_t draws : batch::drawsOf(training, sharesOf(spec))) {
        const batch::DatasetLengths& dataset = training.datasets()[parts.size()];
        const double times = dataset.size == 0 ? 0 : static_cast<double>(draws) / static_cast<double>(dataset.size);
        parts.push_back(
            {draws, times * static_cast<double>(dataset.numTokens), times * static_cast<double>(dataset.numTrained)});
    }
    return parts;
}

plan::TrainingShape trainingShapeOf(const RunSpec& spec, const batch::StepContent& content, bool onGpusOnly) {
    plan::TrainingShape shape;
    shape.maxLength = content.largest.length;
    shape.sequences = content.largest.sequences;
    if (stepRulesOf(spec).microbatchTokens > 0) shape.tokenLimit = content.largest.tokens;
    shape.averageLength = content.average.length;
    shape.averageSequences = content.examplesInEach(content.usualMicrobatches());
    shape.trainedShare = content.average.trainedShare;
    shape.operandType = operandTypeOf(spec.engine.precision, onGpusOnly);
    shape.weights = spec.model.weights;
    shape.trainsBase = spec.method == Method::kFull;
    shape.lora = trainedOf(spec).lora;
    shape.deterministic = spec.engine.determinism == Determinism::kStrict;
    shape.moments = spec.optimizer.moments;
    return shape;
}

std::optional<plan::Plan> givenPlanOf(const RunSpec& spec, int32_t numLayers, int32_t numDevices) {
    if (spec.engine.backwardStages.empty()) return std::nullopt;
    plan::Plan plan;
    plan.numLayers = numLayers;
    plan.forward = rangesUp(spec.engine.forwardStages);
    plan.backward = rangesDown(spec.engine.backwardStages, numLayers);
    plan.fused = plan.backward.front();
    plan.backward.erase(plan.backward.begin());
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    return plan;
}

plan::Rig rigFor(const RunSpec& spec, plan::Rig rig) {
    if (spec.engine.hostMemory > 0)
        rig.host.memoryBytes = std::llround(spec.engine.hostMemory * static_cast<double>(kGiB));
    return rig;
}

plan::ModelRequest planRequestOf(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                                 const batch::StepContent& content) {
    plan::ModelRequest request;
    request.model = model;
    request.rig = rigFor(spec, rig);
    request.training = trainingShapeOf(spec, content, std::ranges::all_of(rig.devices, &plan::DeviceSpec::isGpu));
    request.sequencesPerStep = request.training.sequences * content.microbatchesPerStep();
    request.tokensPerStep = spec.batch.tokensPerStep;
    request.rounds = content.rounds;
    request.usualMicrobatches = content.usualMicrobatches();
    request.oneStepStale = spec.optimizer.updates == Updates::kOneStepStale;
    request.replicas = spec.engine.replicas;
    request.given = givenPlanOf(spec, static_cast<int32_t>(model.layers.size()), rig.numDevices());
    request.profiles = plan::profileFolder();
    return request;
}

bool apply(const plan::Fix& fix, RunSpec& spec) {
    if (fix.kind == plan::FixKind::kRank) {
        spec.lora.rank = fix.value;
    } else if (fix.kind == plan::FixKind::kLength) {
        spec.data.maxLength = fix.value;
        spec.data.overlap = std::min(spec.data.overlap, fix.value / 2);
    } else if (fix.kind == plan::FixKind::kMicrobatchTokens) {
        spec.batch.microbatchTokens = fix.value;
    } else if (fix.kind == plan::FixKind::kStepTokens) {
        spec.batch.tokensPerStep = fix.value;
    } else if (fix.kind == plan::FixKind::kPrecision) {
        spec.engine.precision = fix.value == 32 ? Precision::kFp32 : Precision::kBf16;
    } else if (fix.kind == plan::FixKind::kBits) {
        spec.model.weights = plan::weightFormatOf(fix);
    } else if (fix.kind == plan::FixKind::kMethod) {
        spec.method = Method::kLora;
    } else if (fix.kind == plan::FixKind::kRoundSize) { // as many microbatches in a step as before
        const int64_t before = stepRulesOf(spec).microbatches;
        if (spec.batch.tokensPerStep == 0) spec.batch.rounds = spec.batch.rounds * before / fix.value;
        spec.batch.microbatches = fix.value;
    } else if (fix.kind == plan::FixKind::kMicrobatch) { // as many sequences in a step as before
        spec.batch.microbatches = spec.batch.microbatches * stepRulesOf(spec).microbatchSize / fix.value;
        spec.batch.microbatchSize = fix.value;
    } else {
        return false;
    }
    return true;
}

} // namespace roundpipe::session
