// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/call_spans.h"

#include "base/error.h"
#include "data/encode/spans/find_text.h"
#include "data/encode/spans/marked_turn.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::string_view kOpensThought = "<think>";

bool hasCalls(const Json& message) {
    const auto calls = message.find("tool_calls");
    return calls != message.end() && calls->is_array() && !calls->empty();
}

class CallTurnFinder {
public:
    CallTurnFinder(const Conversation& conversation, const std::string& rendered, const CallRenderer& renderer)
        : m_conversation(conversation), m_renderer(renderer), m_prefix(freshPrefix(rendered)), m_marked(conversation) {}

    std::vector<Span> find(const std::string& rendered) {
        for (const std::size_t index : m_conversation.assistants)
            mark(index);
        m_text = renderMarked(m_marked.messages, m_render);
        findContents();
        const MarkerPlaces places(m_text, m_prefix);
        std::vector<Span> marks;
        for (const MarkedTurn& turn : m_turns) {
            const std::size_t from = marks.empty() ? 0 : marks.back().end;
            const bool calls = hasCalls(m_conversation.messages[turn.message]);
            marks.push_back(calls ? callTurn(places, turn, from) : turnIn(places, turn, from));
        }
        auto fitted = fitPieces(rendered, piecesAround(m_text, marks));
        auto* spans = std::get_if<std::vector<Span>>(&fitted);
        if (spans == nullptr) throw unclearTurn(m_turns.front().message, RowRemark::kTurnChanged);
        for (std::size_t i = 0; i < m_turns.size(); ++i)
            if (const Json& message = m_conversation.messages[m_turns[i].message]; !hasCalls(message))
                requireUnchanged(
                    message, m_turns[i],
                    std::string_view(rendered).substr((*spans)[i].begin, (*spans)[i].end - (*spans)[i].begin));
        return std::move(*spans);
    }

private:
    // A plain turn as everywhere; of one with calls only the arguments, each by the turn's own marker.
    void mark(std::size_t index) {
        Json& message = m_marked.messages[index];
        MarkedTurn turn = markedTurn(index, m_prefix);
        if (hasCalls(message)) {
            for (Json& call : message["tool_calls"]) {
                Json* arguments = namedArgumentsOf(call);
                if (arguments == nullptr) throw unclearTurn(index, RowRemark::kTurnChanged);
                const Json replaced = {{turn.answer, turn.answer}};
                *arguments = arguments->is_string() ? Json(replaced.dump()) : replaced;
            }
        } else {
            message = marked(message, turn);
        }
        m_turns.push_back(std::move(turn));
    }

    Span callTurn(const MarkerPlaces& places, const MarkedTurn& turn, std::size_t from) const {
        const std::size_t begin = beginOf(turn.message);
        const auto arguments = places.of(turn.answer, begin);
        if (begin < from || arguments.empty()) throw changed(turn);
        const std::size_t end = arguments.back() + turn.answer.size();
        const std::size_t limit =
            turn.message + 1 == m_marked.messages.size() ? m_text.size() : contentOf(turn.message + 1).begin;
        if (limit < end) throw changed(turn);
        const auto ends = m_renderer.findEnd(std::string_view(m_text).substr(end, limit - end));
        if (!ends) throw changed(turn);
        return {begin, end + *ends};
    }

    // Behind what the template writes after the message before, for the assistant to go on from: its generation prompt,
    // or the header of a plain turn, which is longer where the template has no prompt.
    std::size_t beginOf(std::size_t message) const {
        if (message == 0) throw unclearTurn(message, RowRemark::kTurnChanged);
        const std::string_view rest = std::string_view(m_text).substr(contentOf(message - 1).end);
        const std::string prompt = headerOf(message, true), plain = headerOf(message, false);
        std::size_t length = 0;
        for (const std::string_view header :
             {std::string_view(prompt), std::string_view(prompt).substr(0, prompt.rfind(kOpensThought)),
              std::string_view(plain)})
            if (rest.starts_with(header)) length = std::max(length, header.size());
        if (length == 0) throw unclearTurn(message, RowRemark::kTurnChanged);
        return m_text.size() - rest.size() + length;
    }

    // What stands between the content of the message before and a turn; empty where that cannot be told.
    std::string headerOf(std::size_t message, bool byPrompt) const {
        const std::string before = m_prefix + "before", behind = m_prefix + "behind";
        Json messages = m_marked.messages;
        messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(message), messages.end());
        messages.back()["content"] = before;
        if (!byPrompt) messages.push_back({{"role", "assistant"}, {"content", behind}});
        std::string text;
        try {
            text = m_renderer.render(messages, byPrompt);
        } catch (const RowProblem&) { // no plain turn may stand there
            return {};
        }
        const std::size_t at = text.rfind(before), end = byPrompt ? text.size() : findText(text, behind);
        if (at == std::string::npos || end == std::string::npos) return {};
        return text.substr(at + before.size(), end - at - before.size());
    }

    // Of users and tools, in one rendering where the template allows it.
    void findContents() {
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < m_marked.messages.size(); ++i)
            if (!std::ranges::binary_search(m_conversation.assistants, i)) others.push_back(i);
        const auto spans = contentSpans(others, m_marked, m_text, m_render);
        for (std::size_t i = 0; spans && i < others.size(); ++i)
            m_contents[others[i]] = (*spans)[i];
    }

    Span contentOf(std::size_t message) const {
        if (const auto found = m_contents.find(message); found != m_contents.end()) return found->second;
        const auto span = contentSpan(message, m_marked, m_text, m_render);
        if (!span) throw unclearTurn(message, RowRemark::kTurnChanged);
        return *span;
    }

    static RowProblem changed(const MarkedTurn& turn) { return unclearTurn(turn.message, RowRemark::kTurnChanged); }

    const Conversation& m_conversation;
    const CallRenderer& m_renderer;
    const std::string m_prefix;
    const RenderMessages m_render = [this](const Json& messages) { return m_renderer.render(messages, false); };
    Conversation m_marked;
    std::vector<MarkedTurn> m_turns;
    std::string m_text;                     // of the marked conversation
    std::map<std::size_t, Span> m_contents; // in it, by message
};

} // namespace

std::vector<Span> assistantSpansWithCalls(const Conversation& conversation, const std::string& rendered,
                                          const CallRenderer& renderer) {
    return CallTurnFinder(conversation, rendered, renderer).find(rendered);
}

} // namespace roundpipe::data
