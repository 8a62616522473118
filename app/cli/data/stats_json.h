// SPDX-License-Identifier: GPL-3.0-or-later
// What `roundpipe data stats --json` prints.
#pragma once

#include "session/workbench.h"

#include <nlohmann/json_fwd.hpp>

namespace roundpipe::cli {

// Counts by what is counted, each with examples by file and row (from 1), and every dropped row.
nlohmann::ordered_json statsJson(const session::DatasetReport& report);

} // namespace roundpipe::cli
