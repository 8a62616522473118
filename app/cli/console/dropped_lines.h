// SPDX-License-Identifier: GPL-3.0-or-later
// What is printed of dropped rows: each problem once.
#pragma once

#include "session/workbench.h"

#include <span>
#include <string>
#include <vector>

namespace roundpipe::cli {

// The first row with each problem and how many more have it, the commonest problem first; the rarest are only counted.
std::vector<std::string> linesOfDropped(std::span<const session::DroppedRow> rows);

} // namespace roundpipe::cli
