// SPDX-License-Identifier: GPL-3.0-or-later
// Random conversations with tools under every fixture template: what the assistant wrote is trained, and nothing else,
// a tool's answer never. What is found is compared with the texts themselves, not with other masks.
#include "base/error.h"
#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "hostile_tool_rows.h"
#include "random_tool_rows.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using text::Span;

// What ends a turn in each of the templates, as their models' tokenizers have it.
std::string endOf(const std::string& name) {
    static const std::pair<const char*, const char*> kEnds[] = {{"CohereForAI", "<|END_OF_TURN_TOKEN|>"},
                                                                {"gpt", "<|return|>"},
                                                                {"istral", "</s>"},
                                                                {"lama", "<|eot_id|>"},
                                                                {"gemma", "<end_of_turn>"},
                                                                {"hi", "<|end|>"},
                                                                {"eep", "<｜end▁of▁sentence｜>"}};
    for (const auto& [part, end] : kEnds)
        if (name.find(part) != std::string::npos) return end;
    return "<|im_end|>";
}

constexpr int kNumHostileRows = 40;

// In place of the table's rows; what they come to is then printed only, and must be for the table's reasons.
int numRowsAsked() {
    const char* asked = std::getenv("ROUNDPIPE_TOOL_ROWS");
    return asked == nullptr ? 0 : std::atoi(asked);
}

// Of one template.
struct Count {
    int rendered = 0, used = 0, compared = 0;
    std::map<std::string, int> refused;

    std::string cells() const {
        std::string why;
        for (const auto& [reason, rows] : refused)
            why += (why.empty() ? "" : "; ") + std::to_string(rows) + " " + reason;
        return std::to_string(rendered) + " | " + std::to_string(used) + " | " + why + " |";
    }
};

// A remark without its place.
std::string reasonOf(const RowProblem& problem) {
    const std::string text = problem.what();
    return text.substr(0, text.find(" (message"));
}

// A fixture template as its model has it, and with a comment before it, which makes it one that we do not know by its
// hash.
struct Opened {
    std::string name;
    text::Tokenizer tokenizer;
    text::ChatTemplate known, unknown;

    bool hasOurTags() const { return known.hasGenerationTags(true) && !unknown.hasGenerationTags(true); }
};

// What templates with our tags write themselves around what the assistant says, and models have to write later on.
constexpr const char* kWrittenAround[] = {"<think>",
                                          "<|start|>assistant",
                                          "<|channel|>analysis<|message|>",
                                          "<|channel|>final<|message|>",
                                          "<|START_RESPONSE|>",
                                          "<|END_OF_TURN_TOKEN|>"};

class ToolConversations : public ::testing::Test {
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

    text::Tokenizer tokenizerFor(const std::string& end) const {
        makeByteTokenizer(m_folder.path(),
                          {"</s>", "<end_of_turn>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<|return|>", "<|call|>",
                           "<|END_RESPONSE|>", "<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>", "<｜end▁of▁sentence｜>"});
        std::ofstream(m_folder.path() / "tokenizer_config.json") << Json{{"eos_token", end}}.dump();
        return text::Tokenizer::open(m_folder.path());
    }

    template <class Use>
    void forEachTemplate(const Use& use) const {
        for (const fs::path& path : templates()) {
            const std::string name = fs::relative(path, folder()).replace_extension().string(), end = endOf(name);
            SCOPED_TRACE(name);
            const std::string special = Json{{"bos_token", "<s>"}, {"eos_token", end}}.dump();
            const std::string source = readTextFile(path);
            use(Opened{name, tokenizerFor(end), text::ChatTemplate::fromSource(source, special),
                       text::ChatTemplate::fromSource("{##}" + source, special)});
            if (HasFatalFailure()) return;
        }
    }

    static std::string render(const text::ChatTemplate& chatTemplate, const Json& messages, const Json& tools,
                              bool addGenerationPrompt) {
        const std::string said = messages.dump(), known = tools.dump();
        return chatTemplate.render({said, known, {}, {}}, {addGenerationPrompt, {}}).text;
    }

