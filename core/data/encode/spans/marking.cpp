// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/marking.h"

#include "base/error.h"
#include "data/encode/spans/find_text.h"

#include <algorithm>
#include <span>

namespace roundpipe::data {
namespace {

// Where the pieces begin, one behind the other, each as early as it goes; those that fit.
std::vector<std::size_t> placedEarly(std::string_view text, std::span<const std::string> pieces) {
    std::vector<std::size_t> begins;
    std::size_t from = 0;
    for (const std::string& piece : pieces) {
        const std::size_t at = findText(text, piece, from);
        if (at == std::string_view::npos) break;
        begins.push_back(at);
        from = at + piece.size();
    }
    return begins;
}

// Each as late as it goes, of pieces that fit: early in everything reversed.
std::vector<std::size_t> placedLate(std::string_view text, std::span<const std::string> pieces) {
    std::vector<std::string> reversed;
    for (std::size_t i = pieces.size(); i-- > 0;)
        reversed.emplace_back(pieces[i].rbegin(), pieces[i].rend());
    std::vector<std::size_t> begins = placedEarly(std::string(text.rbegin(), text.rend()), reversed);
    for (std::size_t i = 0; i < begins.size(); ++i)
        begins[i] = text.size() - begins[i] - reversed[i].size();
    std::ranges::reverse(begins);
    return begins;
}

} // namespace

std::string freshPrefix(const std::string& rendered) {
    constexpr int kDigits = 6;
    return absentFrom(rendered, "roundpipe", kDigits) + "turn";
}

std::vector<std::string> piecesAround(const std::string& text, const std::vector<Span>& marks) {
    std::vector<std::string> pieces;
    std::size_t position = 0;
    for (const Span& mark : marks) {
        pieces.push_back(text.substr(position, mark.begin - position));
        position = mark.end;
    }
    pieces.push_back(text.substr(position));
    return pieces;
}

std::variant<std::vector<Span>, Mismatch> fitPieces(const std::string& text, const std::vector<std::string>& pieces) {
    RP_CHECK(pieces.size() >= 2);
    const std::string &front = pieces.front(), &back = pieces.back();
    const std::size_t last = pieces.size() - 1;
    if (!text.starts_with(front)) return Mismatch{0, false};
    if (!text.ends_with(back) || text.size() < front.size() + back.size()) return Mismatch{last, false};
    const std::string_view middle =
        std::string_view(text).substr(front.size(), text.size() - front.size() - back.size());
    const std::span<const std::string> inner = std::span(pieces).subspan(1, pieces.size() - 2);
    const std::vector<std::size_t> early = placedEarly(middle, inner);
    if (early.size() < inner.size()) return Mismatch{1 + early.size(), false};
    const std::vector<std::size_t> late = placedLate(middle, inner);
    for (std::size_t i = inner.size(); i-- > 0;)
        if (early[i] != late[i]) return Mismatch{1 + i, true};
    std::vector<Span> spans;
    std::size_t begin = front.size();
    for (std::size_t i = 0; i < inner.size(); ++i) {
        spans.push_back({begin, front.size() + early[i]});
        begin = spans.back().end + inner[i].size();
    }
    spans.push_back({begin, text.size() - back.size()});
    return spans;
}

std::optional<Span> contentSpan(std::size_t message, const Conversation& conversation, const std::string& rendered,
                                const RenderMessages& render) {
    const std::string marker = freshPrefix(rendered) + "content";
    Json messages = conversation.messages;
    messages[message]["content"] = marker;
    std::string text;
    try {
        text = render(messages);
    } catch (const RowProblem&) { // a template may look into contents
        return std::nullopt;
    }
    const std::size_t begin = findText(text, marker);
    if (begin == std::string::npos || findText(text, marker, begin + 1) != std::string::npos) return std::nullopt;
    const std::string_view before = std::string_view(text).substr(0, begin);
    const std::string_view after = std::string_view(text).substr(begin + marker.size());
    const bool unchanged =
        rendered.size() >= before.size() + after.size() && rendered.starts_with(before) && rendered.ends_with(after);
    if (!unchanged) return std::nullopt;
    return Span{begin, rendered.size() - after.size()};
}

std::optional<std::vector<Span>> contentSpans(std::span<const std::size_t> messages, const Conversation& conversation,
                                              const std::string& rendered, const RenderMessages& render) {
    const std::string prefix = freshPrefix(rendered);
    Json changed = conversation.messages;
    std::vector<std::string> markers;
    for (const std::size_t message : messages) {
        markers.push_back(prefix + std::to_string(message) + "content");
        changed[message]["content"] = markers.back();
    }
    std::string text;
    try {
        text = render(changed);
    } catch (const RowProblem&) {
        return std::nullopt;
    }
    std::vector<Span> marks;
    for (const std::string& marker : markers) {
        const std::size_t from = marks.empty() ? 0 : marks.back().end, at = findText(text, prefix, from);
        if (at == std::string::npos || text.compare(at, marker.size(), marker) != 0) return std::nullopt;
        marks.push_back({at, at + marker.size()});
    }
    if (marks.empty() || findText(text, prefix, marks.back().end) != std::string::npos) return std::nullopt;
    auto fitted = fitPieces(rendered, piecesAround(text, marks));
    auto* spans = std::get_if<std::vector<Span>>(&fitted);
    return spans == nullptr ? std::nullopt : std::optional(std::move(*spans));
}

std::string renderMarked(const Json& messages, const RenderMessages& render) {
    try {
        return render(messages);
    } catch (const RowProblem& problem) { // Mistral's templates allow a tool's answer after a call only
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kRefusedWithTurnsReplaced, problem.what()));
    }
}

} // namespace roundpipe::data
