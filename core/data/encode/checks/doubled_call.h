// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of tools that a message has twice: in "tool_calls", which templates print, and in the words beside them, as the
// text of some model's form. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

namespace roundpipe::data {

// Whether the content of a message writes out one of its calls: as JSON with its name and its arguments, whatever the
// blanks between them, or by its name behind a mark with which models begin a call.
bool writesOutItsCall(const Json& message);

} // namespace roundpipe::data