    static std::vector<Span> placesOf(const std::string& word, const std::string& text) {
        std::vector<Span> places;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
            places.push_back({at, at + word.size()});
        return places;
    }

    static void expectAll(bool trained, const std::vector<std::string>& words, const EncodedRow& row) {
        for (const std::string& word : words)
            for (const Span& place : placesOf(word, row.text))
                for (std::size_t i = 0; i < row.ids.size(); ++i)
                    if (const Span token = row.offsets[i];
                        std::max(place.begin, token.begin) < std::min(place.end, token.end)) {
                        ASSERT_EQ(row.trained[i] != 0, trained) << word << "\nin " << row.text;
                    }
    }

    // A prompt may open the thought, which is the assistant's where a row has one.
    static std::size_t beginAfter(const std::string& prompt) {
        const std::string opened = "<think>\n";
        return prompt.size() - (prompt.ends_with(opened) ? opened.size() : 0);
    }

    // Where the template goes on from what it gave before, a turn lies between its generation prompt and its end.
    // Whether that could be compared.
    static bool expectInsideTurns(const text::ChatTemplate& chatTemplate, const RowDraft& draft) {
        const Json& messages = draft.conversation->messages;
        const EncodedRow& row = draft.row;
        std::vector<Span> turns;
        for (const std::size_t index : draft.conversation->assistants) {
            Json before = messages;
            before.erase(before.begin() + static_cast<std::ptrdiff_t>(index), before.end());
            Json with = before;
            with.push_back(messages[index]);
            try {
                const std::string start = render(chatTemplate, before, draft.conversation->tools, true);
                const std::string end = render(chatTemplate, with, draft.conversation->tools, false);
                if (!row.text.starts_with(start) || !row.text.starts_with(end)) return false;
                turns.push_back({beginAfter(start), end.size()});
            } catch (const Error&) {
                return false;
            }
        }
        for (std::size_t i = 0; i < row.ids.size(); ++i) {
            const auto holds = [&](const Span& turn) {
                return row.offsets[i].begin >= turn.begin && row.offsets[i].end <= turn.end;
            };
            EXPECT_TRUE(row.trained[i] == 0 || std::ranges::any_of(turns, holds))
                << "byte " << row.offsets[i].begin << "\nin " << row.text;
        }
        return true;
    }

    static void expectRepeated(const std::vector<std::string>& words, const EncodedRow& row) {
        for (const std::string& word : words) {
            const std::vector<Span> places = placesOf(word, row.text);
            for (std::size_t i = 0; i < row.ids.size(); ++i)
                for (const Span& place : places)
                    if (const Span token = row.offsets[i];
                        std::max(place.begin, token.begin) < std::min(place.end, token.end)) {
                        ASSERT_EQ(row.trained[i] != 0, place.begin == places.back().begin)
                            << word << "\nin " << row.text;
                    }
        }
    }

    // Nothing where the row is refused.
    static std::optional<RowDraft> draftOf(const RowEncoder& encoder, const std::string& row, DataFormat format,
                                           Count& count) {
        RowDraft draft;
        try {
            encoder.encode(row, format, draft);
        } catch (const RowProblem& problem) {
            if (problem.reason() == DropReason::kTemplate) return std::nullopt;
            ++count.rendered;
            ++count.refused[reasonOf(problem)];
            return std::nullopt;
        }
        ++count.rendered;
        ++count.used;
        return draft;
    }

