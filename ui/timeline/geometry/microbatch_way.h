// SPDX-License-Identifier: GPL-3.0-or-later
// A microbatch's way through the stages, told from its slices: what the pinned panel lists. No Qt.
#pragma once

#include "trace/analysis/flow.h"

#include <vector>

namespace roundpipe::ui::timeline {

// One stage's turn: its slices on one device, which waits may have cut.
struct WayStop {
    std::size_t slice = 0; // the last of them, in the flow: not the recompute before a backward
    int64_t computedNs = 0;
    int64_t waitedNs = 0; // since the stage before had ended
};
std::vector<WayStop> wayOf(const trace::MicrobatchFlow& flow);

// From the compute slices of one stage to those of the next, the copies between them left out. What goes to a later
// stage is no hand-over but a checkpoint. Indices in the flow.
std::vector<trace::MicrobatchFlow::Handover> stageLinksOf(const trace::MicrobatchFlow& flow);

} // namespace roundpipe::ui::timeline
