// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/thoughts.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

namespace roundpipe::data {
namespace {

constexpr std::string_view kThink = "<think>", kEndThink = "</think>", kBracket = "[THINK]", kEndBracket = "[/THINK]",
                           kBlanks = " \t\r\n";
// Literals, whose ends are zeros.
constexpr std::pair<std::string_view, std::string_view> kTags[] = {{kThink, kEndThink}, {kBracket, kEndBracket}};
constexpr const char *kField = kThoughtFields[0], *kThinkingField = kThoughtFields[1];

bool containsOneOf(std::string_view source, std::initializer_list<const char*> texts) {
    for (const char* text : texts)
        if (source.find(text) != std::string_view::npos) return true;
    return false;
}

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos
               ? std::string()
               : std::string(text.substr(first, text.find_last_not_of(kBlanks) + 1 - first));
}

// As rfind does, which compares at every character where there is none, as most often: of each answer this is asked.
std::size_t lastOf(std::string_view text, std::string_view part) {
    return text.find(part) == std::string_view::npos ? std::string_view::npos : text.rfind(part);
}

std::string contentOf(const Json& message) {
    const auto content = message.find("content");
    return content != message.end() && content->is_string() ? content->get<std::string>() : std::string();
}

void place(Json& message, ThoughtPlace where) {
    if (where == ThoughtPlace::kReasoningContent) return;
    const bool readsOwnTags = where == ThoughtPlace::kContent;
    std::string thought;
    if (message.contains(kField)) {
        thought = message[kField];
        message.erase(kField);
    } else if (!readsOwnTags) {
        thought = takeThoughtOutOf(message);
    }
    if (thought.empty()) return;
    if (where == ThoughtPlace::kThinking)
        message[kThinkingField] = std::move(thought);
    else if (where == ThoughtPlace::kBracketed)
        message["content"] = fmt::format("{}{}{}{}", kBracket, thought, kEndBracket, contentOf(message));
    else
        message["content"] = fmt::format("{}\n{}\n{}\n\n{}", kThink, trimmed(thought), kEndThink, contentOf(message));
}

} // namespace

ThoughtPlace thoughtPlaceOf(std::string_view source) {
    if (containsOneOf(source, {"reasoning_content"})) return ThoughtPlace::kReasoningContent;
    // "thinking" alone is often a variable of the whole template (DeepSeek).
    if (containsOneOf(source, {"message.thinking", "message['thinking']", "message[\"thinking\"]"}))
        return ThoughtPlace::kThinking;
    if (containsOneOf(source, {"[THINK]"})) return ThoughtPlace::kBracketed;
    return ThoughtPlace::kContent;
}

void placeThoughts(Json& messages, ThoughtPlace where, bool besideCalls) {
    for (Json& message : messages) {
        const bool isOfContent = where == ThoughtPlace::kContent || where == ThoughtPlace::kBracketed;
        const bool isLeft = !besideCalls && isOfContent && message.contains("tool_calls");
        if (message.value("role", Json()) == "assistant" && !isLeft) place(message, where);
    }
}

std::optional<std::string> withoutBrackets(std::string_view content) {
    const std::size_t end = content.find(kEndBracket);
    if (!content.starts_with(kBracket) || end == std::string_view::npos) return std::nullopt;
    return fmt::format("{}{}", content.substr(kBracket.size(), end - kBracket.size()),
                       content.substr(end + kEndBracket.size()));
}

std::string takeThoughtOutOf(Json& message) {
    if (!message.contains("content") || !message["content"].is_string()) return {};
    const std::string content = message["content"];
    const std::size_t begin = content.find_first_not_of(kBlanks);
    const std::size_t end = content.find(kEndThink);
    if (begin == std::string::npos || end == std::string::npos || content.compare(begin, kThink.size(), kThink) != 0)
        return {};
    const std::size_t first = begin + kThink.size();
    message["content"] = trimmed(std::string_view(content).substr(end + kEndThink.size()));
    return trimmed(std::string_view(content).substr(first, end - first));
}

