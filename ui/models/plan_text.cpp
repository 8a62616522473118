// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/plan_text.h"

#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace roundpipe::ui::models {
namespace {

struct PlanText {
    Q_DECLARE_TR_FUNCTIONS(PlanText)
};

QString sizeText(int64_t bytes) {
    return translations::bytesText(bytes);
}

bool isAlike(const plan::Shortfall& a, const plan::Shortfall& b) {
    return a.memory == b.memory && sizeText(a.neededBytes) == sizeText(b.neededBytes) &&
           sizeText(a.availableBytes) == sizeText(b.availableBytes);
}

// `count`: alike devices, of which `shortfall` is the first.
QString sentenceOf(const plan::Shortfall& shortfall, int count, const plan::Rig& rig) {
    const QString needed = sizeText(shortfall.neededBytes);
    const QString available = sizeText(shortfall.availableBytes);
    switch (shortfall.memory) {
    case plan::MemoryKind::kDevice:
        if (count > 1) return PlanText::tr("each of %1 devices needs %2 of %3").arg(count).arg(needed, available);
        return PlanText::tr("%1 needs %2 of %3").arg(deviceText(rig, shortfall.device), needed, available);
    case plan::MemoryKind::kHost:
        return PlanText::tr("the host needs %1 of %2").arg(needed, available);
    case plan::MemoryKind::kPageLocked:
        return PlanText::tr("page-locked host memory needs %1 of %2").arg(needed, available);
    case plan::MemoryKind::kDisk:
        return PlanText::tr("the disk needs %1 of %2").arg(needed, available);
    }
    return {};
}

QString listOf(const std::vector<plan::Shortfall>& shortfalls, const plan::Rig& rig) {
    QStringList parts;
    for (auto first = shortfalls.begin(); first != shortfalls.end();) {
        const auto end =
            std::find_if_not(first, shortfalls.end(), [&](const auto& one) { return isAlike(*first, one); });
        parts.append(sentenceOf(*first, static_cast<int>(end - first), rig));
        first = end;
    }
    return parts.join(PlanText::tr("; ", "between parts of a sentence"));
}

QString upperFirst(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

// It is found by a part of the search.
QString speedText(const plan::Fix& fix) {
    return PlanText::tr("at least %1", "a speed").arg(translations::countText(fix.tokensPerSecond));
}

} // namespace

QString deviceText(const plan::Rig& rig, int32_t device) {
    const auto index = static_cast<std::size_t>(device);
    const bool isGpu = index >= rig.devices.size() || rig.devices[index].isGpu;
    return translations::deviceText(isGpu, device);
}

QString rigText(const plan::Rig& rig) {
    return rigText(rig.name);
}

// Names of GPUs are names in every language.
QString rigText(const std::string& rigName) {
    static const QRegularExpression kWorkers(QStringLiteral("^(?:(\\d+) x )?CPU worker$"));
    static const QString kThisMachine = QStringLiteral(" (this machine)");
    QString name = QString::fromStdString(rigName);
    const bool isThisMachine = name.endsWith(kThisMachine);
    if (isThisMachine) name.chop(kThisMachine.size());
    QStringList parts = name.split(QStringLiteral(" + "));
    for (QString& part : parts)
        if (const auto workers = kWorkers.match(part); workers.hasMatch())
            part = PlanText::tr("%n CPU worker(s)", nullptr, std::max(1, workers.captured(1).toInt()));
    name = parts.join(QStringLiteral(" + "));
    static const QRegularExpression kTimes(QStringLiteral("(^| \\+ )(\\d+) x "));
    name.replace(kTimes, QStringLiteral("\\1\\2 × "));
    return isThisMachine ? PlanText::tr("%1 (this machine)").arg(name) : name;
}

QString misfitText(const plan::Misfit& misfit, const plan::Rig& rig) {
    using Obstacle = plan::Misfit::Obstacle;
    switch (misfit.obstacle) {
    case Obstacle::kNone:
        break;
    case Obstacle::kMemory:
        return PlanText::tr("%1.", "a sentence").arg(upperFirst(listOf(misfit.shortfalls, rig)));
    case Obstacle::kSmallestPlan:
        if (misfit.shortfalls.empty())
            return PlanText::tr("Even with one layer at a time no device takes all of its stages.");
        return (misfit.isOfDevices() ? PlanText::tr("Even with one layer at a time it does not fit: %1.")
                                     : PlanText::tr("However it is cut, it does not fit: %1."))
            .arg(listOf(misfit.shortfalls, rig));
    case Obstacle::kFewLayers:
        return PlanText::tr("There are more devices than layers.");
    case Obstacle::kAsSaid:
        return QString::fromStdString(misfit.said);
    }
    return {};
}

QString shortfallText(const plan::Misfit& misfit, const plan::Rig& rig) {
    const plan::Shortfall* most = misfit.largest();
    if (most == nullptr) return misfitText(misfit, rig);
    const QString missing = sizeText(most->missingBytes());
    switch (most->memory) {
    case plan::MemoryKind::kDevice:
        return PlanText::tr("%1 needs %2 more").arg(deviceText(rig, most->device), missing);
    case plan::MemoryKind::kHost:
        return PlanText::tr("the host needs %1 more").arg(missing);
    case plan::MemoryKind::kPageLocked:
        return PlanText::tr("page-locked host memory needs %1 more").arg(missing);
    case plan::MemoryKind::kDisk:
        return PlanText::tr("the disk needs %1 more").arg(missing);
    }
    return {};
}

QString changeText(const plan::Fix& fix) {
    const auto count = static_cast<int>(std::min<int64_t>(fix.value, std::numeric_limits<int>::max()));
    switch (fix.kind) {
    case plan::FixKind::kMicrobatch:
        return PlanText::tr("Microbatches of %n sequence(s)", nullptr, count);
    case plan::FixKind::kMicrobatchTokens:
        return PlanText::tr("Microbatches of at most %n token(s), more of them", nullptr, count);
    case plan::FixKind::kRoundSize:
        return PlanText::tr("Rounds of %n microbatch(es), more of them", nullptr, count);
    case plan::FixKind::kStepTokens:
        return PlanText::tr("Steps of %n token(s)", nullptr, count);
    case plan::FixKind::kPrecision:
        return PlanText::tr("Precision %1").arg(fix.value == 32 ? QStringLiteral("fp32") : QStringLiteral("bf16"));
    case plan::FixKind::kRank:
        return PlanText::tr("Rank %1 for the adapter").arg(fix.value);
    case plan::FixKind::kLength:
        return PlanText::tr("Sequences of at most %n token(s)", nullptr, count);
    case plan::FixKind::kBits:
        return PlanText::tr("The base's weights kept and streamed in %1 bits").arg(fix.value);
    case plan::FixKind::kMethod:
        return PlanText::tr("Adapters instead of all weights");
    case plan::FixKind::kPageLock:
        return PlanText::tr("%1 of host memory that may be page-locked").arg(sizeText(fix.value));
    case plan::FixKind::kDisk:
        return PlanText::tr("%1 free on the disk").arg(sizeText(fix.value));
    case plan::FixKind::kHostMemory:
        return PlanText::tr("%1 of host memory for the run").arg(sizeText(fix.value));
    case plan::FixKind::kDevices:
        return PlanText::tr("Devices with %1 of memory").arg(sizeText(fix.value));
    }
    return {};
}

QString changesText(const std::vector<plan::Fix>& fixes) {
    QStringList parts;
    for (const plan::Fix& fix : fixes)
        parts.append(changeText(fix));
    return parts.join(PlanText::tr("; ", "between parts of a sentence"));
}

QString togetherText(const std::vector<plan::Fix>& together, bool isFaster) {
    const QString speed = speedText(together.front());
    if (isFaster) return PlanText::tr("Together these are faster than the others, with %1 tokens/s:").arg(speed);
    return std::ranges::all_of(together, plan::isSetting, &plan::Fix::kind)
               ? PlanText::tr("None of these settings is enough alone. Together they are, with %1 tokens/s:").arg(speed)
               : PlanText::tr("None of these changes is enough alone. Together they are, with %1 tokens/s:").arg(speed);
}

QString drawbackText(const plan::Fix& fix) {
    switch (fix.kind) {
    case plan::FixKind::kMicrobatch:
        return PlanText::tr("less work at a time, same result with as many examples a step");
    case plan::FixKind::kMicrobatchTokens:
        return PlanText::tr("same result, less work at a time");
    case plan::FixKind::kRoundSize:
        return PlanText::tr("same result, but for rounding; weights travel for each round");
    case plan::FixKind::kStepTokens:
        return PlanText::tr("an update has fewer examples, and an epoch more updates");
    case plan::FixKind::kPrecision:
        return PlanText::tr("weights and activations have fewer digits");
    case plan::FixKind::kRank:
        return PlanText::tr("the adapter can learn less");
    case plan::FixKind::kLength:
        return PlanText::tr("longer examples are cut off");
    case plan::FixKind::kBits:
        return PlanText::tr("the base is rounded");
    case plan::FixKind::kMethod:
        return PlanText::tr("adapters alone are trained; they learn less than all weights do");
    case plan::FixKind::kPageLock:
        return PlanText::tr("raise the limit");
    case plan::FixKind::kDisk:
        return PlanText::tr("free some of it, or write the run to another disk");
    case plan::FixKind::kHostMemory:
        return PlanText::tr("buy or free memory");
    case plan::FixKind::kDevices:
        return PlanText::tr("other GPUs");
    }
    return {};
}

QString costText(const plan::Fix& fix) {
    const QString speed = speedText(fix);
    switch (fix.kind) {
    case plan::FixKind::kMicrobatch:
        return PlanText::tr("%1 tokens/s; less work at a time, same result with as many examples a step").arg(speed);
    case plan::FixKind::kMicrobatchTokens:
        return PlanText::tr("%1 tokens/s; same result, less work at a time").arg(speed);
    case plan::FixKind::kRoundSize:
        return PlanText::tr("%1 tokens/s; same result, but for rounding; weights travel for each round").arg(speed);
    case plan::FixKind::kStepTokens:
        return PlanText::tr("%1 tokens/s; an update has fewer examples, and an epoch more updates").arg(speed);
    case plan::FixKind::kPrecision:
        return PlanText::tr("%1 tokens/s; weights and activations have fewer digits").arg(speed);
    case plan::FixKind::kRank:
        return PlanText::tr("%1 tokens/s; the adapter can learn less").arg(speed);
    case plan::FixKind::kLength:
        return PlanText::tr("%1 tokens/s; longer examples are cut off").arg(speed);
    case plan::FixKind::kBits:
        return PlanText::tr("%1 tokens/s; the base is rounded").arg(speed);
    case plan::FixKind::kMethod:
        return PlanText::tr("%1 tokens/s; adapters alone are trained; they learn less than all weights do").arg(speed);
    case plan::FixKind::kPageLock:
        return PlanText::tr("%1 tokens/s; raise the limit").arg(speed);
    case plan::FixKind::kDisk:
        return PlanText::tr("%1 tokens/s; free some of it, or write the run to another disk").arg(speed);
    case plan::FixKind::kHostMemory:
        return PlanText::tr("%1 tokens/s; buy or free memory").arg(speed);
    case plan::FixKind::kDevices:
        return PlanText::tr("%1 tokens/s; other GPUs").arg(speed);
    }
    return {};
}

QString scheduleName(plan::ComparedSchedule schedule) {
    switch (schedule) {
    case plan::ComparedSchedule::kInterleaved1f1b:
        return PlanText::tr("Interleaved 1F1B");
    case plan::ComparedSchedule::kLoopedBfs:
        return PlanText::tr("Looped BFS");
    case plan::ComparedSchedule::kReplicas:
        return PlanText::tr("Replicas");
    case plan::ComparedSchedule::kRoundPipeStale:
        return PlanText::tr("RoundPipe, one step stale");
    case plan::ComparedSchedule::kRoundPipeOtherRounds:
        return PlanText::tr("RoundPipe, other rounds");
    case plan::ComparedSchedule::kGpipe:
    case plan::ComparedSchedule::k1f1b:
    case plan::ComparedSchedule::kRoundPipe:
        break;
    }
    return QString::fromLatin1(spellingOf(schedule)); // a name
}

QString fasterText(const plan::EvaluatedPlan& choice, const std::vector<plan::Rival>& rivals) {
    constexpr double kWorthAWord = 0.97;
    const plan::Rival* fastest = nullptr;
    for (const plan::Rival& rival : rivals)
        if (rival.problem.empty() && rival.step.stepSeconds > 0 &&
            rival.step.stepSeconds < kWorthAWord * (fastest ? fastest->step : choice.step).stepSeconds)
            fastest = &rival;
    if (fastest == nullptr) return {};
    switch (fastest->schedule) {
    case plan::ComparedSchedule::kReplicas:
        return PlanText::tr("Replicas would be faster. They add gradients up in another order, so they are only taken "
                            "by themselves on GPUs; the setting Replicas asks for them.");
    case plan::ComparedSchedule::kRoundPipe:
        return PlanText::tr("Stages in turn, with updates in time, would be faster: %1. The settings Replicas and "
                            "Updates ask for them.")
            .arg(howText(*fastest));
    case plan::ComparedSchedule::kRoundPipeOtherRounds:
        return PlanText::tr("The same microbatches would be faster dealt out otherwise: %1. The settings Microbatches "
                            "and Rounds say how they are.")
            .arg(howText(*fastest));
    case plan::ComparedSchedule::kRoundPipeStale:
        return PlanText::tr("Updates that are one step late would be faster, with other losses; the setting Updates "
                            "asks for them.");
    case plan::ComparedSchedule::kGpipe:
    case plan::ComparedSchedule::k1f1b:
    case plan::ComparedSchedule::kInterleaved1f1b:
    case plan::ComparedSchedule::kLoopedBfs:
        break;
    }
    return PlanText::tr("%1 would be faster here. It is compared, but cannot be run.")
        .arg(scheduleName(fastest->schedule));
}

QString howText(const plan::Rival& rival) {
    switch (rival.schedule) {
    case plan::ComparedSchedule::kGpipe:
    case plan::ComparedSchedule::k1f1b:
    case plan::ComparedSchedule::kInterleaved1f1b:
    case plan::ComparedSchedule::kLoopedBfs:
        return PlanText::tr("%n stage(s) bound to their devices", nullptr, rival.numStages);
    case plan::ComparedSchedule::kReplicas:
        return PlanText::tr("%n copies of the model, each with its part of the microbatches", nullptr,
                            rival.outline.replicas);
    case plan::ComparedSchedule::kRoundPipe:
    case plan::ComparedSchedule::kRoundPipeStale:
    case plan::ComparedSchedule::kRoundPipeOtherRounds:
        break;
    }
    if (rival.rounds == 0) return {}; // nothing fits
    return PlanText::tr("%1, in %n round(s)", nullptr, rival.rounds).arg(outlineText(rival.outline));
}

namespace {

// What of layers is computed again because it is not saved, or is saved elsewhere than on the device; empty: nothing.
QString savedOtherwiseText(const plan::SavedOtherwise& saved) {
    QString text;
    if (saved.withoutGateUp > 0)
        text += PlanText::tr("; of %n layer(s) all but gate and up is saved", nullptr, saved.withoutGateUp);
    if (saved.inputOnly > 0)
        text += PlanText::tr("; of %n layer(s) the input alone is saved", nullptr, saved.inputOnly);
    if (saved.allOnHost > 0)
        text += PlanText::tr("; of %n layer(s) all is saved in host memory", nullptr, saved.allOnHost);
    if (saved.withoutGateUpOnHost > 0)
        text += PlanText::tr("; of %n layer(s) all but gate and up is saved in host memory", nullptr,
                             saved.withoutGateUpOnHost);
    if (saved.inputOnHost > 0)
        text += PlanText::tr("; of %n layer(s) the input alone is saved in host memory", nullptr, saved.inputOnHost);
    return text;
}

} // namespace

QString outlineText(const plan::PlanOutline& outline) {
    QString stages = PlanText::tr("a fused stage of %n layer(s)", nullptr, outline.fusedLayers);
    if (outline.numForward > 0)
        stages = PlanText::tr("%1, %2").arg(PlanText::tr("%n forward stage(s)", nullptr, outline.numForward), stages);
    if (outline.numBackward > 0)
        stages = PlanText::tr("%1, %2").arg(stages, PlanText::tr("%n backward stage(s)", nullptr, outline.numBackward));
    if (outline.replicas > 1)
        return PlanText::tr("%n replica(s), each of %1", nullptr, outline.replicas).arg(stages) +
               savedOtherwiseText(outline.saved);
    return PlanText::tr("%1 on %2").arg(stages, PlanText::tr("%n device(s)", "dative", outline.numDevices)) +
           savedOtherwiseText(outline.saved);
}

namespace {

QString numMicrobatchesText(const session::PlanAnswer& answer) {
    const int number = answer.choice.shape.numMicrobatches();
    return answer.choseMicrobatches ? PlanText::tr("%n chosen microbatch(es)", nullptr, number)
                                    : PlanText::tr("%n microbatch(es)", nullptr, number);
}

QString inRounds(const QString& microbatches, const plan::StepShape& shape) {
    if (shape.numRounds() == 1) return microbatches;
    return PlanText::tr("%1 in %n round(s)", "microbatches", shape.numRounds()).arg(microbatches);
}

} // namespace

QString microbatchesText(const session::PlanAnswer& answer) {
    return inRounds(numMicrobatchesText(answer), answer.choice.shape);
}

QString sizedMicrobatchesText(const session::PlanAnswer& answer) {
    const plan::TrainingShape& training = answer.training;
    const QString number = numMicrobatchesText(answer);
    const QString sized =
        training.tokenLimit > 0
            ? PlanText::tr("%1 of at most %2 tokens", "microbatches").arg(number).arg(training.tokenLimit)
            : PlanText::tr("%1 of %2 × %3 tokens", "microbatches")
                  .arg(number)
                  .arg(training.sequences)
                  .arg(training.maxLength);
    return inRounds(sized, answer.choice.shape);
}

QString lengthsText(const session::LengthsSource& source) {
    if (source.numCounted > 0) return PlanText::tr("lengths of %L1 examples").arg(source.numCounted);
    if (source.averageLength < static_cast<double>(source.longest))
        return PlanText::tr("lengths assumed, %L1 tokens on average")
            .arg(translations::fixedText(source.averageLength, 0));
    return PlanText::tr("lengths assumed, all as long as they may be");
}

QString modelText(const arch::ModelOutline& model) {
    const QString family = QString::fromStdString(model.family);
    const QString parameters = translations::countText(static_cast<double>(model.numParameters));
    if (model.numExperts > 0)
        return PlanText::tr("%1, %2 blocks of %3 experts (%4 a token), hidden %5, %6 parameters")
            .arg(family)
            .arg(model.numBlocks)
            .arg(model.numExperts)
            .arg(model.expertsPerToken)
            .arg(model.hiddenSize)
            .arg(parameters);
    return PlanText::tr("%1, %2 blocks, hidden %3, %4 parameters")
        .arg(family)
        .arg(model.numBlocks)
        .arg(model.hiddenSize)
        .arg(parameters);
}

QString briefModelText(const arch::ModelOutline& model) {
    return QStringLiteral("%1 %2").arg(QString::fromStdString(model.family),
                                       translations::countText(static_cast<double>(model.numParameters)));
}

QString layerText(int32_t layer, int32_t numLayers) {
    if (layer == 0) return PlanText::tr("embedding");
    return layer + 1 == numLayers ? PlanText::tr("head") : PlanText::tr("block %1").arg(layer - 1);
}

QString deviceText(const session::RunPlan& plan, const plan::Stage& stage) {
    if (plan.plan.replicas > 1) return PlanText::tr("each device");
    const DeviceId device = plan.plan.deviceOf(0, stage.id.value);
    return translations::deviceText(plan.devices[device.index()].isGpu, device.value);
}

QString deviceMark(const plan::Plan& plan, const plan::Stage& stage) {
    if (plan.replicas > 1) return QStringLiteral("×%1").arg(plan.replicas);
    return QString::number(plan.deviceOf(0, stage.id.value).value);
}

} // namespace roundpipe::ui::models
