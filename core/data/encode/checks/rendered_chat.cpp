// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/rendered_chat.h"

#include "base/error.h"
#include "data/encode/spans/blanks.h"
#include "data/encode/spans/find_text.h"

#include <algorithm>
#include <optional>

namespace roundpipe::data {
namespace {

constexpr std::string_view kQuestion = "roundpipe0question", kAnswer = "roundpipe0answer";
constexpr const char* kAsked = R"([{"role":"user","content":"roundpipe0question"}])";
constexpr const char* kAnswered =
    R"([{"role":"user","content":"roundpipe0question"},{"role":"assistant","content":"roundpipe0answer"}])";
constexpr std::size_t kShortestMark = 4; // that plain texts do not have by chance

// What lies between the two, where both are there once in this order.
std::optional<std::string> between(const std::string& text, std::string_view first, std::string_view second) {
    const std::size_t begin = text.find(first), end = text.find(second);
    if (begin == std::string::npos || end == std::string::npos || begin + first.size() > end) return std::nullopt;
    return text.substr(begin + first.size(), end - begin - first.size());
}

} // namespace

RenderedChat::RenderedChat(const DataOptions& options, const text::Tokenizer& tokenizer,
                           const text::ChatTemplate& chatTemplate) {
    if (chatTemplate.source(false).empty()) return;
    const auto render = [&](std::string_view messages, bool addGenerationPrompt) {
        return chatTemplate.render({messages, {}, {}, options.templateArguments}, {addGenerationPrompt, options.now})
            .text;
    };
    std::string asked, prompted, answered;
    try {
        asked = render(kAsked, false);
        prompted = render(kAsked, true);
        answered = render(kAnswered, false);
    } catch (const Error&) {
        return;
    }
    const auto frame = between(answered, kQuestion, kAnswer);
    const std::size_t answer = answered.find(kAnswer);
    if (!frame) return;
    // A template without a generation prompt writes the same before every answer, and nothing else.
    const bool hasPrompt = prompted.starts_with(asked) && prompted.size() > asked.size();
    const std::string begin = hasPrompt ? prompted.substr(asked.size()) : *frame;
    const std::string behind = answered.substr(answer + kAnswer.size());
    const text::Encoding after = tokenizer.encode(behind, false);
    const auto end = std::ranges::find(after.isSpecial, true) - after.isSpecial.begin();
    if (stripped(begin).size() < kShortestMark || end == std::ssize(after.isSpecial)) return;
    const text::Span ends = after.offsets[static_cast<std::size_t>(end)];
    m_turns = {begin, behind.substr(ends.begin, ends.end - ends.begin)};
    m_marks.emplace_back(stripped(begin));
    // Also of a chat in which nobody answers: a special token that begins a turn. One that ends texts tells nothing.
    const text::Encoding before = tokenizer.encode(begin, false);
    const auto& [bos, eos, unk, sep, pad, cls, mask] = tokenizer.special();
    if (before.ids.empty() || !before.isSpecial.front()) return;
    for (const auto* named : {&bos, &eos, &pad})
        if (*named && (*named)->id == before.ids.front()) return;
    m_marks.push_back(begin.substr(before.offsets.front().begin, before.offsets.front().end));
}

bool RenderedChat::isIn(std::string_view text) const {
    return std::ranges::any_of(m_marks,
                               [&](const std::string& mark) { return findText(text, mark) != std::string_view::npos; });
}

} // namespace roundpipe::data
