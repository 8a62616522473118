// A plan as scripts read it.
#pragma once

#include "plan_question.h"

#include <nlohmann/json.hpp>

namespace roundpipe::cli {

nlohmann::ordered_json planJson(const PlanQuestion& question, const PlanAnswer& answer);

} // namespace roundpipe::cli
