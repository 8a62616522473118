// SPDX-License-Identifier: GPL-3.0-or-later
// What the fixtures' chat templates train, against the table of golden/README.md, and for random conversations.
#include "base/error.h"
#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "random_conversations.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using text::Span;

// What ends a turn in any of the templates.
const std::vector<std::string> kEnds = {"<|im_end|>",
                                        "</s>",
                                        "<end_of_turn>",
                                        "<|eot_id|>",
                                        "<|eom_id|>",
                                        "<|end|>",
                                        "<|return|>",
                                        "<|call|>",
                                        "<|END_RESPONSE|>",
                                        "<|END_ACTION|>",
                                        "<|END_OF_TURN_TOKEN|>",
                                        "<｜end▁of▁sentence｜>"};

Json ask(const std::string& city) {
    Json message = say("assistant", "");
    message["tool_calls"] = {{{"id", "call00001"},
                              {"type", "function"},
                              {"function", {{"name", "weather"}, {"arguments", "{\"city\": \"" + city + "\"}"}}}}};
    return message;
}

Json answer(const std::string& text) {
    Json message = say("tool", text);
    message["tool_call_id"] = "call00001";
    message["name"] = "weather";
    return message;
}

// The columns of the table, written down in its README.
std::vector<Json> goldenRows() {
    Json tools = Json::parse(
        R"([{"type":"function","function":{"name":"weather","description":"Tells it.","parameters":{"type":"object",)"
        R"("properties":{"city":{"type":"string","description":"Where."}},"required":["city"]}}}])");
    return {
        {{"messages",
          {say("user", "one"), say("assistant", "uno"), say("user", "two"), say("assistant", " dos, \n«2» ")}}},
        {{"messages", {say("system", "S"), say("user", "one"), say("assistant", "uno")}}},
        {{"messages", {say("user", "one"), say("assistant", "<think>\nhm\n</think>\n\nuno")}}},
        {{"messages", {say("user", "weather?"), ask("Bonn"), answer("rain"), say("assistant", "Rain.")}},
         {"tools", tools}},
    };
}

// What is trained, one piece a run of tokens.
std::vector<Span> trainedRanges(const EncodedRow& row) {
    std::vector<Span> ranges;
    bool inside = false;
    for (std::size_t i = 0; i < row.ids.size(); ++i) {
        const bool trained = row.trained[i] != 0;
        if (trained && inside)
            ranges.back().end = row.offsets[i].end;
        else if (trained)
            ranges.push_back({row.offsets[i].begin, row.offsets[i].end});
        inside = trained;
    }
    return ranges;
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

class FixtureTemplates : public ::testing::Test {
protected:
    void SetUp() override { RP_REQUIRE_FIXTURES(); }

    static fs::path folder() { return testing::fixtures() / "chat_templates"; }
    static std::vector<fs::path> templates() {
        std::vector<fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder()))
            if (entry.path().extension() == ".jinja") found.push_back(entry.path());
        std::ranges::sort(found);
        return found;
    }
    static text::ChatTemplate open(const fs::path& path) {
        return text::ChatTemplate::fromSource(readTextFile(path), R"({"bos_token":"<s>","eos_token":"</s>"})");
    }

    // A cell of the table: the trained pieces, or why there are none.
    std::string cellOf(const RowEncoder& encoder, const Json& row, std::string& maskedBy) const {
        std::string cell;
        try {
            RowDraft draft;
            encoder.encode(row.dump(), DataFormat::kMessages, draft);
            const EncodedRow& encoded = draft.row;
            maskedBy = spellingOf(encoded.maskedBy);
            for (const Span& range : trainedRanges(encoded))
                cell += (cell.empty() ? "" : " ‖ ") + encoded.text.substr(range.begin, range.end - range.begin);
        } catch (const RowProblem& problem) {
            const std::string why = problem.what();
            cell = problem.reason() == DropReason::kTemplate                  ? "refused by the template"
                   : why.find("does not print") != std::string::npos          ? "refused: the call is not printed"
                   : why.find("changes what stands") != std::string::npos     ? "refused: sentinels change more"
                   : why.find("with its turns replaced") != std::string::npos ? "refused: no answer without a call"
                                                                              : "refused: " + why;
        }
        replaceAll(cell, "\n", "⏎");
        replaceAll(cell, "|", "\\|");
        return cell;
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path(), {kEnds.begin() + 1, kEnds.end()});
    DataOptions m_options;
};

TEST_F(FixtureTemplates, trainWhatTheTableSays) {
    const std::string table = readTextFile(testing::sourceFolder() / "tests/data/golden/README.md");
    for (const fs::path& path : templates()) {
        const auto chatTemplate = open(path);
        const RowEncoder encoder(m_options, m_tokenizer, chatTemplate);
        std::string maskedBy, cells;
        for (const Json& row : goldenRows())
            cells += " " + cellOf(encoder, row, maskedBy) + " |";
        const std::string name = fs::relative(path, folder()).replace_extension().string();
        const std::string line = "| " + name + " | " + maskedBy + " |" + cells + "\n";
        EXPECT_NE(table.find(line), std::string::npos) << line;
    }
}

