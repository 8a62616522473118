#include "data/row_encoder.h"

#include "base/error.h"
#include "data/conversation.h"
#include "data/token_mask.h"
#include "data/turn_spans.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

text::Rendered renderOrDrop(const text::ChatTemplate& chatTemplate, const DataOptions& options, const Json& messages,
                            const Json& tools) {
    const std::string messagesText = messages.dump();
    const std::string toolsText = tools.is_null() ? std::string() : tools.dump();
    try {
        return chatTemplate.render({messagesText, toolsText, {}, options.templateArguments}, {false, options.now});
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidInput) throw;
        throw RowProblem(DropReason::kTemplate, fmt::format("is refused by the chat template: {}", error.message()));
    }
}

// Leaves the turns that are wanted: not switched off by the row, and the last one only where that was chosen.
std::vector<Span> wantedOf(const std::vector<Span>& spans, const Conversation& conversation, TrainOn trainOn) {
    const bool all =
        trainOn == TrainOn::kAssistant && std::ranges::find(conversation.wanted, false) == conversation.wanted.end();
    if (all) return spans;
    if (spans.size() != conversation.assistants.size())
        throw RowProblem(
            DropReason::kMask,
            fmt::format("cannot be masked turn by turn: the chat template marks {} spans for {} turns of the "
                        "assistant",
                        spans.size(), conversation.assistants.size()));
    std::vector<Span> wanted;
    for (std::size_t i = trainOn == TrainOn::kLastAssistant ? spans.size() - 1 : 0; i < spans.size(); ++i)
        if (conversation.wanted[i]) wanted.push_back(spans[i]);
    return wanted;
}

} // namespace

RowEncoder::RowEncoder(const DataOptions& options, const text::Tokenizer& tokenizer,
                       const text::ChatTemplate& chatTemplate)
    : m_options(options), m_tokenizer(tokenizer), m_template(chatTemplate) {}

EncodedRow RowEncoder::encode(const std::string& json, Format format) const {
    const Json row = parseRow(json);
    const Conversation conversation = conversationOf(row, format);
    try {
        return encodeConversation(conversation);
    } catch (const RowProblem& problem) {
        if (problem.reason() != DropReason::kTemplate || !conversation.hasParsedArguments) throw;
    }
    return encodeConversation(
        conversationOf(row, format, Arguments::kAsGiven)); // some templates want strings (DeepSeek)
}

EncodedRow RowEncoder::encodeConversation(const Conversation& conversation) const {
    const bool trainsAll = m_options.trainOn == TrainOn::kAll;
    if (conversation.assistants.empty() && !trainsAll)
        throw RowProblem(DropReason::kNoAssistant, "has no assistant's turn");

    const text::Rendered rendered = renderOrDrop(m_template, m_options, conversation.messages, conversation.tools);
    text::Encoding encoding = m_tokenizer.encode(rendered.text, false); // the template has written its BOS itself
    EncodedRow row;
    if (trainsAll) {
        row.trained.assign(encoding.ids.size(), 1);
    } else if (rendered.hasGenerationTags) {
        row.trained =
            trainedTokens(encoding.offsets, wantedOf(rendered.generationSpans, conversation, m_options.trainOn));
    } else {
        const auto render = [&](const Json& messages) {
            return renderOrDrop(m_template, m_options, messages, conversation.tools).text;
        };
        const auto spans =
            wantedOf(assistantSpans(conversation, rendered.text, render), conversation, m_options.trainOn);
        row.trained = trainedTokens(encoding.offsets, spans);
        row.numTurnsWithoutEnd = addEndsOfTurn(encoding.offsets, encoding.isSpecial, spans, row.trained);
    }
    row.text = rendered.text;
    row.ids = std::move(encoding.ids);
    row.offsets = std::move(encoding.offsets);
    row.numKept = std::min(static_cast<int64_t>(row.ids.size()), m_options.maxLength);
    return row;
}

} // namespace roundpipe::data
