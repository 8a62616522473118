// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/finding_text.h"

#include "trace/kind_look.h"
#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::models {
namespace {

using session::RunFinding;
using trace::IdleReason;

constexpr double kSlower = 0.7; // than others, to be worth a comparison

QString say(const char* english) {
    return QCoreApplication::translate("Finding", english);
}

QString percent(double share) {
    return translations::fixedText(share * 100, 0);
}

QString bytes(double number) {
    return translations::bytesText(static_cast<int64_t>(number));
}

QString waitHeadline(const RunFinding& finding, const QString& device) {
    const bool isOne = finding.numDevices == 1;
    const auto one = [&](const char* english) { return say(english).arg(device, percent(finding.share)); };
    const auto many = [&](const char* english) {
        return say(english).arg(finding.numDevices).arg(device, percent(finding.share));
    };
    switch (finding.reason) {
    case IdleReason::kWeights:
        return isOne ? one(QT_TRANSLATE_NOOP("Finding", "%1 waits %2 % of the step for weights"))
                     : many(QT_TRANSLATE_NOOP("Finding", "%1 devices wait for weights, %2 longest: %3 % of the step"));
    case IdleReason::kPacket:
        return isOne ? one(QT_TRANSLATE_NOOP("Finding", "%1 waits %2 % of the step for other stages"))
                     : many(QT_TRANSLATE_NOOP("Finding",
                                              "%1 devices wait for other stages, %2 longest: %3 % of the step"));
    case IdleReason::kUpdate:
        return isOne
                   ? one(QT_TRANSLATE_NOOP("Finding", "%1 waits %2 % of the step for the update"))
                   : many(QT_TRANSLATE_NOOP("Finding", "%1 devices wait for the update, %2 longest: %3 % of the step"));
    case IdleReason::kGradient:
        return isOne ? one(QT_TRANSLATE_NOOP("Finding", "%1 waits %2 % of the step for room for gradients"))
                     : many(QT_TRANSLATE_NOOP("Finding",
                                              "%1 devices wait for room for gradients, %2 longest: %3 % of the step"));
    case IdleReason::kHost:
    case IdleReason::kPause:
    case IdleReason::kNone:
        break;
    }
    return isOne ? one(QT_TRANSLATE_NOOP("Finding", "%1 waits %2 % of the step for the host"))
                 : many(QT_TRANSLATE_NOOP("Finding", "%1 devices wait for the host, %2 longest: %3 % of the step"));
}

QString weightsDetail(const RunFinding& finding) {
    if (finding.lanes && finding.lanesOfOthers)
        return say(QT_TRANSLATE_NOOP("Finding", "Its slot runs at x%1, others at x%2: %3/s instead of %4/s."))
            .arg(*finding.lanes)
            .arg(*finding.lanesOfOthers)
            .arg(bytes(finding.value), bytes(finding.usual));
    if (finding.value > 0 && finding.value < kSlower * finding.usual)
        return say(QT_TRANSLATE_NOOP("Finding", "They reach it at %1/s, the other devices at %2/s."))
            .arg(bytes(finding.value), bytes(finding.usual));
    return say(QT_TRANSLATE_NOOP("Finding", "More tokens a step give it more to compute for each upload."));
}

QString waitDetail(const RunFinding& finding) {
    switch (finding.reason) {
    case IdleReason::kWeights:
        return weightsDetail(finding);
    case IdleReason::kPacket:
        if (finding.slot < 0) break;
        return say(QT_TRANSLATE_NOOP("Finding", "Mostly for slot %1. More microbatches or other cuts even this out."))
            .arg(finding.slot);
    case IdleReason::kUpdate:
        return say(
            QT_TRANSLATE_NOOP("Finding", "The next step begins when the processor has updated what is trained."));
    case IdleReason::kGradient:
        return say(QT_TRANSLATE_NOOP("Finding", "Earlier gradients are still on their way to the host."));
    case IdleReason::kHost:
        return say(QT_TRANSLATE_NOOP("Finding", "Its work was issued late: the processor is busy with other things."));
    case IdleReason::kPause:
    case IdleReason::kNone:
        break;
    }
    return say(QT_TRANSLATE_NOOP("Finding", "More microbatches or other cuts even this out."));
}

FindingText waitText(const RunFinding& finding, const QString& device) {
    FindingText text{waitHeadline(finding, device), waitDetail(finding), {}, {}, {}};
    if (finding.reason != IdleReason::kWeights && finding.reason != IdleReason::kPacket) return text;
    text.action = say(QT_TRANSLATE_NOOP("Finding", "See the plan"));
    text.page = QStringLiteral("plan");
    return text;
}

FindingText slowerText(const RunFinding& finding) {
    const auto seconds = [](double number) { return translations::durationText(number); };
    FindingText text;
    text.action = say(QT_TRANSLATE_NOOP("Finding", "See the plan"));
    text.page = QStringLiteral("plan");
    if (!finding.stage.valid()) {
        text.headline = say(QT_TRANSLATE_NOOP("Finding", "A step takes %1 instead of the planned %2"))
                            .arg(seconds(finding.value), seconds(finding.usual));
        text.detail = say(QT_TRANSLATE_NOOP("Finding", "Thin bars below the lanes show where the plan saw it."));
        return text;
    }
    const QString kind =
        QCoreApplication::translate("timeline", trace::lookOf(finding.kind).name); // as the legend has it
    text.headline = say(QT_TRANSLATE_NOOP("Finding", "S%1 %2: %3 a step instead of the planned %4"))
                        .arg(finding.stage.value)
                        .arg(kind, seconds(finding.value), seconds(finding.usual));
    text.detail =
        say(QT_TRANSLATE_NOOP("Finding", "Of all stages it loses most. Heat and other programs slow a device; "
                                         "times that were never measured here are a guess."));
    return text;
}

} // namespace