// Random conversations --------------------------------------------------------------------------------------------

// The content in the text, less the blanks that the template takes off its ends.
std::optional<Span> placeOf(const std::string& content, const std::string& text) {
    constexpr const char* kBlanks = " \t\r\n";
    const std::size_t first = content.find_first_not_of(kBlanks), last = content.find_last_not_of(kBlanks);
    const std::size_t core = text.find(content.substr(first, last + 1 - first));
    if (core == std::string::npos) return std::nullopt;
    Span span{core, core + last + 1 - first};
    const std::string_view before = std::string_view(content).substr(0, first), all = text;
    const std::string_view after = std::string_view(content).substr(last + 1);
    if (all.substr(0, span.begin).ends_with(before)) span.begin -= before.size();
    if (all.substr(span.end).starts_with(after)) span.end += after.size();
    return span;
}

// What must be trained, found in the text without our masks: the answers, each with the special token that ends it.
std::vector<Span> expectedRanges(const RandomConversation& conversation, const EncodedRow& row) {
    std::vector<Span> expected;
    for (const std::string& content : conversation.answers) {
        const auto place = placeOf(content, row.text);
        EXPECT_TRUE(place) << content << "\nin " << row.text;
        if (!place) continue;
        expected.push_back(*place);
        for (std::size_t i = 0; i < row.ids.size(); ++i)
            if (row.isSpecial[i] && row.offsets[i].begin == place->end) expected.back().end = row.offsets[i].end;
    }
    return expected;
}

bool overlap(const Span& a, const Span& b) {
    return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

bool takesSystem(const text::ChatTemplate& chatTemplate) {
    try {
        chatTemplate.render({R"([{"role":"system","content":"S"},{"role":"user","content":"u"},)"
                             R"({"role":"assistant","content":"a"}])",
                             {},
                             {},
                             {}},
                            {});
        return true;
    } catch (const Error&) {
        return false;
    }
}

class RandomConversations : public FixtureTemplates {
protected:
    void compare(const RandomConversation& conversation, const text::Tokenizer& tokenizer,
                 const text::ChatTemplate& chatTemplate) {
        const RowEncoder encoder(m_options, tokenizer, chatTemplate);
        RowDraft draft;
        const EncodedRow& row = draft.row;
        try {
            encoder.encode(conversation.row.dump(), DataFormat::kMessages, draft);
        } catch (const RowProblem& problem) { // refused with words, never masked wrongly
            EXPECT_EQ(problem.reason(), DropReason::kMask) << problem.what();
            ++m_numRefused;
            return;
        }
        ++m_numMasked;
        const std::vector<Span> expected = expectedRanges(conversation, row);
        for (std::size_t i = 0; i < row.ids.size(); ++i) {
            const bool belongs =
                std::ranges::any_of(expected, [&](const Span& span) { return overlap(span, row.offsets[i]); });
            const bool trained = row.trained[i] != 0;
            // Tags may also mark what the template writes around an answer, but nothing that others said.
            if (row.maskedBy == MaskSource::kGenerationTags && trained && !belongs) {
                for (const std::string& other : conversation.others) {
                    const auto place = placeOf(other, row.text);
                    ASSERT_FALSE(place && overlap(*place, row.offsets[i])) << other << "\nin " << row.text;
                }
                continue;
            }
            ASSERT_EQ(trained, belongs) << row.text << "\ntoken " << i << ", bytes from " << row.offsets[i].begin;
        }
    }

    Texts m_texts{7};
    int64_t m_numMasked = 0, m_numRefused = 0;
};

// A token is trained exactly if one of its bytes belongs to an answer or to the end of its turn.
TEST_F(RandomConversations, trainTheAnswersAndTheirEndsAndNothingElse) {
    std::vector<text::Tokenizer> tokenizers = {m_tokenizer};
    for (const char* name : {"qwen3", "llama3.1", "llama2"})
        tokenizers.push_back(text::Tokenizer::open(testing::fixtures() / "tokenizers" / name));
    for (const fs::path& path : templates()) {
        SCOPED_TRACE(path);
        const auto chatTemplate = open(path);
        const bool withSystem = takesSystem(chatTemplate);
        for (int round = 0; round < 50; ++round) {
            const RandomConversation conversation = m_texts.conversation(withSystem);
            for (const text::Tokenizer& tokenizer : tokenizers)
                compare(conversation, tokenizer, chatTemplate);
            if (HasFatalFailure()) return;
        }
    }
    std::printf("%lld conversations masked, %lld refused\n", static_cast<long long>(m_numMasked),
                static_cast<long long>(m_numRefused));
    EXPECT_GT(m_numMasked, 20 * m_numRefused);
}

} // namespace
} // namespace roundpipe::data
