// SPDX-License-Identifier: GPL-3.0-or-later
// Which lane stands where: rows of pixels, shared by the plot and the header column beside it.
#pragma once

#include "trace/record.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace roundpipe::ui::timeline {

struct LaneRow {
    LaneId lane;
    trace::LaneRole role = trace::LaneRole::kCompute;
    int top = 0;
    int height = 0;
};

// The lanes of one device, or of the host.
struct LaneGroup {
    std::string name;
    DeviceId device; // -1: the host
    bool collapsed = false;
    bool pinned = false;
    int top = 0;
    int height = 0;
    std::vector<LaneRow> rows;
};

struct LaneLayout {
    std::vector<LaneGroup> groups;
    int height = 0;

    const LaneRow* rowAt(int y) const;       // null: between rows
    const LaneRow* rowOf(LaneId lane) const; // null: it has none
};

// What the user chose to see. The host's device is -1.
struct LaneChoice {
    std::map<DeviceId, bool> collapsed; // whether only its first lane is shown; of others the room decides
    std::set<DeviceId> pinned;          // stands above the others
    std::set<DeviceId> hidden;
    std::set<trace::LaneRole> hiddenRoles; // of all devices
    bool hides(const trace::Lane& lane) const {
        return hidden.contains(lane.device) || hiddenRoles.contains(lane.role);
    }
};

// Compute rows are tall, transfers low; steps have no row, they are the ruler's. Rows fill `availableHeight` at 0.85 to
// twice their size; if they need more than that, the layout is higher, and the view scrolls. Where much of several
// devices would be out of sight, each that nobody has unfolded is one row, as low as need be to show all at once. So
// with no height at all, the layout's is the least that shows everything.
LaneLayout layOutLanes(const std::vector<trace::Lane>& lanes, int availableHeight, const LaneChoice& choice = {});

} // namespace roundpipe::ui::timeline
