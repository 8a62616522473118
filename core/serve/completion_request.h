// SPDX-License-Identifier: GPL-3.0-or-later
// What a client of OpenAI's chat completions asks for, as a question for a session::Chat.
// Format: OpenAI's API reference, "Create chat completion"; top_k, min_p, repetition_penalty and chat_template_kwargs
// as vLLM has them.
#pragma once

#include "session/chat.h"

#include <cstdint>
#include <string>

namespace roundpipe::serve {

struct CompletionRequest {
    std::string model;                   // as the client names it
    session::ChatQuestion question = {}; // without adapters
    bool streams = false;
    bool includesUsage = false; // of a stream: in a piece of its own
    bool wantsProbabilities = false;
    bool namesSeed = false; // otherwise that of the defaults
};

// `defaults`: of what the request leaves open; its maxNewTokens is the most that a request may have. Throws
// kInvalidInput naming the field that is wrong, or that asks for what is not done here (tools, several answers, …).
CompletionRequest parseCompletion(const std::string& body, const session::SamplingOptions& defaults);

} // namespace roundpipe::serve
