// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to put the microbatches of an optimizer step into rounds.
#pragma once

#include "plan/step_shape.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::plan {

// All ways to put a step's microbatches into equal rounds, the largest rounds first. With as many rounds as devices a
// plan of one stage is data parallelism.
std::vector<StepShape> groupings(int32_t numMicrobatches, bool oneStepStale);

// A step of `usual` microbatches, and now and then up to `most`, in rounds of so many; the last is not full now and
// then.
StepShape looseGrouping(int32_t roundSize, int32_t most, int32_t usual, bool oneStepStale);

// Ways to put a step of `usual` microbatches, and now and then up to `most`, into rounds, the largest rounds first: in
// one, one and a quarter and so on by quarters up to four, then one more each time up to eight, then a quarter more;
// the last round is not full now and then. Rounds are of 256 microbatches at most. Where devices differ
// (`shareOfFastest`: of a step, what one of the fastest does if each does as much as it is fast), in one but for the
// last microbatch, or a few, too: a fast device, which has time left in a round of whole stages, takes those alone; in
// rounds of which one, two or three are the share of a fastest device, and the rest is left to the others; and of a
// short step in rounds of every size, as what is left for the last one decides how busy each device is.
std::vector<StepShape> looseGroupings(int32_t most, int32_t usual, bool oneStepStale,
                                      std::optional<double> shareOfFastest = std::nullopt);

} // namespace roundpipe::plan
