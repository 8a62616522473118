// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/spec/run_spec_fields.h"

#include <string_view>

namespace roundpipe::session {

// The setting that a text of core's leads to: of those whose key ("model.chat_template") or option ("--chat-template")
// stands in it, the first. nullptr: it names none. Keys without a section ("seed") are words like others and don't
// count.
const Field* fieldNamedIn(std::string_view text);

} // namespace roundpipe::session
