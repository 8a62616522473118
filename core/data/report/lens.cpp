// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/lens.h"

#include "data/encode/row_draft.h"
#include "data/encode/spans/message_spans.h"
#include "data/store/choice/selection.h"
#include "data/store/facts/length_limit.h"
#include "data/store/facts/row_facts.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

// Tokens of a message are those with at least one byte of its content, as with trained ones.
bool overlap(const session::LensToken& token, const Span& span) {
    return std::max(token.begin, static_cast<int64_t>(span.begin)) <
           std::min(token.end, static_cast<int64_t>(span.end));
}

// As people count messages: "2, 4, 6".
std::string numbersOf(const std::vector<std::size_t>& messages) {
    constexpr std::size_t kShown = 12;
    std::string numbers;
    for (std::size_t i = 0; i < std::min(kShown, messages.size()); ++i)
        numbers += (i == 0 ? "" : ", ") + std::to_string(messages[i] + 1);
    return messages.size() > kShown ? numbers + ", …" : numbers;
}

} // namespace

LensMaker::LensMaker(const DataOptions& options, const text::Tokenizer& tokenizer,
                     const text::ChatTemplate& chatTemplate)
    : m_options(options)
    , m_tokenizer(tokenizer)
    , m_encoder(options, tokenizer, chatTemplate)
    , m_finder(tokenizer)
    , m_renderedChat(options, tokenizer, chatTemplate) {}

session::TokenLens LensMaker::lensOf(const RawRow& raw, const RowFormat& format, session::RowPlace place,
                                     const std::string& name) const {
    session::TokenLens lens;
    lens.place = place;
    lens.name = name;
    if (raw.problem.empty()) lens.key = session::RowKey::of(raw.number, raw.json).text();
    RowDraft draft;
    if (const auto problem = encode(raw, format, draft)) {
        lens.dropReason = problem->reason();
        lens.dropped = problem->remark();
    }
    fill(draft, lens);
    return lens;
}

session::RowVerdict LensMaker::verdictOf(const RawRow& raw, const RowFormat& format, session::RowPlace place) const {
    session::RowVerdict verdict;
    verdict.place = place;
    RowDraft draft;
    if (const auto problem = encode(raw, format, draft)) verdict.dropReason = problem->reason();
    const RowLengths lengths = lengthsOf(draft.row.trained, m_options);
    verdict.numTokens = std::ssize(draft.row.ids);
    verdict.numTrained = lengths.trainedKept;
    if (draft.conversation) verdict.numMessages = std::ssize(draft.conversation->messages);
    return verdict;
}

std::optional<RowProblem> LensMaker::encode(const RawRow& raw, const RowFormat& format, RowDraft& draft) const {
    try {
        if (!raw.problem.empty()) throw RowProblem(DropReason::kBadRow, raw.problem);
        m_encoder.encode(raw.json, format, draft);
    } catch (const RowProblem& problem) {
        return problem;
    }
    if (auto problem = lengthProblemOf(lengthsOf(draft.row.trained, m_options), m_options)) return problem;
    return leftOutByItself(session::RowKey::of(raw.number, raw.json), hasEmptyTurn(draft), m_options);
}

void LensMaker::fill(const RowDraft& draft, session::TokenLens& lens) const {
    const EncodedRow& row = draft.row;
    lens.text = row.text;
    const RowLengths lengths = lengthsOf(row.trained, m_options);
    lens.numKept = std::min(lengths.kept, lengths.length);
    lens.maskedBy = row.maskedBy;
    for (std::size_t i = 0; i < row.ids.size(); ++i) {
        session::LensToken token;
        token.id = row.ids[i];
        token.piece = m_tokenizer.idToToken(token.id);
        token.begin = static_cast<int64_t>(row.offsets[i].begin);
        token.end = static_cast<int64_t>(row.offsets[i].end);
        token.isSpecial = row.isSpecial[i];
        token.isTrained = i > 0 && row.trained[i] != 0; // the first token has nothing before it
        token.isCut = static_cast<int64_t>(i) >= lens.numKept;
        lens.numTrained += token.isTrained && !token.isCut ? 1 : 0;
        lens.tokens.push_back(std::move(token));
    }
    if (draft.conversation) fillMessages(draft, lens);
    fillNotes(draft, lens);
    if (lengths.pieces > 1)
        lens.notes.emplace_back(RowRemark::kBecomesPieces, lengths.pieces, m_options.maxLength, contextOf(m_options));
}

