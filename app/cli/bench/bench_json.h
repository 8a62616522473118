// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark prints: one object, made of the run's trace, its steps and what the machine said meanwhile.
#pragma once

#include "bench/bench_run.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace roundpipe::cli {

// Of the steps after the first `warmUpSteps` (one at least): from the end of the last of these to the end of the run,
// with all that lies between two steps.
nlohmann::ordered_json benchJson(const BenchRun& run, int64_t warmUpSteps);

} // namespace roundpipe::cli
