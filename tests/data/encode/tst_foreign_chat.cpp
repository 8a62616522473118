// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that hold chats of other models' templates are told by their form, and the answers in them found by what is
// advised.
#include "data/encode/checks/foreign_chat.h"

#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

struct Written {
    ChatForm form;
    const char* text; // two questions and two answers, "First." and "Second."
};
constexpr Written kWritten[] = {
    {ChatForm::kChatMarkup,
     "<|im_start|>user\nA?<|im_end|>\n<|im_start|>assistant\nFirst.<|im_end|>\n<|im_start|>user\n"
     "B?<|im_end|>\n<|im_start|>assistant\nSecond.<|im_end|>\n"},
    {ChatForm::kLlama3, "<|start_header_id|>user<|end_header_id|>\n\nA?<|eot_id|><|start_header_id|>assistant"
                        "<|end_header_id|>\n\nFirst.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nB?<|eot_id|>"
                        "<|start_header_id|>assistant<|end_header_id|>\n\nSecond.<|eot_id|>"},
    {ChatForm::kLlama2, "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nA? [/INST] First. </s><s>[INST] B? [/INST] Second. </s>"},
    {ChatForm::kGemma, "<bos><start_of_turn>user\nA?<end_of_turn>\n<start_of_turn>model\nFirst.<end_of_turn>\n"
                       "<start_of_turn>user\nB?<end_of_turn>\n<start_of_turn>model\nSecond.<end_of_turn>\n"},
    {ChatForm::kPhi, "<|user|>\nA?<|end|>\n<|assistant|>\nFirst.<|end|>\n<|user|>\nB?<|end|>\n<|assistant|>\nSecond."
                     "<|end|>\n"},
    {ChatForm::kZephyr, "<|system|>\n</s>\n<|user|>\nA?</s>\n<|assistant|>\nFirst.</s>\n<|user|>\nB?</s>\n"
                        "<|assistant|>\nSecond.</s>\n"},
    {ChatForm::kDeepSeek, "<｜User｜>A?<｜Assistant｜>First.<｜end▁of▁sentence｜><｜User｜>B?<｜Assistant｜>"
                          "Second.<｜end▁of▁sentence｜>"},
    {ChatForm::kAlpaca, "Below is an instruction.\n\n### Instruction:\nA?\n\n### Response:\nFirst.\n\n"
                        "### Instruction:\nB?\n\n### Response:\nSecond."},
    {ChatForm::kCommand,
     "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>A?<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>First."
     "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>B?<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|>"
     "<|CHATBOT_TOKEN|>Second.<|END_OF_TURN_TOKEN|>"},
    {ChatForm::kAlpacaLine, "### Instruction: A?\n### Response: First.\n### Instruction: B?\n### Response: Second."},
    {ChatForm::kDialogueLine, "Human: A?\nAssistant: First.\nHuman: B?\nAssistant: Second."},
    {ChatForm::kQuestionAnswer, "### Question: A?\n### Answer: First.\n### Question: B?\n### Answer: Second."},
    {ChatForm::kZephyrLine, "<|user|>\nA?\n<|assistant|>\nFirst.\n<|user|>\nB?\n<|assistant|>\nSecond."},
    {ChatForm::kGptOss,
     "<|start|>user<|message|>A?<|end|><|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
     "<|channel|>final<|message|>First.<|end|><|start|>user<|message|>B?<|end|><|start|>assistant<|channel|>final"
     "<|message|>Second.<|end|>"},
    {ChatForm::kGuanaco, "### Human: A?### Assistant: First.### Human: B?### Assistant: Second."},
    {ChatForm::kVicuna, "A chat. USER: A? ASSISTANT: First.</s>USER: B? ASSISTANT: Second.</s>"},
    {ChatForm::kVicunaDocument, "USER: A?\n\n\nASSISTANT: First. <|endoftext|>\n\n\nUSER: B?\n\n\nASSISTANT: Second. "
                                "<|endoftext|>"},
    {ChatForm::kVicunaLine, "USER: A? ASSISTANT: First. USER: B? ASSISTANT: Second."},
    {ChatForm::kLlama2Line, "[INST] A? [/INST] First. [INST] B? [/INST] Second."},
    {ChatForm::kDialogue, "\n\nHuman: A?\n\nAssistant: First.\n\nHuman: B?\n\nAssistant: Second."},
    {ChatForm::kUserMarks, "<|User|>A?<|Assistant|>First.<|User|>B?<|Assistant|>Second."},
    {ChatForm::kUserDialogue, "User: A?\nAssistant: First.\nUser: B?\nAssistant: Second."},
};

