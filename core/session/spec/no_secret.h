// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is told is stored with it, shown and passed on, so it is told no secrets.
#pragma once

#include <string>

namespace roundpipe::session {

// Throws kInvalidInput where the text holds a password or a token (base/secrets.h). `what`: "'data.files'", "The note".
void requireNoSecret(const std::string& what, const std::string& text);

} // namespace roundpipe::session
