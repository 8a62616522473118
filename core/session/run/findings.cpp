// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/findings.h"

#include "base/median.h"
#include "base/units.h"
#include "trace/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace roundpipe::session {
namespace {

using trace::IdleReason;
using Code = RunFinding::Code;

constexpr std::size_t kMostSteps = 5;         // enough to be calm, few enough to follow a change
constexpr int64_t kSettlingNs = 100'000'000;  // waits are worked out that much after the fact
constexpr double kSeriousShare = 0.15;        // of a step
constexpr double kSlowerLink = 0.7;           // than those of others, to be called slow
constexpr int64_t kHotCelsius = 84;           // where gaming cards begin to slow themselves down
constexpr double kFullShare = 0.97;           // of a device's memory
constexpr int64_t kTakenBytes = 1'500 * kMiB; // more than what the driver and the libraries of a run take
constexpr double kLowHostShare = 0.03;        // of the host's memory
constexpr double kRisen = 1.01;               // above the lowest validation loss, twice in a row
constexpr double kSlower = 0.25;              // than planned, to be worth a word: predictions are off by less
constexpr double kMuchSlower = 0.5;
constexpr double kWorthOfStep = 0.05; // of a step's duration, that a slow stage takes more than planned
constexpr int32_t kFewestSteps = 2;   // to call something slow

// The least share of a step that is worth a word. Some waiting for packets is a pipeline's nature.
double leastShareOf(IdleReason reason) {
    switch (reason) {
    case IdleReason::kPacket:
        return 0.12;
    case IdleReason::kHost:
    case IdleReason::kUpdate:
        return 0.08;
    case IdleReason::kWeights:
    case IdleReason::kGradient:
        return 0.05;
    case IdleReason::kPause: // between steps, and wanted
    case IdleReason::kNone:
        break;
    }
    return 2; // nothing that has no reason
}

// The newest whole steps, without the run's first one, which fills what is empty.
std::vector<trace::Record> newestSteps(const trace::LaneStore& store, bool isOver) {
    const int64_t settledNs = store.endNs() - (isOver ? 0 : kSettlingNs);
    std::vector<trace::Record> steps;
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0 && steps.size() < kMostSteps;)
            if (slices[i].kind == trace::Kind::kStep && slices[i].step > 0 && slices[i].endNs <= settledNs)
                steps.push_back(slices[i]);
    }
    return steps;
}

struct Wait {
    int64_t totalNs = 0;
    int64_t longestNs = 0;
    int64_t longestStartNs = 0;
    std::map<int32_t, int64_t> slots; // what each is to blame for
};

// Waits of each device over some steps. Each step is looked at alone, so that what lies between two (a validation, a
// pause) counts for none.
class Waits {
public:
    explicit Waits(const std::vector<trace::RangeStatistics>& steps) {
        int64_t busyNs = 0;
        for (const trace::RangeStatistics& statistics : steps) {
            m_totalNs += statistics.durationNs();
            m_numDevices = std::ssize(statistics.devices);
            for (const trace::DeviceStatistics& device : statistics.devices) {
                busyNs += device.busyNs;
                for (const trace::IdleStatistics& idle : device.idle)
                    add(m_waits[{idle.reason, device.device}], idle);
            }
        }
        const double available = static_cast<double>(m_totalNs) * static_cast<double>(m_numDevices);
        m_busyShare = available > 0 ? static_cast<double>(busyNs) / available : 0;
    }
    double busyShare() const { return m_busyShare; }

    // For each reason the device that waits longest, where that is worth a word.
    std::vector<RunFinding> findings() const {
        std::vector<RunFinding> found;
        for (const auto& [key, wait] : m_waits) {
            const auto& [reason, device] = key;
            const double share = static_cast<double>(wait.totalNs) / static_cast<double>(m_totalNs);
            if (share < leastShareOf(reason)) continue;
            if (!found.empty() && found.back().reason == reason) {
                const int32_t numBefore = found.back().numDevices;
                if (share > found.back().share) found.back() = findingOf(reason, device, wait, share);
                found.back().numDevices = numBefore + 1;
            } else {
                found.push_back(findingOf(reason, device, wait, share));
            }
        }
        return found;
    }

private:
    static void add(Wait& wait, const trace::IdleStatistics& idle) {
        wait.totalNs += idle.totalNs;
        if (idle.longestNs > wait.longestNs) {
            wait.longestNs = idle.longestNs;
            wait.longestStartNs = idle.longestStartNs;
        }
        if (idle.slot >= 0) wait.slots[idle.slot] += idle.slotNs;
    }
    static RunFinding findingOf(IdleReason reason, DeviceId device, const Wait& wait, double share) {
        RunFinding finding;
        finding.code = Code::kWaits;
        finding.isSerious = share >= kSeriousShare && reason != IdleReason::kPacket;
        finding.device = device.value;
        finding.reason = reason;
        finding.share = share;
        finding.beginNs = wait.longestStartNs;
        finding.endNs = wait.longestStartNs + wait.longestNs;
        const auto most = std::ranges::max_element(wait.slots, {}, &std::pair<const int32_t, int64_t>::second);
        if (most != wait.slots.end()) finding.slot = most->first;
        return finding;
    }

