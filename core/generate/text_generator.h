// SPDX-License-Identifier: GPL-3.0-or-later
// Generates text: a decoder, a tokenizer and a sampler together.
#pragma once

#include "generate/decoder.h"
#include "generate/sampler.h"
#include "text/tokenizer.h"

#include <functional>
#include <string>
#include <vector>

namespace roundpipe::generate {

struct Answer {
    std::string text;
    std::vector<int32_t> ids; // new ones, the end token included
    session::AnswerEnd end = session::AnswerEnd::kLimit;
    double promptSeconds = 0; // until the first token could be chosen
    double answerSeconds = 0; // for all tokens after the first
};

// Told of each token that is chosen, with so many of the likeliest, before its text is given out.
struct TokenWatch {
    int64_t numLikeliest = 0;
    std::function<void(session::TokenChoice)> onToken;
};

// Continues `prompt` until a stop id, a stop text or the limit. What the decoder has seen of the prompt already is not
// read again; at least one id is left. `onText` gets the text in whole characters as it becomes certain, nothing after
// a token that gives none and after each piece of a long prompt that was read; it returns false to stop early. Special
// tokens are not part of the text.
Answer generateText(Decoder& decoder, const text::Tokenizer& tokenizer, std::span<const int32_t> prompt,
                    std::span<const int32_t> stopIds, const session::SamplingOptions& options,
                    const std::function<bool(const std::string&)>& onText = {}, const TokenWatch& watch = {});

// A token by itself, special ones too; empty for an id that the vocabulary does not have.
session::TokenText textOfToken(const text::Tokenizer& tokenizer, int32_t id);

} // namespace roundpipe::generate
