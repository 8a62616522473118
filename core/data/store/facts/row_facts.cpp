// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/facts/row_facts.h"

#include "data/encode/checks/doubled_call.h"
#include "data/encode/checks/foreign_marks.h"
#include "data/encode/row_draft.h"
#include "data/encode/spans/blanks.h"
#include "data/rows/json/json_text.h"
#include "data/rows/thoughts.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

const std::string* textIn(const Json& message, const char* key) {
    const auto found = message.find(key);
    return found == message.end() ? nullptr : found->get_ptr<const std::string*>();
}

// What somebody wrote, thought first.
template <class Use>
void forEachText(const Json& message, const Use& use) {
    for (const char* key : kThoughtFields)
        if (const std::string* text = textIn(message, key)) use(*text);
    if (const std::string* text = textIn(message, "content")) use(*text);
}

// The system's message is left out: many rows share it, and would look alike for it.
void addWords(const Conversation& conversation, WordHasher& words) {
    for (const Json& message : conversation.messages) {
        if (message.value("role", Json()) == "system") continue;
        forEachText(message, [&](const std::string& text) { words.add(text); });
        if (message.contains("tool_calls")) words.add(jsonText(message["tool_calls"]));
    }
}

bool saysNothing(const Json& message) {
    const std::string* content = textIn(message, "content");
    const bool silent = content == nullptr || stripped(*content).empty();
    return silent && (!message.contains("tool_calls") || message["tool_calls"].empty());
}

void keepOneEach(std::vector<int32_t>& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

void examine(const Conversation& conversation, const SpecialTokenFinder& finder, RowFacts& facts) {
    facts.isOneSided = true;
    for (const Json& message : conversation.messages) {
        if (message.value("role", Json()) == "user") facts.isOneSided = false;
        const std::vector<int32_t> found = specialTokensIn(message, finder);
        facts.specialTokens.insert(facts.specialTokens.end(), found.begin(), found.end());
        facts.spellsMarks = facts.spellsMarks || !foreignMarksIn(message, finder).empty();
    }
    facts.writesOutCalls = !callsWrittenOutIn(conversation).empty();
    keepOneEach(facts.specialTokens);
    facts.isUnanswered =
        conversation.assistants.empty() || conversation.assistants.back() + 1 != conversation.messages.size();
}

} // namespace

bool hasEmptyTurn(const RowDraft& draft) {
    if (draft.row.numEmptyTurns > 0) return true;
    return draft.conversation && std::ranges::any_of(draft.conversation->messages, saysNothing);
}

std::vector<int32_t> specialTokensIn(const Json& message, const SpecialTokenFinder& finder) {
    std::vector<int32_t> ids;
    const auto look = [&](const std::string& text) {
        const auto said = withoutBrackets(text);
        const std::vector<int32_t> found = finder.in(said ? *said : text);
        ids.insert(ids.end(), found.begin(), found.end());
    };
    forEachText(message, look);
    if (message.contains("tool_calls")) look(jsonText(message["tool_calls"]));
    keepOneEach(ids);
    return ids;
}

std::vector<std::string> foreignMarksIn(const Json& message, const SpecialTokenFinder& finder) {
    std::vector<std::string> marks;
    forEachText(message, [&](const std::string& text) {
        for (const std::string_view mark : foreignMarksIn(std::string_view(text), finder))
            if (std::ranges::find(marks, mark) == marks.end()) marks.emplace_back(mark);
    });
    return marks;
}

bool hasForeignEnd(const EncodedRow& row, const SpecialTokenFinder& finder) {
    const bool isForeign = !row.isPlainPrompt && row.chatForm != ChatForm::kNone && row.chatForm != ChatForm::kModels;
    return isForeign && finder.in(turnsOf(row.chatForm).end).empty() && !foreignEndOf(row.text, finder).empty();
}

std::vector<std::size_t> callsWrittenOutIn(const Conversation& conversation) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < conversation.assistants.size(); ++i)
        if (conversation.wanted[i] && writesOutItsCall(conversation.messages[conversation.assistants[i]]))
            found.push_back(conversation.assistants[i]);
    return found;
}

std::optional<int32_t> automaticBos(const text::Tokenizer& tokenizer) {
    const auto& bos = tokenizer.special().bos;
    if (!bos || !bos->id) return std::nullopt;
    const text::Encoding encoding = tokenizer.encode("a", true);
    return !encoding.ids.empty() && encoding.ids.front() == *bos->id ? bos->id : std::nullopt;
}

RowExaminer::RowExaminer(const text::Tokenizer& tokenizer) : m_finder(tokenizer), m_bos(automaticBos(tokenizer)) {}

RowFacts RowExaminer::factsOf(const RowDraft& draft) const {
    const EncodedRow& row = draft.row;
    RowFacts facts;
    facts.tokenHash = hashOfTokens(row.ids);
    facts.maskedBy = row.maskedBy;
    facts.numTurnsWithoutEnd = static_cast<uint32_t>(row.numTurnsWithoutEnd);
    if (m_bos) {
        const bool starts = !row.ids.empty() && row.ids[0] == *m_bos;
        facts.lacksBos = !starts;
        facts.doublesBos = starts && row.ids.size() > 1 && row.ids[1] == *m_bos;
    }
    facts.hasEmptyTurn = hasEmptyTurn(draft);
    facts.isPlainPrompt = row.isPlainPrompt;
    facts.isPlainText = row.isPlainText;
    facts.chatForm = row.chatForm;
    facts.hasForeignEnd = hasForeignEnd(row, m_finder);
    facts.splitsAnswer = !row.splitAnswers.empty();
    facts.leavesOutThoughts = !row.unprintedThoughts.empty();
    facts.leavesOutTexts = !row.unprintedTexts.empty();
    facts.leavesOutTools = row.hasUnprintedTools;
    facts.isTaggedGood = row.isTaggedGood;
    facts.hasUnclearTag = row.hasUnclearTag;
    WordHasher words;
    if (draft.conversation) {
        facts.leavesOutSystem = draft.conversation->leavesOutSystem;
        facts.contradictsItself = !draft.conversation->contradicted.empty();
        facts.hasOpenThought = !draft.conversation->openThoughts.empty();
        examine(*draft.conversation, m_finder, facts);
        addWords(*draft.conversation, words);
    } else {
        facts.spellsMarks = !facts.hasForeignEnd && !foreignEndOf(row.text, m_finder).empty();
        words.add(row.text);
    }
    if (!words.isEmpty()) facts.bands = words.takeBands();
    return facts;
}

} // namespace roundpipe::data