    int64_t m_totalNs = 0;
    int64_t m_numDevices = 0;
    double m_busyShare = 0;
    std::map<std::pair<IdleReason, DeviceId>, Wait> m_waits;
};

// Bytes per second while weights go up to the device; 0: none went.
double uploadRate(const trace::LaneStore& store, DeviceId device, int64_t beginNs, int64_t endNs) {
    const trace::SliceList& slices = store.slices(trace::laneOf(device, trace::LaneRole::kWeightsUp));
    const trace::IndexRange range = slices.touching(beginNs, endNs);
    double bytes = 0;
    double seconds = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        bytes += static_cast<double>(slices[i].bytes);
        seconds += static_cast<double>(slices[i].endNs - slices[i].startNs) * 1e-9;
    }
    return seconds > 0 ? bytes / seconds : 0;
}

// What a step takes, and of it each stage: all its microbatches.
struct StepTimes {
    double seconds = 0;
    std::map<std::pair<StageId, trace::Kind>, double> stages;
};

StepTimes measuredOf(const std::vector<trace::RangeStatistics>& steps) {
    StepTimes times;
    std::vector<double> seconds;
    for (const trace::RangeStatistics& step : steps) {
        seconds.push_back(static_cast<double>(step.durationNs()) * 1e-9);
        for (const trace::StageStatistics& stage : step.stages)
            times.stages[{stage.stage, stage.kind}] +=
                static_cast<double>(stage.totalNs) * 1e-9 / static_cast<double>(steps.size());
    }
    times.seconds = medianOf(std::move(seconds));
    return times;
}

StepTimes plannedOf(const PredictedTimeline& timeline) {
    StepTimes times;
    double numSteps = 0;
    for (const trace::Record& record : timeline.records) {
        if (record.startNs < timeline.steadyFromNs || record.startNs >= timeline.steadyToNs) continue;
        if (record.kind == trace::Kind::kStep) ++numSteps;
        if (trace::isCompute(record.kind) && record.stage.valid())
            times.stages[{record.stage, record.kind}] += static_cast<double>(record.endNs - record.startNs) * 1e-9;
    }
    numSteps = std::max(numSteps, 1.0);
    for (auto& [stage, seconds] : times.stages)
        seconds /= numSteps;
    times.seconds = static_cast<double>(timeline.steadyToNs - timeline.steadyFromNs) * 1e-9 / numSteps;
    return times;
}

// The step, and of its stages the one that loses most.
void lookAtPlan(const StepTimes& measured, const StepTimes& planned, const trace::Record& newest,
                std::vector<RunFinding>& found) {
    const auto slower = [&](double seconds, double usual) {
        RunFinding finding;
        finding.code = Code::kSlowerThanPlanned;
        finding.value = seconds;
        finding.usual = usual;
        finding.share = seconds / usual - 1;
        finding.isSerious = finding.share >= kMuchSlower;
        finding.beginNs = newest.startNs;
        finding.endNs = newest.endNs;
        return finding;
    };
    if (planned.seconds > 0 && measured.seconds > (1 + kSlower) * planned.seconds)
        found.push_back(slower(measured.seconds, planned.seconds));
    std::optional<RunFinding> worst;
    for (const auto& [stage, seconds] : measured.stages) {
        const auto usual = planned.stages.find(stage);
        if (usual == planned.stages.end() || seconds <= (1 + kSlower) * usual->second) continue;
        const double lost = seconds - usual->second;
        if (lost < kWorthOfStep * measured.seconds || (worst && lost <= worst->value - worst->usual)) continue;
        worst = slower(seconds, usual->second);
        worst->stage = stage.first;
        worst->kind = stage.second;
        worst->isSerious = false; // the step says how much it matters
    }
    if (worst) found.push_back(*worst);
}

