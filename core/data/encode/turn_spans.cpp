#include "data/encode/turn_spans.h"

#include "base/error.h"
#include "data/rows/thoughts.h"

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::string_view kThink = "<think>", kEndThink = "</think>", kBlanks = " \t\r\n";

RowProblem unclear(std::size_t message, RowRemark why) {
    return {DropReason::kMask, Remark(why, message + 1)};
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// Without what Python's str.strip() takes off both ends, as templates trim by it: blanks of every script.
std::string_view stripped(std::string_view text) {
    static constexpr std::string_view kSpaces[] = {
        "\t",     "\n",     "\v",     "\f",     "\r",     "\x1c",   "\x1d",   "\x1e",   "\x1f",   " ",
        "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
        "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view space : kSpaces) {
            const bool starts = text.starts_with(space);
            if (starts) text.remove_prefix(space.size());
            const bool ends = text.ends_with(space);
            if (ends) text.remove_suffix(space.size());
            again = again || starts || ends;
        }
    }
    return text;
}

// One turn with markers in the place of what the assistant wrote: `answer`, and `thought` where it reasons.
struct MarkedTurn {
    std::size_t message;
    std::string answer, thought;
    bool isPlain = true; // a text alone, which must come back as it is
};

// The thought keeps its tags and the blanks inside them, as templates look for those.
std::string markedContent(const std::string& content, const MarkedTurn& turn) {
    const std::size_t end = content.rfind(kEndThink);
    if (end == std::string::npos) return turn.answer;
    const std::size_t open = content.find(kThink);
    const std::size_t begin = open < end ? open + kThink.size() : 0;
    const std::string_view thought = std::string_view(content).substr(begin, end - begin);
    const std::string_view rest = std::string_view(content).substr(end + kEndThink.size());
    const std::string_view inner = trimmed(thought);
    const auto around = [](std::string_view whole, std::string_view core, const std::string& marker) {
        if (core.empty()) return std::string(whole) + marker;
        const auto lead = static_cast<std::size_t>(core.data() - whole.data());
        return std::string(whole.substr(0, lead)) + marker + std::string(whole.substr(lead + core.size()));
    };
    return content.substr(0, begin) + (inner.empty() ? std::string(thought) : around(thought, inner, turn.thought)) +
           std::string(kEndThink) + around(rest, trimmed(rest), turn.answer);
}

Json marked(const Json& message, MarkedTurn& turn) {
    Json result = message;
    const std::string content = message.contains("content") && message["content"].is_string()
                                    ? message["content"].get<std::string>()
                                    : std::string();
    if (result.contains("tool_calls")) {
        turn.isPlain = turn.isPlain && (result["tool_calls"].is_null() || result["tool_calls"].empty());
        result.erase("tool_calls"); // the calls are part of the turn that the answer's marker stands for
    }
    if (content.find(kEndThink) != std::string::npos) turn.isPlain = false;
    result["content"] = markedContent(content, turn);
    for (const char* field : kThoughtFields)
        if (result.contains(field) && result[field].is_string() &&
            !trimmed(result[field].get_ref<const std::string&>()).empty()) {
            turn.isPlain = false;
            result[field] = turn.thought;
        }
    return result;
}

std::string freshPrefix(const std::string& rendered) {
    for (int salt = 0;; ++salt) {
        std::string prefix = fmt::format("roundpipe{}turn", salt);
        if (rendered.find(prefix) == std::string::npos) return prefix;
    }
}

// From the tag that opens the thought, where only blanks lie between.
std::size_t startOfThought(const std::string& text, std::size_t thought) {
    const std::size_t last = text.find_last_not_of(kBlanks, thought == 0 ? 0 : thought - 1);
    if (thought == 0 || last == std::string::npos || last + 1 < kThink.size()) return thought;
    const std::size_t tag = last + 1 - kThink.size();
    return text.compare(tag, kThink.size(), kThink) == 0 ? tag : thought;
}

Span turnIn(const std::string& text, const MarkedTurn& turn, std::size_t from) {
    const std::size_t answer = text.find(turn.answer, from);
    if (answer == std::string::npos || text.find(turn.answer, answer + 1) != std::string::npos)
        throw unclear(turn.message, RowRemark::kTurnNotPrintedOnce);
    const std::size_t thought = text.find(turn.thought, from);
    if (thought == std::string::npos) return {answer, answer + turn.answer.size()};
    if (thought > answer || text.find(turn.thought, thought + 1) != std::string::npos)
        throw unclear(turn.message, RowRemark::kThoughtNotPrintedOnce);
    return {startOfThought(text, thought), answer + turn.answer.size()};
}

