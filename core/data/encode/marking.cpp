#include "data/encode/marking.h"

#include "base/error.h"

#include <fmt/format.h>

namespace roundpipe::data {

std::string freshPrefix(const std::string& rendered) {
    for (int salt = 0;; ++salt) {
        std::string prefix = fmt::format("roundpipe{}turn", salt);
        if (rendered.find(prefix) == std::string::npos) return prefix;
    }
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
    const std::size_t last = pieces.size() - 2;
    if (!text.starts_with(pieces.front())) return Mismatch{0, false};
    if (!text.ends_with(pieces.back()) || text.size() < pieces.front().size() + pieces.back().size())
        return Mismatch{last + 1, false};
    std::vector<Span> spans(last + 1);
    spans.front().begin = pieces.front().size();
    spans[last].end = text.size() - pieces.back().size();
    for (std::size_t i = 1; i <= last; ++i) {
        const std::size_t found = text.find(pieces[i], spans[i - 1].begin);
        if (found == std::string::npos || found + pieces[i].size() > spans[last].end) return Mismatch{i, false};
        spans[i - 1].end = found;
        spans[i].begin = found + pieces[i].size();
    }
    std::size_t limit = spans[last].end;
    for (std::size_t i = last; i >= 1; --i) {
        if (limit < pieces[i].size() || text.rfind(pieces[i], limit - pieces[i].size()) != spans[i - 1].end)
            return Mismatch{i, true};
        limit = spans[i - 1].end;
    }
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
    const std::size_t begin = text.find(marker);
    if (begin == std::string::npos || text.find(marker, begin + 1) != std::string::npos) return std::nullopt;
    const std::string_view before = std::string_view(text).substr(0, begin);
    const std::string_view after = std::string_view(text).substr(begin + marker.size());
    const bool unchanged =
        rendered.size() >= before.size() + after.size() && rendered.starts_with(before) && rendered.ends_with(after);
    if (!unchanged) return std::nullopt;
    return Span{begin, rendered.size() - after.size()};
}

std::string renderMarked(const Json& messages, const RenderMessages& render) {
    try {
        return render(messages);
    } catch (const RowProblem& problem) { // Mistral's templates allow a tool's answer after a call only
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kRefusedWithTurnsReplaced, problem.what()));
    }
}

} // namespace roundpipe::data
