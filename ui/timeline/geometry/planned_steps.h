// SPDX-License-Identifier: GPL-3.0-or-later
// A step as it was planned, to be laid beside each step of the run. No Qt.
#pragma once

#include "trace/store/lane_store.h"
#include "ui/timeline/geometry/viewport.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::ui::timeline {

struct StepOnShow {
    int32_t step = 0;
    int64_t beginNs = 0;
    int32_t turn = 0; // by how many devices its slots are further on than the planned ones
};

class PlannedSteps {
public:
    // Of simulated records the steps whose markers begin in [fromNs, toNs): one, or two that take turns where steps
    // flow into each other.
    PlannedSteps(std::vector<trace::Lane> lanes, std::span<const trace::Record> records, int64_t fromNs, int64_t toNs);
    bool isOf(const std::vector<trace::Lane>& lanes) const; // of a run with such lanes
    // Slots are dealt to devices in turn from step to step: the turn of the run's step as its first slices show it.
    // Nothing where they do not, or have not ended yet.
    std::optional<int32_t> turnOf(const trace::LaneStore& run, const StepOnShow& step) const;
    // What the lane does in that step; times are since the step's begin, what is loaded ahead is below zero. Waits are
    // left out.
    std::span<const trace::Record> slices(LaneId lane, const StepOnShow& step) const;

private:
    struct Step {
        std::vector<std::vector<trace::Record>> slices; // by lane
        std::map<int32_t, DeviceId> devices;            // by slot
    };
    const Step& stepFor(int32_t step) const { return m_steps[static_cast<std::size_t>(step) % m_steps.size()]; }

    std::vector<trace::Lane> m_lanes;
    int32_t m_numDevices = 0;
    std::vector<Step> m_steps;
};

// The steps of a run that can be seen, and those next to them: what is loaded ahead may be seen already. The one under
// way begins where the last one ended. None where they are too narrow to say anything.
std::vector<StepOnShow> stepsOnShow(const trace::LaneStore& store, const Viewport& view, bool live);

} // namespace roundpipe::ui::timeline
