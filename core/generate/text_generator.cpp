// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/text_generator.h"

#include "base/error.h"
#include "generate/stop_texts.h"

#include <algorithm>
#include <chrono>

namespace roundpipe::generate {
namespace {

using Clock = std::chrono::steady_clock;
using session::AnswerEnd;

double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

void tell(const TokenWatch& watch, const text::Tokenizer& tokenizer, std::span<const float> logits, int32_t token) {
    if (!watch.onToken) return;
    session::TokenChoice choice{textOfToken(tokenizer, token), logProbabilityOf(logits, token)};
    const double rest = choice.logProbability - static_cast<double>(logits[static_cast<std::size_t>(token)]);
    for (const int32_t rival : likeliestTokens(logits, watch.numLikeliest))
        choice.likeliest.push_back(
            {textOfToken(tokenizer, rival), static_cast<double>(logits[static_cast<std::size_t>(rival)]) + rest});
    watch.onToken(std::move(choice));
}

} // namespace

session::TokenText textOfToken(const text::Tokenizer& tokenizer, int32_t id) {
    if (id < 0 || id >= tokenizer.vocabSize()) return {id};
    return {id, tokenizer.decode({&id, 1}, false), tokenizer.isSpecial(id)};
}

Answer generateText(Decoder& decoder, const text::Tokenizer& tokenizer, std::span<const int32_t> prompt,
                    std::span<const int32_t> stopIds, const session::SamplingOptions& options,
                    const std::function<bool(const std::string&)>& onText, const TokenWatch& watch) {
    RP_CHECK(decoder.position() < std::ssize(prompt));
    Answer answer;
    text::DecodeStream stream = tokenizer.stream(true);
    StopTexts stops(options.stops);
    const auto emit = [&](const std::string& piece) {
        answer.text += piece;
        return !onText || onText(piece);
    };
    const Clock::time_point begin = Clock::now();
    const bool needsLogits = options.temperature > 0 || options.repetitionPenalty != 1 || watch.onToken;
    std::vector<int32_t> seen(prompt.begin(), prompt.end());
    std::span<const int32_t> unread = prompt.subspan(static_cast<std::size_t>(decoder.position()));
    std::vector<float> logits;
    while (!unread.empty()) {
        const std::size_t count = std::min(unread.size(), static_cast<std::size_t>(decoder.chunkTokens()));
        logits = decoder.advance(unread.first(count));
        unread = unread.subspan(count);
        if (!unread.empty() && !emit({})) {
            answer.end = AnswerEnd::kStopped;
            return answer;
        }
    }
    answer.promptSeconds = secondsSince(begin);
    int32_t token = pickToken(logits, options, decoder.position(), seen);
    while (std::ssize(answer.ids) < options.maxNewTokens) {
        answer.ids.push_back(token);
        seen.push_back(token);
        tell(watch, tokenizer, logits, token);
        const bool isEnd = std::ranges::find(stopIds, token) != stopIds.end();
        const bool goesOn = emit(isEnd ? std::string() : stops.push(stream.push(token)));
        if (isEnd)
            answer.end = AnswerEnd::kEndToken;
        else if (stops.found())
            answer.end = AnswerEnd::kStopText;
        else if (!goesOn)
            answer.end = AnswerEnd::kStopped;
        if (answer.end != AnswerEnd::kLimit || std::ssize(answer.ids) == options.maxNewTokens) break;
        if (needsLogits) {
            logits = decoder.advance({&token, 1});
            token = pickToken(logits, options, decoder.position(), seen);
        } else {
            token = decoder.likeliestAfter(token);
        }
    }
    answer.answerSeconds = secondsSince(begin) - answer.promptSeconds;
    const std::string rest = stops.push(stream.finish());
    if (stops.found()) answer.end = AnswerEnd::kStopText;
    if (const std::string last = rest + stops.finish(); !last.empty()) emit(last);
    return answer;
}

} // namespace roundpipe::generate
