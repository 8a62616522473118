// SPDX-License-Identifier: GPL-3.0-or-later
// What of a row its chat template leaves out: the model never sees it, whatever the row says. Internal to this folder
// (it includes nlohmann-json).
#pragma once

#include "data/encode/spans/marking.h"

#include <cstddef>
#include <string>
#include <vector>

namespace roundpipe::data {

// Messages by their index, ascending.
struct Unprinted {
    std::vector<std::size_t> thoughts; // of the assistant
    std::vector<std::size_t> texts;    // what a message says, beside its tool calls or without
    std::vector<std::size_t> split;    // answers with a </think> among their words, by which the template splits them
};

// Renders once more where there are thoughts, or their ends, texts beside tool calls, or texts that do not stand in the
// rendering as they are: each with a marker in its place, which must be printed. Where the template refuses the
// markers, nothing is said of the row.
Unprinted unprintedOf(const Conversation& conversation, const std::string& rendered, const RenderMessages& render);

} // namespace roundpipe::data
