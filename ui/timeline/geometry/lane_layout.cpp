// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/lane_layout.h"

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kGroupGap = 9;
constexpr int kRowGap = 2;

int baseHeight(trace::LaneRole role) {
    switch (role) {
    case trace::LaneRole::kCompute:
        return 30;
    case trace::LaneRole::kMemory:
    case trace::LaneRole::kOptimizer:
        return 14;
    default:
        return 12;
    }
}

// Groups with their rows, of no height yet, in the order in which they stand.
std::vector<LaneGroup> groupsOf(const std::vector<trace::Lane>& lanes, const LaneChoice& choice) {
    std::vector<LaneGroup> groups;
    std::string deviceName;
    for (const trace::Lane& lane : lanes) {
        if (lane.role == trace::LaneRole::kCompute) deviceName = deviceNameOf(lane);
        if (!lane.device.valid()) deviceName = "Host";
        if (lane.role == trace::LaneRole::kSession || choice.hides(lane)) continue;
        if (groups.empty() || groups.back().device != lane.device)
            groups.push_back({deviceName,
                              lane.device,
                              choice.collapsed.contains(lane.device),
                              choice.pinned.contains(lane.device),
                              0,
                              0,
                              {}});
        LaneGroup& group = groups.back();
        if (!group.collapsed || group.rows.empty()) group.rows.push_back({lane.id, lane.role, 0, 0});
    }
    std::ranges::stable_partition(groups, [](const LaneGroup& group) { return group.pinned; });
    return groups;
}

} // namespace

const LaneRow* LaneLayout::rowAt(int y) const {
    for (const LaneGroup& group : groups)
        for (const LaneRow& row : group.rows)
            if (y >= row.top && y < row.top + row.height) return &row;
    return nullptr;
}

const LaneRow* LaneLayout::rowOf(LaneId lane) const {
    for (const LaneGroup& group : groups)
        for (const LaneRow& row : group.rows)
            if (row.lane == lane) return &row;
    return nullptr;
}

LaneLayout layOutLanes(const std::vector<trace::Lane>& lanes, int availableHeight, const LaneChoice& choice) {
    LaneLayout layout;
    layout.groups = groupsOf(lanes, choice);
    int rows = 0;
    int gaps = 0;
    for (const LaneGroup& group : layout.groups) {
        for (const LaneRow& row : group.rows)
            rows += baseHeight(row.role);
        gaps += kGroupGap + kRowGap * (static_cast<int>(group.rows.size()) - 1);
    }
    const double scale = rows == 0 ? 1.0 : std::clamp(static_cast<double>(availableHeight - gaps) / rows, 0.85, 2.0);
    int y = kGroupGap / 2;
    for (LaneGroup& group : layout.groups) {
        group.top = y;
        for (LaneRow& row : group.rows) {
            row.top = y;
            row.height = static_cast<int>(baseHeight(row.role) * scale);
            y += row.height + kRowGap;
        }
        group.height = y - kRowGap - group.top;
        y += kGroupGap - kRowGap;
    }
    layout.height = layout.groups.empty() ? 0 : y - (kGroupGap - kGroupGap / 2);
    return layout;
}

} // namespace roundpipe::ui::timeline
