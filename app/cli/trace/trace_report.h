// SPDX-License-Identifier: GPL-3.0-or-later
// Traces and their comparison in words.
#pragma once

#include "trace/analysis/comparison.h"
#include "trace/files/trace_file.h"

#include <string>

namespace roundpipe::cli {

// Facts, extent and the statistics of its steady steps. `store`: of the file.
std::string traceText(const trace::TraceFile& file, const trace::LaneStore& store);
// A row for each measure. The names stand in the columns' titles.
std::string comparisonText(const std::vector<trace::Measure>& measures, const std::string& first,
                           const std::string& second, const std::vector<std::string>& deviceNames);

} // namespace roundpipe::cli
