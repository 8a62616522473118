// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/layers.h"

#include "arch/model_outline.h"
#include "arch/stacked_linears.h"
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

TEST(Layers, namesNormsBehindTheHalvesAsTheCheckpointDoes) {
    const ModelSpec model = smallModel("Olmo2ForCausalLM");
    const auto& tensors = model.layers[1].tensors;
    EXPECT_EQ(namesOf(model.layers[1]),
              (std::vector<std::string>{
                  "model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight",
                  "model.layers.0.self_attn.v_proj.weight", "model.layers.0.self_attn.o_proj.weight",
                  "model.layers.0.self_attn.q_norm.weight", "model.layers.0.self_attn.k_norm.weight",
                  "model.layers.0.post_attention_layernorm.weight", "model.layers.0.post_feedforward_layernorm.weight",
                  "model.layers.0.mlp.gate_proj.weight", "model.layers.0.mlp.up_proj.weight",
                  "model.layers.0.mlp.down_proj.weight"}));
    EXPECT_EQ(tensors[4].shape, std::vector<int64_t>{8}) << "of all heads of q";
    EXPECT_EQ(tensors[5].shape, std::vector<int64_t>{4}) << "of all heads of k";
}

TEST(Layers, namesNormsAroundTheHalvesAsTheCheckpointDoes) {
    const ModelSpec model = smallModel("Gemma3ForCausalLM");
    const std::vector<std::string> names = namesOf(model.layers[1]);
    const std::vector<TensorSpec>& tensors = model.layers[1].tensors;
    const std::pair<TensorRole, const char*> expected[] = {
        {TensorRole::kInputNorm, "model.layers.0.input_layernorm.weight"},
        {TensorRole::kQNorm, "model.layers.0.self_attn.q_norm.weight"},
        {TensorRole::kAttentionOutNorm, "model.layers.0.post_attention_layernorm.weight"},
        {TensorRole::kPostNorm, "model.layers.0.pre_feedforward_layernorm.weight"},
        {TensorRole::kMlpOutNorm, "model.layers.0.post_feedforward_layernorm.weight"}};
    EXPECT_EQ(tensors.size(), 13u);
    for (const auto& [role, name] : expected) {
        const auto found = std::ranges::find(tensors, role, &TensorSpec::role);
        ASSERT_NE(found, tensors.end()) << name;
        EXPECT_EQ(found->name, name);
        EXPECT_EQ(found->kind, TensorKind::kNormPlusOne);
    }
    EXPECT_EQ(model.layers.back().tensors[0].kind, TensorKind::kNormPlusOne) << "the final one";
    EXPECT_EQ(smallModel("LlamaForCausalLM").layers.back().tensors[0].kind, TensorKind::kNorm);
}

TEST(Layers, namesTheTextPartOfAModelWithPicturesAsItsModules) {
    const ModelSpec model = makeModelSpec(parseModelConfig(
        R"({"architectures":["Gemma3ForConditionalGeneration"],"text_config":{"vocab_size":10,"hidden_size":8,)"
        R"("intermediate_size":12,"num_hidden_layers":2,"head_dim":4,"num_attention_heads":2,"num_key_value_heads":1}})",
        "config.json"));
    EXPECT_EQ(model.layers.front().tensors[0].name, "model.language_model.embed_tokens.weight");
    EXPECT_EQ(model.layers[2].tensors[0].name, "model.language_model.layers.1.input_layernorm.weight");
    EXPECT_EQ(model.layers.back().tensors[0].name, "model.language_model.norm.weight");
    EXPECT_EQ(model.layers.back().tensors[1].name, "model.language_model.embed_tokens.weight") << "a tied head";
    EXPECT_EQ(moduleOf(model.layers.back().tensors[1]), "lm_head");
    const LinearSpec query = linearsOf(model, LayerId(2)).front();
    EXPECT_EQ(query.module, "self_attn.q_proj");
    EXPECT_EQ(query.fullName, "model.language_model.layers.1.self_attn.q_proj");
    EXPECT_EQ(outlineOf(model).family, "Gemma 3 (text part)");
    EXPECT_EQ(outlineOf(smallModel("Gemma3ForCausalLM")).family, "Gemma 3");
}

