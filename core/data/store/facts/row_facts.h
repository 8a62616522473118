// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a row besides its tokens, found while it is encoded: what the dataset's report wants to know of it.
// Internal to this folder.
#pragma once

#include "data/encode/checks/special_tokens.h"
#include "data/encode/row_encoder.h"
#include "data/rows/json/row_json.h"
#include "data/store/facts/fingerprint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::data {

struct RowDraft;

struct RowFacts {
    uint64_t textHash = 0;      // of the row as the file has it, as in session::RowKey
    uint64_t tokenHash = 0;     // of the whole row
    std::optional<Bands> bands; // absent without a word
    MaskSource maskedBy = MaskSource::kNone;
    uint32_t numTurnsWithoutEnd = 0;
    bool hasEmptyTurn = false, isOneSided = false, isUnanswered = false;
    bool lacksBos = false, doublesBos = false;
    bool isPlainPrompt = false, isPlainText = false; // as in EncodedRow
    ChatForm chatForm = ChatForm::kNone;
    bool hasForeignEnd = false; // a text that ends with another model's mark of an end, which is letters to this one
    bool spellsMarks = false; // the same of any such mark within a message, and of the end of an answer without a chat
    bool leavesOutThoughts = false, leavesOutTexts = false, leavesOutTools = false; // of the row, by its template
    bool leavesOutSystem = false;                                                   // as in Conversation
    bool contradictsItself = false, hasOpenThought = false; // has messages that Conversation lists as such
    bool splitsAnswer = false, writesOutCalls = false;      // as in EncodedRow; and calls twice, in words too
    bool isTaggedGood = false, hasUnclearTag = false;       // as in EncodedRow
    std::vector<int32_t> specialTokens;                     // spelled out in its messages, ascending

    bool operator==(const RowFacts&) const = default;
};

// Whether a message says nothing and calls nothing, or the template leaves nothing of a trained turn.
bool hasEmptyTurn(const RowDraft& draft);

// Spelled out in what a message says, thinks and calls: ascending, each once.
std::vector<int32_t> specialTokensIn(const Json& message, const SpecialTokenFinder& finder);

// Marks of other models' templates that a message spells out, each once.
std::vector<std::string> foreignMarksIn(const Json& message, const SpecialTokenFinder& finder);

// Whether a text that holds another model's chat ends with a mark that is an end to that model alone.
bool hasForeignEnd(const EncodedRow& row, const SpecialTokenFinder& finder);
// The messages that write a call of theirs out in words, of turns that are not switched off.
std::vector<std::size_t> callsWrittenOutIn(const Conversation& conversation);

// Any number of threads may call it at once.
class RowExaminer {
public:
    explicit RowExaminer(const text::Tokenizer& tokenizer);

    // Of a row that has its mask; its textHash is the caller's, who has the text.
    RowFacts factsOf(const RowDraft& draft) const;

private:
    SpecialTokenFinder m_finder;
    std::optional<int32_t> m_bos; // where the tokenizer puts one before a text
};

// The token that the tokenizer puts before every text, if that is its BOS.
std::optional<int32_t> automaticBos(const text::Tokenizer& tokenizer);

} // namespace roundpipe::data
