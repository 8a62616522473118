// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace roundpipe::trace {
namespace {

constexpr std::size_t kLookedUpEvery = 1024; // slices, whether to go on

bool isUp(LaneRole role) {
    return role == LaneRole::kWeightsUp || role == LaneRole::kActivationsUp;
}

// Nearest rank. Reorders them.
int64_t quantile(std::vector<int64_t>& values, double share) {
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    const auto place = values.begin() + std::max<std::ptrdiff_t>(rank, 0);
    std::ranges::nth_element(values, place);
    return *place;
}

struct Stretch {
    int64_t beginNs = 0;
    int64_t endNs = 0;
};

// What a range has of slices, without overlaps. They come by their starts.
class Union {
public:
    Union(int64_t beginNs, int64_t endNs) : m_beginNs(beginNs), m_endNs(endNs) {}
    void add(const Record& slice) {
        const int64_t from = std::max(slice.startNs, m_stretches.empty() ? m_beginNs : m_stretches.back().endNs);
        const int64_t to = std::min(slice.endNs, m_endNs);
        if (from < to) m_stretches.push_back({from, to});
    }
    const std::vector<Stretch>& stretches() const { return m_stretches; }
    // What of the range is in none of them.
    std::vector<Stretch> rest() const {
        std::vector<Stretch> rest;
        int64_t fromNs = m_beginNs;
        for (const Stretch& stretch : m_stretches) {
            if (stretch.beginNs > fromNs) rest.push_back({fromNs, stretch.beginNs});
            fromNs = stretch.endNs;
        }
        if (fromNs < m_endNs) rest.push_back({fromNs, m_endNs});
        return rest;
    }

private:
    int64_t m_beginNs, m_endNs;
    std::vector<Stretch> m_stretches;
};

// What the lane is busy with as the range ends, cut off there. Its record may have come by now.
std::optional<Record> underWay(std::span<const Record> open, LaneId lane, const SliceList& slices, int64_t endNs) {
    const auto found = std::ranges::find(open, lane, &Record::lane);
    if (found == open.end() || found->startNs >= endNs) return {};
    if (!slices.empty() && slices[slices.size() - 1].startNs >= found->startNs) return {};
    Record slice = *found;
    slice.endNs = endNs;
    return slice;
}

// The time of steps; where none has ended in the range, all that the session was not at something else. Notes down
// what that was.
std::vector<Stretch> stretchesOfSteps(std::span<const SliceList> slices, const std::vector<Lane>& lanes,
                                      std::span<const Record> open, RangeStatistics& result) {
    const int64_t beginNs = result.beginNs, endNs = result.endNs;
    Union steps(beginNs, endNs), others(beginNs, endNs);
    std::set<Kind> between;
    const auto add = [&](const Record& slice) {
        if (slice.startNs >= endNs || slice.endNs <= beginNs) return;
        (slice.kind == Kind::kStep ? steps : others).add(slice);
        if (slice.kind != Kind::kStep) between.insert(slice.kind);
    };
    for (const Lane& lane : lanes) {
        if (lane.role != LaneRole::kSession) continue;
        const SliceList& session = slices[lane.id.index()];
        const IndexRange range = session.touching(beginNs, endNs);
        for (std::size_t i = range.begin; i < range.end; ++i)
            add(session[i]);
        if (const auto slice = underWay(open, lane.id, session, endNs)) add(*slice);
    }
    result.between.assign(between.begin(), between.end());
    return steps.stretches().empty() ? others.rest() : steps.stretches();
}

// Goes through the lanes one by one.
class Gathering {
public:
    // `steps`: where bubbles count.
    Gathering(std::span<const SliceList> slices, std::span<const Record> open, std::vector<Stretch> steps,
              RangeStatistics& result, const std::stop_token& stop)
        : m_slices(slices), m_open(open), m_steps(std::move(steps)), m_result(result), m_stop(stop) {
        for (const Stretch& step : m_steps)
            m_result.stepsNs += step.endNs - step.beginNs;
    }

