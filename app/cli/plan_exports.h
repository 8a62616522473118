// The simulated steps of a plan as files: a trace for Perfetto, a picture for people.
#pragma once

#include "session/plan_answer.h"

#include <filesystem>

namespace roundpipe::cli {

// Of an answer with its timeline. What ends in .rptrace is a trace file, which the Studio opens; else JSON for
// Perfetto.
void writePlanTrace(const session::PlanAnswer& answer, const std::filesystem::path& path);
// One step in steady state; two where steps flow into each other.
void writePlanSvg(const session::PlanAnswer& answer, const std::filesystem::path& path);

} // namespace roundpipe::cli
