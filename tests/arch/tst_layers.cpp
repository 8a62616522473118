#include "arch/layers.h"

#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <set>

namespace roundpipe::arch {
namespace {

using testing::expectError;

ModelSpec smallModel(const std::string& architecture, const std::string& extra = {}) {
    return makeModelSpec(parseModelConfig(
        R"({"architectures":[")" + architecture +
            R"("],"vocab_size":10,"hidden_size":8,"intermediate_size":12,"num_hidden_layers":2,"head_dim":4,)"
            R"("num_attention_heads":2,"num_key_value_heads":1)" +
            extra + "}",
        "config.json"));
}

std::vector<std::string> namesOf(const LayerSpec& layer) {
    std::vector<std::string> names;
    for (const TensorSpec& tensor : layer.tensors)
        names.push_back(tensor.name);
    return names;
}

std::vector<std::string> modulesOf(const std::vector<LinearSpec>& linears) {
    std::vector<std::string> names;
    for (const LinearSpec& linear : linears)
        names.push_back(linear.module);
    return names;
}

TEST(Layers, namesTensorsAsTheCheckpointDoes) {
    const ModelSpec model = smallModel("Qwen3ForCausalLM");
    ASSERT_EQ(model.layers.size(), 4u);
    EXPECT_EQ(namesOf(model.layers[0]), (std::vector<std::string>{"model.embed_tokens.weight"}));
    EXPECT_EQ(namesOf(model.layers[2]),
              (std::vector<std::string>{
                  "model.layers.1.input_layernorm.weight", "model.layers.1.self_attn.q_proj.weight",
                  "model.layers.1.self_attn.k_proj.weight", "model.layers.1.self_attn.v_proj.weight",
                  "model.layers.1.self_attn.o_proj.weight", "model.layers.1.self_attn.q_norm.weight",
                  "model.layers.1.self_attn.k_norm.weight", "model.layers.1.post_attention_layernorm.weight",
                  "model.layers.1.mlp.gate_proj.weight", "model.layers.1.mlp.up_proj.weight",
                  "model.layers.1.mlp.down_proj.weight"}));
    EXPECT_EQ(namesOf(model.layers[3]), (std::vector<std::string>{"model.norm.weight", "lm_head.weight"}));
    EXPECT_EQ(model.layers[2].name, "block 1");
    EXPECT_EQ(model.layers[2].id, LayerId(2));
}

