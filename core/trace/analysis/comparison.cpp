// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/comparison.h"

#include <algorithm>

namespace roundpipe::trace {
namespace {

const DeviceStatistics* deviceIn(const RangeStatistics& statistics, DeviceId device) {
    const auto found = std::ranges::find(statistics.devices, device, &DeviceStatistics::device);
    return found == statistics.devices.end() ? nullptr : &*found;
}

// Of a range without steps (prompts are answered in it) all time counts.
double busyShareOf(const RangeStatistics& statistics, const DeviceStatistics* device) {
    if (device == nullptr) return 0;
    return statistics.firstStep < 0 ? device->busyShare : 1 - device->bubbleShare;
}

double idleShareOf(const RangeStatistics& statistics, const DeviceStatistics* device, IdleReason reason) {
    if (device == nullptr) return 0;
    const auto found = std::ranges::find(device->idle, reason, &IdleStatistics::reason);
    if (found == device->idle.end()) return 0;
    if (statistics.firstStep >= 0) return statistics.shareOfSteps(found->inStepsNs);
    return static_cast<double>(found->totalNs) / static_cast<double>(std::max<int64_t>(statistics.durationNs(), 1));
}

double kindNs(const ComparedSide& side, Kind kind) {
    const auto found = std::ranges::find(side.statistics.kinds, kind, &KindStatistics::kind);
    return found == side.statistics.kinds.end() ? 0 : static_cast<double>(found->totalNs) / side.numSteps;
}

double stepNs(const ComparedSide& side) {
    const auto found = std::ranges::find(side.statistics.kinds, Kind::kStep, &KindStatistics::kind);
    return found == side.statistics.kinds.end() ? 0 : static_cast<double>(found->p50Ns);
}

void compareDevice(const ComparedSide& first, const ComparedSide& second, DeviceId id, std::vector<Measure>& out) {
    const DeviceStatistics* a = deviceIn(first.statistics, id);
    const DeviceStatistics* b = deviceIn(second.statistics, id);
    Measure measure;
    measure.device = id;
    const auto put = [&](Measure::What what, double ofFirst, double ofSecond) {
        measure.what = what;
        measure.first = ofFirst;
        measure.second = ofSecond;
        if (ofFirst != 0 || ofSecond != 0 || what == Measure::What::kBusy) out.push_back(measure);
    };
    put(Measure::What::kBusy, busyShareOf(first.statistics, a), busyShareOf(second.statistics, b));
    for (int r = 1; r < kNumIdleReasons; ++r) {
        measure.reason = static_cast<IdleReason>(r);
        put(Measure::What::kIdle, idleShareOf(first.statistics, a, measure.reason),
            idleShareOf(second.statistics, b, measure.reason));
    }
    measure.reason = IdleReason::kNone;
    put(Measure::What::kBytesUp, a == nullptr ? 0 : a->bytesUp / first.numSteps,
        b == nullptr ? 0 : b->bytesUp / second.numSteps);
    put(Measure::What::kBytesDown, a == nullptr ? 0 : a->bytesDown / first.numSteps,
        b == nullptr ? 0 : b->bytesDown / second.numSteps);
}

} // namespace

std::vector<StepSpan> stepsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes) {
    std::vector<StepSpan> steps;
    for (const Lane& lane : lanes) {
        if (lane.role != LaneRole::kSession) continue;
        const SliceList& markers = slices[lane.id.index()];
        for (std::size_t i = 0; i < markers.size(); ++i)
            if (markers[i].kind == Kind::kStep)
                steps.push_back({markers[i].step, markers[i].startNs, markers[i].endNs});
    }
    return steps;
}

int64_t alignedNs(std::span<const StepSpan> from, std::span<const StepSpan> to, int64_t timeNs) {
    if (from.empty() || to.empty()) return timeNs;
    auto step = std::ranges::upper_bound(from, timeNs, {}, &StepSpan::beginNs);
    if (step != from.begin()) --step;
    auto same = std::ranges::find(to, step->step, &StepSpan::step);
    if (same == to.end()) same = step->step < to.front().step ? to.begin() : std::prev(to.end());
    return same->beginNs + (timeNs - step->beginNs);
}

ComparedSide steadySideOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes) {
    const std::vector<StepSpan> steps = stepsOf(slices, lanes);
    if (!steps.empty()) {
        const std::size_t first = steps.size() > 2 ? 1 : 0;
        return {statisticsOf(slices, lanes, steps[first].beginNs, steps.back().endNs),
                static_cast<double>(steps.size() - first)};
    }
    int64_t beginNs = 0;
    int64_t endNs = 0;
    for (const SliceList& lane : slices)
        for (std::size_t i = 0; i < lane.size(); ++i) {
            beginNs = endNs == 0 ? lane[i].startNs : std::min(beginNs, lane[i].startNs);
            endNs = std::max(endNs, lane[i].endNs);
        }
    return {statisticsOf(slices, lanes, beginNs, endNs), 1};
}

std::vector<Measure> compare(const ComparedSide& first, const ComparedSide& second) {
    std::vector<Measure> result;
    Measure step;
    step.first = stepNs(first);
    step.second = stepNs(second);
    if (step.first != 0 || step.second != 0) result.push_back(step);
    std::vector<DeviceId> devices;
    for (const RangeStatistics* statistics : {&first.statistics, &second.statistics})
        for (const DeviceStatistics& device : statistics->devices)
            if (std::ranges::find(devices, device.device) == devices.end()) devices.push_back(device.device);
    for (const DeviceId device : devices)
        compareDevice(first, second, device, result);
    for (int k = 0; k < kNumKinds; ++k) {
        Measure kind;
        kind.what = Measure::What::kKind;
        kind.kind = static_cast<Kind>(k);
        kind.first = kindNs(first, kind.kind);
        kind.second = kindNs(second, kind.kind);
        if (isWork(kind.kind) && (kind.first != 0 || kind.second != 0)) result.push_back(kind);
    }
    return result;
}

} // namespace roundpipe::trace
