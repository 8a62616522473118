// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/unprinted.h"

#include "data/encode/spans/blanks.h"
#include "data/encode/spans/find_text.h"
#include "data/row_problem.h"
#include "data/rows/thoughts.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

// Puts markers in the place of what has to be printed.
class PartMarker {
public:
    explicit PartMarker(const std::string& rendered) : m_rendered(rendered), m_prefix(freshPrefix(rendered)) {}

    void mark(Json& message, std::size_t index) {
        const bool isAssistants = message.value("role", Json()) == "assistant";
        if (isAssistants)
            for (const char* field : kThoughtFields)
                if (const auto thought = message.find(field); thought != message.end() && thought->is_string())
                    replace(thought->get_ref<std::string&>(), index, Part::kThought);
        const auto found = message.find("content");
        if (found == message.end() || !found->is_string()) return;
        std::string& content = found->get_ref<std::string&>();
        if (isAssistants && markThoughtful(content, index)) return;
        const bool callsTools = message.contains("tool_calls") && !message["tool_calls"].empty();
        if (callsTools || !standsInText(content)) replace(content, index, Part::kText);
    }

    bool isEmpty() const { return m_marks.empty(); }

    Unprinted missingIn(std::string_view text) const {
        const auto printed = textsOfSize(text, m_prefix, m_prefix.size() + kDigits + kEnd.size());
        Unprinted missing;
        for (const auto& [message, answer] : m_answers)
            if (findText(text, answer) == std::string_view::npos) missing.split.push_back(message);
        for (const Mark& mark : m_marks) {
            std::vector<std::size_t>& messages = mark.part == Part::kThought ? missing.thoughts : missing.texts;
            const bool isSaid = !messages.empty() && messages.back() == mark.message;
            if (!isSaid && !printed.contains(mark.text)) messages.push_back(mark.message);
        }
        return missing;
    }

private:
    enum class Part { kThought, kText };
    struct Mark {
        std::size_t message;
        Part part;
        std::string text;
    };

    bool markThoughtful(std::string& content, std::size_t index) {
        const std::vector<ContentPiece> pieces = piecesOf(content);
        std::string marked;
        std::size_t done = 0;
        for (const auto& [span, isThought] : pieces) {
            std::string piece = content.substr(span.begin, span.end - span.begin);
            replace(piece, index, isThought ? Part::kThought : Part::kText);
            marked += content.substr(done, span.begin - done) + piece;
            done = span.end;
        }
        if (pieces.empty()) return false;
        const bool namesEnd = namesThoughtsEnd(content);
        content = marked + content.substr(done);
        if (namesEnd) m_answers.emplace_back(index, std::string(stripped(content)));
        return true;
    }

    void replace(std::string& what, std::size_t message, Part part) {
        if (stripped(what).empty()) return;
        m_marks.push_back({message, part, fmt::format("{}{:0{}}{}", m_prefix, m_marks.size(), kDigits, kEnd)});
        what = m_marks.back().text;
    }

    // Behind what the messages before say, as most templates print them: then no marker is needed. Not to be asked of
    // many that fail, as each reads all of the text.
    bool standsInText(std::string_view content) {
        constexpr int kMaxMisses = 8;
        const std::string_view said = stripped(content);
        if (m_numMisses >= kMaxMisses) return false;
        const std::size_t at = findText(m_rendered, said, m_behind);
        if (at == std::string_view::npos) {
            ++m_numMisses;
            return false;
        }
        m_behind = at + said.size();
        return true;
    }

    static constexpr std::size_t kDigits = 8;
    static constexpr std::string_view kEnd = "part";

    const std::string& m_rendered;
    const std::string m_prefix;
    std::size_t m_behind = 0;
    int m_numMisses = 0;
    std::vector<Mark> m_marks;
    std::vector<std::pair<std::size_t, std::string>> m_answers; // that name the end of a thought, with their markers
};

} // namespace

Unprinted unprintedOf(const Conversation& conversation, const std::string& rendered, const RenderMessages& render) {
    PartMarker marker(rendered);
    Json messages = conversation.messages;
    for (std::size_t i = 0; i < messages.size(); ++i)
        marker.mark(messages[i], i);
    if (marker.isEmpty()) return {};
    try {
        return marker.missingIn(render(messages));
    } catch (const RowProblem&) { // a template may look into contents
        return {};
    }
}

} // namespace roundpipe::data
