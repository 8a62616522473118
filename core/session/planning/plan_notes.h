// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan's figures rest on, and what nobody has measured of them.
#pragma once

#include "session/planning/plan_answer.h"

#include <optional>
#include <string>
#include <vector>

namespace roundpipe::session {

// Of a prediction that rests on assumed rates.
struct RateBand {
    double least = 0; // tokens a second
    double most = 0;
};

// Nothing where layers were measured on such devices, or the devices' own rates were.
std::optional<RateBand> rateBand(const PlanAnswer& answer);

// Sentences, of the answer to that question; empty where there is nothing to say. Reads the model's config.json, and
// throws as arch::readModelConfig.
std::vector<std::string> notesOn(const PlanQuestion& question, const PlanAnswer& answer);

} // namespace roundpipe::session
