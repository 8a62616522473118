// SPDX-License-Identifier: GPL-3.0-or-later
// What a chat template leaves out of a row is found, and nothing that it prints.
#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "random_conversations.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

using Messages = std::vector<std::size_t>;

Json thinking(const std::string& thought, const std::string& content) {
    Json message = say("assistant", content);
    message["reasoning_content"] = thought;
    return message;
}

Json calling(const std::string& city, const std::string& content) {
    Json message = say("assistant", content);
    message["tool_calls"] = {{{"id", "call00001"},
                              {"type", "function"},
                              {"function", {{"name", "weather"}, {"arguments", {{"city", city}}}}}}};
    return message;
}

Json answering(const std::string& text) {
    Json message = say("tool", text);
    message["tool_call_id"] = "call00001";
    message["name"] = "weather";
    return message;
}

const Json kTools = Json::parse(
    R"([{"type":"function","function":{"name":"weather","description":"Tells it.","parameters":{"type":"object",)"
    R"("properties":{"city":{"type":"string","description":"Where."}},"required":["city"]}}}])");

class LeftOutOfRows : public ::testing::Test {
protected:
    EncodedRow encoded(const std::string& source, const Json& messages, const Json& tools = nullptr) const {
        const auto chatTemplate = text::ChatTemplate::fromSource(source, R"({"bos_token":"<s>","eos_token":"</s>"})");
        RowDraft draft;
        Json row = {{"messages", messages}};
        if (!tools.is_null()) row["tools"] = tools;
        RowEncoder(m_options, m_tokenizer, chatTemplate).encode(row.dump(), DataFormat::kMessages, draft);
        return draft.row;
    }
    static std::string fixture(const char* name) { return readTextFile(testing::fixtures() / "chat_templates" / name); }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

// Prints thoughts of the last message alone, and calls without what is said beside them.
constexpr const char* kForgetful =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.reasoning_content and loop.last %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}"
    "{% if m.tool_calls %}{% for c in m.tool_calls %}({{ c.function.name }} {{ c.function.arguments | tojson }})"
    "{% endfor %}{% else %}{{ m.content | trim }}{% endif %}<|im_end|>\n{% endfor %}";

TEST_F(LeftOutOfRows, thoughtsOfEarlierTurns) {
    const EncodedRow row = encoded(kForgetful, {say("user", "one"), thinking("first thing", "uno"), say("user", "two"),
                                                thinking("second thing", "dos")});
    EXPECT_EQ(row.unprintedThoughts, Messages{1});
    EXPECT_EQ(row.unprintedTexts, Messages{});
    // A thought that says what stands elsewhere is told by its place.
    EXPECT_EQ(
        encoded(kForgetful, {say("user", "one"), thinking("one", "uno"), say("user", "two"), say("assistant", "dos")})
            .unprintedThoughts,
        Messages{1});
    m_options.trainOn = TrainOn::kAll;
    EXPECT_EQ(
        encoded(kForgetful, {say("user", "one"), thinking("hm", "uno"), say("user", "two"), thinking("so", "dos")})
            .unprintedThoughts,
        Messages{1});
}

TEST_F(LeftOutOfRows, textsBesideCalls) {
    const EncodedRow row =
        encoded(kForgetful, {say("user", "weather?"), calling("Bonn", "Let me look."), answering("rain"),
                             calling("Köln", "  \n"), answering("sun"), say("assistant", "Both.")});
    EXPECT_EQ(row.unprintedTexts, Messages{1}); // blanks are nothing
    EXPECT_EQ(row.unprintedThoughts, Messages{});
}

