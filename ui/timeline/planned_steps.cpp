#include "ui/timeline/planned_steps.h"

#include <algorithm>
#include <utility>

namespace roundpipe::ui::timeline {
namespace {

constexpr std::size_t kFewestPixels = 60; // of a step

} // namespace

PlannedSteps::PlannedSteps(std::vector<trace::Lane> lanes, std::span<const trace::Record> records, int64_t fromNs,
                           int64_t toNs)
    : m_lanes(std::move(lanes)) {
    std::vector<trace::Record> markers;
    std::ranges::copy_if(records, std::back_inserter(markers), [&](const trace::Record& record) {
        return record.kind == trace::Kind::kStep && record.startNs >= fromNs && record.startNs < toNs;
    });
    std::ranges::sort(markers, {}, &trace::Record::step);
    m_steps.resize(markers.size());
    for (std::size_t s = 0; s < markers.size(); ++s) {
        m_steps[s].resize(m_lanes.size());
        for (trace::Record record : records) {
            if (record.step != markers[s].step || !trace::isWork(record.kind) || !record.lane.valid()) continue;
            record.startNs -= markers[s].startNs;
            record.endNs -= markers[s].startNs;
            m_steps[s][record.lane.index()].push_back(record);
        }
        for (std::vector<trace::Record>& lane : m_steps[s])
            std::ranges::sort(lane, {}, &trace::Record::startNs);
    }
}

bool PlannedSteps::isOf(const std::vector<trace::Lane>& lanes) const {
    return !m_steps.empty() && std::ranges::equal(m_lanes, lanes, {}, &trace::Lane::role, &trace::Lane::role);
}

std::span<const trace::Record> PlannedSteps::slices(LaneId lane, int32_t step) const {
    if (m_steps.empty() || step < 0) return {};
    return m_steps[static_cast<std::size_t>(step) % m_steps.size()][lane.index()];
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
            if (markers[i].kind == trace::Kind::kStep) steps.push_back({markers[i].step, markers[i].startNs});
        if (live && end == markers.size() && end > 0 && markers[end - 1].kind == trace::Kind::kStep)
            steps.push_back({markers[end - 1].step + 1, markers[end - 1].endNs});
    }
    return steps;
}

} // namespace roundpipe::ui::timeline
