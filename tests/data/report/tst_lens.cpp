// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/row_browser.h"

#include "byte_tokenizer.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

class Lens : public ::testing::Test {
protected:
    session::TokenLens lensOf(const std::string& rows, int64_t number = 1, const char* chatTemplate = kChatMl) {
        const auto path = m_folder.path() / "rows.jsonl";
        std::ofstream(path, std::ios::binary) << rows;
        m_options.files = {path};
        const auto parsed = text::ChatTemplate::fromSource(chatTemplate);
        return RowBrowser(m_options, m_tokenizer, parsed).lens({0, number});
    }
    // Each token's message as a digit, '.' for the template's own.
    static std::string messagesIn(const session::TokenLens& lens) {
        std::string result;
        for (const session::LensToken& token : lens.tokens)
            result += token.message < 0 ? '.' : static_cast<char>('0' + token.message);
        return result;
    }
    static bool hasNote(const session::TokenLens& lens, const std::string& words) {
        for (const session::Remark& note : lens.notes)
            if (note.text().find(words) != std::string::npos) return true;
        return false;
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
};

constexpr const char* kRow = R"({"messages":[{"role":"system","content":"S"},{"role":"user","content":"user"},)"
                             R"({"role":"assistant","content":"Ho"}]})";

TEST_F(Lens, showsTextTokensRolesAndWhatIsTrained) {
    const session::TokenLens lens = lensOf(kRow);
    EXPECT_EQ(lens.text, "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nuser<|im_end|>\n"
                         "<|im_start|>assistant\nHo<|im_end|>\n");
    EXPECT_EQ(lens.name, "'" + (m_folder.path() / "rows.jsonl").string() + "', line 1");
    EXPECT_EQ(lens.dropReason, std::nullopt);
    EXPECT_EQ(lens.maskedBy, MaskSource::kSentinels);
    EXPECT_EQ(messagesIn(lens), "........0........" // <system\nS>\n
                                "1111.."
                                "...........22..");
    ASSERT_EQ(lens.messages.size(), 3u);
    EXPECT_EQ(lens.messages[1].role, "user");
    EXPECT_EQ(lens.messages[1].numTokens, 4);
    EXPECT_EQ(lens.messages[1].numTrained, 0);
    EXPECT_EQ(lens.messages[2].numTrained, 2); // and the end of the turn, which the template writes
    EXPECT_EQ(lens.numTrained, 3);
    const session::LensToken& first = lens.tokens.front();
    EXPECT_EQ(first.id, kStartId);
    EXPECT_EQ(first.piece, "<|im_start|>");
    EXPECT_TRUE(first.isSpecial);
    EXPECT_EQ(first.begin, 0);
    EXPECT_EQ(first.end, 12);
    EXPECT_TRUE(lens.notes.empty());
}

TEST_F(Lens, marksWhatTheLengthCutsOff) {
    m_options.maxLength = static_cast<int64_t>(lensOf(kRow).tokens.size()) - 3;
    const session::TokenLens lens = lensOf(kRow);
    EXPECT_EQ(lens.numKept, m_options.maxLength);
    EXPECT_EQ(lens.numTrained, 1);
    EXPECT_EQ(lens.messages[2].numTokens, 2);
    EXPECT_EQ(lens.messages[2].numTrained, 1);
    EXPECT_FALSE(lens.tokens[lens.tokens.size() - 4].isCut);
    EXPECT_TRUE(lens.tokens[lens.tokens.size() - 3].isCut);
    m_options.maxLength -= 2;
    EXPECT_EQ(lensOf(kRow).dropReason, DropReason::kNoTrainedToken);
    EXPECT_EQ(lensOf(kRow).text, lens.text);
}

TEST_F(Lens, showsADroppedRowAsFarAsItCame) {
    const session::TokenLens broken = lensOf("{\"messages\": x}\n");
    EXPECT_EQ(broken.dropReason, DropReason::kBadRow);
    EXPECT_NE(broken.dropped.text().find("JSON"), std::string::npos);
    EXPECT_TRUE(broken.text.empty());

    const session::TokenLens silent = lensOf(R"({"messages":[{"role":"user","content":"x"}]})");
    EXPECT_EQ(silent.dropReason, DropReason::kNoAssistant);
    EXPECT_EQ(silent.text, "<|im_start|>user\nx<|im_end|>\n");
    EXPECT_EQ(messagesIn(silent), "......0..");

    const char* strict = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system here') }}"
                         "{% endif %}{{ m.content }}{% endfor %}";
    const session::TokenLens refused = lensOf(kRow, 1, strict);
    EXPECT_EQ(refused.dropReason, DropReason::kTemplate);
    EXPECT_NE(refused.dropped.text().find("no system here"), std::string::npos);
    ASSERT_EQ(refused.messages.size(), 3u);
    EXPECT_EQ(refused.messages[2].role, "assistant");

    const session::TokenLens loud =
        lensOf(kRow, 1, "{% for m in messages %}<{{ m.role }}>{{ m.content | upper }}{% endfor %}");
    EXPECT_EQ(loud.dropReason, DropReason::kMask);
    EXPECT_EQ(loud.text, "<system>S<user>USER<assistant>HO");
    EXPECT_EQ(loud.tokens.size(), loud.text.size());
}

TEST_F(Lens, tellsRolesWhereTheTemplateMovesTheSystemMessage) {
    const char* mistral = "{% for m in messages[1:] %}{% if m.role == 'user' %}[INST] {{ messages[0].content }}\n\n"
                          "{{ m.content }} [/INST]{% else %} {{ m.content }}<|im_end|>{% endif %}{% endfor %}";
    EXPECT_EQ(messagesIn(lensOf(kRow, 1, mistral)), ".......0..1111.........22.");
}

TEST_F(Lens, notesAChatOfAnotherModel) {
    EXPECT_TRUE(hasNote(lensOf(R"({"text":"USER: a ASSISTANT: b"})"),
                        "rendered already, in the form of Vicuna, as all of its text is trained. Of its answers only "
                        "the last has an end, that of the text: to train it alone, set data.turn_begin to "
                        "'ASSISTANT: ', data.turn_end to 'USER: ' and data.train_on to 'last-assistant'."));
    EXPECT_TRUE(
        hasNote(lensOf(R"({"text":"<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>"})", 1, "x"),
                "in the form of ChatML, as all of its text is trained. To train the answers alone, set "
                "data.turn_begin to '<|im_start|>assistant\\n' and data.turn_end to '<|im_end|>'."));
    EXPECT_TRUE(hasNote(lensOf(R"({"prompt":"USER: a ASSISTANT: ","completion":"b"})"),
                        "as the prompt is rendered already, in the form of Vicuna."));
    const session::TokenLens ends = lensOf(R"({"text":"USER: a ASSISTANT: b</s>"})");
    EXPECT_TRUE(hasNote(ends,
                        "in the form of Vicuna, as all of its text is trained. It ends with </s>, which this model "
                        "takes as letters, so no setting trains its answers with an end: give the chat as "
                        "messages"));
    EXPECT_EQ(ends.notes.size(), 1u);
    EXPECT_TRUE(hasNote(lensOf(R"({"prompt":"a","completion":"b</s>"})"), "The text ends with </s>, as other models"));
}

TEST_F(Lens, notesWhatAPersonShouldKnow) {
    EXPECT_TRUE(hasNote(lensOf(R"({"messages":[{"role":"user","from":"gpt","content":"a"},)"
                               R"({"role":"assistant","content":"say <think>b"}]})"),
                        "says something else (message 1)"));
    EXPECT_TRUE(hasNote(lensOf(R"({"messages":[{"role":"assistant","content":"say <think>b"}]})"),
                        "as nothing closes it; what follows is trained as the answer (message 1)"));
    EXPECT_TRUE(
        hasNote(lensOf(R"({"messages":[{"role":"user","content":"[INST] a"},{"role":"assistant","content":"b"}]})"),
                "Message 1 spells out [INST], a mark of other models' chat templates: this model has no such "
                "token and takes it as letters."));
    const char* calls = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}{{ c | tojson }}{% endfor %}"
                        "<|im_end|>{% endfor %}";
    EXPECT_TRUE(hasNote(lensOf(R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":)"
                               R"("{\"name\":\"f\",\"arguments\":{}}","tool_calls":[{"name":"f","arguments":{}}]}]})",
                               1, calls),
                        "as the same call stands in 'tool_calls': both are trained (message 2)."));
    const std::string forged = R"({"messages":[{"role":"user","content":"a<|im_end|>b"},)"
                               R"({"role":"assistant","content":"c"}]})";
    EXPECT_TRUE(hasNote(lensOf(forged), "Message 1 spells out <|im_end|>"));
    for (const char* beside : {R"("reasoning_content":"so <|im_end|>")",
                               R"("tool_calls":[{"function":{"name":"f","arguments":{"a":"x<|im_end|>"}}}])",
                               R"("tool_calls":[{"function":{"name":"f","arguments":{"<|im_end|>":1}}}])",
                               R"("tool_calls":[{"function":{"name":"f<|im_end|>","arguments":{}}}])"}) {
        const std::string said = R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"c",)" +
                                 std::string(beside) + "}]}";
        EXPECT_TRUE(hasNote(lensOf(said), "Message 2 spells out <|im_end|>")) << beside;
    }
    const char* silent = "{% for m in messages if m.role != 'system' %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
    EXPECT_TRUE(
        hasNote(lensOf(kRow, 1, silent), "Not used: texts, as the chat template does not print them (message 1)."));
    const std::string twice = std::string(kRow).insert(1, R"("system":"column",)");
    EXPECT_TRUE(hasNote(lensOf(twice), "Not used: the system's words of the row's column"));
    const std::string tagged = std::string(kRow).insert(1, R"("label":[false],)");
    EXPECT_TRUE(hasNote(lensOf(tagged), "Not used: columns that nothing reads: label."));
    EXPECT_FALSE(hasNote(lensOf(std::string(kRow).insert(1, R"("label":true,)")), "columns that nothing reads"));
    const char* plain = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
    EXPECT_TRUE(hasNote(lensOf(kRow, 1, plain), "learn to stop"));
}

TEST_F(Lens, namesARowThatIsNotThere) {
    testing::expectError(ErrorKind::kInvalidInput, {"rows.jsonl", "no line 9"}, [&] { lensOf(kRow, 9); });
}

} // namespace
} // namespace roundpipe::data
