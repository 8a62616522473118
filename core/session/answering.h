// SPDX-License-Identifier: GPL-3.0-or-later
// How an answer is chosen token by token, how it ended, and how likely each token was.
#pragma once

#include "base/spelling.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace roundpipe::session {

// The likeliest token each time, or at a temperature above 0 a draw from what is left of the vocabulary. What is set is
// applied in the order of the members, which is that of transformers (generation/utils.py, its logits processors).
struct SamplingOptions {
    double repetitionPenalty = 1; // of tokens that the text has already, the prompt too: logits above 0 are divided by
                                  // it, others multiplied (Keskar et al., "CTRL", 2019)
    double temperature = 0;       // 0: greedy
    int64_t topK = 0;             // only the k likeliest; 0: all
    double topP = 1;              // only the likeliest that together reach this probability
    double minP = 0;              // only those with at least this part of the likeliest one's probability
    uint64_t seed = 0;            // of the draws: one is a function of logits, seed and position
    int64_t maxNewTokens = 256;
    std::vector<std::string> stops = {}; // texts before the first of which the answer ends; none is empty
};

// A number of SamplingOptions: for options of commands, requests and editors.
struct SamplingField {
    const char* key;    // "top_p": in requests
    const char* option; // "--top-p": of the command line
    const char* label;  // "Top-p": of an input
    const char* help;   // a sentence
    double minimum, maximum;
    std::variant<double SamplingOptions::*, int64_t SamplingOptions::*, uint64_t SamplingOptions::*> member;

    bool isWhole() const { return member.index() != 0; }
};
std::span<const SamplingField> samplingFields();
// Throws kInvalidInput naming `called` (a key or an option) for a number outside of the field's limits or, where it is
// whole, for a fraction.
void setSampling(SamplingOptions& options, const SamplingField& field, double value, const std::string& called);
double samplingValue(const SamplingOptions& options, const SamplingField& field);
// Throws kInvalidInput for a stop text that is empty, for more than kMaxStops and for one of over kMaxStopBytes.
inline constexpr std::size_t kMaxStops = 16;
inline constexpr std::size_t kMaxStopBytes = 1024;
void checkStops(const std::vector<std::string>& stops);

enum class AnswerEnd {
    kEndToken, // the model ended it
    kStopText, // one of SamplingOptions::stops
    kLimit,    // maxNewTokens, or no more room
    kStopped   // whoever asked stopped it
};
constexpr std::array<const char*, 4> spellings(AnswerEnd) {
    return {"end-token", "stop-text", "limit", "stopped"};
}

// A token as it stands in the vocabulary; `text`: what it says by itself, "\uFFFD" for a part of a character.
struct TokenText {
    int32_t id = 0;
    std::string text = {};
    bool isSpecial = false; // a mark of the template or the tokenizer, "<|im_end|>"
};

// A token of an answer. Probabilities are the model's own, before any option of sampling.
struct TokenChoice {
    struct Likely {
        TokenText token;
        double logProbability = 0;
    };
    TokenText token;
    double logProbability = 0;
    std::vector<Likely> likeliest = {}; // in falling order, as many as were asked for
};

} // namespace roundpipe::session
