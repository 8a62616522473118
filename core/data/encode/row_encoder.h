// SPDX-License-Identifier: GPL-3.0-or-later
// One row → rendered text, token ids and which of them are trained.
#pragma once

#include "data/encode/checks/foreign_chat.h"
#include "data/encode/checks/rendered_chat.h"
#include "data/options.h"
#include "data/row_problem.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {

enum class ThoughtPlace;
struct Conversation;
struct RowDraft;
class RowRenderer;

using session::MaskSource;

// Everything about a row, whatever its length: what training takes of it, and what a person looks at.
struct EncodedRow {
    std::string text; // as the template rendered it
    std::vector<int32_t> ids;
    std::vector<text::TokenSpan> offsets; // per token, bytes of `text`
    std::vector<bool> isSpecial;          // per token
    std::vector<uint8_t> trained;         // per token
    std::vector<text::Span> turns;        // bytes of `text`: what `trained` was made from, where turns decide about it
    int64_t numTurnsWithoutEnd = 0;       // trained turns that no special token ends
    int64_t numEmptyTurns = 0;            // trained turns of a chat that have nothing but their end
    // Messages whose thought, and whose text, the template does not print, and whose answer it splits by a </think>
    // among its words; and whether it prints no tool of those that the row has.
    std::vector<std::size_t> unprintedThoughts, unprintedTexts, splitAnswers;
    bool hasUnprintedTools = false;
    // A text, or a prompt and its completion, though the model has a template; and the form of the chat that a text
    // holds, or of another model's that a prompt is written in: such a text is no plain one.
    bool isPlainPrompt = false, isPlainText = false;
    ChatForm chatForm = ChatForm::kNone;
    // The row says that its answer is a good one; a column that should say so says neither.
    bool isTaggedGood = false, hasUnclearTag = false;
    MaskSource maskedBy = MaskSource::kNone;
};

// Holds references to the options, the tokenizer and the template, which must outlive it. Any number of threads may
// encode at once.
class RowEncoder {
public:
    RowEncoder(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate);

    // Fills an empty draft; `format`: any but kAuto. Throws RowProblem where the row must be dropped, leaving in
    // `draft` what there was of it, Error (kUnsupported) where the template cannot be rendered at all.
    void encode(const std::string& json, const RowFormat& format, RowDraft& draft) const;

    // The messages as the template prints them with the row's tools. Throws as encode() does.
    text::Rendered render(const Conversation& conversation) const;

private:
    void maskText(EncodedRow& row) const;
    void lookForTemplate(DataFormat format, EncodedRow& row) const;
    void encodeChat(const std::string& json, const RowFormat& format, RowDraft& draft) const;
    void encodeReadings(const std::string& json, const RowFormat& format, RowDraft& draft,
                        bool thinksBesideCalls) const;
    void encodeConversation(const Conversation& conversation, EncodedRow& row) const;
    void maskConversation(const Conversation& conversation, const text::Rendered& rendered, RowRenderer& renderer,
                          EncodedRow& row) const;
    void findUnprinted(const Conversation& conversation, EncodedRow& row) const;
    std::vector<text::Span> trainedTurns(const Conversation& conversation, const text::Rendered& rendered,
                                         RowRenderer& renderer, EncodedRow& row) const;
    std::vector<text::Span> spansBySentinels(const Conversation& conversation, RowRenderer& renderer,
                                             const EncodedRow& row) const;
    bool endsTurn(int32_t id) const;
    std::vector<text::Span> endsOf(const EncodedRow& row) const;
    std::optional<std::size_t> endOfTurnIn(std::string_view text) const;

    const DataOptions& m_options;
    const text::Tokenizer& m_tokenizer;
    const text::ChatTemplate& m_template;
    ThoughtPlace m_thoughtPlace;
    ThoughtPlace m_thoughtPlaceWithTools; // a model may have a template for each
    RenderedChat m_renderedChat;
};

} // namespace roundpipe::data
