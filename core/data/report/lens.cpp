// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/lens.h"

#include "data/encode/checks/foreign_marks.h"
#include "data/encode/row_draft.h"
#include "data/encode/spans/message_spans.h"
#include "data/in_part.h"
#include "data/report/inspect.h"
#include "data/store/choice/selection.h"
#include "data/store/facts/length_limit.h"
#include "data/store/facts/row_facts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kMostTextBytes = std::size_t{1} << 20; // where a dropped row has no tokens

// Tokens of a message are those with at least one byte of its content, as with trained ones.
bool overlap(const Span& token, const Span& span) {
    return std::max(token.begin, span.begin) < std::min(token.end, span.end);
}

// The first token has nothing before it.
bool isTrained(const EncodedRow& row, std::size_t token) {
    return token > 0 && row.trained[token] != 0;
}

bool isLearnt(const EncodedRow& row, std::size_t token, int64_t numKept) {
    return isTrained(row, token) && static_cast<int64_t>(token) < numKept;
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
    , m_template(chatTemplate)
    , m_encoder(options, tokenizer, chatTemplate)
    , m_finder(tokenizer)
    , m_renderedChat(options, tokenizer, chatTemplate) {}

session::TokenLens LensMaker::lensOf(const RawRow& raw, const RowFormat& format, session::RowPlace place,
                                     const std::string& name) const {
    session::TokenLens lens;
    lens.place = place;
    lens.name = name;
    if (raw.problem.empty()) lens.key = session::RowKey::of(raw.number, raw.json).text();
    const std::vector<std::string> notRead = columnsNotReadIn(raw, format, m_template);
    RowDraft draft;
    if (const auto problem = encode(raw, format, draft)) {
        lens.dropReason = problem->reason();
        lens.dropped = problem->remark();
    }
    fill(draft, lens);
    if (!notRead.empty())
        lens.notes.emplace_back(RowRemark::kColumnsOfNotRead, inPart(fmt::format("{}", fmt::join(notRead, ", "))));
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

void LensMaker::fill(RowDraft& draft, session::TokenLens& lens) const {
    const EncodedRow& row = draft.row;
    const RowLengths lengths = lengthsOf(row.trained, m_options);
    lens.numTokens = std::ssize(row.ids);
    lens.numKept = std::min(lengths.kept, lengths.length);
    for (std::size_t i = 0; i < row.ids.size(); ++i)
        lens.numTrained += isLearnt(row, i, lens.numKept) ? 1 : 0;
    lens.maskedBy = row.maskedBy;
    fillTokens(row, lens);
    fillNotes(draft, lens);
    if (m_options.overLength == OverLength::kSplit && lengths.isTruncated())
        lens.notes.emplace_back(RowRemark::kNotSplitOf);
    if (lengths.pieces > 1)
        lens.notes.emplace_back(RowRemark::kBecomesPieces, lengths.pieces, m_options.maxLength, contextOf(m_options));
    draft.row.ids = {}; // of a long row they would stand beside what is rendered
    if (draft.conversation) fillMessages(draft, lens);
}

void LensMaker::fillTokens(const EncodedRow& row, session::TokenLens& lens) const {
    const std::size_t size = std::min(row.ids.size(), static_cast<std::size_t>(session::kMostLensTokens));
    if (row.ids.empty())
        lens.text = inPart(row.text, kMostTextBytes);
    else
        lens.text = row.text.substr(0, size < row.ids.size() ? row.offsets[size - 1].end : row.text.size());
    lens.tokens.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
        session::LensToken token;
        token.id = row.ids[i];
        token.piece = m_tokenizer.idToToken(token.id);
        token.begin = row.offsets[i].begin;
        token.end = row.offsets[i].end;
        token.isSpecial = row.isSpecial[i];
        token.isTrained = isTrained(row, i);
        token.isCut = static_cast<int64_t>(i) >= lens.numKept;
        lens.tokens.push_back(std::move(token));
    }
}

void LensMaker::fillMessages(const RowDraft& draft, session::TokenLens& lens) const {
    const Conversation& conversation = *draft.conversation;
    const EncodedRow& row = draft.row;
    for (const Json& message : conversation.messages)
        lens.messages.push_back({message["role"], 0, 0});
    if (row.offsets.empty()) return;
    const auto spans = messageSpans(conversation, row.text, [&](const Json& messages) {
        Conversation changed;
        changed.messages = messages;
        changed.tools = conversation.tools;
        return m_encoder.render(changed).text;
    });
    std::vector<bool> isTaken(row.offsets.size()); // a token on the border of two messages is the first one's
    for (std::size_t m = 0; m < spans.size(); ++m) {
        if (!spans[m]) continue;
        const auto ends = [](const text::TokenSpan& token) -> std::size_t { return token.end; };
        const auto first = std::ranges::lower_bound(row.offsets, spans[m]->begin, {}, ends);
        for (auto i = static_cast<std::size_t>(first - row.offsets.begin());
             i < row.offsets.size() && row.offsets[i].begin < spans[m]->end; ++i) {
            if (!overlap(row.offsets[i], *spans[m]) || isTaken[i]) continue;
            isTaken[i] = true;
            if (i < lens.tokens.size()) lens.tokens[i].message = static_cast<int32_t>(m);
            ++lens.messages[m].numTokens;
            lens.messages[m].numTrained += isLearnt(row, i, lens.numKept) ? 1 : 0;
        }
    }
}

// Of a row that the model's template did not print.
session::Remark LensMaker::noteOnTemplate(const EncodedRow& row) const {
    if (row.chatForm == ChatForm::kNone) return Remark(RowRemark::kNoTemplateHere);
    if (row.isPlainPrompt) return Remark(RowRemark::kIsPromptOfOtherForm, nameOf(row.chatForm));
    if (hasForeignEnd(row, m_finder))
        return Remark(RowRemark::kIsChatWithForeignEnd, nameOf(row.chatForm),
                      std::string(foreignEndOf(row.text, m_finder)));
    const bool isModels = row.chatForm == ChatForm::kModels;
    const TurnMarkers turns = isModels ? m_renderedChat.turns() : turnsOf(row.chatForm);
    const std::string begin = escaped(turns.begin), end = escaped(turns.end);
    if (isModels) return Remark(RowRemark::kIsRenderedChat, begin, end);
    const bool hasEnds = !m_finder.in(turns.end).empty();
    return Remark(hasEnds ? RowRemark::kIsChatOfOtherForm : RowRemark::kIsChatWithoutEnds, nameOf(row.chatForm), begin,
                  end);
}

void LensMaker::fillNotes(const RowDraft& draft, session::TokenLens& lens) const {
    const EncodedRow& row = draft.row;
    for (std::size_t m = 0; draft.conversation && m < draft.conversation->messages.size(); ++m) {
        const Json& message = draft.conversation->messages[m];
        for (const int32_t id : specialTokensIn(message, m_finder))
            lens.notes.emplace_back(RowRemark::kSpellsSpecialToken, m + 1, m_finder.spellingOf(id));
        for (const std::string& mark : foreignMarksIn(message, m_finder))
            lens.notes.emplace_back(RowRemark::kSpellsMark, m + 1, mark);
    }
    if (const std::string end(foreignEndOf(row.text, m_finder));
        !draft.conversation && !end.empty() && !hasForeignEnd(row, m_finder))
        lens.notes.emplace_back(RowRemark::kEndsWithMark, end);
    if (row.numTurnsWithoutEnd > 0)
        lens.notes.emplace_back(row.numTurnsWithoutEnd == 1 ? RowRemark::kTurnWithoutEnd : RowRemark::kTurnsWithoutEnd,
                                row.numTurnsWithoutEnd);
    if (row.numEmptyTurns > 0)
        lens.notes.emplace_back(row.numEmptyTurns == 1 ? RowRemark::kTurnOnlyEnd : RowRemark::kTurnsOnlyEnd,
                                row.numEmptyTurns);
    if (!row.unprintedThoughts.empty())
        lens.notes.emplace_back(RowRemark::kThoughtsOfLeftOut, numbersOf(row.unprintedThoughts));
    if (!row.unprintedTexts.empty()) lens.notes.emplace_back(RowRemark::kTextsOfLeftOut, numbersOf(row.unprintedTexts));
    if (!row.splitAnswers.empty()) lens.notes.emplace_back(RowRemark::kAnswerSplitOf, numbersOf(row.splitAnswers));
    if (row.isPlainPrompt || row.isPlainText || row.chatForm != ChatForm::kNone)
        lens.notes.push_back(noteOnTemplate(row));
    if (row.hasUnprintedTools) lens.notes.emplace_back(RowRemark::kToolsOfLeftOut);
    if (draft.conversation && draft.conversation->leavesOutSystem) lens.notes.emplace_back(RowRemark::kSystemOfLeftOut);
    if (draft.conversation && !draft.conversation->contradicted.empty())
        lens.notes.emplace_back(RowRemark::kContradictionOf, numbersOf(draft.conversation->contradicted));
    if (draft.conversation && !draft.conversation->openThoughts.empty())
        lens.notes.emplace_back(RowRemark::kThoughtOpenOf, numbersOf(draft.conversation->openThoughts));
    if (const auto calls = draft.conversation ? callsWrittenOutIn(*draft.conversation) : std::vector<std::size_t>();
        !calls.empty())
        lens.notes.emplace_back(RowRemark::kCallInWordsOf, numbersOf(calls));
    const std::optional<int32_t> bos = automaticBos(m_tokenizer);
    if (!bos || row.ids.empty()) return;
    if (row.ids[0] != *bos)
        lens.notes.emplace_back(RowRemark::kNoBos, m_tokenizer.idToToken(*bos));
    else if (row.ids.size() > 1 && row.ids[1] == *bos)
        lens.notes.emplace_back(RowRemark::kTwoBos, m_tokenizer.idToToken(*bos));
}

} // namespace roundpipe::data
