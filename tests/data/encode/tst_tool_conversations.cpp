// Random conversations with tools under every fixture template: what the assistant wrote is trained, and nothing else,
// a tool's answer never. What is found is compared with the texts themselves, not with other masks.
#include "base/error.h"
#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using text::Span;

// A row, and a word of its own for each thing that somebody says in it.
struct ToolRow {
    Json row;
    std::vector<std::string> own;    // the assistant's: must be trained wherever they stand
    std::vector<std::string> others; // users', tools': must not
};

class ToolTexts {
public:
    explicit ToolTexts(unsigned seed) : m_random(seed) {}

    ToolRow row(bool withSystem) {
        m_row = {};
        Json messages = Json::array();
        if (withSystem && chance(2)) messages.push_back({{"role", "system"}, {"content", other("sys")}});
        for (int blocks = 1 + upTo(1); blocks > 0; --blocks) {
            messages.push_back({{"role", "user"}, {"content", other("ask")}});
            for (int rounds = upTo(2); rounds > 0; --rounds)
                addCalls(messages);
            Json reply = {{"role", "assistant"}, {"content", own("say")}};
            if (chance(4)) reply["reasoning_content"] = "thinking about it";
            messages.push_back(std::move(reply));
        }
        m_row.row = {{"messages", std::move(messages)}, {"tools", tools()}};
        return std::move(m_row);
    }

private:
    int upTo(int most) { return std::uniform_int_distribution(0, most)(m_random); }
    bool chance(int oneIn) { return upTo(oneIn - 1) == 0; }

    std::string word(const char* kind) {
        static const char* kAround[] = {"", " ", " two words ", "\n- item ", "你好", "x = 1, ", "'s "};
        m_last = kind + std::string("No") + std::to_string(++m_number) + "x";
        return kAround[upTo(std::size(kAround) - 1)] + m_last +
               (chance(2) ? "" : kAround[upTo(std::size(kAround) - 1)]);
    }
    std::string own(const char* kind) {
        std::string text = word(kind);
        m_row.own.push_back(m_last);
        return text;
    }
    std::string other(const char* kind) {
        std::string text = word(kind);
        m_row.others.push_back(m_last);
        return text;
    }

    static Json tools() {
        Json list = Json::array();
        for (const char* name : {"weather", "search"})
            list.push_back({{"type", "function"},
                            {"function",
                             {{"name", name},
                              {"description", "Tells it."},
                              {"parameters",
                               {{"type", "object"},
                                {"properties", {{"city", {{"type", "string"}, {"description", "Where."}}}}},
                                {"required", {"city"}}}}}}});
        return list;
    }

    void addCalls(Json& messages) {
        Json turn = {{"role", "assistant"},
                     {"content", chance(3)   ? Json(own("aside"))
                                 : chance(2) ? Json("")
                                             : Json()}};
        if (chance(4)) turn["reasoning_content"] = "which tool";
        Json answers = Json::array();
        for (int count = 1 + (chance(4) ? 1 : 0); count > 0; --count) {
            Json arguments = {{"city", own("arg")}};
            if (chance(3)) arguments["more"] = {{"list", {own("inner"), 7}}};
            const std::string id = "call" + std::to_string(10000 + ++m_number);
            const char* name = chance(2) ? "weather" : "search";
            turn["tool_calls"].push_back(
                {{"id", id}, {"type", "function"}, {"function", {{"name", name}, {"arguments", arguments.dump()}}}});
            answers.push_back({{"role", "tool"}, {"tool_call_id", id}, {"name", name}, {"content", other("told")}});
        }
        messages.push_back(std::move(turn));
        for (Json& answer : answers)
            messages.push_back(std::move(answer));
    }

    std::mt19937 m_random;
    int m_number = 0;
    std::string m_last;
    ToolRow m_row;
};

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
                    if (std::max(place.begin, row.offsets[i].begin) < std::min(place.end, row.offsets[i].end)) {
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

    testing::TemporaryFolder m_folder;
    DataOptions m_options;
};

constexpr int kRows = 60;

