// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/message_spans.h"

namespace roundpipe::data {
namespace {

// Rendering once for each message is quadratic: beyond this many bytes nobody waits for it.
constexpr std::size_t kMaxBytesOfAll = std::size_t{64} << 20;

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
    if (spans.size() * rendered.size() > kMaxBytesOfAll) return spans;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (!spans[i]) spans[i] = contentSpan(i, conversation, rendered, render);
    return spans;
}

} // namespace roundpipe::data
