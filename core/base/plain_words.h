// SPDX-License-Identifier: GPL-3.0-or-later
// Names and paths as other programs take them.
#pragma once

#include <string>

namespace roundpipe {

// As one word of a POSIX shell.
std::string shellWord(const std::string& text);
// What may stand in a name that programs read: "Polly the parrot" → "polly-the-parrot"; "tuned" where nothing is left.
std::string plainName(const std::string& name);
bool hasControlCharacters(const std::string& text); // line feeds among them

} // namespace roundpipe
