// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/tally.h"

#include "data/report/counted.h"

#include <algorithm>
#include <functional>

namespace roundpipe::data {
namespace {

void noteRow(session::RowSample& sample, session::RowPlace row) {
    ++sample.numRows;
    if (sample.examples.size() < kMaxExamples) sample.examples.push_back(row);
}

struct NotUsed {
    bool RowFacts::*fact;
    RowRemark what;
};
constexpr NotUsed kNotUsed[] = {{&RowFacts::leavesOutThoughts, RowRemark::kThoughtsLeftOut},
                                {&RowFacts::leavesOutTexts, RowRemark::kTextsLeftOut},
                                {&RowFacts::leavesOutTools, RowRemark::kToolsLeftOut},
                                {&RowFacts::leavesOutSystem, RowRemark::kSystemsLeftOut},
                                {&RowFacts::isPlainText, RowRemark::kTextsWithoutTemplate},
                                {&RowFacts::hasUnclearTag, RowRemark::kTagsLeftOut},
                                {&RowFacts::contradictsItself, RowRemark::kContradictionsLeftOut},
                                {&RowFacts::hasOpenThought, RowRemark::kThoughtsLeftOpen},
                                {&RowFacts::splitsAnswer, RowRemark::kAnswersSplit},
                                {&RowFacts::writesOutCalls, RowRemark::kCallsInWords},
                                {&RowFacts::spellsMarks, RowRemark::kMarksAsLetters}};

bool isForeign(ChatForm form) {
    return form != ChatForm::kNone && form != ChatForm::kModels;
}

// Of a prompt, or of a text that holds a chat: what of the model's template, or of turns, is not used.
RowRemark unusedOf(const RowFacts& facts) {
    if (facts.isPlainPrompt)
        return isForeign(facts.chatForm) ? RowRemark::kPromptsOfOtherForm : RowRemark::kPromptsWithoutTemplate;
    if (facts.chatForm == ChatForm::kNone) return RowRemark::kNone;
    if (facts.hasForeignEnd) return RowRemark::kChatsWithForeignEnd;
    return isForeign(facts.chatForm) ? RowRemark::kChatsOfOtherForm : RowRemark::kRenderedChats;
}

// With what to set so that the answers are trained, each with an end.
Remark remarkOf(RowRemark what, ChatForm form, const SpecialTokenFinder& specialTokens) {
    if (what == RowRemark::kPromptsOfOtherForm || what == RowRemark::kChatsWithForeignEnd)
        return Remark(what, nameOf(form));
    if (what != RowRemark::kChatsOfOtherForm) return Remark(what);
    const TurnMarkers turns = turnsOf(form);
    const bool hasEnds = !specialTokens.in(turns.end).empty();
    return Remark(hasEnds ? what : RowRemark::kChatsWithoutEnds, nameOf(form), escaped(turns.begin),
                  escaped(turns.end));
}

} // namespace

void Tally::add(session::RowPlace place, const RowFacts& facts, const RowLengths& lengths) {
    session::DatasetReport& counts = m_counts;
    ++counts.numUsed;
    counts.numTokens += lengths.kept;
    counts.numTrained += lengths.trainedKept;
    counts.numTruncated += lengths.isTruncated() ? 1 : 0;
    counts.numSplit += lengths.pieces > 1 ? 1 : 0;
    counts.numPieces += lengths.pieces > 1 ? lengths.pieces : 0;
    if (facts.hasEmptyTurn) noteRow(counts.emptyTurns, place);
    if (facts.isOneSided) noteRow(counts.oneSided, place);
    if (facts.isUnanswered) noteRow(counts.unanswered, place);
    if (facts.numTurnsWithoutEnd > 0) noteRow(counts.withoutEnd, place);
    if (facts.lacksBos) noteRow(counts.withoutBos, place);
    if (facts.doublesBos) noteRow(counts.doubledBos, place);
    for (const auto& [fact, what] : kNotUsed)
        if (facts.*fact) noteRow(m_notUsed[{what, ChatForm::kNone}], place);
    if (const RowRemark what = unusedOf(facts); what != RowRemark::kNone)
        noteRow(m_notUsed[{what, facts.chatForm}], place);
    if (m_overLength == OverLength::kSplit && lengths.isTruncated())
        noteRow(m_notUsed[{RowRemark::kNotSplit, ChatForm::kNone}], place);
    m_hasTag = m_hasTag || facts.isTaggedGood;
    ++m_maskSources[facts.maskedBy];
    for (const int32_t id : facts.specialTokens) {
        session::SpecialTokenUse& use = m_specials[id];
        if (use.numRows++ == 0) use.example = place;
    }
}

void Tally::writeTo(session::DatasetReport& report, const SpecialTokenFinder& specialTokens) const {
    report.numUsed = m_counts.numUsed;
    report.numTokens = m_counts.numTokens;
    report.numTrained = m_counts.numTrained;
    report.numTruncated = m_counts.numTruncated;
    report.numSplit = m_counts.numSplit;
    report.numPieces = m_counts.numPieces;
    report.emptyTurns = m_counts.emptyTurns;
    report.oneSided = m_counts.oneSided;
    report.unanswered = m_counts.unanswered;
    report.withoutEnd = m_counts.withoutEnd;
    report.withoutBos = m_counts.withoutBos;
    report.doubledBos = m_counts.doubledBos;
    report.notUsed.clear();
    // Where no row's label says either, its column is named as one that nothing reads.
    const bool readsTags = m_hasTag || std::ranges::find(report.dropReasons, DropReason::kRejected,
                                                         &session::DropCount::reason) != report.dropReasons.end();
    for (const auto& [what, rows] : m_notUsed)
        if (readsTags || what.first != RowRemark::kTagsLeftOut)
            report.notUsed.push_back({remarkOf(what.first, what.second, specialTokens), rows});
    report.maskSources = counted<session::MaskCount>(m_maskSources);
    for (const auto& [id, use] : m_specials)
        report.specialTokens.push_back({specialTokens.spellingOf(id), use.numRows, use.example});
    std::ranges::stable_sort(report.specialTokens, std::ranges::greater{}, &session::SpecialTokenUse::numRows);
}

} // namespace roundpipe::data