TEST(Layers, givesLinearsTheirShapesAndBiases) {
    const ModelSpec model = smallModel("Qwen2ForCausalLM");
    const auto& tensors = model.layers[1].tensors;
    EXPECT_EQ(tensors[1].shape, (std::vector<int64_t>{8, 8})); // q: 2 heads of 4
    EXPECT_EQ(tensors[2].shape, (std::vector<int64_t>{4, 8})); // k: 1 head of 4
    EXPECT_EQ(tensors[4].name, "model.layers.0.self_attn.q_proj.bias") << "behind the weights of the same input";
    EXPECT_EQ(tensors[5].shape, (std::vector<int64_t>{4}));
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
        {"Llama-3.1-8B.json", 8'030'261'248},   {"Llama-3.2-1B.json", 1'235'814'400},
        {"Llama-3.2-3B.json", 3'212'749'824},   {"Mistral-7B-v0.1.json", 7'241'732'096},
        {"Qwen2.5-3B.json", 3'085'938'688},     {"Qwen2.5-7B.json", 7'615'616'512},
        {"Qwen3-0.6B.json", 596'049'920},       {"Qwen3-1.7B.json", 1'720'574'976},
        {"Qwen3-4B.json", 4'022'468'096},       {"Qwen3-8B.json", 8'190'735'360},
        {"Qwen3-32B.json", 32'762'123'264},     {"Qwen3-8B.saved_by_newer_transformers.json", 8'190'735'360},
        {"Qwen3-30B-A3B.json", 30'532'122'624}, {"Qwen3-235B-A22B.json", 235'093'634'560},
        {"gpt-oss-20b.json", 20'914'757'184},   {"gpt-oss-120b.json", 116'829'156'672},
    };
    for (const auto& [file, parameters] : known)
        EXPECT_EQ(makeModelSpec(readModelConfig(configs / file)).numParameters(), parameters) << file;
    EXPECT_EQ(makeModelSpec(readModelConfig(configs / "Qwen3-1.7B.json")).summary(),
              "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters");
}

