// SPDX-License-Identifier: GPL-3.0-or-later
// What the view does as data arrives, and how much of it shows the newest steps. No Qt.
#pragma once

#include "trace/store/lane_store.h"

#include <cstdint>
#include <optional>

namespace roundpipe::ui::timeline {

// Pausing stops the view, never the recording.
enum class Follow {
    kNewestSteps, // the last three steps
    kFixedRange,  // the user's scale, its right edge at the newest data
    kPaused
};

// Three times the median of the latest whole steps, so that one odd step does not change the scale; 0: none yet.
int64_t newestStepsNs(const trace::LaneStore& store);
// Where the latest whole step ends; nothing: there is none yet.
std::optional<int64_t> newestStepEndNs(const trace::LaneStore& store);
// The next span on the way from `nowNs` to `wantedNs`: a part of the way each tick, all of it where little is left or
// where the scales have nothing in common.
int64_t easedSpanNs(int64_t nowNs, int64_t wantedNs);

} // namespace roundpipe::ui::timeline
