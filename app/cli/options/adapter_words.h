// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters that were loaded, by their names, each with how much of it counts: "polly", "polly=0.5".
#pragma once

#include "session/chat.h"

#include <span>
#include <string>

namespace roundpipe::cli {

// A factor on what adapters add. Throws kInvalidInput where the word is no number, or one that is far from any use.
double strengthIn(const std::string& word);

// One of `loaded`; without a number its weight there. Throws kInvalidInput, listing them, for another name.
session::AdapterWeight adapterIn(const std::string& word, std::span<const session::AdapterWeight> loaded);

} // namespace roundpipe::cli
