// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/token_mask.h"

#include <algorithm>

namespace roundpipe::data {

std::vector<uint8_t> trainedTokens(std::span<const TokenSpan> tokens, std::span<const Span> spans) {
    std::vector<uint8_t> trained(tokens.size(), 0);
    std::size_t span = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        while (span < spans.size() && spans[span].end <= tokens[i].begin)
            ++span;
        if (span == spans.size()) break;
        const auto [begin, end] = Span(tokens[i]);
        trained[i] = begin == end ? spans[span].begin < begin
                                  : std::max(begin, spans[span].begin) < std::min(end, spans[span].end);
    }
    return trained;
}

int64_t addEndsOfTurn(std::span<const TokenSpan> tokens, const std::vector<bool>& isSpecial,
                      std::span<const Span> spans, std::vector<uint8_t>& trained) {
    int64_t withoutEnd = 0;
    std::size_t i = 0;
    for (const Span& span : spans) {
        while (i < tokens.size() && tokens[i].begin < span.end)
            ++i;
        if (i < tokens.size() && tokens[i].begin == span.end && isSpecial[i])
            trained[i] = 1;
        else
            ++withoutEnd;
    }
    return withoutEnd;
}

int64_t numTrainedOf(std::span<const uint8_t> trained) {
    return trained.empty() ? 0 : std::ranges::count(trained.subspan(1), uint8_t{1});
}

int64_t numWithoutEnd(std::span<const TokenSpan> tokens, const std::vector<bool>& isSpecial, std::string_view text,
                      std::span<const Span> spans) {
    int64_t withoutEnd = 0;
    std::size_t i = 0;
    for (const Span& span : spans) {
        bool endsSpecial = false;
        for (; i < tokens.size() && tokens[i].begin < span.end; ++i) {
            const std::string_view piece = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
            if (isSpecial[i] || piece.find_first_not_of(" \t\r\n") != std::string_view::npos)
                endsSpecial = isSpecial[i] && tokens[i].begin >= span.begin;
        }
        if (!endsSpecial) ++withoutEnd;
    }
    return withoutEnd;
}

} // namespace roundpipe::data
