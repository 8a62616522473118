// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/planned_steps.h"

#include <algorithm>
#include <utility>

namespace roundpipe::ui::timeline {
namespace {

constexpr std::size_t kFewestPixels = 60; // of a step
constexpr std::size_t kSlicesAsked = 16;  // of each device, which slots it has

} // namespace

PlannedSteps::PlannedSteps(std::vector<trace::Lane> lanes, std::span<const trace::Record> records, int64_t fromNs,
                           int64_t toNs)
    : m_lanes(std::move(lanes)) {
    std::vector<trace::Record> markers;
    std::ranges::copy_if(records, std::back_inserter(markers), [&](const trace::Record& record) {
        return record.kind == trace::Kind::kStep && record.startNs >= fromNs && record.startNs < toNs;
    });
    std::ranges::sort(markers, {}, &trace::Record::step);
    m_numDevices = static_cast<int32_t>(std::ranges::count(m_lanes, trace::LaneRole::kCompute, &trace::Lane::role));
    for (const trace::Record& marker : markers) {
        Step& step = m_steps.emplace_back();
        step.slices.resize(m_lanes.size());
        for (trace::Record record : records) {
            if (record.step != marker.step || !trace::isWork(record.kind) || !record.lane.valid()) continue;
            if (trace::isCompute(record.kind)) step.devices[record.slot] = trace::deviceOf(record.lane);
            record.startNs -= marker.startNs;
            record.endNs -= marker.startNs;
            step.slices[record.lane.index()].push_back(record);
        }
        for (std::vector<trace::Record>& lane : step.slices)
            std::ranges::sort(lane, {}, &trace::Record::startNs);
    }
}

bool PlannedSteps::isOf(const std::vector<trace::Lane>& lanes) const {
    return !m_steps.empty() && std::ranges::equal(m_lanes, lanes, {}, &trace::Lane::role, &trace::Lane::role);
}

std::optional<int32_t> PlannedSteps::turnOf(const trace::LaneStore& run, const StepOnShow& step) const {
    std::optional<int32_t> turn;
    for (int32_t d = 0; d < m_numDevices; ++d) {
        const trace::SliceList& slices = run.slices(trace::laneOf(DeviceId(d), trace::LaneRole::kCompute));
        const std::size_t first = slices.firstStartingFrom(step.beginNs);
        for (std::size_t i = first; i < std::min(first + kSlicesAsked, slices.size()); ++i) {
            if (slices[i].step != step.step || !trace::isCompute(slices[i].kind)) continue;
            const auto planned = stepFor(step.step).devices.find(slices[i].slot);
            if (planned == stepFor(step.step).devices.end()) continue;
            const int32_t here = (d - planned->second.value + m_numDevices) % m_numDevices;
            if (turn && *turn != here) return std::nullopt;
            turn = here;
        }
    }
    return turn;
}

std::span<const trace::Record> PlannedSteps::slices(LaneId lane, const StepOnShow& step) const {
    const trace::Lane& here = m_lanes[lane.index()];
    if (here.device.valid()) {
        const int32_t device = (here.device.value - step.turn + m_numDevices) % m_numDevices;
        lane = trace::laneOf(DeviceId(device), here.role);
    }
    return stepFor(step.step).slices[lane.index()];
}

std::vector<StepOnShow> stepsOnShow(const trace::LaneStore& store, const Viewport& view, bool live) {
    std::vector<StepOnShow> steps;
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& markers = store.slices(lane.id);
        const trace::IndexRange seen = markers.touching(view.beginNs(), view.endNs());
        if (seen.size() * kFewestPixels > static_cast<std::size_t>(view.width())) return {};
        const std::size_t begin = seen.begin > 0 ? seen.begin - 1 : 0;
        const std::size_t end = std::min(seen.end + 1, markers.size());
        for (std::size_t i = begin; i < end; ++i)
            if (markers[i].kind == trace::Kind::kStep) steps.push_back({markers[i].step, markers[i].startNs, 0});
        if (live && end == markers.size() && end > 0 && markers[end - 1].kind == trace::Kind::kStep)
            steps.push_back({markers[end - 1].step + 1, markers[end - 1].endNs, 0});
    }
    return steps;
}

} // namespace roundpipe::ui::timeline