// Whether a slow link is why weights are late.
void lookAtLink(RunFinding& finding, const RunEvidence& evidence, int64_t beginNs, int64_t endNs) {
    std::vector<double> others;
    std::optional<int64_t> lanes;
    std::optional<int64_t> most;
    const auto numDevices = static_cast<int32_t>(evidence.machine.devices.size());
    for (int32_t d = 0; d < numDevices; ++d) {
        const double rate = uploadRate(evidence.store, DeviceId(d), beginNs, endNs);
        const auto& gpu = evidence.machine.devices[static_cast<std::size_t>(d)].gpu;
        const std::optional<int64_t> here = gpu ? gpu->pcieLanes : std::nullopt;
        if (d == finding.device) {
            finding.value = rate;
            lanes = here;
        } else {
            if (rate > 0) others.push_back(rate);
            if (here) most = std::max(most.value_or(0), *here);
        }
    }
    finding.usual = medianOf(std::move(others));
    if (lanes && most && *lanes < *most && finding.value < kSlowerLink * finding.usual) {
        finding.lanes = lanes;
        finding.lanesOfOthers = most;
    }
}

void lookAtMachine(const MachineStatus& machine, std::vector<RunFinding>& found) {
    for (std::size_t d = 0; d < machine.devices.size(); ++d) {
        const DeviceStatus& device = machine.devices[d];
        if (!device.gpu) continue;
        RunFinding finding;
        finding.device = static_cast<int32_t>(d);
        if (device.gpu->temperatureCelsius.value_or(0) >= kHotCelsius) {
            finding.code = Code::kHot;
            finding.value = static_cast<double>(*device.gpu->temperatureCelsius);
            found.push_back(finding);
        }
        const int64_t used = device.gpu->usedBytes.value_or(0);
        const double share =
            device.totalBytes > 0 ? static_cast<double>(used) / static_cast<double>(device.totalBytes) : 0;
        if (share >= kFullShare && used - device.usedBytes >= kTakenBytes) {
            finding.code = Code::kMemoryTaken;
            finding.isSerious = true;
            finding.share = share;
            finding.value = static_cast<double>(used - device.usedBytes);
            found.push_back(finding);
        }
    }
    const HostStatus& host = machine.host;
    if (host.totalBytes > 0 &&
        static_cast<double>(host.availableBytes) < kLowHostShare * static_cast<double>(host.totalBytes)) {
        RunFinding finding;
        finding.code = Code::kHostMemoryLow;
        finding.isSerious = true;
        finding.value = static_cast<double>(host.availableBytes);
        finding.usual = static_cast<double>(host.totalBytes);
        found.push_back(finding);
    }
}

void lookAtLoss(const RunEvidence& evidence, std::vector<RunFinding>& found) {
    if (evidence.last && !std::isfinite(evidence.last->loss)) {
        RunFinding finding;
        finding.code = Code::kLossNotFinite;
        finding.isSerious = true;
        finding.step = evidence.last->step;
        found.push_back(finding);
    }
    const auto& all = evidence.validations;
    if (all.size() < 3) return;
    const auto lowest = std::ranges::min_element(all, {}, &LossPoint::loss);
    const bool rises =
        std::ranges::all_of(all.last(2), [&](const LossPoint& point) { return point.loss > kRisen * lowest->loss; });
    if (!rises) return;
    RunFinding finding;
    finding.code = Code::kValidationRises;
    finding.value = all.back().loss;
    finding.usual = lowest->loss;
    finding.step = lowest->step;
    found.push_back(finding);
}

} // namespace

RunFindings findingsOf(const RunEvidence& evidence) {
    RunFindings result;
    lookAtLoss(evidence, result.all);
    lookAtMachine(evidence.machine, result.all);
    if (const std::vector<trace::Record> steps = newestSteps(evidence.store, evidence.isOver); !steps.empty()) {
        std::vector<trace::RangeStatistics> statistics;
        for (const trace::Record& step : steps)
            statistics.push_back(trace::statisticsOf(evidence.store, step.startNs, step.endNs));
        const Waits waits(statistics);
        result.numSteps = static_cast<int32_t>(steps.size());
        result.busyShare = waits.busyShare();
        for (RunFinding& finding : waits.findings()) {
            if (finding.reason == IdleReason::kWeights)
                lookAtLink(finding, evidence, steps.back().startNs, steps.front().endNs);
            result.all.push_back(finding);
        }
        if (evidence.planned != nullptr && result.numSteps >= kFewestSteps)
            lookAtPlan(measuredOf(statistics), plannedOf(*evidence.planned), steps.front(), result.all);
    }
    std::ranges::stable_sort(result.all, std::greater<>(), [](const RunFinding& finding) {
        return std::pair(finding.isSerious, finding.code == Code::kWaits ? finding.share : 1.0);
    });
    return result;
}

} // namespace roundpipe::session