class ForeignChats : public ::testing::Test {
protected:
    RowDraft encoded(const std::string& text) const {
        RowDraft draft;
        RowEncoder(m_options, m_tokenizer, m_template)
            .encode(nlohmann::json{{"text", text}}.dump(), DataFormat::kText, draft);
        return draft;
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path()); // to which these marks are mere letters
    text::ChatTemplate m_template = text::ChatTemplate::fromSource("{% for m in messages %}[{{ m.content }}]{% endfor "
                                                                   "%}");
    DataOptions m_options;
};

TEST_F(ForeignChats, areToldAndTheirAnswersFoundByWhatIsAdvised) {
    for (const auto& [form, text] : kWritten) {
        SCOPED_TRACE(nameOf(form));
        m_options.turnMarkers = {};
        RowDraft draft = encoded(text);
        EXPECT_EQ(draft.row.chatForm, form);
        EXPECT_FALSE(draft.row.isPlainText);
        m_options.turnMarkers = turnsOf(form);
        draft = encoded(text);
        EXPECT_EQ(draft.row.chatForm, ChatForm::kNone); // as it is told now what it is
        std::string trained;
        for (std::size_t i = 0; i < draft.row.ids.size(); ++i)
            if (draft.row.trained[i] != 0 && !draft.row.isSpecial[i])
                trained += draft.row.text.substr(draft.row.offsets[i].begin, 1);
        std::erase_if(trained, [](char c) { return c == ' ' || c == '\n'; });
        EXPECT_EQ(trained, "First.Second.");
    }
}

// As gpt-oss's last one does, whose other turns end otherwise.
TEST_F(ForeignChats, mayEndTheirLastTurnWithTheTextsOwnEnd) {
    m_options.turnMarkers = {"A: ", "<|im_start|>"};
    const EncodedRow row = encoded("Q: a A: b<|im_start|>Q: c A: d<|im_end|>").row;
    EXPECT_EQ(row.numTurnsWithoutEnd, 0);
    ASSERT_EQ(row.turns.size(), 2u);
    EXPECT_EQ(row.text.substr(row.turns[1].begin, row.turns[1].end - row.turns[1].begin), "d");
    EXPECT_EQ(row.ids.back(), kEndId);
    EXPECT_EQ(row.trained.back(), 1);
    EXPECT_EQ(encoded("Q: c A: d").row.numTurnsWithoutEnd, 0); // which gets the text's end
    EXPECT_EQ(encoded("Q: c A: <|im_end|>").row.turns[0].begin, 8u);
}

// Else what the user says between two answers would be learnt.
TEST_F(ForeignChats, areDroppedWhereATurnBeginsBeforeTheLastHasEnded) {
    m_options.turnMarkers = turnsOf(ChatForm::kLlama2);
    EXPECT_EQ(encoded("[INST] a [/INST] b</s>[INST] c [/INST] d").row.turns.size(), 2u);
    try {
        encoded("[INST] a [/INST] b\n[INST] c [/INST] d");
        FAIL() << "The user's words would be trained.";
    } catch (const RowProblem& problem) {
        EXPECT_EQ(problem.reason(), DropReason::kMask);
        EXPECT_NE(problem.remark().text().find("'[/INST]' (data.turn_begin) stands 2 times"), std::string::npos);
    }
}

