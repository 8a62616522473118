// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/open_slices.h"

#include <algorithm>

namespace roundpipe::trace {

OpenSlices::LaneNow& OpenSlices::at(LaneId lane) {
    if (lane.index() >= m_lanes.size()) m_lanes.resize(lane.index() + 1);
    return m_lanes[lane.index()];
}

void OpenSlices::begun(std::span<const Record> slices) {
    for (const Record& slice : slices)
        if (slice.lane.valid() && slice.startNs > at(slice.lane).endedNs) at(slice.lane).open = slice;
}

void OpenSlices::ended(std::span<const Record> slices) {
    for (const Record& slice : slices) {
        if (!slice.lane.valid()) continue;
        LaneNow& lane = at(slice.lane);
        lane.endedNs = std::max(lane.endedNs, slice.startNs);
        if (lane.open && lane.open->startNs <= lane.endedNs) lane.open.reset();
    }
}

std::vector<Record> OpenSlices::all() const {
    std::vector<Record> open;
    for (const LaneNow& lane : m_lanes)
        if (lane.open) open.push_back(*lane.open);
    return open;
}

} // namespace roundpipe::trace
