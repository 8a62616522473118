// SPDX-License-Identifier: GPL-3.0-or-later
// "1 step", "37 steps".
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe {

// `many` empty: `one` with an s.
std::string counted(int64_t count, const std::string& one, const std::string& many = "");

} // namespace roundpipe
