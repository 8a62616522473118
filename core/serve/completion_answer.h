// SPDX-License-Identifier: GPL-3.0-or-later
// Answers in the form of OpenAI's chat completions: whole, in pieces of a stream, and what went wrong.
#pragma once

#include "base/error.h"
#include "serve/http_server.h"
#include "session/chat.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::serve {

// What all pieces of an answer share.
struct CompletionAbout {
    std::string id; // "chatcmpl-…"
    std::string model;
    int64_t created = 0; // seconds since 1970
    bool hasProbabilities = false;
};

std::string completionJson(const CompletionAbout& about, const session::ChatAnswer& answer);

// Pieces of a stream, as JSON: the role, text with the tokens that it came of, how it ended, what it took.
std::string firstPiece(const CompletionAbout& about);
std::string textPiece(const CompletionAbout& about, const std::string& text,
                      std::span<const session::TokenChoice> tokens);
std::string lastPiece(const CompletionAbout& about, session::AnswerEnd end);
std::string usagePiece(const CompletionAbout& about, const session::ChatAnswer& answer);

// For the log: what an answer took, and nothing of what it says.
std::string logLineOf(const CompletionAbout& about, const session::ChatAnswer& answer);

// {"object": "list", "data": […]}, or one of them.
std::string modelsJson(const std::vector<std::string>& names, int64_t created);
std::string modelJson(const std::string& name, int64_t created);

// {"error": {"message": …, "type": …, "code": …}}
std::string errorJson(int status, const std::string& message, const std::string& code = {});
int statusOf(ErrorKind kind);
std::string sentencesOf(const Error& error); // message and advice

} // namespace roundpipe::serve
