// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/text_generator.h"

#include <algorithm>

namespace roundpipe::generate {

Answer generateText(Decoder& decoder, const text::Tokenizer& tokenizer, std::span<const int32_t> prompt,
                    std::span<const int32_t> stopIds, const SamplingOptions& options,
                    const std::function<bool(const std::string&)>& onText) {
    Answer answer;
    text::DecodeStream stream = tokenizer.stream(true);
    const auto emit = [&](const std::string& piece) {
        answer.text += piece;
        return piece.empty() || !onText || onText(piece);
    };
    std::vector<float> logits;
    while (!prompt.empty()) {
        const std::size_t count = std::min<std::size_t>(prompt.size(), Decoder::kChunkTokens);
        logits = decoder.advance(prompt.first(count));
        prompt = prompt.subspan(count);
        if (!prompt.empty() && onText && !onText({})) return answer;
    }
    while (answer.numTokens < options.maxNewTokens) {
        const int32_t token = pickToken(logits, options, decoder.position());
        ++answer.numTokens;
        answer.stopped = std::ranges::find(stopIds, token) != stopIds.end();
        if (answer.stopped || !emit(stream.push(token)) || answer.numTokens == options.maxNewTokens) break;
        logits = decoder.advance({&token, 1});
    }
    emit(stream.finish());
    return answer;
}

} // namespace roundpipe::generate
