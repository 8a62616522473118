// SPDX-License-Identifier: GPL-3.0-or-later
// An answer with its tokens, for scripts and for people.
#pragma once

#include "session/chat.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace roundpipe::cli {

// {"answer": …, "end": …, "prompt_tokens": […], "tokens": […], …}, as the manual's page on answers has it.
nlohmann::ordered_json answerJson(const session::ChatAnswer& answer);

// The tokens that the model was given, then a line for each that it chose: how likely it was, and what else could have
// stood there.
std::string tokenLines(const session::ChatAnswer& answer);

std::string countOf(int64_t count, const std::string& what); // "1 token", "2 tokens"

} // namespace roundpipe::cli
