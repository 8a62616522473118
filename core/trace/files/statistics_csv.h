// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a range as CSV.
#pragma once

#include "trace/analysis/statistics.h"

#include <string>

namespace roundpipe::trace {

// One row per device, one per reason for which it waited, one per kind, one per stage and kind, with a header line.
std::string toCsv(const RangeStatistics& statistics);

} // namespace roundpipe::trace
