// SPDX-License-Identifier: GPL-3.0-or-later
// Blanks of every script. Internal to this folder.
#pragma once

#include <string_view>

namespace roundpipe::data {

// Without what Python's str.strip() takes off both ends, as templates trim by it.
std::string_view stripped(std::string_view text);

} // namespace roundpipe::data