std::optional<SplitContent> splitContent(std::string_view content) {
    const std::size_t end = lastOf(content, kEndThink);
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t open = content.find(kThink);
    const std::size_t begin = open < end ? open + kThink.size() : 0, behind = end + kEndThink.size();
    const std::string_view before = content.substr(0, open < end ? open : 0);
    const std::size_t lead = before.find_last_not_of(kBlanks) + 1; // npos + 1 is 0
    const auto firstFrom = [&](std::size_t from) {
        return std::min(content.find_first_not_of(kBlanks, from), content.size());
    };
    const std::size_t first = firstFrom(begin);
    const bool thinksNothing = first >= end;
    const std::size_t last = thinksNothing ? end : content.find_last_not_of(kBlanks, end - 1) + 1;
    return SplitContent{lead, {thinksNothing ? end : first, last}, firstFrom(behind)};
}

std::vector<ContentPiece> piecesOf(std::string_view content) {
    std::vector<ContentPiece> pieces;
    if (content.find(kEndThink) == std::string_view::npos) return pieces;
    for (std::size_t from = 0; from < content.size();) {
        const std::size_t open = content.find(kThink, from), close = content.find(kEndThink, from);
        const std::size_t end = std::min({open, close, content.size()});
        const std::size_t begin = std::min(content.find_first_not_of(kBlanks, from), end);
        const std::size_t last = begin == end ? end : content.find_last_not_of(kBlanks, end - 1) + 1;
        if (begin < last) pieces.push_back({{begin, last}, close < open});
        from = end + (close < open ? kEndThink.size() : kThink.size());
    }
    return pieces;
}

bool namesThoughtsEnd(std::string_view content) {
    const std::size_t end = content.find(kEndThink);
    if (end == std::string_view::npos) return false;
    const std::string_view before = content.substr(0, end), behind = content.substr(end + kEndThink.size());
    if (behind.find(kEndThink) != std::string_view::npos) return true;
    if (beginsWithThought(content)) return false;
    if (content.find(kThink) != std::string_view::npos) return true;
    const auto isBlank = [](std::string_view line) {
        return line.find_first_not_of(kBlanks) == std::string_view::npos;
    };
    const bool isOwnLine =
        isBlank(before.substr(before.rfind('\n') + 1)) && isBlank(behind.substr(0, behind.find('\n')));
    return !isOwnLine;
}

std::optional<OpenThought> openThoughtIn(std::string_view content) {
    for (const auto& [open, close] : kTags) {
        const std::size_t last = lastOf(content, open), closed = lastOf(content, close);
        const bool isClosed = closed != std::string_view::npos;
        if (last == std::string_view::npos || (isClosed && closed > last)) continue;
        const bool isFirst = content.find_first_not_of(kBlanks) == content.find(open);
        return OpenThought{open.data(), close.data(), isFirst || isClosed};
    }
    return std::nullopt;
}

std::string withoutThoughtTags(std::string_view thought) {
    for (const auto& [open, close] : kTags) {
        const std::string inner = trimmed(thought);
        const bool isOpened = inner.starts_with(open), isClosed = inner.ends_with(close);
        if (!isOpened && !isClosed) continue;
        const std::size_t begin = isOpened ? open.size() : 0;
        const std::size_t end = std::max(begin, inner.size() - (isClosed ? close.size() : 0));
        return trimmed(std::string_view(inner).substr(begin, end - begin));
    }
    return std::string(thought);
}

const char* closingTagIn(std::string_view thought) {
    for (const auto& [open, close] : kTags)
        if (thought.find(close) != std::string_view::npos) return close.data();
    return nullptr;
}

bool beginsWithThought(std::string_view content) {
    const std::size_t begin = content.find_first_not_of(kBlanks);
    return begin != std::string_view::npos && content.substr(begin).starts_with(kThink);
}

} // namespace roundpipe::data
