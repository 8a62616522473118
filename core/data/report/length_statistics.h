// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of rows → percentiles and a histogram. Internal to this folder.
#pragma once

#include "session/workbench.h"

#include <cstdint>
#include <vector>

namespace roundpipe::data {

// Fills all but the choices.
void describeLengths(std::vector<int32_t> lengths, session::LengthStatistics& statistics);

} // namespace roundpipe::data
