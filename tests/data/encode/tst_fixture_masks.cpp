// SPDX-License-Identifier: GPL-3.0-or-later
// Real tokenizers with their stock templates and real datasets: what is trained, spelled out.
#include "data/report/row_browser.h"
#include "data/store/dataset.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

class FixtureMasks : public ::testing::Test {
protected:
    void SetUp() override { RP_REQUIRE_FIXTURES(); }

    static fs::path fixture(const char* path) { return testing::fixtures() / path; }
    // The pieces that are trained, each as the text that its tokens decode to.
    static std::vector<std::string> trainedTexts(const session::TokenLens& lens, const text::Tokenizer& tokenizer) {
        std::vector<std::string> texts;
        std::vector<int32_t> run;
        for (std::size_t i = 0; i <= lens.tokens.size(); ++i) {
            if (i < lens.tokens.size() && lens.tokens[i].isTrained) {
                run.push_back(lens.tokens[i].id);
            } else if (!run.empty()) {
                texts.push_back(tokenizer.decode(run, false));
                run.clear();
            }
        }
        return texts;
    }
    static session::TokenLens firstRow(const fs::path& file, const text::Tokenizer& tokenizer,
                                       const text::ChatTemplate& chatTemplate) {
        DataOptions options;
        options.files = {file};
        return RowBrowser(options, tokenizer, chatTemplate).lens({0, 1});
    }
    std::vector<std::string> trainedIn(const char* tokenizerFolder, const char* templateFile) {
        const auto tokenizer = text::Tokenizer::open(fixture(tokenizerFolder));
        const auto chatTemplate = text::ChatTemplate::fromModelFolder(fixture(tokenizerFolder), fixture(templateFile));
        const fs::path file = m_folder.path() / "row.jsonl";
        std::ofstream(file)
            << R"({"messages":[{"role":"user","content":"Grüß Gott"},{"role":"assistant","content":"Hallo! 👋"},)"
               R"({"role":"user","content":"Bye"},{"role":"assistant","content":"Ade."}]})";
        return trainedTexts(firstRow(file, tokenizer, chatTemplate), tokenizer);
    }

    testing::TemporaryFolder m_folder;
};

using Texts = std::vector<std::string>;

TEST_F(FixtureMasks, endWithTheEndOfTheTurnInStockTemplates) {
    EXPECT_EQ(trainedIn("tokenizers/qwen3", "chat_templates/trl/qwen3.jinja"),
              (Texts{"Hallo! 👋<|im_end|>", "Ade.<|im_end|>"}));
    EXPECT_EQ(trainedIn("tokenizers/qwen3", "chat_templates/Qwen-Qwen2.5-7B-Instruct.jinja"),
              (Texts{"Hallo! 👋<|im_end|>", "Ade.<|im_end|>"}));
    EXPECT_EQ(trainedIn("tokenizers/llama3.1", "chat_templates/meta-llama-Llama-3.1-8B-Instruct.jinja"),
              (Texts{"Hallo! 👋<|eot_id|>", "Ade.<|eot_id|>"}));
}

TEST_F(FixtureMasks, neverDoubleTheBos) {
    const auto tokenizer = text::Tokenizer::open(fixture("tokenizers/llama3.1"));
    const auto chatTemplate =
        text::ChatTemplate::fromSource("{{ bos_token }}{% for m in messages %}{{ m.content }}<|eot_id|>{% endfor %}",
                                       R"({"bos_token":"<|begin_of_text|>"})");
    const auto lens = firstRow(fixture("datasets/openai_toy_chat_fine_tuning.jsonl"), tokenizer, chatTemplate);
    EXPECT_EQ(lens.tokens[0].id, 128000);
    EXPECT_NE(lens.tokens[1].id, 128000);
}

