// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/lane_layout.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kGroupGap = 9;
constexpr int kRowGap = 2;
constexpr int kComputeHeight = 30;
constexpr double kLeastScale = 0.85;
constexpr double kMostScale = 2.0;
constexpr double kLeastOnShow = 0.67; // of all rows, before they have to be scrolled to: with less, devices fold
constexpr int kLeastPitch = 14;       // of rows that stand for a device each: a strip, and its name in small
constexpr int kMostPitch = 60;
constexpr int kLeastGap = 3;

int baseHeight(trace::LaneRole role) {
    switch (role) {
    case trace::LaneRole::kCompute:
        return kComputeHeight;
    case trace::LaneRole::kMemory:
    case trace::LaneRole::kOptimizer:
        return 14;
    default:
        return 12;
    }
}

// Groups with their rows, of no height yet, in the order in which they stand. `folded`: those that nobody chose.
std::vector<LaneGroup> groupsOf(const std::vector<trace::Lane>& lanes, const LaneChoice& choice, bool folded) {
    const auto isCollapsed = [&](DeviceId device) {
        const auto chosen = choice.collapsed.find(device);
        return chosen != choice.collapsed.end() ? chosen->second : folded;
    };
    std::vector<LaneGroup> groups;
    std::string deviceName;
    for (const trace::Lane& lane : lanes) {
        if (lane.role == trace::LaneRole::kCompute) deviceName = deviceNameOf(lane);
        if (!lane.device.valid()) deviceName = "Host";
        if (lane.role == trace::LaneRole::kSession || choice.hides(lane)) continue;
        if (groups.empty() || groups.back().device != lane.device)
            groups.push_back(
                {deviceName, lane.device, isCollapsed(lane.device), choice.pinned.contains(lane.device), 0, 0, {}});
        LaneGroup& group = groups.back();
        if (!group.collapsed || group.rows.empty()) group.rows.push_back({lane.id, lane.role, 0, 0});
    }
    std::ranges::stable_partition(groups, [](const LaneGroup& group) { return group.pinned; });
    return groups;
}

struct Heights {
    int rows = 0;
    int gaps = 0;
};

Heights heightsOf(const std::vector<LaneGroup>& groups) {
    Heights heights;
    for (const LaneGroup& group : groups) {
        for (const LaneRow& row : group.rows)
            heights.rows += baseHeight(row.role);
        heights.gaps += kGroupGap + kRowGap * (static_cast<int>(group.rows.size()) - 1);
    }
    return heights;
}

// From one folded group to the next, so that all fill the height, beside those that somebody has unfolded.
int foldedPitch(const std::vector<LaneGroup>& groups, int availableHeight) {
    std::vector<LaneGroup> unfolded;
    std::ranges::copy_if(groups, std::back_inserter(unfolded), [](const LaneGroup& group) { return !group.collapsed; });
    const Heights taken = heightsOf(unfolded);
    const auto numFolded = static_cast<int>(std::max<std::size_t>(1, groups.size() - unfolded.size()));
    const int left = availableHeight - static_cast<int>(taken.rows * kLeastScale) - taken.gaps;
    return std::clamp(left / numFolded, kLeastPitch, kMostPitch);
}

// One below the other: rows at `scale` of their size, but those of folded groups as `pitch` has it, where it is given.
LaneLayout stacked(std::vector<LaneGroup> groups, double scale, std::optional<int> pitch = {}) {
    const int gap = pitch ? std::clamp(*pitch / 4, kLeastGap, kGroupGap) : kGroupGap;
    LaneLayout layout{std::move(groups), 0};
    int y = gap / 2;
    for (LaneGroup& group : layout.groups) {
        group.top = y;
        for (LaneRow& row : group.rows) {
            row.top = y;
            row.height = pitch && group.collapsed ? *pitch - gap : static_cast<int>(baseHeight(row.role) * scale);
            y += row.height + kRowGap;
        }
        group.height = y - kRowGap - group.top;
        y += gap - kRowGap;
    }
    layout.height = layout.groups.empty() ? 0 : y - (gap - gap / 2);
    return layout;
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
    std::vector<LaneGroup> whole = groupsOf(lanes, choice, false);
    const auto numDevices = std::ranges::count_if(whole, [](const LaneGroup& group) { return group.device.valid(); });
    const Heights heights = heightsOf(whole);
    if (numDevices < 2 || availableHeight >= kLeastOnShow * (heights.rows * kLeastScale + heights.gaps)) {
        const double scale =
            heights.rows == 0 ? 1.0 : static_cast<double>(availableHeight - heights.gaps) / heights.rows;
        return stacked(std::move(whole), std::clamp(scale, kLeastScale, kMostScale));
    }
    std::vector<LaneGroup> folded = groupsOf(lanes, choice, true);
    const int pitch = foldedPitch(folded, availableHeight);
    return stacked(std::move(folded), kLeastScale, pitch);
}

} // namespace roundpipe::ui::timeline
