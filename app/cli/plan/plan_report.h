// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as people read it.
#pragma once

#include "session/planning/plan_answer.h"

#include <string>
#include <vector>

namespace roundpipe::cli {

// Stages, memories and the predicted step, as tables. `spec`: the question's.
std::string planText(const session::PlanAnswer& answer, const session::RunSpec& spec);
// Where nothing fits: the memories of the plan that needs least.
std::string smallestText(const session::PlanAnswer& answer, const session::RunSpec& spec);

// "Qwen3, 28 blocks … on 4 x RTX 4090": the first line of text and picture.
std::string planTitle(const session::PlanAnswer& answer);
// "2.41 s a step", "bubble 4.1 %", "6,800 tokens/s".
std::vector<std::string> planFacts(const session::PlanAnswer& answer);

} // namespace roundpipe::cli
