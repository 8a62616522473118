// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of a run that leaves its microbatches open, drawn at random, and what is chosen for it against every number
// and grouping that could be asked for by hand.
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe::session {

enum class SaidOfStep : uint8_t { kTokens, kNothing };

struct ComparedStep {
    std::string question;
    bool fits = false; // else nothing below is filled in
    std::string chosen, byHand;
    double chosenRate = 0; // tokens/s
    double byHandRate = 0; // of the fastest grouping of the same step by hand
    double largerRate = 0; // and of any step of up to 128 examples, in one round
    int numByHand = 0;
    double seconds = 0; // of the processor, that choosing took

    double lost() const { return 1 - chosenRate / byHandRate; }
    double lostToLarger() const { return 1 - chosenRate / largerRate; }
};

// The n-th question of a seed: a published model, a rig, a length, what is trained, and microbatches of 1, 2 or 4.
// Needs the fixtures.
ComparedStep compareStep(uint64_t seed, int n, SaidOfStep said);

} // namespace roundpipe::session
