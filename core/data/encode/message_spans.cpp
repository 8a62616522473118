#include "data/encode/message_spans.h"

#include <string_view>

namespace roundpipe::data {
namespace {

// Rendering once for each message is quadratic: beyond this many bytes nobody waits for it.
constexpr std::size_t kMaxRenderedBytes = std::size_t{256} << 20;
constexpr std::string_view kMarker = "roundpipe\x01message";

std::optional<Span> spanOf(std::size_t message, const Conversation& conversation, std::string_view rendered,
                           const RenderMessages& render) {
    Json messages = conversation.messages;
    messages[message]["content"] = kMarker;
    std::string text;
    try {
        text = render(messages);
    } catch (const RowProblem&) { // a template may look into contents
        return std::nullopt;
    }
    const std::size_t begin = text.find(kMarker);
    if (begin == std::string::npos || text.find(kMarker, begin + 1) != std::string::npos) return std::nullopt;
    const std::string_view before = std::string_view(text).substr(0, begin);
    const std::string_view after = std::string_view(text).substr(begin + kMarker.size());
    const bool unchanged =
        rendered.size() >= before.size() + after.size() && rendered.starts_with(before) && rendered.ends_with(after);
    if (!unchanged) return std::nullopt;
    return Span{begin, rendered.size() - after.size()};
}

} // namespace

std::vector<std::optional<Span>> messageSpans(const Conversation& conversation, const std::string& rendered,
                                              const RenderMessages& render) {
    std::vector<std::optional<Span>> spans(conversation.messages.size());
    try { // thoughts and tool calls belong to their turn
        if (!conversation.assistants.empty()) {
            const std::vector<Span> turns = assistantSpans(conversation, rendered, render);
            for (std::size_t i = 0; i < turns.size(); ++i)
                spans[conversation.assistants[i]] = turns[i];
        }
    } catch (const RowProblem&) {
    }
    if (spans.size() * rendered.size() > kMaxRenderedBytes) return spans;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (!spans[i]) spans[i] = spanOf(i, conversation, rendered, render);
    return spans;
}

} // namespace roundpipe::data
