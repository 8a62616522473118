#include "data/encode/marked_turn.h"

#include "data/encode/blanks.h"
#include "data/rows/thoughts.h"

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::string_view kThink = "<think>", kEndThink = "</think>", kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

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

// From the tag that opens the thought, where only blanks lie between.
std::size_t startOfThought(const std::string& text, std::size_t thought) {
    const std::size_t last = text.find_last_not_of(kBlanks, thought == 0 ? 0 : thought - 1);
    if (thought == 0 || last == std::string::npos || last + 1 < kThink.size()) return thought;
    const std::size_t tag = last + 1 - kThink.size();
    return text.compare(tag, kThink.size(), kThink) == 0 ? tag : thought;
}

} // namespace

RowProblem unclearTurn(std::size_t message, RowRemark why) {
    return {DropReason::kMask, Remark(why, message + 1)};
}

MarkedTurn markedTurn(std::size_t message, const std::string& prefix) {
    return {message, fmt::format("{}{}answer", prefix, message), fmt::format("{}{}thought", prefix, message)};
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

Span turnIn(const std::string& text, const MarkedTurn& turn, std::size_t from) {
    const std::size_t answer = text.find(turn.answer, from);
    if (answer == std::string::npos || text.find(turn.answer, answer + 1) != std::string::npos)
        throw unclearTurn(turn.message, RowRemark::kTurnNotPrintedOnce);
    const std::size_t thought = text.find(turn.thought, from);
    if (thought == std::string::npos) return {answer, answer + turn.answer.size()};
    if (thought > answer || text.find(turn.thought, thought + 1) != std::string::npos)
        throw unclearTurn(turn.message, RowRemark::kThoughtNotPrintedOnce);
    return {startOfThought(text, thought), answer + turn.answer.size()};
}

void requireUnchanged(const Json& message, const MarkedTurn& turn, std::string_view written) {
    if (turn.isPlain && stripped(written) != stripped(message["content"].get_ref<const std::string&>()))
        throw unclearTurn(turn.message, RowRemark::kTurnRewritten);
}

} // namespace roundpipe::data