    // False: stopped.
    bool addLane(const Lane& lane) {
        if (lane.role == LaneRole::kMemory) {
            addMemory(lane);
            return !m_stop.stop_requested();
        }
        if (lane.device.valid() && lane.role == LaneRole::kCompute) deviceOf(lane);
        m_coveredUntilNs = m_result.beginNs;
        m_step = m_steps.begin();
        const SliceList& slices = m_slices[lane.id.index()];
        const IndexRange range = slices.touching(m_result.beginNs, m_result.endNs);
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (i % kLookedUpEvery == 0 && m_stop.stop_requested()) return false;
            addSlice(lane, slices[i]);
        }
        if (lane.role != LaneRole::kCompute) return true;
        if (const auto slice = underWay(m_open, lane.id, slices, m_result.endNs))
            addBusy(deviceOf(lane), std::max(slice->startNs, m_result.beginNs), slice->endNs);
        return true;
    }

    void finish() {
        for (DeviceStatistics& device : m_result.devices) {
            const auto durationNs = static_cast<double>(m_result.durationNs());
            device.busyShare = durationNs > 0 ? static_cast<double>(device.busyNs) / durationNs : 0.0;
            device.bubbleShare = 1.0 - m_result.shareOfSteps(m_busyInSteps[device.device]);
            for (IdleStatistics& idle : device.idle)
                blameSlot(device.device, idle);
            std::ranges::sort(device.idle, std::greater<>(), &IdleStatistics::totalNs);
        }
        for (int k = 0; k < kNumKinds; ++k) {
            KindStatistics& kind = m_kinds[static_cast<std::size_t>(k)];
            kind.kind = static_cast<Kind>(k);
            if (kind.count == 0) continue;
            std::vector<int64_t>& durations = m_durations[static_cast<std::size_t>(k)];
            kind.p50Ns = quantile(durations, 0.5);
            kind.p95Ns = quantile(durations, 0.95);
            m_result.kinds.push_back(kind);
        }
        for (auto& [key, durations] : m_stages)
            m_result.stages.push_back({key.first, key.second, std::ssize(durations.each), durations.totalNs,
                                       quantile(durations.each, 0.5), quantile(durations.each, 0.95)});
    }

private:
    DeviceStatistics& deviceOf(const Lane& lane) {
        for (DeviceStatistics& device : m_result.devices)
            if (device.device == lane.device) return device;
        DeviceStatistics device;
        device.device = lane.device;
        device.name = lane.role == LaneRole::kCompute ? deviceNameOf(lane) : lane.name;
        return m_result.devices.emplace_back(std::move(device));
    }

    // What is in use holds until the next record.
    void addMemory(const Lane& lane) {
        if (!lane.device.valid()) return;
        const SliceList& counts = m_slices[lane.id.index()];
        const std::size_t first = counts.firstStartingFrom(m_result.beginNs);
        int64_t& peak = deviceOf(lane).peakBytes;
        for (std::size_t i = first > 0 ? first - 1 : 0; i < counts.size() && counts[i].startNs < m_result.endNs; ++i) {
            if (i % kLookedUpEvery == 0 && m_stop.stop_requested()) return;
            peak = std::max(peak, counts[i].bytes);
        }
    }

    void addSlice(const Lane& lane, const Record& slice) {
        const int64_t from = std::max(slice.startNs, m_result.beginNs);
        const int64_t to = std::min(slice.endNs, m_result.endNs);
        if (to < from || (to == from && slice.endNs != slice.startNs)) return;
        const int64_t durationNs = slice.endNs - slice.startNs;
        const double share = durationNs == 0 ? 1.0 : static_cast<double>(to - from) / static_cast<double>(durationNs);
        const double bytes = static_cast<double>(slice.bytes) * share;
        if (slice.step >= 0 && (isCompute(slice.kind) || slice.kind == Kind::kStep)) { // not what is only prefetched
            m_result.firstStep = m_result.firstStep < 0 ? slice.step : std::min(m_result.firstStep, slice.step);
            m_result.lastStep = std::max(m_result.lastStep, slice.step);
        }
        // The session lane says what the run is at; what it does then is on the devices' lanes.
        if (lane.role != LaneRole::kSession || slice.kind == Kind::kStep) addToKind(slice, to - from, bytes);
        if (!lane.device.valid()) return;
        DeviceStatistics& device = deviceOf(lane);
        if (lane.role != LaneRole::kCompute) {
            (isUp(lane.role) ? device.bytesUp : device.bytesDown) += bytes;
        } else if (slice.kind == Kind::kWait) {
            addWait(device, slice, from, to);
        } else {
            addBusy(device, from, to);
        }
    }

    void addBusy(DeviceStatistics& device, int64_t fromNs, int64_t toNs) {
        const int64_t anewFromNs = std::max(fromNs, m_coveredUntilNs);
        if (anewFromNs >= toNs) return;
        device.busyNs += toNs - anewFromNs;
        m_busyInSteps[device.device] += withinStepsNs(anewFromNs, toNs);
        m_coveredUntilNs = toNs;
    }

