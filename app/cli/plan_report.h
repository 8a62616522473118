// A plan as people read it.
#pragma once

#include "plan_question.h"

#include <string>

namespace roundpipe::cli {

// Stages, memories and the predicted step, as tables.
std::string planText(const PlanQuestion& question, const PlanAnswer& answer);

// "Qwen3, 28 blocks … on 4 x RTX 4090": the first line of text and picture.
std::string planTitle(const PlanQuestion& question);
// "2.41 s a step", "bubble 4.1 %", "6,800 tokens/s".
std::vector<std::string> planFacts(const PlanAnswer& answer);

} // namespace roundpipe::cli
