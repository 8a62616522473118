// The simulated steps of a plan as files: a trace for Perfetto, a picture for people.
#pragma once

#include "plan_question.h"

#include <filesystem>

namespace roundpipe::cli {

void writePlanTrace(const PlanQuestion& question, const PlanAnswer& answer, const std::filesystem::path& path);
// One step in steady state; two where steps flow into each other.
void writePlanSvg(const PlanQuestion& question, const PlanAnswer& answer, const std::filesystem::path& path);

} // namespace roundpipe::cli
