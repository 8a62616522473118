// SPDX-License-Identifier: GPL-3.0-or-later
// What a setting does to what is learned, beside what its help says: for whoever has to choose.
#pragma once

#include "session/spec/run_spec.h"

#include <string_view>

namespace roundpipe::session {

// A sentence or two in English; "" where the help of runSpecFields() says it all. The window translates it.
const char* adviceOn(std::string_view key, Method method);

} // namespace roundpipe::session