// How many of the rows each template allows to be trained on: 11 have no calls, and those of fewer than 60 know no
// tools, print the first call only, or raise errors for null contents, parallel calls or system messages.
const std::map<std::string, int> kUsed = {
    {"CohereForAI-c4ai-command-r7b-12-2024-tool_use", 60},
    {"HuggingFaceTB-SmolLM3-3B", 11},
    {"Mistral-Small-3.2-24B-Instruct-2506", 60},
    {"Qwen-QwQ-32B", 40},
    {"Qwen-Qwen2.5-7B-Instruct", 60},
    {"Qwen-Qwen3-0.6B", 34},
    {"Qwen3.5-4B", 60},
    {"axolotl/chatml", 11},
    {"axolotl/gemma", 10},
    {"axolotl/llama3", 11},
    {"axolotl/mistral_v1", 11},
    {"deepseek-ai-DeepSeek-R1-Distill-Llama-8B", 11},
    {"deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", 11},
    {"deepseek-ai-DeepSeek-V3.1", 40},
    {"google-gemma-2-2b-it", 10},
    {"meta-llama-Llama-3.1-8B-Instruct", 36},
    {"meta-llama-Llama-3.2-3B-Instruct", 36},
    {"meta-llama-Llama-3.3-70B-Instruct", 36},
    {"microsoft-Phi-3.5-mini-instruct", 11},
    {"mistral-common/v1", 11},
    {"mistral-common/v3", 22},
    {"mistralai-Ministral-3-14B-Reasoning-2512", 60},
    {"mistralai-Mistral-Nemo-Instruct-2407", 60},
    {"moonshotai-Kimi-K2", 60},
    {"onnxruntime-ext/gpt-oss", 11},
    {"openai-gpt-oss-120b", 33},
    {"trl/deepseekv3", 25},
    {"trl/gemma3", 11},
    {"trl/gptoss", 33},
    {"trl/gptoss_training", 33},
    {"trl/llama3", 11},
    {"trl/phi3", 11},
    {"trl/qwen3", 60},
    {"trl/qwen3_instruct_2507", 60},
    {"trl/qwen3_training", 60},
};

struct Count {
    int used = 0, compared = 0;
    std::map<std::string, int> refused;
};

TEST_F(ToolConversations, trainWhatTheAssistantWroteAndNoAnswerOfATool) {
    std::map<std::string, Count> counts;
    for (const fs::path& path : templates()) {
        const std::string name = fs::relative(path, folder()).replace_extension().string();
        SCOPED_TRACE(name);
        const std::string end = endOf(name);
        const text::Tokenizer tokenizer = tokenizerFor(end);
        const auto chatTemplate =
            text::ChatTemplate::fromSource(readTextFile(path), Json{{"bos_token", "<s>"}, {"eos_token", end}}.dump());
        const RowEncoder encoder(m_options, tokenizer, chatTemplate);
        ToolTexts texts(11);
        Count& count = counts[name];
        for (int i = 0; i < kRows; ++i) {
            const ToolRow made = texts.row(i % 2 == 0);
            RowDraft draft;
            try {
                encoder.encode(made.row.dump(), DataFormat::kMessages, draft);
            } catch (const RowProblem& problem) {
                std::string why =
                    problem.reason() == DropReason::kTemplate ? "refused by the template" : problem.what();
                ++count.refused[why.substr(0, why.find(" (message"))];
                continue;
            }
            ++count.used;
            expectAll(true, made.own, draft.row);
            expectAll(false, made.others, draft.row);
            // Tags may also mark the header that the template writes itself.
            const bool byTags = draft.row.maskedBy == MaskSource::kGenerationTags;
            count.compared += !byTags && expectInsideTurns(chatTemplate, draft) ? 1 : 0;
            if (HasFailure()) return;
        }
    }
    for (const auto& [name, count] : counts) {
        const auto known = kUsed.find(name);
        ASSERT_NE(known, kUsed.end()) << "count the rows of the new template " << name;
        EXPECT_EQ(count.used, known->second) << name;
        std::printf("%-60s %2d used, %2d compared with prompts", name.c_str(), count.used, count.compared);
        for (const auto& [why, rows] : count.refused)
            std::printf("; %d %s", rows, why.c_str());
        std::printf("\n");
    }
}

} // namespace
} // namespace roundpipe::data
