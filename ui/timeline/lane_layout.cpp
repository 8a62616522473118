#include "ui/timeline/lane_layout.h"

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kGroupGap = 8;
constexpr int kRowGap = 2;

int baseHeight(trace::LaneRole role) {
    return role == trace::LaneRole::kCompute ? 28 : 15;
}

std::string groupName(const trace::Lane& lane) {
    if (!lane.device.valid()) return "Host";
    return lane.name.substr(0, lane.name.rfind(" compute"));
}

} // namespace

const LaneRow* LaneLayout::rowAt(int y) const {
    for (const LaneGroup& group : groups)
        for (const LaneRow& row : group.rows)
            if (y >= row.top && y < row.top + row.height) return &row;
    return nullptr;
}

LaneLayout layOutLanes(const std::vector<trace::Lane>& lanes, int availableHeight) {
    int rows = 0;
    int gaps = kGroupGap;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        rows += baseHeight(lanes[i].role);
        gaps += i == 0 || lanes[i].device == lanes[i - 1].device ? kRowGap : kGroupGap;
    }
    const double scale = rows == 0 ? 1.0 : std::clamp(static_cast<double>(availableHeight - gaps) / rows, 0.85, 2.0);

    LaneLayout layout;
    int y = kGroupGap / 2;
    for (const trace::Lane& lane : lanes) {
        if (layout.groups.empty() || layout.groups.back().device != lane.device) {
            if (!layout.groups.empty()) y += kGroupGap - kRowGap;
            layout.groups.push_back({groupName(lane), lane.device, y, 0, {}});
        }
        LaneGroup& group = layout.groups.back();
        const int height = static_cast<int>(baseHeight(lane.role) * scale);
        group.rows.push_back({lane.id, lane.role, y, height});
        group.height = y + height - group.top;
        y += height + kRowGap;
    }
    layout.height = lanes.empty() ? 0 : y - kRowGap + kGroupGap / 2;
    return layout;
}

} // namespace roundpipe::ui::timeline
