// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/text_generator.h"

#include <algorithm>
#include <chrono>

namespace roundpipe::generate {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

// After the one that was chosen. The likeliest needs no logits on the host.
int32_t tokenAfter(int32_t token, Decoder& decoder, const SamplingOptions& options) {
    if (options.temperature <= 0) return decoder.likeliestAfter(token);
    const std::vector<float> logits = decoder.advance({&token, 1});
    return pickToken(logits, options, decoder.position());
}

} // namespace

Answer generateText(Decoder& decoder, const text::Tokenizer& tokenizer, std::span<const int32_t> prompt,
                    std::span<const int32_t> stopIds, const SamplingOptions& options,
                    const std::function<bool(const std::string&)>& onText) {
    Answer answer;
    text::DecodeStream stream = tokenizer.stream(true);
    const auto emit = [&](const std::string& piece) {
        answer.text += piece;
        return piece.empty() || !onText || onText(piece);
    };
    const Clock::time_point begin = Clock::now();
    std::vector<float> logits;
    while (!prompt.empty()) {
        const std::size_t count = std::min(prompt.size(), static_cast<std::size_t>(decoder.chunkTokens()));
        logits = decoder.advance(prompt.first(count));
        prompt = prompt.subspan(count);
        if (!prompt.empty() && onText && !onText({})) return answer;
    }
    answer.promptSeconds = secondsSince(begin);
    int32_t token = pickToken(logits, options, decoder.position());
    while (answer.numTokens < options.maxNewTokens) {
        ++answer.numTokens;
        answer.stopped = std::ranges::find(stopIds, token) != stopIds.end();
        if (answer.stopped || !emit(stream.push(token)) || answer.numTokens == options.maxNewTokens) break;
        token = tokenAfter(token, decoder, options);
    }
    answer.answerSeconds = secondsSince(begin) - answer.promptSeconds;
    emit(stream.finish());
    return answer;
}

} // namespace roundpipe::generate
