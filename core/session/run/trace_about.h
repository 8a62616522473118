// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says of the run that it was recorded in.
#pragma once

#include "session/engine.h"
#include "trace/store/lane_store.h"

namespace roundpipe::session {

// Names of layers, and facts in English for files and other programs: model, devices, stages, steps, microbatches.
// No paths: a trace is passed on to others.
trace::TraceAbout aboutOf(const RunSpec& spec, const RunPlan& plan);

} // namespace roundpipe::session
