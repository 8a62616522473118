// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/export_remark.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::session {
namespace {

arch::ModelSpec modelWith(bool tied) {
    arch::ModelConfig config = arch::parseModelConfig(
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 32, "hidden_size": 16,
            "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2})",
        "config.json");
    config.tiedEmbeddings = tied;
    return arch::makeModelSpec(config);
}

bool says(const std::vector<ExportRemark>& remarks, const std::string& words) {
    return std::ranges::any_of(
        remarks, [&](const ExportRemark& remark) { return remark.text().find(words) != std::string::npos; });
}

TEST(ExportRemark, aRankIsRefusedBeyondTheLargest) {
    RunSpec spec;
    spec.lora.rank = 512;
    EXPECT_TRUE(refusalsOf(spec, modelWith(false)).empty());
    spec.lora.rank = 513;
    const std::vector<ExportRemark> refusals = refusalsOf(spec, modelWith(false));
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_EQ(refusals.front().text(), "vLLM takes no adapter of rank 513: its largest is 512. Train with lora.rank "
                                       "512 at most, or export the merged model (--to merged).");
}

TEST(ExportRemark, followingItsAdviceNothingIsRefused) {
    RunSpec spec;
    spec.lora.rank = 600;
    spec.lora.modulesToSave = {"embed_tokens"};
    spec.lora.targets = {"q_proj", "lm_head"};
    const std::vector<ExportRemark> refusals = refusalsOf(spec, modelWith(true));
    EXPECT_TRUE(says(refusals, "vLLM takes no adapter of rank 600"));
    EXPECT_TRUE(says(refusals, "vLLM takes no adapter with modules that are trained whole (embed_tokens)"));
    EXPECT_TRUE(says(refusals, "llama.cpp and Ollama have no place in a GGUF adapter"));
    EXPECT_TRUE(says(refusals, "llama.cpp and Ollama take no adapter of lm_head"));
    spec.lora.rank = 512;
    spec.lora.modulesToSave.clear();
    spec.lora.targets = {"q_proj"};
    EXPECT_TRUE(refusalsOf(spec, modelWith(true)).empty());
}

TEST(ExportRemark, ofAModelWithoutAnAdapterNothingIsSaidOfAdapters) {
    RunSpec spec;
    spec.method = Method::kFull;
    spec.lora.rank = 600; // idle
    EXPECT_TRUE(refusalsOf(spec, modelWith(true)).empty());
}

TEST(ExportRemark, aHeadThatIsNotTheEmbeddingMayBeAdapted) {
    RunSpec spec;
    spec.lora.targets = {"lm_head"};
    EXPECT_TRUE(refusalsOf(spec, modelWith(false)).empty());
    EXPECT_EQ(refusalsOf(spec, modelWith(true)).size(), 1U);
}

TEST(ExportRemark, aFileOfAModelWithPicturesIsItsTextPart) {
    const arch::ModelSpec model = arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures": ["Gemma3ForConditionalGeneration"], "text_config": {"vocab_size": 32, "hidden_size": 16,
            "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1}})",
        "config.json"));
    const std::vector<ExportRemark> remarks = remarksOnExports(model, nullptr, 32);
    EXPECT_TRUE(says(remarks, "llama.cpp and Ollama get this model's text part: pictures need its projector"));
    EXPECT_FALSE(says(remarksOnExports(modelWith(true), nullptr, 32), "pictures"));
}

TEST(ExportRemark, vllmsRanksAreTheNextLarger) {
    EXPECT_EQ(vllmRankFor(1), 1);
    EXPECT_EQ(vllmRankFor(2), 8);
    EXPECT_EQ(vllmRankFor(257), 320);
    EXPECT_EQ(vllmRankFor(513), 0);
}

} // namespace
} // namespace roundpipe::session
