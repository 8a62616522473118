// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a plan as the simulator predicts them, one after another for as long as anyone likes.
#pragma once

#include "plan/rig/rig.h"
#include "plan/search/model_choice.h"
#include "trace/record.h"

#include <cstdint>
#include <vector>

namespace roundpipe::session {

// What happens in a stretch of simulated time, in the order of its ends, counted from the stretch's beginning: what
// began before it has a negative start.
struct ReplayedStretch {
    int64_t durationNs = 0;
    std::vector<trace::Record> records;
};

// A rotation is the steps until every stage meets its first device again. Simulated are the first step, which fills the
// pipeline, a rotation in which weights settle on the devices that keep some, and one that all later steps repeat.
class StepReplay {
public:
    StepReplay(plan::ModelChoice found, plan::Rig rig);

    // From the end of the step before to the end of `step` (counted from 0), with what is loaded ahead for the next of
    // `numSteps`.
    ReplayedStretch step(int64_t step, int64_t numSteps) const;
    // Of so many microbatches, alone; its records bear `number` (-2 and below) in the place of a step.
    ReplayedStretch evaluation(int32_t numMicrobatches, int64_t number) const;

private:
    plan::ModelChoice m_found;
    plan::Rig m_rig;
    std::vector<ReplayedStretch> m_steps; // their records bear the number of the simulated step
};

} // namespace roundpipe::session
