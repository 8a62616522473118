// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces held against each other: a run and its prediction, or two runs.
#pragma once

#include "trace/analysis/statistics.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::trace {

// One optimizer step, from its first dispatch to its last update.
struct StepSpan {
    int32_t step = 0; // counted from 0
    int64_t beginNs = 0;
    int64_t endNs = 0;
};
std::vector<StepSpan> stepsOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes); // by their begin

// The moment of the one trace that corresponds to `timeNs` of the other: as far after the begin of the same step, or of
// the last one there is. Where one of them has no steps, as far after its first. Neither list need be complete.
int64_t alignedNs(std::span<const StepSpan> from, std::span<const StepSpan> to, int64_t timeNs);

// One number of both. Shares are of the time of steps, without pauses, answers and validations between them; times and
// bytes are a step's.
struct Measure {
    enum class What {
        kStep,      // ns, the median
        kBusy,      // share, of `device`
        kIdle,      // share, of `device` for `reason`
        kBytesUp,   // of `device`
        kBytesDown, // of `device`
        kKind       // ns, of all slices of `kind`
    };
    What what = What::kStep;
    DeviceId device;
    IdleReason reason = IdleReason::kNone;
    Kind kind = Kind::kForward;
    double first = 0;
    double second = 0;
    double difference() const { return second - first; }
};

// A side: statistics of a range, and how many steps that is.
struct ComparedSide {
    RangeStatistics statistics;
    double numSteps = 1;
};
// All but the first step, which fills the pipeline, where there are more than two; everything where there are no steps.
ComparedSide steadySideOf(std::span<const SliceList> slices, const std::vector<Lane>& lanes);

// What occurs in one of them at least; what the other lacks is 0.
std::vector<Measure> compare(const ComparedSide& first, const ComparedSide& second);

} // namespace roundpipe::trace