// A row that holds an answer and no question, or marks in the other order, is a text about such marks.
TEST_F(ForeignChats, areNoTextsThatMentionTheirMarks) {
    for (const char* text : {"Words of a user: and an ASSISTANT: who helps.", "ASSISTANT: before USER: it stands",
                             "An <|im_end|> ends it.", "Write <|im_start|>assistant\n behind it.",
                             "Between [/INST] and [INST] nothing stands.", "### Response:\nOf a form.",
                             "Human: nature is not an Assistant: it is.", "<|user|> and <|assistant|>"})
        EXPECT_EQ(encoded(text).row.chatForm, ChatForm::kNone) << text;
}

// Also of a base model, which has no template; but a prompt is then what it is.
TEST_F(ForeignChats, areToldWithoutATemplateToo) {
    m_template = text::ChatTemplate::fromSource("");
    EXPECT_EQ(encoded(kWritten[0].text).row.chatForm, ChatForm::kChatMarkup);
    EXPECT_FALSE(encoded("Just words.").row.isPlainText);
    RowDraft draft;
    RowEncoder(m_options, m_tokenizer, m_template)
        .encode(R"({"prompt":"USER: a ASSISTANT: ","completion":"b"})", DataFormat::kCompletion, draft);
    EXPECT_EQ(draft.row.chatForm, ChatForm::kNone);
    EXPECT_FALSE(draft.row.isPlainPrompt);
}

TEST_F(ForeignChats, areWhatTheTemplatesOfTheseModelsPrint) {
    RP_REQUIRE_FIXTURES();
    const std::pair<const char*, ChatForm> templates[] = {
        {"trl/qwen3.jinja", ChatForm::kChatMarkup},
        {"HuggingFaceTB-SmolLM3-3B.jinja", ChatForm::kChatMarkup},
        {"axolotl/chatml.jinja", ChatForm::kChatMarkup},
        {"axolotl/llama3.jinja", ChatForm::kLlama3},
        {"meta-llama-Llama-3.3-70B-Instruct.jinja", ChatForm::kLlama3},
        {"axolotl/mistral_v1.jinja", ChatForm::kLlama2},
        {"mistral-common/v3.jinja", ChatForm::kLlama2},
        {"mistralai-Mistral-Nemo-Instruct-2407.jinja", ChatForm::kLlama2},
        {"google-gemma-2-2b-it.jinja", ChatForm::kGemma},
        {"trl/gemma3.jinja", ChatForm::kGemma},
        {"microsoft-Phi-3.5-mini-instruct.jinja", ChatForm::kPhi},
        {"trl/phi3.jinja", ChatForm::kPhi},
        {"trl/deepseekv3.jinja", ChatForm::kDeepSeek},
        {"deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja", ChatForm::kDeepSeek}};
    for (const auto& [name, form] : templates) {
        const auto theirs = text::ChatTemplate::fromSource(readTextFile(testing::fixtures() / "chat_templates" / name),
                                                           R"({"bos_token":"<s>","eos_token":"</s>"})");
        const std::string text =
            theirs.render({R"([{"role":"user","content":"A?"},{"role":"assistant","content":"B."}])", {}, {}, {}}, {})
                .text;
        EXPECT_EQ(encoded(text).row.chatForm, form) << name << "\n" << text;
        // To the model whose template it is, it is a chat of its own, if it is known to be one at all.
        RowDraft own;
        RowEncoder(m_options, m_tokenizer, theirs)
            .encode(nlohmann::json{{"text", text}}.dump(), DataFormat::kText, own);
        EXPECT_TRUE(own.row.chatForm == ChatForm::kModels || own.row.chatForm == form) << name;
    }
}

} // namespace
} // namespace roundpipe::data