    // The row as it is trained; nothing where it is refused.
    static std::optional<EncodedRow> check(const RowEncoder& encoder, const text::ChatTemplate& chatTemplate,
                                           const ToolRow& made, Count& count) {
        auto draft = draftOf(encoder, made.row.dump(), DataFormat::kMessages, count);
        if (!draft) return std::nullopt;
        expectAll(true, made.own, draft->row);
        expectAll(false, made.others, draft->row);
        expectRepeated(made.repeated, draft->row);
        // Tags may also mark the header that the template writes itself.
        const bool byTags = draft->row.maskedBy == MaskSource::kGenerationTags;
        count.compared += !byTags && expectInsideTurns(chatTemplate, *draft) ? 1 : 0;
        return std::move(draft->row);
    }

    // What the assistant says, and the names of what it calls, are trained one after another.
    static void expectInOrder(const Json& turns, const EncodedRow& row) {
        std::string trained;
        std::size_t behind = 0; // tokens that share a character overlap
        for (std::size_t i = 0; i < row.ids.size(); ++i) {
            if (row.trained[i] == 0 || row.offsets[i].end <= behind) continue;
            const std::size_t begin = std::max<std::size_t>(behind, row.offsets[i].begin);
            behind = row.offsets[i].end;
            trained += row.text.substr(begin, behind - begin);
        }
        std::size_t at = 0;
        for (const Json& turn : turns) {
            std::string said = turn["value"];
            if (turn["from"] == "function_call") said = Json::parse(said)["name"];
            if (turn["from"] != "function_call" && turn["from"] != "gpt") continue;
            said = said.substr(0, said.find_last_not_of(" \n") + 1);
            said.erase(0, said.find_first_not_of(" \n"));
            at = trained.find(said, at);
            ASSERT_NE(at, std::string::npos) << said << "\nin " << trained;
            at += said.size();
        }
    }

    static Count expectHostileRows(const RowEncoder& encoder) {
        HostileToolRows rows(kToolRowSeed);
        Count count;
        for (int i = 0; i < std::max(kNumHostileRows, numRowsAsked()) && !HasFatalFailure(); ++i) {
            const ToolRow made = rows.row();
            RowDraft draft;
            try {
                encoder.encode(made.row.dump(), DataFormat::kMessages, draft);
            } catch (const RowProblem& problem) {
                ++count.refused[reasonOf(problem)];
                continue;
            }
            ++count.used;
            expectAll(true, made.own, draft.row);
            expectAll(false, made.others, draft.row);
        }
        return count;
    }

    // But for what the template writes itself, and the lines between that and the answer, which may count as the
    // prompt's.
    static void expectSame(const std::optional<EncodedRow>& with, const std::optional<EncodedRow>& without) {
        if (!without) return;
        ASSERT_TRUE(with) << without->text;
        ASSERT_EQ(with->text, without->text);
        ASSERT_EQ(with->numTurnsWithoutEnd, without->numTurnsWithoutEnd) << with->text;
        std::string more;
        for (std::size_t i = 0; i < with->ids.size(); ++i) {
            if (with->trained[i] == without->trained[i]) continue;
            ASSERT_TRUE(with->trained[i] != 0) << "byte " << with->offsets[i].begin << "\nin " << with->text;
            more += with->text.substr(with->offsets[i].begin, with->offsets[i].end - with->offsets[i].begin);
        }
        for (const std::string words : kWrittenAround)
            for (std::size_t at = more.find(words); at != std::string::npos; at = more.find(words))
                more.erase(at, words.size());
        std::erase_if(more, [](char c) { return c == '\n' || c == ' '; });
        ASSERT_EQ(more, "") << with->text;
    }

    static void expectInTable(const std::string& table, const std::string& name, const Count& count) {
        const std::string line = "| " + name + " | " + count.cells();
        std::printf("%s %d compared with prompts\n", line.c_str(), count.compared);
        if (numRowsAsked() == 0) {
            EXPECT_NE(table.find(line + "\n"), std::string::npos) << line;
            return;
        }
        const std::string begin = "| " + name + " |";
        const std::size_t at = table.find(begin);
        ASSERT_NE(at, std::string::npos) << begin;
        const std::string known = table.substr(at, table.find('\n', at) - at);
        for (const auto& [reason, rows] : count.refused)
            EXPECT_NE(known.find(reason), std::string::npos) << rows << " rows: " << reason;
    }