// Mixtral-8x7B-v0.1 and Qwen1.5-MoE-A2.7B, by the sizes that they are published with.
TEST(Layers, countsTheParametersOfKnownMixtures) {
    const auto model = [](const std::string& text) { return makeModelSpec(parseModelConfig(text, "config.json")); };
    const ModelSpec mixtral =
        model(R"({"architectures":["MixtralForCausalLM"],"vocab_size":32000,"hidden_size":4096,)"
              R"("intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,)"
              R"("num_local_experts":8,"num_experts_per_tok":2,"rope_theta":1e6,"sliding_window":null})");
    EXPECT_EQ(mixtral.numParameters(), 46'702'792'704);
    EXPECT_NEAR(1e-9 * static_cast<double>(mixtral.numActiveParameters()), 12.9, 0.05);
    EXPECT_EQ(mixtral.summary(), "Mixtral, 32 blocks of 8 experts (2 a token), hidden 4096, 46.7 B parameters");
    const ModelSpec qwen =
        model(R"({"architectures":["Qwen2MoeForCausalLM"],"vocab_size":151936,"hidden_size":2048,)"
              R"("intermediate_size":5632,"num_hidden_layers":24,"num_attention_heads":16,"num_key_value_heads":16,)"
              R"("num_experts":60,"num_experts_per_tok":4,"moe_intermediate_size":1408,)"
              R"("shared_expert_intermediate_size":5632})");
    EXPECT_EQ(qwen.numParameters(), 14'315'784'192);
    EXPECT_NEAR(1e-9 * static_cast<double>(qwen.numActiveParameters()), 2.7, 0.05);
}

// In billions, as the models' names and cards round them (gpt-oss's card leaves the embedding out).
TEST(Layers, countsTheParametersThatATokenMeets) {
    RP_REQUIRE_FIXTURES();
    const auto active = [](const char* file) {
        const ModelSpec model = makeModelSpec(readModelConfig(testing::fixtures() / "configs" / file));
        const int64_t embedding = model.layers.front().numParameters();
        return std::pair(1e-9 * static_cast<double>(model.numActiveParameters()),
                         1e-9 * static_cast<double>(model.numActiveParameters() - embedding));
    };
    EXPECT_NEAR(active("Qwen3-30B-A3B.json").first, 3.3, 0.06);
    EXPECT_NEAR(active("Qwen3-235B-A22B.json").first, 22, 0.3);
    EXPECT_NEAR(active("gpt-oss-20b.json").second, 3.61, 0.005);
    EXPECT_NEAR(active("gpt-oss-120b.json").second, 5.13, 0.005);
    EXPECT_NEAR(active("Qwen3-8B.json").first, 8.19, 0.005);
}

TEST(Layers, namesExpertsAsTheCheckpointDoes) {
    const ModelSpec qwen =
        smallModel("Qwen3MoeForCausalLM",
                   R"(,"num_experts":2,"num_experts_per_tok":1,"moe_intermediate_size":6,"mlp_only_layers":[0])");
    EXPECT_EQ(namesOf(qwen.layers[1]).back(), "model.layers.0.mlp.down_proj.weight");
    const auto names = namesOf(qwen.layers[2]);
    EXPECT_EQ(std::vector<std::string>(names.begin() + 7, names.end()),
              (std::vector<std::string>{
                  "model.layers.1.post_attention_layernorm.weight", "model.layers.1.mlp.gate.weight",
                  "model.layers.1.mlp.experts.0.gate_proj.weight", "model.layers.1.mlp.experts.0.up_proj.weight",
                  "model.layers.1.mlp.experts.0.down_proj.weight", "model.layers.1.mlp.experts.1.gate_proj.weight",
                  "model.layers.1.mlp.experts.1.up_proj.weight", "model.layers.1.mlp.experts.1.down_proj.weight"}));
    EXPECT_EQ(qwen.layers[2].tensors.back().shape, (std::vector<int64_t>{8, 6}));
    EXPECT_EQ(qwen.summary(), "Qwen3-MoE, 2 blocks of 2 experts (1 a token), hidden 8, 1.19 k parameters");

    const ModelSpec shared =
        smallModel("Qwen2MoeForCausalLM", R"(,"num_experts":2,"num_experts_per_tok":1,"moe_intermediate_size":6,)"
                                          R"("shared_expert_intermediate_size":10)");
    const auto ofShared = namesOf(shared.layers[1]);
    EXPECT_EQ(std::vector<std::string>(ofShared.end() - 5, ofShared.end()),
              (std::vector<std::string>{"model.layers.0.mlp.experts.1.down_proj.weight",
                                        "model.layers.0.mlp.shared_expert.gate_proj.weight",
                                        "model.layers.0.mlp.shared_expert.up_proj.weight",
                                        "model.layers.0.mlp.shared_expert.down_proj.weight",
                                        "model.layers.0.mlp.shared_expert_gate.weight"}));
    EXPECT_EQ(shared.layers[1].tensors.back().shape, (std::vector<int64_t>{1, 8}));
    EXPECT_EQ(shared.numParameters() - shared.numActiveParameters(), 2 * 3 * 6 * 8); // the expert that is not chosen

    const ModelSpec mixtral = smallModel("MixtralForCausalLM", R"(,"num_local_experts":2,"num_experts_per_tok":1)");
    const auto ofMixtral = namesOf(mixtral.layers[1]);
    EXPECT_EQ(std::vector<std::string>(ofMixtral.begin() + 5, ofMixtral.end() - 3),
              (std::vector<std::string>{"model.layers.0.post_attention_layernorm.weight",
                                        "model.layers.0.block_sparse_moe.gate.weight",
                                        "model.layers.0.block_sparse_moe.experts.0.w1.weight",
                                        "model.layers.0.block_sparse_moe.experts.0.w3.weight",
                                        "model.layers.0.block_sparse_moe.experts.0.w2.weight"}));
    EXPECT_EQ(mixtral.layers[1].tensors.back().shape, (std::vector<int64_t>{8, 12}));

    const ModelSpec gptOss = smallModel("GptOssForCausalLM", R"(,"num_local_experts":2,"num_experts_per_tok":1)");
    const auto stacked = namesOf(gptOss.layers[1]);
    EXPECT_EQ(std::vector<std::string>(stacked.begin() + 9, stacked.end()),
              (std::vector<std::string>{
                  "model.layers.0.self_attn.sinks", "model.layers.0.post_attention_layernorm.weight",
                  "model.layers.0.mlp.router.weight", "model.layers.0.mlp.router.bias",
                  "model.layers.0.mlp.experts.gate_up_proj", "model.layers.0.mlp.experts.gate_up_proj_bias",
                  "model.layers.0.mlp.experts.down_proj", "model.layers.0.mlp.experts.down_proj_bias"}));
    const TensorSpec& gateUp = gptOss.layers[1].tensors[13];
    EXPECT_EQ(gateUp.shape, (std::vector<int64_t>{2, 24, 8}));
    ASSERT_EQ(storedTensors(gateUp).size(), 1u);
    EXPECT_EQ(storedTensors(gateUp)[0].shape, (std::vector<int64_t>{2, 8, 24})); // transposed
}

// As PEFT's target_parameters name them: all experts of a parameter, or none.
TEST(Layers, adaptsStackedExpertsByTheNameOfTheirParameter) {
    const ModelSpec model = smallModel("GptOssForCausalLM", R"(,"num_local_experts":2,"num_experts_per_tok":1)");
    const auto adapted = [&](const std::vector<std::string>& targets, double dropout = 0) {
        LoraConfig lora;
        lora.targets = targets;
        lora.dropout = dropout;
        return adaptedLinears(model, lora)[1];
    };
    for (const std::string target : {"gate_up_proj", "experts.gate_up_proj", "mlp.experts.gate_up_proj",
                                     "model.layers.0.mlp.experts.gate_up_proj"}) {
        SCOPED_TRACE(target);
        const std::vector<LinearSpec> linears = adapted({target});
        ASSERT_EQ(linears.size(), 2u);
        for (const LinearSpec& linear : linears) {
            EXPECT_EQ(linear.module, "mlp.experts.gate_up_proj");
            EXPECT_EQ(stackOf(linear), "model.layers.0.mlp.experts.gate_up_proj");
            EXPECT_EQ(linear.inFeatures, 8);
            EXPECT_EQ(linear.outFeatures, 24);
            EXPECT_TRUE(linear.ofExpert);
        }
        EXPECT_NE(linears[0].fullName, linears[1].fullName); // fresh values come of them
    }
    EXPECT_EQ(adapted({"gate_up_proj", "down_proj", "q_proj"}).size(), 5u);
    EXPECT_EQ(adapted({"all-linear"}).size(), 4u);
    EXPECT_EQ(adapted({"all-linear", "down_proj"}).size(), 6u);
    EXPECT_EQ(adapted({"all-linear"}, 0.1).size(), 4u);
    for (const char* name : {"experts", "gate_up_proj.1", "1", "gate_up_proj_bias"})
        expectError(ErrorKind::kInvalidInput, {name, "o_proj", "gate_up_proj", "and experts"},
                    [&] { adapted({name}); });
    expectError(ErrorKind::kInvalidInput, {"model.layers.0.mlp.experts.down_proj", "dropout"}, [&] {
        adapted({"q_proj", "down_proj"}, 0.1);
    });
}

// Sizes of openai/gpt-oss-20b's files: 4 bits a weight and 8 a group of 32.
TEST(Layers, knowsHowPackedExpertsAreStored) {
    RP_REQUIRE_FIXTURES();
    const ModelSpec model = makeModelSpec(readModelConfig(testing::fixtures() / "configs" / "gpt-oss-20b.json"));
    const TensorSpec& gateUp = model.layers[1].tensors[13];
    const auto stored = storedTensors(gateUp);
    ASSERT_EQ(stored.size(), 2u);
    EXPECT_EQ(stored[0].name, "model.layers.0.mlp.experts.gate_up_proj_blocks");
    EXPECT_EQ(stored[0].shape, (std::vector<int64_t>{32, 5760, 90, 16}));
    EXPECT_EQ(stored[1].name, "model.layers.0.mlp.experts.gate_up_proj_scales");
    EXPECT_EQ(stored[1].shape, (std::vector<int64_t>{32, 5760, 90}));
    EXPECT_EQ(storedBytes(gateUp, DType::kBF16), int64_t{32} * 5760 * 90 * 17);
    int64_t bytes = 0;
    for (const LayerSpec& layer : model.layers)
        for (const TensorSpec& tensor : layer.tensors)
            bytes += storedBytes(tensor, DType::kBF16);
    EXPECT_EQ(bytes, 13'761'264'768); // the total_size of the published index
}

TEST(Layers, adaptsExpertsOnlyWhereTheyAreNamed) {
    const ModelSpec model =
        smallModel("Qwen3MoeForCausalLM", R"(,"num_experts":3,"num_experts_per_tok":1,"moe_intermediate_size":6)");
    const auto adapted = [&](std::vector<std::string> targets) {
        LoraConfig lora;
        lora.targets = std::move(targets);
        return adaptedLinears(model, lora)[1];
    };
    EXPECT_EQ(modulesOf(adapted({"all-linear"})), (std::vector<std::string>{"self_attn.q_proj", "self_attn.k_proj",
                                                                            "self_attn.v_proj", "self_attn.o_proj"}));
    EXPECT_EQ(adapted({"all-linear", "up_proj"}).size(), 7u);
    EXPECT_EQ(modulesOf(adapted({"experts.1.down_proj"})), (std::vector<std::string>{"mlp.experts.1.down_proj"}));
    expectError(ErrorKind::kInvalidInput, {"'gate'", "gate_proj"}, [&] { adapted({"gate"}); }); // the router
}

// PEFT's "all-linear" finds those of the expert that all tokens go through, and its weight's.
TEST(Layers, adaptsTheSharedExpertAsAnyLinear) {
    const ModelSpec model =
        smallModel("Qwen2MoeForCausalLM", R"(,"num_experts":3,"num_experts_per_tok":1,"moe_intermediate_size":6,)"
                                          R"("shared_expert_intermediate_size":10)");
    const auto adapted = [&](std::vector<std::string> targets) {
        LoraConfig lora;
        lora.targets = std::move(targets);
        return modulesOf(adaptedLinears(model, lora)[1]);
    };
    const std::vector<std::string> all = adapted({"all-linear"});
    EXPECT_EQ(std::vector<std::string>(all.begin() + 4, all.end()),
              (std::vector<std::string>{"mlp.shared_expert.gate_proj", "mlp.shared_expert.up_proj",
                                        "mlp.shared_expert.down_proj", "mlp.shared_expert_gate"}));
    EXPECT_EQ(adapted({"shared_expert_gate"}), (std::vector<std::string>{"mlp.shared_expert_gate"}));
    EXPECT_EQ(adapted({"up_proj"}).size(), 4u);
}

TEST(Layers, adaptsAllLinearsButTheHead) {
    const auto adapted = adaptedLinears(smallModel("LlamaForCausalLM"), arch::LoraConfig{});
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

TEST(TrainedLayers, takesWholeModulesByTheEndOfTheirNames) {
    const auto rolesOf = [](const char* extra, std::vector<std::string> modules, std::size_t layer) {
        LoraConfig lora;
        lora.modulesToSave = std::move(modules);
        return trainedLayers(smallModel("Qwen3ForCausalLM", extra), lora).at(layer).tensors;
    };
    using enum TensorRole;
    const std::vector<TensorRole> norms{kInputNorm, kQNorm, kKNorm, kPostNorm};
    auto found = rolesOf("", {"norm"}, 1);
    std::ranges::sort(found);
    EXPECT_EQ(found, norms);
    EXPECT_EQ(rolesOf("", {"model.layers.0.input_layernorm"}, 1), std::vector{kInputNorm});
    EXPECT_TRUE(rolesOf("", {"model.layers.0.input_layernorm"}, 2).empty());
    EXPECT_EQ(rolesOf("", {"embed_tokens"}, 0), std::vector{kEmbedTokens});
    const std::size_t head = smallModel("Qwen3ForCausalLM").layers.size() - 1;
    EXPECT_TRUE(rolesOf("", {"embed_tokens"}, head).empty());
    EXPECT_EQ(rolesOf("", {"lm_head"}, head), std::vector{kLmHead});
    const char* tied = R"(,"tie_word_embeddings":true)"; // either name is both
    for (const char* name : {"embed_tokens", "lm_head"}) {
        EXPECT_EQ(rolesOf(tied, {name}, 0), std::vector{kEmbedTokens});
        EXPECT_EQ(rolesOf(tied, {name}, head), std::vector{kLmHead});
    }
    expectError(ErrorKind::kInvalidInput, {"q_proj", "lora.targets"}, [&] { rolesOf("", {"q_proj"}, 0); });
    expectError(ErrorKind::kInvalidInput, {"embedding"}, [&] { rolesOf("", {""}, 0); });
    LoraConfig both;
    both.targets = {"lm_head"};
    both.modulesToSave = {"lm_head"};
    expectError(ErrorKind::kInvalidInput, {"lm_head", "not in both"},
                [&] { trainedLayers(smallModel("LlamaForCausalLM"), both); });
}

} // namespace
} // namespace roundpipe::arch
