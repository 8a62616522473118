#include "data/report/row_facts.h"

#include "data/encode/row_trace.h"
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
        if (message.contains("tool_calls")) words.add(message["tool_calls"].dump());
    }
}

bool saysNothing(const Json& message) {
    const std::string* content = textIn(message, "content");
    const bool silent = content == nullptr || content->find_first_not_of(" \t\r\n") == std::string::npos;
    return silent && (!message.contains("tool_calls") || message["tool_calls"].empty());
}

void examine(const Conversation& conversation, const SpecialTokenFinder& finder, RowFacts& facts) {
    facts.isOneSided = true;
    for (const Json& message : conversation.messages) {
        if (message.value("role", Json()) == "user") facts.isOneSided = false;
        facts.hasEmptyTurn = facts.hasEmptyTurn || saysNothing(message);
        forEachText(message, [&](const std::string& text) {
            const auto found = finder.in(text);
            facts.specialTokens.insert(facts.specialTokens.end(), found.begin(), found.end());
        });
    }
    std::ranges::sort(facts.specialTokens);
    facts.specialTokens.erase(std::unique(facts.specialTokens.begin(), facts.specialTokens.end()),
                              facts.specialTokens.end());
    facts.isUnanswered =
        conversation.assistants.empty() || conversation.assistants.back() + 1 != conversation.messages.size();
}

} // namespace

std::optional<int32_t> automaticBos(const text::Tokenizer& tokenizer) {
    const auto& bos = tokenizer.special().bos;
    if (!bos || !bos->id) return std::nullopt;
    const text::Encoding encoding = tokenizer.encode("a", true);
    return !encoding.ids.empty() && encoding.ids.front() == *bos->id ? bos->id : std::nullopt;
}

RowExaminer::RowExaminer(const text::Tokenizer& tokenizer) : m_finder(tokenizer), m_bos(automaticBos(tokenizer)) {}

RowFacts RowExaminer::factsOf(const RowTrace& trace) const {
    const EncodedRow& row = trace.row;
    RowFacts facts;
    facts.length = static_cast<int64_t>(row.ids.size());
    facts.kept = row.numKept;
    facts.maskedBy = row.maskedBy;
    facts.hasOpenTurn = row.numTurnsWithoutEnd > 0;
    facts.tokenHash = hashOfTokens(row.ids);
    const auto trainedWithin = [&](int64_t limit) { // the first token has nothing before it
        const int64_t count = std::min(limit, facts.length);
        return count < 2 ? 0 : std::count(row.trained.begin() + 1, row.trained.begin() + count, uint8_t{1});
    };
    facts.trained = trainedWithin(facts.length);
    facts.trainedKept = trainedWithin(facts.kept);
    for (std::size_t i = 0; i < kLengthChoices.size(); ++i)
        facts.trainedWithin[i] = facts.length <= kLengthChoices[i] ? facts.trained : trainedWithin(kLengthChoices[i]);
    if (m_bos) {
        const bool starts = !row.ids.empty() && row.ids[0] == *m_bos;
        facts.lacksBos = !starts;
        facts.doublesBos = starts && row.ids.size() > 1 && row.ids[1] == *m_bos;
    }
    WordHasher words;
    if (trace.conversation) {
        examine(*trace.conversation, m_finder, facts);
        addWords(*trace.conversation, words);
    } else {
        words.add(row.text);
    }
    if (!words.isEmpty()) facts.bands = words.bands();
    return facts;
}

} // namespace roundpipe::data