// What stands between the turns: one piece before each, one after the last.
std::vector<std::string> piecesAround(const std::string& text, const std::vector<Span>& turns) {
    std::vector<std::string> pieces;
    std::size_t position = 0;
    for (const Span& turn : turns) {
        pieces.push_back(text.substr(position, turn.begin - position));
        position = turn.end;
    }
    pieces.push_back(text.substr(position));
    return pieces;
}

// Fits the pieces into the true text as early and as late as they go; one way only if both agree. The first piece
// stands at the start, the last one at the end.
std::vector<Span> fit(const std::string& text, const std::vector<std::string>& pieces,
                      const std::vector<MarkedTurn>& turns) {
    constexpr auto changed = RowRemark::kTurnChanged;
    if (!text.starts_with(pieces.front())) throw unclear(turns.front().message, changed);
    if (!text.ends_with(pieces.back()) || text.size() < pieces.front().size() + pieces.back().size())
        throw unclear(turns.back().message, changed);
    std::vector<Span> spans(turns.size());
    const std::size_t last = turns.size() - 1;
    spans.front().begin = pieces.front().size();
    spans[last].end = text.size() - pieces.back().size();
    for (std::size_t i = 1; i <= last; ++i) {
        const std::size_t found = text.find(pieces[i], spans[i - 1].begin);
        if (found == std::string::npos || found + pieces[i].size() > spans[last].end)
            throw unclear(turns[i].message, changed);
        spans[i - 1].end = found;
        spans[i].begin = found + pieces[i].size();
    }
    std::size_t limit = spans[last].end;
    for (std::size_t i = last; i >= 1; --i) {
        if (limit < pieces[i].size() || text.rfind(pieces[i], limit - pieces[i].size()) != spans[i - 1].end)
            throw unclear(turns[i].message, RowRemark::kTurnReadTwoWays);
        limit = spans[i - 1].end;
    }
    return spans;
}

// A template may know no tool calls, and would then teach the model to say nothing in their place.
void checkCalls(const Json& message, const MarkedTurn& turn, std::string_view written) {
    if (!message.contains("tool_calls") || message["tool_calls"].is_null()) return;
    for (const Json& call : message["tool_calls"]) {
        const Json& function = call.contains("function") ? call["function"] : call;
        if (!function.is_object() || !function.contains("name") || !function["name"].is_string()) continue;
        if (written.find(function["name"].get_ref<const std::string&>()) == std::string_view::npos)
            throw unclear(turn.message, RowRemark::kCallNotPrinted);
    }
}

void checkTurn(const Json& message, const MarkedTurn& turn, std::string_view written) {
    checkCalls(message, turn, written);
    if (!turn.isPlain) return;
    if (stripped(written) != stripped(message["content"].get_ref<const std::string&>()))
        throw unclear(turn.message, RowRemark::kTurnRewritten);
}

std::string renderMarked(const Json& messages, const RenderMessages& render) {
    try {
        return render(messages);
    } catch (const RowProblem& problem) { // Mistral's templates allow a tool's answer after a call only
        throw RowProblem(DropReason::kMask, Remark(RowRemark::kRefusedWithTurnsReplaced, problem.what()));
    }
}

} // namespace

std::vector<Span> assistantSpans(const Conversation& conversation, const std::string& rendered,
                                 const RenderMessages& render) {
    RP_CHECK(!conversation.assistants.empty());
    const std::string prefix = freshPrefix(rendered);
    Json messages = conversation.messages;
    std::vector<MarkedTurn> turns;
    for (const std::size_t index : conversation.assistants) {
        MarkedTurn turn{index, fmt::format("{}{}answer", prefix, index), fmt::format("{}{}thought", prefix, index)};
        messages[index] = marked(messages[index], turn);
        turns.push_back(std::move(turn));
    }
    const std::string text = renderMarked(messages, render);
    std::vector<Span> marks;
    for (const MarkedTurn& turn : turns)
        marks.push_back(turnIn(text, turn, marks.empty() ? 0 : marks.back().end));
    std::vector<Span> spans = fit(rendered, piecesAround(text, marks), turns);
    for (std::size_t i = 0; i < turns.size(); ++i)
        checkTurn(conversation.messages[turns[i].message], turns[i],
                  std::string_view(rendered).substr(spans[i].begin, spans[i].end - spans[i].begin));
    return spans;
}

} // namespace roundpipe::data