void LensMaker::fillMessages(const RowDraft& draft, session::TokenLens& lens) const {
    const Conversation& conversation = *draft.conversation;
    for (const Json& message : conversation.messages) {
        const auto content = message.find("content");
        const bool hasText = content != message.end() && content->is_string();
        lens.messages.push_back({message["role"], hasText ? content->get<std::string>() : std::string(), 0, 0});
    }
    if (lens.tokens.empty()) return;
    const auto spans = messageSpans(conversation, lens.text, [&](const Json& messages) {
        Conversation changed = conversation;
        changed.messages = messages;
        return m_encoder.render(changed).text;
    });
    for (std::size_t m = 0; m < spans.size(); ++m) {
        if (!spans[m]) continue;
        const auto first =
            std::ranges::lower_bound(lens.tokens, static_cast<int64_t>(spans[m]->begin), {}, &session::LensToken::end);
        for (auto token = first; token != lens.tokens.end() && token->begin < static_cast<int64_t>(spans[m]->end);
             ++token) {
            if (!overlap(*token, *spans[m]) || token->message >= 0) continue;
            token->message = static_cast<int32_t>(m);
            ++lens.messages[m].numTokens;
            lens.messages[m].numTrained += token->isTrained && !token->isCut ? 1 : 0;
        }
    }
}

// Of a row that the model's template did not print.
session::Remark LensMaker::noteOnTemplate(const EncodedRow& row) const {
    if (row.chatForm == ChatForm::kNone) return Remark(RowRemark::kNoTemplateHere);
    if (row.isPlainPrompt) return Remark(RowRemark::kIsPromptOfOtherForm, nameOf(row.chatForm));
    const bool isModels = row.chatForm == ChatForm::kModels;
    const TurnMarkers turns = isModels ? m_renderedChat.turns() : turnsOf(row.chatForm);
    const std::string begin = escaped(turns.begin), end = escaped(turns.end);
    if (isModels) return Remark(RowRemark::kIsRenderedChat, begin, end);
    return Remark(RowRemark::kIsChatOfOtherForm, nameOf(row.chatForm), begin, end);
}

void LensMaker::fillNotes(const RowDraft& draft, session::TokenLens& lens) const {
    const EncodedRow& row = draft.row;
    for (std::size_t m = 0; m < lens.messages.size(); ++m)
        for (const int32_t id : m_finder.in(lens.messages[m].content))
            lens.notes.emplace_back(RowRemark::kSpellsSpecialToken, m + 1, m_finder.spellingOf(id));
    if (row.numTurnsWithoutEnd > 0)
        lens.notes.emplace_back(row.numTurnsWithoutEnd == 1 ? RowRemark::kTurnWithoutEnd : RowRemark::kTurnsWithoutEnd,
                                row.numTurnsWithoutEnd);
    if (row.numEmptyTurns > 0)
        lens.notes.emplace_back(row.numEmptyTurns == 1 ? RowRemark::kTurnOnlyEnd : RowRemark::kTurnsOnlyEnd,
                                row.numEmptyTurns);
    if (!row.unprintedThoughts.empty())
        lens.notes.emplace_back(RowRemark::kThoughtsOfLeftOut, numbersOf(row.unprintedThoughts));
    if (!row.unprintedTexts.empty()) lens.notes.emplace_back(RowRemark::kTextsOfLeftOut, numbersOf(row.unprintedTexts));
    if (row.isPlainPrompt || row.isPlainText || row.chatForm != ChatForm::kNone)
        lens.notes.push_back(noteOnTemplate(row));
    if (row.hasUnprintedTools) lens.notes.emplace_back(RowRemark::kToolsOfLeftOut);
    if (draft.conversation && draft.conversation->leavesOutSystem) lens.notes.emplace_back(RowRemark::kSystemOfLeftOut);
    const std::optional<int32_t> bos = automaticBos(m_tokenizer);
    if (!bos || row.ids.empty()) return;
    if (row.ids[0] != *bos)
        lens.notes.emplace_back(RowRemark::kNoBos, m_tokenizer.idToToken(*bos));
    else if (row.ids.size() > 1 && row.ids[1] == *bos)
        lens.notes.emplace_back(RowRemark::kTwoBos, m_tokenizer.idToToken(*bos));
}

} // namespace roundpipe::data
