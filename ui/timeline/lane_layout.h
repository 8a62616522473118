// Which lane stands where: rows of pixels, shared by the plot and the header column beside it.
#pragma once

#include "trace/record.h"

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
    int top = 0;
    int height = 0;
    std::vector<LaneRow> rows;
};

struct LaneLayout {
    std::vector<LaneGroup> groups;
    int height = 0;

    const LaneRow* rowAt(int y) const; // null: between rows
};

// Compute rows are tall, transfers low. Rows fill `availableHeight` at 0.85 to twice their size; if they need more
// than that, the layout is higher, and the view scrolls.
LaneLayout layOutLanes(const std::vector<trace::Lane>& lanes, int availableHeight);

} // namespace roundpipe::ui::timeline
