// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/marked_turn.h"

#include "data/encode/spans/blanks.h"
#include "data/encode/spans/find_text.h"
#include "data/rows/thoughts.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::string_view kThink = "<think>", kEndThink = "</think>", kBlanks = " \t\r\n";
const std::string kNothing;
constexpr std::string_view kAnswer = "answer", kThought = "thought", kLead = "lead"; // how a turn's markers end

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The thought keeps its tags and the blanks inside them, as templates look for those, and the answer those before it;
// what stands behind the answer is part of it, as in turns without a thought.
std::string markedContent(const std::string& content, const MarkedTurn& turn) {
    const auto split = splitContent(content);
    if (!split) return turn.answer;
    const auto& [begin, end] = split->thought;
    return (split->lead > 0 ? turn.lead : "") + content.substr(split->lead, begin - split->lead) +
           (begin < end ? turn.thought : "") + content.substr(end, split->answer - end) + turn.answer;
}

// From the tag that opens the thought, where only blanks lie between.
std::size_t startOfThought(std::string_view text, std::size_t thought) {
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
    const auto marker = [&](std::string_view end) { return fmt::format("{}{}{}", prefix, message, end); };
    return {message, marker(kAnswer), marker(kThought), marker(kLead)};
}

Json marked(const Json& message, MarkedTurn& turn) {
    Json result = Json::object();
    for (auto field = message.begin(); field != message.end(); ++field) {
        if (field.key() == "content") { // replaced, and long
            const bool isText = field->is_string();
            const std::string& content = isText ? field->get_ref<const std::string&>() : kNothing;
            if (content.find(kEndThink) != std::string::npos) turn.isPlain = false;
            result["content"] = markedContent(content, turn);
        } else if (field.key() == "tool_calls") { // part of the turn that the answer's marker stands for
            turn.isPlain = turn.isPlain && (field->is_null() || field->empty());
        } else {
            result[field.key()] = *field;
        }
    }
    if (!result.contains("content")) result["content"] = turn.answer;
    for (const char* field : kThoughtFields)
        if (result.contains(field) && result[field].is_string() &&
            !trimmed(result[field].get_ref<const std::string&>()).empty()) {
            turn.isPlain = false;
            result[field] = turn.thought;
        }
    return result;
}

MarkerPlaces::MarkerPlaces(std::string_view text, const std::string& prefix) : m_text(text) {
    for (std::size_t at = findText(text, prefix); at != std::string_view::npos; at = findText(text, prefix, at + 1)) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789", at + prefix.size()), text.size());
        for (const std::string_view end : {kAnswer, kThought, kLead})
            if (text.substr(digits).starts_with(end)) m_places[text.substr(at, digits + end.size() - at)].push_back(at);
    }
}

std::span<const std::size_t> MarkerPlaces::of(const std::string& marker, std::size_t from) const {
    const auto found = m_places.find(marker);
    if (found == m_places.end()) return {};
    return {std::ranges::lower_bound(found->second, from), found->second.end()};
}

Span turnIn(const MarkerPlaces& places, const MarkedTurn& turn, std::size_t from) {
    const auto answers = places.of(turn.answer, from), thoughts = places.of(turn.thought, from);
    if (answers.size() != 1) throw unclearTurn(turn.message, RowRemark::kTurnNotPrintedOnce);
    const std::size_t answer = answers.front(), end = answer + turn.answer.size();
    if (thoughts.size() > 1 || (!thoughts.empty() && thoughts.front() > answer))
        throw unclearTurn(turn.message, RowRemark::kThoughtNotPrintedOnce);
    const auto leads = places.of(turn.lead, from); // which some templates leave out
    if (leads.size() > 1) throw unclearTurn(turn.message, RowRemark::kTurnNotPrintedOnce);
    if (!leads.empty() && leads.front() < answer) return {leads.front(), end};
    return {thoughts.empty() ? answer : startOfThought(places.text(), thoughts.front()), end};
}

void requireUnchanged(const Json& message, const MarkedTurn& turn, std::string_view written) {
    if (turn.isPlain && stripped(written) != stripped(message["content"].get_ref<const std::string&>()))
        throw unclearTurn(turn.message, RowRemark::kTurnRewritten);
}

} // namespace roundpipe::data