TEST_F(LeftOutOfRows, messagesAndTools) {
    const std::string silent = "{% for m in messages if m.role != 'system' %}<|im_start|>{{ m.role }}\n"
                               "{{ m.content }}<|im_end|>\n{% endfor %}";
    const Json messages = {say("system", "Be brief."), say("user", "one"), say("assistant", "uno")};
    EXPECT_EQ(encoded(silent, messages).unprintedTexts, Messages{0});
    EXPECT_EQ(encoded(kChatMl, messages).unprintedTexts, Messages{});
    EXPECT_TRUE(encoded(kChatMl, messages, kTools).hasUnprintedTools);
    EXPECT_FALSE(encoded(kChatMl, messages, Json::array()).hasUnprintedTools); // there are none
    EXPECT_FALSE(encoded("{{ tools | tojson }}" + std::string(kChatMl), messages, kTools).hasUnprintedTools);
}

// Where the template leaves out who is asked, an answer would be learnt without its question.
TEST_F(LeftOutOfRows, neverWhoseRoleNobodyKnows) {
    const char* two = "{% for m in messages %}{% if m.role in ['user', 'assistant'] %}<|im_start|>{{ m.role }}\n"
                      "{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}";
    const Json messages = {say("asker", "one"), say("assistant", "uno")};
    try {
        encoded(two, messages);
        ADD_FAILURE();
    } catch (const RowProblem& problem) {
        EXPECT_EQ(std::string(problem.what()), "has a message 1 from 'asker', which is no role that we know");
    }
    EXPECT_EQ(encoded(kChatMl, messages).unprintedTexts, Messages{}); // which prints any role
    EXPECT_EQ(encoded(two, {say("system", "S"), say("user", "one"), say("assistant", "uno")}).unprintedTexts,
              Messages{0});
}

TEST_F(LeftOutOfRows, nothingThatIsPrintedInAnotherFormOrPlace) {
    const std::string moved =
        "{% for m in messages[1:] %}{% if m.role == 'user' %}<|im_start|>{{ m.content | tojson }} "
        "({{ messages[0].content }})\n{% else %}{{ m.content }}<|im_end|>{% endif %}{% endfor %}";
    EXPECT_EQ(encoded(moved, {say("system", "  Be \"brief\".\n"), say("user", "\"one\""), say("assistant", "uno")})
                  .unprintedTexts,
              Messages{});
}

TEST_F(LeftOutOfRows, byQwen3) {
    RP_REQUIRE_FIXTURES();
    const Json messages = {say("user", "one"), thinking("It asks for one.", "uno"), say("user", "two"),
                           say("assistant", "<think>\nIt asks for two.\n</think>\n\ndos")};
    for (const char* name : {"Qwen-Qwen3-0.6B.jinja", "trl/qwen3.jinja"})
        EXPECT_EQ(encoded(fixture(name), messages).unprintedThoughts, Messages{1}) << name;
    // In the content, where the template looks for it itself.
    const Json inContent = {say("user", "one"), say("assistant", "<think>\nfirst\n</think>\n\nuno"), say("user", "two"),
                            say("assistant", "<think>\n\n</think>\n\ndos")};
    EXPECT_EQ(encoded(fixture("trl/qwen3.jinja"), inContent).unprintedThoughts, Messages{1});
    // Of several thoughts it prints the first, and of what is said the last.
    const Json several = {
        say("user", "one"),
        say("assistant", "<think>\nfirst\n</think>\nuno <think>second</think><think>third</think> dos")};
    const EncodedRow row = encoded(fixture("trl/qwen3.jinja"), several);
    EXPECT_EQ(row.unprintedThoughts, Messages{1});
    EXPECT_EQ(row.unprintedTexts, Messages{1});
    EXPECT_EQ(encoded(fixture("trl/llama3.jinja"), several).unprintedTexts, Messages{}); // all of it as it stands
}

