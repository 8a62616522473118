// SPDX-License-Identifier: GPL-3.0-or-later
// What is worth saying of how a run goes just now: each finding a code with arguments, and where it can be seen. Words
// are the caller's. Nothing is found where nothing is wrong.
#pragma once

#include "session/engine.h"
#include "session/planning/plan_answer.h"
#include "trace/store/lane_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::session {

struct RunFinding {
    enum class Code {
        kWaits,             // `device` has nothing to compute for `share` of a step, for `reason`
        kHot,               // `device` is at `value` °C
        kMemoryTaken,       // of the memory of `device` only 1 - `share` is free, and other programs hold `value` bytes
        kHostMemoryLow,     // `value` bytes of the host's memory are free, of `usual`
        kLossNotFinite,     // since `step` at the latest
        kValidationRises,   // `value` now, `usual` at its lowest, after `step` steps
        kSlowerThanPlanned, // `value` seconds instead of `usual`, `share` more: a step, or what `stage` takes of one
    };
    Code code = Code::kWaits;
    bool isSerious = false; // it costs much, or endangers the run
    int32_t device = -1;    // -1: it is of no one device
    double share = 0;
    double value = 0;
    double usual = 0;
    int64_t step = -1;
    StageId stage;                            // kSlowerThanPlanned; -1: the step as a whole
    trace::Kind kind = trace::Kind::kForward; // of that stage

    // kWaits
    trace::IdleReason reason = trace::IdleReason::kNone;
    int32_t numDevices = 1; // that wait so long for this reason; `device` is the one that waits longest
    int32_t slot = -1;      // that blocked for most of it; -1: none is to blame
    // Weights: bytes per second that reach the device while they are uploaded, in `value`, and the median of the other
    // devices in `usual`, 0 where there are none; lanes of the link where it has fewer than another device's.
    std::optional<int64_t> lanes;
    std::optional<int64_t> lanesOfOthers;
    // The longest such wait, or the newest step that is slow; both 0: there is nothing to see on the timeline.
    int64_t beginNs = 0;
    int64_t endNs = 0;

    bool operator==(const RunFinding&) const = default;
};

struct LossPoint {
    int64_t step = 0; // steps done
    double loss = 0;
};

struct RunEvidence {
    const trace::LaneStore& store;
    const MachineStatus& machine;
    std::optional<StepMetrics> last;            // the newest step
    std::span<const LossPoint> validations;     // all so far, in order
    const PredictedTimeline* planned = nullptr; // of the stages that run; null: not known
    bool isOver = false;                        // the run has ended: no record comes late
};

struct RunFindings {
    std::vector<RunFinding> all; // the serious ones first, then by share
    int32_t numSteps = 0;        // whose trace was looked at: the newest few, not the first; 0: there is none (yet)
    double busyShare = 0;        // of these steps, that devices compute
};

// Takes about as long as trace::statisticsOf for a few steps.
RunFindings findingsOf(const RunEvidence& evidence);

} // namespace roundpipe::session
