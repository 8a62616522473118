// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/tool_answers.h"

#include "data/encode/spans/find_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

bool isTool(const Json& message) {
    static constexpr const char* kOthers[] = {"system", "developer", "user", "assistant"};
    return std::ranges::none_of(kOthers, [&](const char* role) { return message["role"] == role; });
}

// All markers in the text; those with nothing between them as one.
std::vector<Span> marksIn(const std::string& text, const std::string& prefix, std::size_t markerSize) {
    std::vector<Span> marks;
    for (std::size_t at = findText(text, prefix); at != std::string::npos;
         at = findText(text, prefix, at + markerSize)) {
        if (!marks.empty() && marks.back().end == at)
            marks.back().end += markerSize;
        else
            marks.push_back({at, at + markerSize});
    }
    return marks;
}

// One by one, which is slower, and clear where answers hold what stands between them.
std::vector<Span> answersOneByOne(const Conversation& conversation, const std::vector<std::size_t>& tools,
                                  const std::string& rendered, const RenderMessages& render) {
    std::vector<Span> spans;
    for (const std::size_t message : tools) {
        const auto span = contentSpan(message, conversation, rendered, render);
        if (!span) throw RowProblem(DropReason::kMask, Remark(RowRemark::kAnswerUnclear, message + 1));
        spans.push_back(*span);
    }
    std::ranges::sort(spans, {}, &Span::begin);
    return spans;
}

} // namespace

std::vector<Span> toolAnswers(const Conversation& conversation, const std::string& rendered,
                              const RenderMessages& render) {
    std::vector<std::size_t> tools;
    for (std::size_t i = 0; i < conversation.messages.size(); ++i)
        if (isTool(conversation.messages[i])) tools.push_back(i);
    if (tools.empty()) return {};
    const std::string prefix = freshPrefix(rendered);
    Json messages = conversation.messages;
    std::size_t markerSize = 0;
    for (const std::size_t message : tools) {
        const std::string marker = fmt::format("{}{:06}answer", prefix, message);
        markerSize = marker.size();
        messages[message]["content"] = marker;
    }
    const std::string text = renderMarked(messages, render);
    const std::vector<Span> marks = marksIn(text, prefix, markerSize);
    if (marks.empty()) return {};
    auto fitted = fitPieces(rendered, piecesAround(text, marks));
    if (auto* spans = std::get_if<std::vector<Span>>(&fitted)) return std::move(*spans);
    return answersOneByOne(conversation, tools, rendered, render);
}

std::vector<Span> beforeAnswers(std::vector<Span> spans, std::span<const Span> answers, std::span<const Span> ends,
                                bool keepsEnd) {
    for (Span& span : spans) {
        const auto answer = std::ranges::upper_bound(answers, span.begin, {}, &Span::end);
        if (answer == answers.end() || answer->begin >= span.end) continue;
        const auto behind = std::ranges::upper_bound(ends, answer->begin, {}, &Span::end);
        if (behind == ends.begin() || std::prev(behind)->begin < span.begin)
            throw RowProblem(DropReason::kMask, Remark(RowRemark::kAnswerInsideTurn));
        const Span& end = *std::prev(behind);
        span.end = keepsEnd ? end.end : end.begin;
    }
    return spans;
}

} // namespace roundpipe::data
