// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a range of time, by device and kind of work: the panel beside the timeline, and its table as CSV.
#pragma once

#include "trace/store/lane_store.h"

#include <algorithm>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace roundpipe::trace {

struct KindStatistics {
    Kind kind = Kind::kForward;
    int64_t count = 0;   // slices that touch the range
    int64_t totalNs = 0; // of what lies in the range
    int64_t longestNs = 0;
    int64_t p50Ns = 0; // of whole durations, of the slices that touch
    int64_t p95Ns = 0;
    double bytes = 0; // a slice that is partly in the range counts in proportion
    double meanNs() const { return count == 0 ? 0.0 : static_cast<double>(totalNs) / static_cast<double>(count); }
};

// The compute slices of one stage of one kind. A microbatch that a wait has cut counts by its pieces.
struct StageStatistics {
    StageId stage;
    Kind kind = Kind::kForward;
    int64_t count = 0;
    int64_t totalNs = 0;
    int64_t p50Ns = 0;
    int64_t p95Ns = 0;
};

// The waits of one device for one reason.
struct IdleStatistics {
    IdleReason reason = IdleReason::kNone;
    int64_t count = 0;
    int64_t totalNs = 0;
    int64_t longestNs = 0;
    int32_t slot = -1; // that blocked for most of it; -1: none is to blame
    int64_t slotNs = 0;
    int64_t longestStartNs = 0; // of the whole wait, not of what lies in the range
    int64_t inStepsNs = 0;      // of totalNs, what lies in steps (RangeStatistics::stepsNs)
};

struct DeviceStatistics {
    DeviceId device;
    std::string name;
    int64_t busyNs = 0;               // union of its compute slices
    double busyShare = 0;             // of the range
    double bubbleShare = 1;           // of what the range has of steps (stepsNs): what is left idle
    std::vector<IdleStatistics> idle; // by reason, the most time first
    double bytesUp = 0;
    double bytesDown = 0;
    int64_t peakBytes = 0; // of its memory in use; 0 where that was not recorded
};

// Slices that reach over the borders are clipped to the range.
struct RangeStatistics {
    int64_t beginNs = 0;
    int64_t endNs = 0;
    int32_t firstStep = -1; // optimizer steps that compute in the range; -1: none
    int32_t lastStep = -1;
    // Time in the range that belongs to optimizer steps: while prompts are answered, rows validated or results saved
    // devices idle that no step has let wait. Before the first step of the range has ended, all that is nothing else.
    int64_t stepsNs = 0;
    std::vector<Kind> between; // what the session was at beside steps (kWait: a pause), each once, in the order of Kind
    std::vector<DeviceStatistics> devices;
    std::vector<KindStatistics> kinds;   // those that occur, in the order of Kind; counters are none
    std::vector<StageStatistics> stages; // by stage, then kind
    int64_t durationNs() const { return endNs - beginNs; }
    double shareOfSteps(int64_t ns) const {
        return static_cast<double>(ns) / static_cast<double>(std::max<int64_t>(stepsNs, 1));
    }
};

// Time grows with the slices in the range: about 30 ms a million, more where they lie on a disk.
RangeStatistics statisticsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes, int64_t beginNs,
                             int64_t endNs);
// Nothing: it was stopped. `open`: what is under way as the range ends (OpenSlices); it keeps devices busy and says
// what the session is at, and counts for nothing else, as nobody knows yet how long it takes.
std::optional<RangeStatistics> statisticsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes,
                                            int64_t beginNs, int64_t endNs, const std::stop_token& stop,
                                            std::span<const Record> open = {});
RangeStatistics statisticsOf(const LaneStore& store, int64_t beginNs, int64_t endNs);

} // namespace roundpipe::trace
