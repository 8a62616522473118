// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a template prints the assistant's tool calls with what they are called with: one that drops them would teach
// the model to say nothing in their place. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/encode/spans/marking.h"

namespace roundpipe::data {

// Renders once more with other names and arguments: each must be printed. `render` gives the text in which they must
// stand; where it refuses these, nothing is said of them. Throws RowProblem (kCallLost) naming the message.
void requireCallsPrinted(const Conversation& conversation, const std::string& rendered, const RenderMessages& render);

} // namespace roundpipe::data