    testing::TemporaryFolder m_folder;
    DataOptions m_options;
};

TEST_F(ToolConversations, trainWhatTheAssistantWroteAndNoAnswerOfATool) {
    const std::string table = readTextFile(testing::sourceFolder() / "tests/data/golden/tools.md");
    forEachTemplate([&](const Opened& opened) {
        const RowEncoder encoder(m_options, opened.tokenizer, opened.known);
        const RowEncoder without(m_options, opened.tokenizer, opened.unknown);
        ToolRows rows(kToolRowSeed);
        Count count, countWithout;
        for (int i = 0; i < std::max(kNumToolRows, numRowsAsked()); ++i) {
            const ToolRow made = rows.row();
            const auto masked = check(encoder, opened.known, made, count);
            if (opened.hasOurTags()) expectSame(masked, check(without, opened.unknown, made, countWithout));
            if (HasFatalFailure()) return;
        }
        expectInTable(table, opened.name, count);
        if (opened.hasOurTags()) expectInTable(table, opened.name + ", unknown", countWithout);
    });
}

// A row may be refused in words; one that is used has all of its assistant's words trained, and nobody else's.
TEST_F(ToolConversations, trainNobodyElsesWordsWhateverTheyLookLike) {
    forEachTemplate([&](const Opened& opened) {
        const Count count = expectHostileRows(RowEncoder(m_options, opened.tokenizer, opened.known));
        if (HasFatalFailure()) return;
        EXPECT_GT(count.used, 0);
        std::printf("%s: %s\n", opened.name.c_str(), count.cells().c_str());
        if (opened.hasOurTags()) expectHostileRows(RowEncoder(m_options, opened.tokenizer, opened.unknown));
    });
}

// The set of tool calls among the fixtures: calls without ids, with a tokenizer that has none of the templates' own
// tokens but what ends a turn, as where a template is given to another model.
TEST_F(ToolConversations, areUsedOfTheRealSet) {
    const std::string table = readTextFile(testing::sourceFolder() / "tests/data/golden/tools.md");
    const Json rows =
        Json::parse(readTextFile(testing::fixtures() / "datasets/llama_factory/glaive_toolcall_en_demo.json"));
    const text::Tokenizer tokenizer = makeByteTokenizer(m_folder.path());
    forEachTemplate([&](const Opened& opened) {
        const RowEncoder encoder(m_options, tokenizer, opened.known);
        Count count;
        for (const Json& row : rows) {
            const auto draft = draftOf(encoder, row.dump(), DataFormat::kShareGpt, count);
            if (draft) expectInOrder(row["conversations"], draft->row);
            if (HasFatalFailure()) return;
        }
        if (numRowsAsked() == 0) expectInTable(table, "glaive, " + opened.name, count);
    });
}

// So does one whose turns are told by markers, which contents, thoughts and calls spell out as well.
TEST_F(ToolConversations, trainNobodyElsesWordsBetweenMarkers) {
    m_options.turnMarkers = {"<|im_start|>assistant\n", "<|im_end|>"};
    const text::Tokenizer tokenizer = tokenizerFor("<|im_end|>");
    for (const char* name : {"Qwen-Qwen2.5-7B-Instruct", "trl/qwen3_instruct_2507", "Qwen3.5-4B"}) {
        SCOPED_TRACE(name);
        const std::string source = readTextFile(folder() / (std::string(name) + ".jinja"));
        const auto chatTemplate = text::ChatTemplate::fromSource(source, R"({"eos_token":"<|im_end|>"})");
        const Count count = expectHostileRows(RowEncoder(m_options, tokenizer, chatTemplate));
        if (HasFatalFailure()) return;
        EXPECT_GT(count.used, 0);
        std::printf("%s: %s\n", name, count.cells().c_str());
    }
}

} // namespace
} // namespace roundpipe::data
