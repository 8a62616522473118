// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/trace_report.h"

#include "base/units.h"
#include "console/table.h"
#include "console/terminal.h"

#include <fmt/format.h>

#include <cmath>

namespace roundpipe::cli {
namespace {

using trace::Measure;

std::string signedText(double value, const std::string& magnitude) {
    return magnitude.starts_with("0.0 ") ? "0" : (value < 0 ? "-" : "+") + magnitude;
}

std::string valueOf(Measure::What what, double value) {
    switch (what) {
    case Measure::What::kBusy:
    case Measure::What::kIdle:
        return asPercent(value);
    case Measure::What::kBytesUp:
    case Measure::What::kBytesDown:
        return formatBytes(std::llround(value));
    default:
        return asMilliseconds(value * 1e-9) + " ms";
    }
}

// Of shares in percentage points, of all else in percent of the first.
std::string differenceOf(const Measure& measure) {
    const double difference = measure.difference();
    const bool isShare = measure.what == Measure::What::kBusy || measure.what == Measure::What::kIdle;
    if (isShare) return signedText(difference, fmt::format("{:.1f} points", 100 * std::abs(difference)));
    if (measure.first == 0) return "new";
    return signedText(difference, fmt::format("{:.1f} %", 100 * std::abs(difference / measure.first)));
}

std::string nameOf(const Measure& measure, const std::vector<std::string>& deviceNames) {
    const std::string device = measure.device.valid() && measure.device.index() < deviceNames.size()
                                   ? deviceNames[measure.device.index()]
                                   : std::string();
    switch (measure.what) {
    case Measure::What::kStep:
        return "a step (median)";
    case Measure::What::kBusy:
        return device + ", busy";
    case Measure::What::kIdle:
        return fmt::format("{}, waits: {}", device, toString(measure.reason));
    case Measure::What::kBytesUp:
        return device + ", up a step";
    case Measure::What::kBytesDown:
        return device + ", down a step";
    case Measure::What::kKind:
        return fmt::format("{} a step", toString(measure.kind));
    }
    return {};
}

std::string stepsText(std::span<const trace::StepSpan> steps) {
    if (steps.empty()) return "no steps";
    return fmt::format("steps {} to {}", steps.front().step + 1, steps.back().step + 1);
}

} // namespace

std::string traceText(const trace::TraceFile& file, const trace::LaneStore& store) {
    std::string text;
    for (const trace::Fact& fact : file.about().facts) // a run that was stopped has done fewer
        text += fmt::format("{}{}: {}\n", fact.name == "steps" ? "planned " : "", fact.name, fact.value);
    const double seconds = static_cast<double>(store.endNs() - store.beginNs()) * 1e-9;
    text += fmt::format("{} slices in {}, {}", grouped(static_cast<int64_t>(store.numSlices())), asTime(seconds),
                        stepsText(trace::stepsOf(store.allSlices(), store.lanes())));
    if (file.numLost() > 0)
        text += fmt::format(", {} event{} lost", grouped(static_cast<int64_t>(file.numLost())),
                            file.numLost() == 1 ? "" : "s");
    text += '\n';
    if (!file.isComplete())
        text += fmt::format("The run still writes it or was killed: this is what there is up to {} after its start.\n",
                            asTime(static_cast<double>(store.endNs() - store.originNs()) * 1e-9));
    const trace::ComparedSide steady = trace::steadySideOf(store.allSlices(), store.lanes());
    using Align = Table::Align;
    Table devices(
        {{"device", Align::kLeft}, {"busy"}, {"bubble"}, {"up a step"}, {"down a step"}, {"waits", Align::kLeft}});
    for (const trace::DeviceStatistics& device : steady.statistics.devices) {
        std::string waits;
        for (const trace::IdleStatistics& idle : device.idle)
            if (idle.inStepsNs > 0)
                waits += fmt::format("{}{} {}", waits.empty() ? "" : ", ", toString(idle.reason),
                                     asPercent(steady.statistics.shareOfSteps(idle.inStepsNs)));
        devices.addRow({device.name, asPercent(1 - device.bubbleShare), asPercent(device.bubbleShare),
                        formatBytes(std::llround(device.bytesUp / steady.numSteps)),
                        formatBytes(std::llround(device.bytesDown / steady.numSteps)), waits});
    }
    Table kinds({{"kind", Align::kLeft}, {"slices"}, {"p50 ms"}, {"p95 ms"}, {"longest ms"}, {"total"}, {"moved"}});
    for (const trace::KindStatistics& kind : steady.statistics.kinds)
        kinds.addRow({toString(kind.kind), grouped(kind.count), asMilliseconds(static_cast<double>(kind.p50Ns) * 1e-9),
                      asMilliseconds(static_cast<double>(kind.p95Ns) * 1e-9),
                      asMilliseconds(static_cast<double>(kind.longestNs) * 1e-9),
                      asTime(static_cast<double>(kind.totalNs) * 1e-9),
                      kind.bytes > 0 ? formatBytes(std::llround(kind.bytes)) : std::string()});
    return text + "\nSteps after the first:\n" + devices.text() + '\n' + kinds.text();
}

std::string comparisonText(const std::vector<Measure>& measures, const std::string& first, const std::string& second,
                           const std::vector<std::string>& deviceNames) {
    Table table({{"steps after the first", Table::Align::kLeft}, {first}, {second}, {"difference"}});
    for (const Measure& measure : measures)
        table.addRow({nameOf(measure, deviceNames), valueOf(measure.what, measure.first),
                      valueOf(measure.what, measure.second), differenceOf(measure)});
    return table.text();
}

} // namespace roundpipe::cli