// "</think>" as a word: Qwen3 and DeepSeek-R1 take what stands before it as a thought.
TEST_F(LeftOutOfRows, wordsOfAnswersThatNameTheEndOfAThought) {
    RP_REQUIRE_FIXTURES();
    const std::string splits = fixture("trl/qwen3.jinja");
    const char* kAnswers[] = {"Close it by </think> there.", "Put <think> and </think> around it.",
                              "<think>\nHm.\n</think>\n\nClose it by </think> there.",
                              "Of\n</think>\nthese\n</think>\ntwo"};
    for (const TrainOn trainOn : {TrainOn::kAssistant, TrainOn::kAll})
        for (const char* answer : kAnswers)
            for (const bool isLast : {true, false}) {
                m_options.trainOn = trainOn;
                Json messages = {say("user", "one"), say("assistant", answer)};
                if (!isLast) messages.insert(messages.end(), {say("user", "two"), say("assistant", "Yes.")});
                EXPECT_EQ(encoded(splits, messages).splitAnswers, Messages{1}) << answer << isLast;
                EXPECT_EQ(encoded(kChatMl, messages).splitAnswers, Messages{}) << answer; // which prints it as it is
            }
    EXPECT_EQ(encoded(fixture("Qwen-Qwen3-0.6B.jinja"), {say("user", "one"), say("assistant", "By </think> there.")})
                  .splitAnswers,
              Messages{1});
    // Where a thought has a field of its own, the template looks for none in the content. (All is trained: the turn
    // alone could not be told, as we look for one.)
    EXPECT_EQ(encoded(splits, {say("user", "one"), thinking("Hm.", "Close it by </think> there.")}).splitAnswers,
              Messages{});
    for (const char* thought : {"<think>\nHm.\n</think>\n\nYes.", "Hm.\n</think>\n\nYes.", "Yes."})
        EXPECT_EQ(encoded(splits, {say("user", "one"), say("assistant", thought)}).splitAnswers, Messages{}) << thought;
}

TEST_F(LeftOutOfRows, byLlamaBesideItsCalls) {
    RP_REQUIRE_FIXTURES();
    const Json messages = {say("user", "weather?"), calling("Bonn", "Let me look."), answering("rain"),
                           say("assistant", "Rain.")};
    const EncodedRow row = encoded(fixture("meta-llama-Llama-3.1-8B-Instruct.jinja"), messages, kTools);
    EXPECT_EQ(row.unprintedTexts, Messages{1});
    EXPECT_FALSE(row.hasUnprintedTools);
    EXPECT_EQ(encoded(fixture("Qwen-Qwen2.5-7B-Instruct.jinja"), messages, kTools).unprintedTexts, Messages{});
}

// Which prints contents beside calls behind an end of thoughts of its own: a thought in one would change the turn.
TEST_F(LeftOutOfRows, byDeepSeekBesideItsCalls) {
    RP_REQUIRE_FIXTURES();
    Json call = calling("Bonn", "");
    call["reasoning_content"] = "It asks for the weather.";
    const Json messages = {say("user", "weather?"), call, answering("rain"), say("assistant", "Rain.")};
    const EncodedRow row = encoded(fixture("deepseek-ai-DeepSeek-V3.1.jinja"), messages);
    EXPECT_EQ(row.unprintedThoughts, Messages{1});
    EXPECT_EQ(row.text.find("It asks"), std::string::npos);
    EXPECT_EQ(row.turns.size(), 2u);
}

// Plain chats lose nothing under any template that takes them.
TEST_F(LeftOutOfRows, nothingOfRandomChats) {
    RP_REQUIRE_FIXTURES();
    Texts texts(7);
    int64_t numRows = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::fixtures() / "chat_templates")) {
        if (entry.path().extension() != ".jinja") continue;
        const std::string source = readTextFile(entry.path());
        for (int i = 0; i < 5; ++i) {
            try {
                const EncodedRow row = encoded(source, {say("user", texts.next()), say("assistant", texts.next()),
                                                        say("user", texts.next()), say("assistant", texts.next())});
                EXPECT_EQ(row.unprintedTexts, Messages{}) << entry.path() << row.text;
                EXPECT_EQ(row.unprintedThoughts, Messages{}) << entry.path();
                ++numRows;
            } catch (const RowProblem&) { // not this test's business
            }
        }
    }
    EXPECT_GT(numRows, 100);
}

} // namespace
} // namespace roundpipe::data
