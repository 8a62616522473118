// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as files: JSON for scripts, a picture of a predicted step for people, a trace for Perfetto.
#pragma once

#include "base/file.h"
#include "session/planning/plan_answer.h"

#include <string>
#include <vector>

namespace roundpipe::session {

// Indented, in units that its keys name. What does not fit says so, with what would help, and how that is told to
// `roundpipe plan`: as options, or as a rig for --rig. `spec`: the question's; `notes`: notesOn().
std::string planJson(const PlanAnswer& answer, const RunSpec& spec, const std::vector<std::string>& notes = {});

// One step in steady state; two where steps flow into each other. Of an answer with its timeline. `facts` stand beside
// the title: "2.41 s a step".
std::string planSvg(const PlanAnswer& answer, const std::string& title, const std::vector<std::string>& facts);
// The same steps. What ends in .rptrace is a trace file, which the Studio opens; else JSON for Perfetto. Throws as
// writeFileAtomically does.
void writePlanTrace(const PlanAnswer& answer, const Destination& to);

int64_t mostMemory(const std::vector<plan::DeviceMemoryTable>& devices); // of any device, in bytes

} // namespace roundpipe::session
