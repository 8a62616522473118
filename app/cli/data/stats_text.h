// SPDX-License-Identifier: GPL-3.0-or-later
// What `roundpipe data stats` prints for people.
#pragma once

#include "data/options.h"
#include "session/workbench.h"

#include <span>

namespace roundpipe::cli {

// On the standard output; `datasets` are those that the report is of.
void printStats(const session::DatasetReport& report, std::span<const data::DataOptions> datasets, bool colours);

} // namespace roundpipe::cli
