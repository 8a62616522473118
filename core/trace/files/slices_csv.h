// SPDX-License-Identifier: GPL-3.0-or-later
// The slices of a trace as a table: a line each, lane by lane.
#pragma once

#include "base/file.h"
#include "trace/files/progress_callback.h"
#include "trace/store/lane_store.h"

namespace roundpipe::trace {

// Whole or not at all; memory does not grow with the trace. Times in ms since the snapshot's origin, steps counted from
// 1, ids that do not apply are empty. Memory lines (kind "memory") tell what is in use from their start on.
void writeSlicesCsv(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& progress = {});

// As a field of a CSV file: in quotes, its own doubled.
std::string csvQuoted(const std::string& text);

} // namespace roundpipe::trace
