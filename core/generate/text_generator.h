// SPDX-License-Identifier: GPL-3.0-or-later
// Generates text: a decoder, a tokenizer and a sampler together.
#pragma once

#include "generate/decoder.h"
#include "generate/sampler.h"
#include "text/tokenizer.h"

#include <functional>
#include <string>

namespace roundpipe::generate {

struct Answer {
    std::string text;
    int64_t numTokens = 0;    // new ones, the stop token included
    bool stopped = false;     // by a stop token, not by the limit
    double promptSeconds = 0; // until the first token could be chosen
    double answerSeconds = 0; // for all tokens after the first
};

// Continues `prompt` (at least one id) until a stop id or the limit. `onText` gets the text piece by piece as it
// becomes certain, and an empty one after each piece of a long prompt that was read; it returns false to stop early.
// Special tokens are not part of the text.
Answer generateText(Decoder& decoder, const text::Tokenizer& tokenizer, std::span<const int32_t> prompt,
                    std::span<const int32_t> stopIds, const SamplingOptions& options,
                    const std::function<bool(const std::string&)>& onText = {});

} // namespace roundpipe::generate