QString deviceName(const session::RunPlan& plan, int32_t device) {
    const auto index = static_cast<std::size_t>(device);
    const bool isGpu = index < plan.devices.size() && plan.devices[index].isGpu;
    return translations::deviceText(isGpu, device);
}

FindingText findingText(const RunFinding& finding, const session::RunPlan& plan) {
    const QString device = deviceName(plan, finding.device);
    switch (finding.code) {
    case RunFinding::Code::kWaits:
        return waitText(finding, device);
    case RunFinding::Code::kHot:
        return {say(QT_TRANSLATE_NOOP("Finding", "%1 is at %2 °C"))
                    .arg(device)
                    .arg(translations::fixedText(finding.value, 0)),
                say(QT_TRANSLATE_NOOP("Finding", "Near this, cards slow themselves down. Does air reach it?")),
                {},
                {},
                {}};
    case RunFinding::Code::kMemoryTaken:
        return {say(QT_TRANSLATE_NOOP("Finding", "Other programs hold %1 of the memory of %2"))
                    .arg(bytes(finding.value), device),
                say(QT_TRANSLATE_NOOP("Finding", "%1 % of it is taken. Close them, or the run may run out of memory."))
                    .arg(percent(finding.share)),
                {},
                {},
                {}};
    case RunFinding::Code::kHostMemoryLow:
        return {say(QT_TRANSLATE_NOOP("Finding", "Only %1 of %2 of the host's memory are free"))
                    .arg(bytes(finding.value), bytes(finding.usual)),
                say(QT_TRANSLATE_NOOP("Finding", "Close other programs: a machine that swaps hardly trains.")),
                {},
                {},
                {}};
    case RunFinding::Code::kLossNotFinite:
        return {say(QT_TRANSLATE_NOOP("Finding", "The loss of step %1 is no number")).arg(finding.step),
                say(QT_TRANSLATE_NOOP("Finding", "The training has come apart. Stop it, and try a lower rate.")),
                say(QT_TRANSLATE_NOOP("Finding", "Learning rate")), QStringLiteral("settings"),
                QStringLiteral("optimizer.learning_rate")};
    case RunFinding::Code::kValidationRises:
        return {say(QT_TRANSLATE_NOOP("Finding", "Validation rises: %1, was %2 after step %3"))
                    .arg(translations::fixedText(finding.value, 3))
                    .arg(translations::fixedText(finding.usual, 3))
                    .arg(finding.step),
                say(QT_TRANSLATE_NOOP("Finding", "The model begins to learn the rows by heart. The best checkpoint "
                                                 "is kept.")),
                {},
                {},
                {}};
    case RunFinding::Code::kSlowerThanPlanned:
        return slowerText(finding);
    }
    return {};
}

QString allIsWellText(const session::RunFindings& findings) {
    if (findings.numSteps == 0) return {};
    return say(QT_TRANSLATE_NOOP("Finding", "Nothing to mend: devices are busy %1 % of the time."))
        .arg(percent(findings.busyShare));
}

} // namespace roundpipe::ui::models
