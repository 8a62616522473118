// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that hold chats of the fixtures' templates are known by them, and the answers found by what is advised.
#include "data/encode/checks/rendered_chat.h"

#include "base/file.h"
#include "byte_tokenizer.h"
#include "data/encode/row_draft.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

class RenderedChats : public ::testing::Test {
protected:
    static text::ChatTemplate fixture(const char* name) {
        return text::ChatTemplate::fromSource(readTextFile(testing::fixtures() / "chat_templates" / name),
                                              R"({"bos_token":"<s>","eos_token":"</s>"})");
    }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(
        m_folder.path(), {"</s>", "<s>", "[INST]", "[/INST]", "<start_of_turn>", "<end_of_turn>", "<|eot_id|>",
                          "<|start_header_id|>", "<|end_header_id|>", "<|end|>", "<|user|>", "<|assistant|>"});
    DataOptions m_options;
};

TEST_F(RenderedChats, areKnownAndMaskedByWhatIsAdvised) {
    RP_REQUIRE_FIXTURES();
    constexpr const char* kMessages =
        R"([{"role":"user","content":"Which?"},{"role":"assistant","content":"This one."},)"
        R"({"role":"user","content":"Why?"},{"role":"assistant","content":"For that."}])";
    for (const char* name : {"trl/qwen3.jinja", "Qwen-Qwen2.5-7B-Instruct.jinja", "trl/llama3.jinja", "trl/phi3.jinja",
                             "google-gemma-2-2b-it.jinja", "axolotl/mistral_v1.jinja", "axolotl/chatml.jinja",
                             "meta-llama-Llama-3.1-8B-Instruct.jinja", "microsoft-Phi-3.5-mini-instruct.jinja"}) {
        const text::ChatTemplate chatTemplate = fixture(name);
        const RenderedChat chat(m_options, m_tokenizer, chatTemplate);
        const std::string text = chatTemplate.render({kMessages, {}, {}, {}}, {false, {}}).text;
        EXPECT_TRUE(chat.isIn(text)) << name << text;
        EXPECT_FALSE(chat.isIn("Just a text of a user and an assistant. </s>")) << name;
        DataOptions options;
        options.turnMarkers = chat.turns();
        RowDraft draft;
        RowEncoder(options, m_tokenizer, chatTemplate)
            .encode(nlohmann::json{{"text", text}}.dump(), DataFormat::kText, draft);
        std::string trained;
        for (std::size_t i = 0; i < draft.row.ids.size(); ++i)
            if (draft.row.trained[i] != 0 && !draft.row.isSpecial[i])
                trained +=
                    text.substr(draft.row.offsets[i].begin, draft.row.offsets[i].end - draft.row.offsets[i].begin);
        std::erase_if(trained, [](char c) { return c == ' ' || c == '\n'; });
        if (std::string(name).starts_with("trl/qwen3")) // it prints an empty thought before the last answer
            EXPECT_EQ(trained, "Thisone.<think></think>Forthat.") << name;
        else
            EXPECT_EQ(trained, "Thisone.Forthat.") << name;
        EXPECT_EQ(draft.row.numTurnsWithoutEnd, 0) << name;
    }
}

TEST_F(RenderedChats, areNoneWithoutATemplateOrByOneThatRefuses) {
    for (const char* source : {"", "{{ raise_exception('no') }}", "{{ messages | length }}"}) {
        const RenderedChat chat(m_options, m_tokenizer, text::ChatTemplate::fromSource(source));
        EXPECT_FALSE(chat.isIn("<|im_start|>user\nx<|im_end|>")) << source;
        EXPECT_TRUE(chat.turns().begin.empty()) << source;
    }
}

} // namespace
} // namespace roundpipe::data