TEST(Layers, givesLinearsTheirShapesAndBiases) {
    const ModelSpec model = smallModel("Qwen2ForCausalLM");
    const auto& tensors = model.layers[1].tensors;
    EXPECT_EQ(tensors[1].shape, (std::vector<int64_t>{8, 8})); // q: 2 heads of 4
    EXPECT_EQ(tensors[2].name, "model.layers.0.self_attn.q_proj.bias");
    EXPECT_EQ(tensors[3].shape, (std::vector<int64_t>{4, 8})); // k: 1 head of 4
    EXPECT_EQ(tensors[4].shape, (std::vector<int64_t>{4}));
    const auto linears = linearsOf(model, LayerId(1));
    EXPECT_EQ(modulesOf(linears),
              (std::vector<std::string>{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                                        "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}));
    EXPECT_EQ(linears[6].fullName, "model.layers.0.mlp.down_proj");
    EXPECT_EQ(linears[6].inFeatures, 12);
    EXPECT_EQ(linears[6].outFeatures, 8);
    EXPECT_TRUE(linearsOf(model, LayerId(0)).empty());
}

TEST(Layers, countsATiedHeadOnce) {
    const ModelSpec apart = smallModel("LlamaForCausalLM");
    const ModelSpec tied = smallModel("LlamaForCausalLM", R"(,"tie_word_embeddings":true)");
    EXPECT_EQ(apart.numParameters() - tied.numParameters(), 80);
    EXPECT_EQ(tied.layers[3].tensors[1].name, "model.embed_tokens.weight");
    EXPECT_EQ(tied.layers[3].tensors[1].role, TensorRole::kLmHead);
    EXPECT_EQ(linearsOf(tied, LayerId(3))[0].fullName, "lm_head");
}

// Counts as the models' cards and transformers' num_parameters() give them.
TEST(Layers, countsTheParametersOfKnownModels) {
    RP_REQUIRE_FIXTURES();
    const auto configs = testing::fixtures() / "configs";
    const std::pair<const char*, int64_t> known[] = {
        {"Llama-3.1-8B.json", 8'030'261'248}, {"Llama-3.2-1B.json", 1'235'814'400},
        {"Llama-3.2-3B.json", 3'212'749'824}, {"Mistral-7B-v0.1.json", 7'241'732'096},
        {"Qwen2.5-3B.json", 3'085'938'688},   {"Qwen2.5-7B.json", 7'615'616'512},
        {"Qwen3-0.6B.json", 596'049'920},     {"Qwen3-1.7B.json", 1'720'574'976},
        {"Qwen3-4B.json", 4'022'468'096},     {"Qwen3-8B.json", 8'190'735'360},
        {"Qwen3-32B.json", 32'762'123'264},   {"Qwen3-8B.saved_by_newer_transformers.json", 8'190'735'360},
    };
    for (const auto& [file, parameters] : known)
        EXPECT_EQ(makeModelSpec(readModelConfig(configs / file)).numParameters(), parameters) << file;
    EXPECT_EQ(makeModelSpec(readModelConfig(configs / "Qwen3-1.7B.json")).summary(),
              "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters");
}

TEST(Layers, adaptsAllLinearsButTheHead) {
    const auto adapted = adaptedLinears(smallModel("LlamaForCausalLM"), {});
    ASSERT_EQ(adapted.size(), 4u);
    EXPECT_TRUE(adapted[0].empty());
    EXPECT_EQ(adapted[1].size(), 7u);
    EXPECT_EQ(adapted[2].size(), 7u);
    EXPECT_TRUE(adapted[3].empty());
}

TEST(Layers, matchesTargetsByWholeNameOrLastParts) {
    const ModelSpec model = smallModel("LlamaForCausalLM");
    const auto adapted = [&](std::vector<std::string> targets) {
        LoraConfig lora;
        lora.targets = std::move(targets);
        return adaptedLinears(model, lora);
    };
    EXPECT_EQ(modulesOf(adapted({"v_proj", "q_proj"})[2]),
              (std::vector<std::string>{"self_attn.q_proj", "self_attn.v_proj"}));
    EXPECT_EQ(modulesOf(adapted({"mlp.up_proj"})[1]), (std::vector<std::string>{"mlp.up_proj"}));
    const auto one = adapted({"model.layers.1.self_attn.k_proj"});
    EXPECT_TRUE(one[1].empty());
    EXPECT_EQ(one[2].size(), 1u);
    EXPECT_EQ(modulesOf(adapted({"all-linear", "lm_head"})[3]), (std::vector<std::string>{"lm_head"}));
    // "proj" ends every name, but is no part of one
    expectError(ErrorKind::kInvalidInput, {"'proj'", "q_proj", "down_proj", "lm_head"}, [&] { adapted({"proj"}); });
    expectError(ErrorKind::kInvalidInput, {"'c_attn'"}, [&] { adapted({"q_proj", "c_attn"}); });
    expectError(ErrorKind::kInvalidInput, {"target"}, [&] { adapted({}); });
}

TEST(Layers, refusesImpossibleLoraSettings) {
    const ModelSpec model = smallModel("LlamaForCausalLM");
    LoraConfig lora;
    lora.rank = 0;
    expectError(ErrorKind::kInvalidInput, {"rank", "0"}, [&] { adaptedLinears(model, lora); });
    lora = {};
    lora.dropout = 1;
    expectError(ErrorKind::kInvalidInput, {"dropout"}, [&] { adaptedLinears(model, lora); });
    lora = {};
    lora.alpha = -1;
    expectError(ErrorKind::kInvalidInput, {"alpha"}, [&] { adaptedLinears(model, lora); });
}

TEST(Layers, scalesAsPeftDoes) {
    LoraConfig lora;
    EXPECT_DOUBLE_EQ(lora.scale(), 2.0);
    lora.rsLora = true;
    EXPECT_DOUBLE_EQ(lora.scale(), 8.0);
}

} // namespace
} // namespace roundpipe::arch
