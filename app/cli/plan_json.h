// A plan as scripts read it.
#pragma once

#include "session/plan_answer.h"

#include <nlohmann/json.hpp>

namespace roundpipe::cli {

nlohmann::ordered_json planJson(const session::PlanAnswer& answer);

} // namespace roundpipe::cli
