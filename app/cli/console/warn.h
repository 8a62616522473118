// SPDX-License-Identifier: GPL-3.0-or-later
// What deserves a word beside the result.
#pragma once

#include "session/spec_remark.h"

#include <vector>

namespace roundpipe::cli {

void warn(const std::vector<session::SpecRemark>& remarks); // a line each, on standard error

} // namespace roundpipe::cli
