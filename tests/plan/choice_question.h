// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of a step whose microbatches are chosen, drawn at random, and what the choice is against every shape of the
// same step that could be asked for by hand.
#pragma once

#include "plan/search/model_choice.h"

#include <cstdint>
#include <string>

namespace roundpipe::plan {

struct ComparedChoice {
    std::string question;
    bool fits = false; // else nothing below is filled in
    std::string chosen, byHand;
    double chosenRate = 0; // tokens/s
    double byHandRate = 0; // of the fastest shape by hand
    int numByHand = 0;
    double seconds = 0; // of the processor, that choosing took

    double lost() const { return 1 - chosenRate / byHandRate; }
};

// The n-th question of a seed: a published model, a rig, a length, what is trained, and 4 to 128 sequences a step.
// `largestStep`: of these sequences. Needs the fixtures.
ComparedChoice compareChoice(uint64_t seed, int n, int64_t largestStep);

} // namespace roundpipe::plan
