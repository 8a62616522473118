// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of a rendered conversation each message wrote, for people to look at. Internal to this folder (it
// includes nlohmann-json).
#pragma once

#include "data/encode/spans/turn_spans.h"

#include <optional>
#include <vector>

namespace roundpipe::data {

// One entry a message; nothing where the template does not print its content, or changes other text with it. Each is
// found by rendering with that one content replaced: all that stands around it must stay as it was.
std::vector<std::optional<Span>> messageSpans(const Conversation& conversation, const std::string& rendered,
                                              const RenderMessages& render);

} // namespace roundpipe::data