// Llama 2's tokenizer puts <s> (1) before every text.
class BosOfLlama2 : public FixtureMasks {
protected:
    // How many BOS the row starts with.
    int leadingBos(const std::string& row, const char* chatTemplate) {
        const auto tokenizer = text::Tokenizer::open(fixture("tokenizers/llama2"));
        EXPECT_EQ(tokenizer.encode("a", true).ids.front(), 1);
        const fs::path file = m_folder.path() / "row.jsonl";
        std::ofstream(file) << row;
        const auto parsed = text::ChatTemplate::fromSource(chatTemplate, R"({"bos_token":"<s>"})");
        const session::TokenLens lens = firstRow(file, tokenizer, parsed);
        int count = 0;
        while (lens.tokens[static_cast<std::size_t>(count)].id == 1)
            ++count;
        return count;
    }
    static constexpr const char* kChat = R"({"messages":[{"role":"user","content":"u"},)"
                                         R"({"role":"assistant","content":"a"}]})";
};

TEST_F(BosOfLlama2, standsOnceWhereTheTemplateWritesIt) {
    EXPECT_EQ(leadingBos(kChat, "{{ bos_token }}{% for m in messages %}{{ m.content }}</s>{% endfor %}"), 1);
}

TEST_F(BosOfLlama2, isNotAddedToATemplateThatWritesNone) { // as transformers and the servers do
    EXPECT_EQ(leadingBos(kChat, "{% for m in messages %}{{ m.content }}</s>{% endfor %}"), 0);
}

TEST_F(BosOfLlama2, standsOnceBeforePlainTexts) {
    EXPECT_EQ(leadingBos(R"({"text":"once upon a time"})", "-"), 1);
    EXPECT_EQ(leadingBos(R"({"text":"<s>once upon a time"})", "-"), 1);
    EXPECT_EQ(leadingBos(R"({"prompt":"<s>one, ","completion":"two"})", "-"), 1);
}

TEST_F(FixtureMasks, coverTheAlpacaFixturesInEveryFileForm) {
    const auto tokenizer = text::Tokenizer::open(fixture("tokenizers/qwen3"));
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(fixture("tokenizers/qwen3"));
    DataOptions options;
    options.files = {fixture("datasets/alpaca_subset.csv"), fixture("datasets/llama_factory/alpaca_en_demo.json"),
                     fixture("datasets/llama_factory/alpaca_zh_demo.json"),
                     fixture("datasets/llama_factory/v1_sft_demo.jsonl"),
                     fixture("datasets/openai_toy_chat_fine_tuning.jsonl")};
    const Dataset dataset = Dataset::load(options, tokenizer, chatTemplate);
    for (const session::DroppedRow& row : dataset.dropped())
        std::printf("%s\n", row.text.c_str());
    std::printf("%s; %lld tokens, %lld trained\n", dataset.stats().summary().c_str(),
                static_cast<long long>(dataset.training().numTokens()),
                static_cast<long long>(dataset.training().numTrained()));
    EXPECT_EQ(dataset.stats().numTurnsWithoutEnd, 0);
    EXPECT_EQ(dataset.stats().numDropped[static_cast<std::size_t>(DropReason::kMask)], 0);
    EXPECT_EQ(dataset.stats().numDropped[static_cast<std::size_t>(DropReason::kTemplate)], 0);
    EXPECT_GT(dataset.training().numTrained(), dataset.training().numTokens() / 2);
}

TEST_F(FixtureMasks, nameTheColumnsOfAFormatThatNobodyKnows) {
    const auto tokenizer = text::Tokenizer::open(fixture("tokenizers/qwen3"));
    const auto chatTemplate = text::ChatTemplate::fromModelFolder(fixture("tokenizers/qwen3"));
    DataOptions options;
    options.files = {fixture("datasets/gsm8k_test_verl.parquet")};
    testing::expectError(ErrorKind::kUnsupported, {"gsm8k_test_verl.parquet", "reward_model"},
                         [&] { Dataset::load(options, tokenizer, chatTemplate); });
}

} // namespace
} // namespace roundpipe::data
