// A step as it was planned, to be laid beside each step of the run. No Qt.
#pragma once

#include "trace/lane_store.h"
#include "ui/timeline/viewport.h"

#include <span>
#include <vector>

namespace roundpipe::ui::timeline {

class PlannedSteps {
public:
    // Of simulated records the steps whose markers begin in [fromNs, toNs): one, or two that take turns where steps
    // flow into each other.
    PlannedSteps(std::vector<trace::Lane> lanes, std::span<const trace::Record> records, int64_t fromNs, int64_t toNs);
    bool isOf(const std::vector<trace::Lane>& lanes) const; // of a run with such lanes
    // What the lane does in the run's step of that number; times are since the step's begin, what is loaded ahead is
    // below zero. Waits are left out.
    std::span<const trace::Record> slices(LaneId lane, int32_t step) const;

private:
    std::vector<trace::Lane> m_lanes;
    std::vector<std::vector<std::vector<trace::Record>>> m_steps; // [step][lane]
};

struct StepOnShow {
    int32_t step = 0;
    int64_t beginNs = 0;
};
// The steps of a run that can be seen, and those next to them: what is loaded ahead may be seen already. The one under
// way begins where the last one ended. None where they are too narrow to say anything.
std::vector<StepOnShow> stepsOnShow(const trace::LaneStore& store, const Viewport& view, bool live);

} // namespace roundpipe::ui::timeline