    void addToKind(const Record& slice, int64_t withinNs, double bytes) {
        KindStatistics& kind = m_kinds[static_cast<std::size_t>(slice.kind)];
        ++kind.count;
        kind.totalNs += withinNs;
        const int64_t durationNs = slice.endNs - slice.startNs;
        kind.longestNs = std::max(kind.longestNs, durationNs);
        kind.bytes += bytes;
        m_durations[static_cast<std::size_t>(slice.kind)].push_back(durationNs);
        if (!isCompute(slice.kind) || !slice.stage.valid()) return;
        StageDurations& stage = m_stages[{slice.stage, slice.kind}];
        stage.totalNs += withinNs;
        stage.each.push_back(durationNs);
    }

    // Of a stretch of busy or idle time; they come in order, lane by lane.
    int64_t withinStepsNs(int64_t fromNs, int64_t toNs) {
        while (m_step != m_steps.end() && m_step->endNs <= fromNs)
            ++m_step;
        int64_t within = 0;
        for (auto step = m_step; step != m_steps.end() && step->beginNs < toNs; ++step)
            within += std::min(toNs, step->endNs) - std::max(fromNs, step->beginNs);
        return within;
    }

    void addWait(DeviceStatistics& device, const Record& wait, int64_t fromNs, int64_t toNs) {
        const int64_t withinNs = toNs - fromNs;
        auto idle = std::ranges::find(device.idle, wait.reason, &IdleStatistics::reason);
        if (idle == device.idle.end()) {
            device.idle.emplace_back().reason = wait.reason;
            idle = std::prev(device.idle.end());
        }
        ++idle->count;
        idle->totalNs += withinNs;
        idle->inStepsNs += withinStepsNs(fromNs, toNs);
        if (const int64_t wholeNs = wait.endNs - wait.startNs; wholeNs > idle->longestNs) {
            idle->longestNs = wholeNs;
            idle->longestStartNs = wait.startNs;
        }
        if (wait.blockingSlot >= 0) m_blame[{device.device, wait.reason}][wait.blockingSlot] += withinNs;
    }

    void blameSlot(DeviceId device, IdleStatistics& idle) const {
        const auto found = m_blame.find({device, idle.reason});
        if (found == m_blame.end()) return;
        for (const auto& [slot, ns] : found->second)
            if (idle.slot < 0 || ns > idle.slotNs) {
                idle.slot = slot;
                idle.slotNs = ns;
            }
    }

    std::span<const SliceList> m_slices; // by lane
    std::span<const Record> m_open;
    const std::vector<Stretch> m_steps;
    std::vector<Stretch>::const_iterator m_step; // the first that the lane's slices have not passed
    std::map<DeviceId, int64_t> m_busyInSteps;
    RangeStatistics& m_result;
    const std::stop_token& m_stop;
    struct StageDurations {
        int64_t totalNs = 0;
        std::vector<int64_t> each;
    };
    std::array<KindStatistics, kNumKinds> m_kinds;
    std::array<std::vector<int64_t>, kNumKinds> m_durations;
    std::map<std::pair<StageId, Kind>, StageDurations> m_stages;
    std::map<std::pair<DeviceId, IdleReason>, std::map<int32_t, int64_t>> m_blame; // by slot
    int64_t m_coveredUntilNs = 0; // the union of the lane's work so far reaches to here
};

} // namespace

std::optional<RangeStatistics> statisticsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes,
                                            int64_t beginNs, int64_t endNs, const std::stop_token& stop,
                                            std::span<const Record> open) {
    RangeStatistics result;
    result.beginNs = beginNs;
    result.endNs = std::max(beginNs, endNs);
    Gathering gathering(slices, open, stretchesOfSteps(slices, lanes, open, result), result, stop);
    for (const Lane& lane : lanes)
        if (!gathering.addLane(lane)) return std::nullopt;
    gathering.finish();
    return result;
}

RangeStatistics statisticsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes, int64_t beginNs,
                             int64_t endNs) {
    return *statisticsOf(slices, lanes, beginNs, endNs, {});
}

RangeStatistics statisticsOf(const LaneStore& store, int64_t beginNs, int64_t endNs) {
    return statisticsOf(store.allSlices(), store.lanes(), beginNs, endNs);
}

} // namespace roundpipe::trace
