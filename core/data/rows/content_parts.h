// SPDX-License-Identifier: GPL-3.0-or-later
// A message's content in parts becomes one string, and what else stands among them a field of the message. Internal to
// this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <cstddef>

namespace roundpipe::data {

// Texts are joined, as most templates know strings only; thoughts (LLaMA-Factory's "reasoning", "thinking" elsewhere)
// become the field "reasoning_content", calls of tools ("tool_call") "tool_calls". Thoughts stand before texts and
// these before calls, as templates print them. `number`: of the message. Throws RowProblem.
void joinContentParts(Json& message, std::size_t number);

} // namespace roundpipe::data
