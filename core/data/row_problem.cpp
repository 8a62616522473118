// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/row_problem.h"

namespace roundpipe::data {

const char* adviceFor(DropReason reason) {
    if (reason == DropReason::kCallLost)
        return "Give a template that prints tool calls (--chat-template): that of a model which was made for tools. "
               "Where it prints only the first of a message's calls, as gpt-oss's does, give each a message of its "
               "own.";
    if (reason == DropReason::kRejected)
        return "Where that column means something else, say that it is not read, by its name: data.columns label= "
               "(--columns).";
    if (reason != DropReason::kMask) return "";
    return "Give a template with {% generation %} tags (--chat-template), or the texts that stand around the "
           "assistant's turns (data.turn_begin and data.turn_end), or train on all tokens (data.train_on: all).";
}

} // namespace roundpipe::data
