// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_config.h"

#include "base/file.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <cmath>

#include <gtest/gtest.h>

namespace roundpipe::arch {
namespace {

using testing::expectError;

// A small config with `extra` fields (they win) in the place of some; JSON takes the last of two equal keys.
std::string configText(const std::string& architecture, const std::string& extra = {}) {
    return R"({"architectures":[")" + architecture +
           R"("],"vocab_size":100,"hidden_size":64,"intermediate_size":96,"num_hidden_layers":4,)"
           R"("num_attention_heads":8,"hidden_act":"silu")" +
           (extra.empty() ? "" : "," + extra) + "}";
}

ModelConfig parse(const std::string& architecture, const std::string& extra = {}) {
    return parseModelConfig(configText(architecture, extra), "config.json");
}

void expectRefused(ErrorKind kind, const std::string& extra, std::initializer_list<std::string> words,
                   const std::string& architecture = "LlamaForCausalLM") {
    SCOPED_TRACE(extra);
    expectError(kind, words, [&] { parse(architecture, extra); });
}

TEST(ModelConfig, takesTransformersDefaultsOfEachFamily) {
    const ModelConfig llama = parse("LlamaForCausalLM");
    EXPECT_EQ(llama.numKvHeads, 8);
    EXPECT_EQ(llama.headDim, 8);
    EXPECT_EQ(llama.maxPositions, 2048);
    EXPECT_FALSE(llama.qkvBias || llama.outputBias || llama.mlpBias || llama.qkNorm || llama.tiedEmbeddings);
    EXPECT_EQ(llama.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));

    const ModelConfig mistral = parse("MistralForCausalLM");
    EXPECT_EQ(mistral.numKvHeads, 8);
    EXPECT_EQ(mistral.slidingWindow, (std::vector<int64_t>{4096, 4096, 4096, 4096}));

    const ModelConfig qwen2 = parse("Qwen2ForCausalLM");
    EXPECT_TRUE(qwen2.qkvBias);
    EXPECT_FALSE(qwen2.outputBias || qwen2.qkNorm);
    EXPECT_EQ(qwen2.headDim, 8);

    const ModelConfig qwen3 = parse("Qwen3ForCausalLM");
    EXPECT_EQ(qwen3.headDim, 128);
    EXPECT_TRUE(qwen3.qkNorm);
    EXPECT_FALSE(qwen3.qkvBias || qwen3.outputBias);
    EXPECT_DOUBLE_EQ(qwen3.rope.theta, 10000.0);
}

TEST(ModelConfig, readsBiasSwitchesWhereTheFamilyHasThem) {
    const std::string biases = R"("attention_bias":true,"mlp_bias":true)";
    const ModelConfig llama = parse("LlamaForCausalLM", biases);
    EXPECT_TRUE(llama.qkvBias && llama.outputBias && llama.mlpBias);
    const ModelConfig qwen3 = parse("Qwen3ForCausalLM", biases);
    EXPECT_TRUE(qwen3.qkvBias && qwen3.outputBias);
    EXPECT_FALSE(qwen3.mlpBias);
    const ModelConfig mistral = parse("MistralForCausalLM", biases);
    EXPECT_FALSE(mistral.qkvBias || mistral.outputBias || mistral.mlpBias);
}

TEST(ModelConfig, readsOlderAndNewerSpellingsOfRotaryScalingAlike) {
    const char* fields =
        R"("factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":512)";
    const auto spelled = [&](const std::string& text) { return parse("LlamaForCausalLM", text).rope; };
    for (const RopeConfig& rope :
         {spelled(R"("rope_theta":5e5,"rope_scaling":{"type":"llama3",)" + std::string(fields) + "}"),
          spelled(R"("rope_theta":500000,"rope_scaling":{"rope_type":"llama3",)" + std::string(fields) + "}"),
          spelled(R"("rope_parameters":{"rope_theta":5e5,"rope_type":"llama3",)" + std::string(fields) + "}")}) {
        EXPECT_EQ(rope.type, RopeConfig::Type::kLlama3);
        EXPECT_DOUBLE_EQ(rope.theta, 5e5);
        EXPECT_DOUBLE_EQ(rope.factor, 8);
        EXPECT_EQ(rope.originalMaxPositions, 512);
    }
}

TEST(ModelConfig, readsYarnWithItsDefaults) {
    const RopeConfig rope =
        parse("Qwen3ForCausalLM",
              R"("max_position_embeddings":40960,"rope_scaling":{"rope_type":"yarn","factor":4.0,"mscale":0.7})")
            .rope;
    EXPECT_EQ(rope.type, RopeConfig::Type::kYarn);
    EXPECT_EQ(rope.originalMaxPositions, 40960);
    EXPECT_DOUBLE_EQ(rope.betaFast, 32);
    EXPECT_DOUBLE_EQ(rope.betaSlow, 1);
    EXPECT_EQ(rope.mscale, 0.7);
    EXPECT_FALSE(rope.attentionFactor.has_value());
    EXPECT_TRUE(rope.truncate);
}

TEST(ModelConfig, readsSlidingWindowsAsEachFamilyMeansThem) {
    const auto windows = [](const std::string& architecture, const std::string& extra) {
        return parse(architecture, extra).slidingWindow;
    };
    using W = std::vector<int64_t>;
    EXPECT_EQ(windows("LlamaForCausalLM", R"("sliding_window":16)"), (W{0, 0, 0, 0}));
    EXPECT_EQ(windows("MistralForCausalLM", R"("sliding_window":16)"), (W{16, 16, 16, 16}));
    EXPECT_EQ(windows("MistralForCausalLM", R"("sliding_window":null)"), (W{0, 0, 0, 0}));
    EXPECT_EQ(windows("Qwen2ForCausalLM", R"("sliding_window":16,"max_window_layers":2)"), (W{0, 0, 0, 0}));
    EXPECT_EQ(windows("Qwen2ForCausalLM", R"("use_sliding_window":true,"sliding_window":16,"max_window_layers":2)"),
              (W{0, 0, 16, 16}));
    EXPECT_EQ(windows("Qwen3ForCausalLM",
                      R"("use_sliding_window":true,"sliding_window":16,"layer_types":["sliding_attention",)"
                      R"("full_attention","sliding_attention","full_attention"])"),
              (W{16, 0, 16, 0}));
}

TEST(ModelConfig, readsWhichBlocksOfSmolLm3AreWithoutRotary) {
    const auto smol = [](const std::string& extra) {
        return parse("SmolLM3ForCausalLM", R"("num_key_value_heads":2)" + extra);
    };
    using B = std::vector<bool>;
    const ModelConfig model = smol("");
    EXPECT_EQ(model.withoutRotary, (B{false, false, false, true}));
    EXPECT_TRUE(model.hasRotary(2) && !model.hasRotary(3) && parse("LlamaForCausalLM").hasRotary(3));
    EXPECT_TRUE(model.tiedEmbeddings);
    EXPECT_FALSE(model.qkvBias || model.outputBias || model.mlpBias || model.qkNorm);
    EXPECT_DOUBLE_EQ(model.rope.theta, 2e6);
    EXPECT_EQ(model.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    EXPECT_EQ(smol(R"(,"no_rope_layer_interval":2)").withoutRotary, (B{false, true, false, true}));
    EXPECT_EQ(smol(R"(,"no_rope_layers":[0,1,1,0,1],"no_rope_layer_interval":2)").withoutRotary,
              (B{true, false, false, true}));
    EXPECT_EQ(smol(R"(,"use_sliding_window":true,"sliding_window":16)").slidingWindow,
              (std::vector<int64_t>{0, 0, 0, 16}));
    EXPECT_EQ(smol(R"(,"use_sliding_window":true)").slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    EXPECT_FALSE(smol(R"(,"tie_word_embeddings":false)").tiedEmbeddings);
    for (const char* wrong : {R"("no_rope_layers":[1,1,1])", R"("no_rope_layers":[1,1,2,1])", R"("no_rope_layers":1)"})
        expectRefused(ErrorKind::kInvalidInput, wrong, {"no_rope_layers", "4 times 0 or 1"}, "SmolLM3ForCausalLM");
    expectRefused(ErrorKind::kInvalidInput, R"("no_rope_layer_interval":0)", {"no_rope_layer_interval"},
                  "SmolLM3ForCausalLM");
}

TEST(ModelConfig, readsWhatGraniteMultipliesBy) {
    const Multipliers by = parse("GraniteForCausalLM", R"("embedding_multiplier":12,"logits_scaling":8,)"
                                                       R"("residual_multiplier":0.22,"attention_multiplier":0.015625)")
                               .multipliers;
    EXPECT_DOUBLE_EQ(by.embedding, 12);
    EXPECT_DOUBLE_EQ(by.logits, 0.125);
    EXPECT_DOUBLE_EQ(by.residual, 0.22);
    EXPECT_EQ(by.attention, 0.015625);
    const ModelConfig plain = parse("GraniteForCausalLM", R"("attention_bias":true,"mlp_bias":true)");
    EXPECT_TRUE(plain.qkvBias && plain.outputBias && plain.mlpBias);
    EXPECT_EQ(plain.multipliers.attention, 1) << "as transformers, not by the root of the head's size";
    EXPECT_FALSE(parse("LlamaForCausalLM", R"("attention_multiplier":2)").multipliers.attention);
    for (const char* key : {"embedding_multiplier", "logits_scaling", "residual_multiplier", "attention_multiplier"})
        for (const char* value : {"0", "-1", "[]"})
            expectRefused(ErrorKind::kInvalidInput, '"' + std::string(key) + "\":" + value, {key, "number"},
                          "GraniteForCausalLM");
}

const std::string kLongRope = R"("original_max_position_embeddings":16,"max_position_embeddings":64,)"
                              R"("rope_scaling":{"type":"longrope","short_factor":[1,1,2],"long_factor":[1,2,3]},)"
                              R"("partial_rotary_factor":0.75)";

TEST(ModelConfig, readsPhi3) {
    const ModelConfig plain = parse("Phi3ForCausalLM", R"("attention_bias":true)");
    EXPECT_TRUE(plain.fusedLinears);
    EXPECT_FALSE(plain.qkvBias || plain.outputBias || plain.mlpBias || plain.tiedEmbeddings);
    EXPECT_EQ(plain.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    EXPECT_DOUBLE_EQ(plain.rmsNormEps, 1e-5);
    EXPECT_EQ(parse("Phi3ForCausalLM", R"("sliding_window":16)").slidingWindow, (std::vector<int64_t>{16, 16, 16, 16}));
    const RopeConfig rope = parse("Phi3ForCausalLM", kLongRope).rope;
    EXPECT_EQ(rope.type, RopeConfig::Type::kLongRope);
    EXPECT_EQ(rope.originalMaxPositions, 16);
    EXPECT_DOUBLE_EQ(rope.factor, 4);
    EXPECT_NEAR(rope.attentionFactor.value(), std::sqrt(1.5), 1e-15) << "1 + ln 4 / ln 16";
    EXPECT_EQ(rope.shortFactors, (std::vector<double>{1, 1, 2}));
    EXPECT_EQ(rope.longFactors, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(rope.dependsOnLength());
    std::string older = kLongRope;
    older.replace(older.find("longrope"), 8, "su");
    EXPECT_EQ(parse("Phi3ForCausalLM", older).rope.type, RopeConfig::Type::kLongRope);
}

TEST(ModelConfig, readsOlmo2) {
    const ModelConfig olmo = parse("Olmo2ForCausalLM");
    EXPECT_EQ(olmo.family, Family::kOlmo2);
    EXPECT_EQ(olmo.numKvHeads, 8);
    EXPECT_EQ(olmo.headDim, 8);
    EXPECT_EQ(olmo.maxPositions, 2048);
    EXPECT_DOUBLE_EQ(olmo.rmsNormEps, 1e-5);
    EXPECT_DOUBLE_EQ(olmo.rope.theta, 10000.0);
    EXPECT_TRUE(olmo.qkNorm && olmo.qkNormIsWide && olmo.outputNorms);
    EXPECT_FALSE(olmo.inputNorms || olmo.tiedEmbeddings || olmo.qkvBias || olmo.outputBias || olmo.mlpBias);
    EXPECT_EQ(olmo.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    const ModelConfig biased = parse("Olmo2ForCausalLM", R"("attention_bias":true,"mlp_bias":true)");
    EXPECT_TRUE(biased.qkvBias && biased.outputBias);
    EXPECT_FALSE(biased.mlpBias);
    const ModelConfig llama = parse("LlamaForCausalLM");
    EXPECT_TRUE(llama.inputNorms);
    EXPECT_FALSE(llama.qkNormIsWide || llama.outputNorms);
}

TEST(ModelConfig, readsGemma3) {
    const ModelConfig gemma = parse("Gemma3ForCausalLM", R"("num_key_value_heads":2,"torch_dtype":"bfloat16")");
    EXPECT_EQ(gemma.family, Family::kGemma3);
    EXPECT_EQ(gemma.headDim, 256);
    EXPECT_EQ(gemma.maxPositions, 131072);
    EXPECT_TRUE(gemma.tiedEmbeddings && gemma.qkNorm && gemma.inputNorms && gemma.outputNorms);
    EXPECT_TRUE(gemma.normsAddOne && gemma.geluGate);
    EXPECT_FALSE(gemma.qkNormIsWide || gemma.qkvBias || gemma.outputBias || gemma.mlpBias);
    EXPECT_DOUBLE_EQ(gemma.rope.theta, 1e6);
    EXPECT_DOUBLE_EQ(gemma.windowRope.value().theta, 1e4);
    EXPECT_EQ(gemma.slidingWindow, (std::vector<int64_t>{4096, 4096, 4096, 4096})) << "every sixth is full";
    EXPECT_DOUBLE_EQ(gemma.multipliers.embedding, 8) << "the root of the hidden size, 64";
    EXPECT_DOUBLE_EQ(gemma.multipliers.attention.value(), 1.0 / 16);
    EXPECT_DOUBLE_EQ(gemma.multipliers.residual, 1);
    EXPECT_DOUBLE_EQ(gemma.multipliers.logits, 1);

    const ModelConfig older =
        parse("Gemma3ForCausalLM", R"("num_key_value_heads":2,"sliding_window":16,"sliding_window_pattern":2,)"
                                   R"("rope_theta":5000,"rope_local_base_freq":300,"query_pre_attn_scalar":100,)"
                                   R"("rope_scaling":{"rope_type":"linear","factor":8})");
    EXPECT_EQ(older.slidingWindow, (std::vector<int64_t>{16, 0, 16, 0}));
    EXPECT_EQ(older.ropeOf(1).type, RopeConfig::Type::kLinear);
    EXPECT_DOUBLE_EQ(older.ropeOf(1).factor, 8);
    EXPECT_DOUBLE_EQ(older.ropeOf(1).theta, 5000);
    EXPECT_EQ(older.ropeOf(0).type, RopeConfig::Type::kDefault) << "scaling is of the full blocks alone";
    EXPECT_DOUBLE_EQ(older.ropeOf(0).theta, 300);
    EXPECT_DOUBLE_EQ(older.multipliers.attention.value(), 0.1);

    const ModelConfig newer =
        parse("Gemma3ForCausalLM",
              R"("num_key_value_heads":2,"sliding_window":16,"layer_types":["full_attention","sliding_attention",)"
              R"("sliding_attention","full_attention"],"rope_parameters":{"full_attention":{"rope_type":"linear",)"
              R"("factor":4,"rope_theta":7000},"sliding_attention":{"rope_type":"default","rope_theta":200}})");
    EXPECT_EQ(newer.slidingWindow, (std::vector<int64_t>{0, 16, 16, 0}));
    EXPECT_DOUBLE_EQ(newer.ropeOf(0).theta, 7000);
    EXPECT_DOUBLE_EQ(newer.ropeOf(0).factor, 4);
    EXPECT_DOUBLE_EQ(newer.ropeOf(1).theta, 200);
}

// As published: what transformers' Gemma3TextConfig assumes is left out.
TEST(ModelConfig, readsTheTextPartOfGemma3WithPictures) {
    const auto parsed = [](const std::string& text, const std::string& top) {
        return parseModelConfig(R"({"architectures":["Gemma3ForConditionalGeneration"],"model_type":"gemma3",)"
                                R"("text_config":{"model_type":"gemma3_text",)" +
                                    text + R"(},"vision_config":{"hidden_size":1152,"vocab_size":7},)" + top + "}",
                                "config.json");
    };
    const ModelConfig model = parsed(R"("hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":34,)"
                                     R"("rope_scaling":{"factor":8.0,"rope_type":"linear"},"sliding_window":1024)",
                                     R"("eos_token_id":[1,106],"torch_dtype":"bfloat16")");
    EXPECT_EQ(model.family, Family::kGemma3);
    EXPECT_EQ(model.architecture, "Gemma3ForConditionalGeneration");
    EXPECT_EQ(model.vocabSize, 262208);
    EXPECT_EQ(model.hiddenSize, 2560);
    EXPECT_EQ(model.numHeads, 8);
    EXPECT_EQ(model.numKvHeads, 4);
    EXPECT_EQ(model.headDim, 256);
    EXPECT_EQ(model.maxPositions, 131072);
    EXPECT_EQ(model.dtype, DType::kBF16);
    EXPECT_EQ(model.eosIds, (std::vector<int32_t>{1, 106}));
    EXPECT_TRUE(model.tiedEmbeddings && model.normsAddOne && model.geluGate && model.qkNorm);
    EXPECT_EQ(model.slidingWindow[4], 1024);
    EXPECT_EQ(model.slidingWindow[5], 0);
    EXPECT_EQ(model.ropeOf(5).type, RopeConfig::Type::kLinear);
    EXPECT_DOUBLE_EQ(model.ropeOf(5).factor, 8);
    EXPECT_EQ(model.ropeOf(4).type, RopeConfig::Type::kDefault);
    EXPECT_DOUBLE_EQ(model.ropeOf(4).theta, 1e4);
    EXPECT_DOUBLE_EQ(model.multipliers.embedding, 50.5) << "the root of 2560 in bf16";
    EXPECT_DOUBLE_EQ(model.multipliers.attention.value(), 1.0 / 16);

    const ModelConfig larger = parsed(
        R"("hidden_size":5376,"intermediate_size":21504,"num_hidden_layers":62,"num_attention_heads":32,)"
        R"("num_key_value_heads":16,"head_dim":128,"query_pre_attn_scalar":168,"vocab_size":300000,"dtype":"float16")",
        R"("tie_word_embeddings":false)");
    EXPECT_EQ(larger.vocabSize, 300000);
    EXPECT_EQ(larger.numHeads, 32);
    EXPECT_EQ(larger.headDim, 128);
    EXPECT_DOUBLE_EQ(larger.multipliers.attention.value(), 1 / std::sqrt(168.0));
    EXPECT_EQ(larger.dtype, DType::kF16);
    EXPECT_FALSE(larger.tiedEmbeddings) << "which the whole model's config says";

    const std::string sizes = R"("hidden_size":64,"intermediate_size":96,"num_hidden_layers":4)";
    using enum ErrorKind;
    const auto refused = [&](ErrorKind kind, const std::string& text, const std::string& top,
                             std::initializer_list<std::string> words) {
        SCOPED_TRACE(text + top);
        expectError(kind, words, [&] { parsed(text, top); });
    };
    const std::string none = R"("bos_token_id":2)";
    refused(kInvalidInput, R"("hidden_size":64,"intermediate_size":96)", none, {"'text_config.num_hidden_layers'"});
    refused(kInvalidInput, sizes + R"(,"num_attention_heads":0)", none, {"'text_config.num_attention_heads'"});
    refused(kInvalidInput, sizes + R"(,"rope_scaling":{"rope_type":"linear","factor":0})", none,
            {"'text_config.rope_scaling.factor'"});
    refused(kUnsupported, sizes + R"(,"final_logit_softcapping":30.0)", none, {"final_logit_softcapping"});
    refused(kUnsupported, sizes, R"("quantization_config":{"quant_method":"gptq"})", {"quantization_config", "gptq"});
    expectError(kInvalidInput, {"'text_config'", "missing"}, [] {
        parseModelConfig(R"({"architectures":["Gemma3ForConditionalGeneration"],"hidden_size":64})", "config.json");
    });
    expectError(kInvalidInput, {"'text_config'", "object"}, [] {
        parseModelConfig(R"({"architectures":["Gemma3ForConditionalGeneration"],"text_config":"x"})", "config.json");
    });
}

// The table's factor is a tensor of the table's type.
TEST(ModelConfig, roundsTheFactorOfGemmasEmbedding) {
    const auto factor = [](const char* type) {
        return parse("Gemma3ForCausalLM",
                     R"("num_key_value_heads":2,"hidden_size":1152,"torch_dtype":")" + std::string(type) + "\"")
            .multipliers.embedding;
    };
    EXPECT_DOUBLE_EQ(factor("bfloat16"), 34);
    EXPECT_DOUBLE_EQ(factor("float16"), 33.9375);
    EXPECT_DOUBLE_EQ(factor("float32"), static_cast<float>(std::sqrt(1152.0)));
}

TEST(ModelConfig, namesWhatOfGemmaIsNotSupported) {
    using enum ErrorKind;
    const auto refused = [](ErrorKind kind, const std::string& extra, std::initializer_list<std::string> words) {
        expectRefused(kind, R"("num_key_value_heads":2,)" + extra, words, "Gemma3ForCausalLM");
    };
    refused(kUnsupported, R"("final_logit_softcapping":30.0)", {"final_logit_softcapping"});
    refused(kUnsupported, R"("attn_logit_softcapping":50.0)", {"attn_logit_softcapping"});
    refused(kUnsupported, R"("use_bidirectional_attention":true)", {"use_bidirectional_attention"});
    refused(kUnsupported, R"("hidden_activation":"gelu")", {"hidden_activation", "gelu_pytorch_tanh"});
    refused(kUnsupported,
            R"("rope_parameters":{"full_attention":{},"sliding_attention":{"rope_type":"dynamic","factor":2}})",
            {"window"});
    refused(kInvalidInput, R"("rope_local_base_freq":1)", {"rope_local_base_freq"});
    refused(kInvalidInput, R"("query_pre_attn_scalar":0)", {"query_pre_attn_scalar"});
    refused(kInvalidInput, R"("sliding_window_pattern":0)", {"sliding_window_pattern"});
}

TEST(ModelConfig, namesTheFieldOfAnAbsurdPhi3) {
    const auto refused = [](const std::string& extra, std::initializer_list<std::string> words) {
        expectRefused(ErrorKind::kInvalidInput, extra, words, "Phi3ForCausalLM");
    };
    refused(R"("partial_rotary_factor":1.5)", {"partial_rotary_factor", "1.5"});
    refused(R"("partial_rotary_factor":0.4)", {"partial_rotary_factor", "even"}); // 3 of 8
    refused(R"("rope_scaling":{"type":"longrope","long_factor":[1,1,1,1]})", {"short_factor"});
    refused(R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1,1]})", {"long_factor"});
    refused(R"("rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[1,1]})", {"short_factor", "4"});
    refused(R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1,0],"long_factor":[1,1,1,1]})",
            {"short_factor", "above 0"});
    refused(R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1,"a"],"long_factor":[1,1,1,1]})",
            {"short_factor", "numbers"});
    refused(R"("original_max_position_embeddings":1,"rope_scaling":{"type":"longrope","short_factor":[1,1,1,1],)"
            R"("long_factor":[1,1,1,1]})",
            {"original_max_position_embeddings", "2"});
}

TEST(ModelConfig, readsBothSpellingsOfTheDtype) {
    EXPECT_EQ(parse("LlamaForCausalLM", R"("torch_dtype":"bfloat16")").dtype, DType::kBF16);
    EXPECT_EQ(parse("LlamaForCausalLM", R"("dtype":"float16")").dtype, DType::kF16);
    EXPECT_EQ(parse("LlamaForCausalLM").dtype, DType::kF32);
    expectRefused(ErrorKind::kUnsupported, R"("dtype":"float8_e4m3fn")", {"dtype", "float8_e4m3fn"});
}

TEST(ModelConfig, mergesGenerationConfig) {
    const testing::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "config.json",
                        configText("Qwen3ForCausalLM", R"("eos_token_id":7,"bos_token_id":3)"));
    EXPECT_EQ(readModelConfig(folder.path()).eosIds, (std::vector<int32_t>{7}));
    writeFileAtomically(folder.path() / "generation_config.json",
                        R"({"eos_token_id":[9,7],"pad_token_id":11,"bos_token_id":4})");
    const ModelConfig config = readModelConfig(folder.path());
    EXPECT_EQ(config.eosIds, (std::vector<int32_t>{7, 9}));
    EXPECT_EQ(config.bosId, 3);
    EXPECT_EQ(config.padId, 11);
    EXPECT_EQ(readModelConfig(folder.path() / "config.json").eosIds, (std::vector<int32_t>{7}));
}

TEST(ModelConfig, takesTheArchitectureFromTheModelTypeWhereItIsNotNamed) {
    const std::string text = R"({"model_type":"qwen2","vocab_size":10,"hidden_size":8,"intermediate_size":8,)"
                             R"("num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1})";
    EXPECT_EQ(parseModelConfig(text, "config.json").architecture, "Qwen2ForCausalLM");
}

TEST(ModelConfig, refusesWhatCannotRunByName) {
    const auto kUnsupported = ErrorKind::kUnsupported;
    expectRefused(kUnsupported, "", {"Gemma2ForCausalLM", "LlamaForCausalLM", "Qwen3ForCausalLM", "SmolLM3ForCausalLM"},
                  "Gemma2ForCausalLM");
    expectRefused(kUnsupported, R"("quantization_config":{"quant_method":"gptq"})", {"quantis", "gptq", "bfloat16"});
    expectRefused(kUnsupported, R"("quantization_config":{"quant_method":7})", {"quantization_config"});
    expectRefused(kUnsupported, R"("hidden_act":"gelu")", {"hidden_act", "gelu", "silu"});
    expectRefused(kUnsupported, R"("rope_scaling":{"type":"ntk","factor":2})", {"ntk", "yarn", "longrope"});
    expectRefused(kUnsupported, R"("partial_rotary_factor":0.5)", {"partial_rotary_factor"});
    expectRefused(kUnsupported, R"("model_type":"mistral")", {"mistral", "LlamaForCausalLM"});
    expectRefused(kUnsupported,
                  R"("layer_types":["full_attention","linear_attention","full_attention","full_attention"])",
                  {"linear_attention", "layer_types"}, "Qwen3ForCausalLM");
}

TEST(ModelConfig, namesTheFieldOfAnAbsurdValue) {
    const auto kBad = ErrorKind::kInvalidInput;
    expectRefused(kBad, R"("num_attention_heads":0)", {"config.json", "num_attention_heads", "0"});
    expectRefused(kBad, R"("hidden_size":-64)", {"hidden_size", "-64"});
    expectRefused(kBad, R"("hidden_size":60)", {"hidden_size", "multiple of num_attention_heads"});
    expectRefused(kBad, R"("num_key_value_heads":3)", {"num_key_value_heads", "divisor"});
    expectRefused(kBad, R"("head_dim":7)", {"head_dim", "even"});
    expectRefused(kBad, R"("vocab_size":"many")", {"vocab_size", "many"});
    expectRefused(kBad, R"("vocab_size":18446744073709551615)", {"vocab_size"});
    expectRefused(kBad, R"("vocab_size":null)", {"vocab_size", "missing"});
    expectRefused(kBad, R"("num_hidden_layers":1e9)", {"num_hidden_layers"});
    expectRefused(kBad, R"("intermediate_size":12.5)", {"intermediate_size"});
    expectRefused(kBad, R"("rms_norm_eps":0)", {"rms_norm_eps"});
    expectRefused(kBad, R"("tie_word_embeddings":"yes")", {"tie_word_embeddings", "yes"});
    expectRefused(kBad, R"("eos_token_id":["a"])", {"eos_token_id"});
    expectRefused(kBad, R"("rope_theta":-1)", {"rope_theta"});
    expectRefused(kBad, R"("rope_scaling":"linear")", {"rope_scaling", "object"});
    expectRefused(kBad, R"("rope_scaling":{"type":"linear"})", {"factor"});
    expectRefused(kBad, R"("rope_scaling":{"type":"linear","factor":0})", {"rope_scaling.factor"});
    expectRefused(kBad, R"("architectures":[])", {"architectures"});
    expectRefused(kBad, R"("layer_types":["full_attention"])", {"layer_types", "4"}, "Qwen3ForCausalLM");
    expectRefused(kBad, R"("sliding_window":0)", {"sliding_window"}, "MistralForCausalLM");
}

// What families of mixtures of experts need beside configText().
const std::string kQwen3Moe = R"("num_experts":16,"num_experts_per_tok":2,"moe_intermediate_size":32)";
const std::string kQwen2Moe = kQwen3Moe + R"(,"shared_expert_intermediate_size":48)";
const std::string kMixtral = R"("num_local_experts":8,"num_experts_per_tok":2)";
const std::string kGptOss = R"("num_local_experts":8,"num_experts_per_tok":2)";

TEST(ModelConfig, readsWhichBlocksAreSparse) {
    const auto sparse = [](const std::string& extra) {
        return parse("Qwen3MoeForCausalLM", kQwen3Moe + extra).experts.sparse;
    };
    EXPECT_EQ(sparse(""), (std::vector<bool>{true, true, true, true}));
    EXPECT_EQ(sparse(R"(,"decoder_sparse_step":2)"), (std::vector<bool>{false, true, false, true}));
    EXPECT_EQ(sparse(R"(,"mlp_only_layers":[0,3])"), (std::vector<bool>{false, true, true, false}));
    EXPECT_TRUE(parse("Qwen3ForCausalLM").experts.sparse.empty());
    EXPECT_FALSE(parse("Qwen3ForCausalLM").experts.isSparse(0));
}

TEST(ModelConfig, readsMixtral) {
    const ModelConfig mixtral = parse("MixtralForCausalLM", kMixtral);
    EXPECT_EQ(mixtral.experts.count, 8);
    EXPECT_EQ(mixtral.experts.perToken, 2);
    EXPECT_EQ(mixtral.experts.intermediateSize, 96);
    EXPECT_EQ(mixtral.experts.sparse, (std::vector<bool>{true, true, true, true}));
    EXPECT_TRUE(mixtral.experts.normalised);
    EXPECT_FALSE(mixtral.experts.stacked || mixtral.qkNorm || mixtral.qkvBias || mixtral.outputBias);
    EXPECT_EQ(mixtral.numKvHeads, 8);
    EXPECT_EQ(mixtral.maxPositions, 131072);
    EXPECT_DOUBLE_EQ(mixtral.rope.theta, 1e6);
    EXPECT_DOUBLE_EQ(mixtral.rmsNormEps, 1e-5);
    EXPECT_EQ(mixtral.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    const ModelConfig given =
        parse("MixtralForCausalLM", R"("num_experts":4,"num_experts_per_tok":1,"rope_theta":5000,)"
                                    R"("sliding_window":16,"attention_bias":true)");
    EXPECT_EQ(given.experts.count, 4);
    EXPECT_DOUBLE_EQ(given.rope.theta, 5000);
    EXPECT_EQ(given.slidingWindow, (std::vector<int64_t>{16, 16, 16, 16}));
    EXPECT_FALSE(given.qkvBias);
    expectRefused(ErrorKind::kInvalidInput, R"("num_experts_per_tok":2)", {"num_local_experts", "missing"},
                  "MixtralForCausalLM");
}

TEST(ModelConfig, readsQwen2Moe) {
    const ModelConfig plain = parse("Qwen2MoeForCausalLM", kQwen2Moe + R"(,"num_attention_heads":16)");
    EXPECT_EQ(plain.experts.count, 16);
    EXPECT_EQ(plain.experts.intermediateSize, 32);
    EXPECT_EQ(plain.experts.sharedSize, 48);
    EXPECT_TRUE(plain.qkvBias);
    EXPECT_FALSE(plain.outputBias || plain.qkNorm || plain.experts.normalised || plain.experts.stacked);
    EXPECT_EQ(plain.numKvHeads, 16);
    EXPECT_EQ(plain.slidingWindow, (std::vector<int64_t>{0, 0, 0, 0}));
    const auto with = [](const std::string& extra) {
        return parse("Qwen2MoeForCausalLM", kQwen2Moe + R"(,"num_key_value_heads":2,)" + extra);
    };
    EXPECT_FALSE(with(R"("qkv_bias":false)").qkvBias);
    EXPECT_TRUE(with(R"("norm_topk_prob":true)").experts.normalised);
    EXPECT_EQ(with(R"("decoder_sparse_step":2,"mlp_only_layers":[1])").experts.sparse,
              (std::vector<bool>{false, false, false, true}));
    using W = std::vector<int64_t>;
    EXPECT_EQ(with(R"("sliding_window":0,"use_sliding_window":false)").slidingWindow, (W{0, 0, 0, 0})); // as saved
    EXPECT_EQ(with(R"("sliding_window":8,"use_sliding_window":true)").slidingWindow, (W{8, 0, 8, 0}));
    EXPECT_EQ(with(R"("sliding_window":8,"use_sliding_window":true,"max_window_layers":2)").slidingWindow,
              (W{8, 0, 0, 0}));
    expectRefused(ErrorKind::kInvalidInput, kQwen3Moe + R"(,"num_key_value_heads":2)",
                  {"shared_expert_intermediate_size", "missing"}, "Qwen2MoeForCausalLM");
    EXPECT_EQ(parse("Qwen3MoeForCausalLM", kQwen2Moe).experts.sharedSize, 0);
}

TEST(ModelConfig, readsExpertsInBothSpellings) {
    const ModelConfig qwen = parse("Qwen3MoeForCausalLM", kQwen3Moe);
    EXPECT_EQ(qwen.experts.count, 16);
    EXPECT_EQ(qwen.experts.perToken, 2);
    EXPECT_EQ(qwen.experts.intermediateSize, 32);
    EXPECT_EQ(qwen.numKvHeads, 4);
    EXPECT_TRUE(qwen.qkNorm);
    EXPECT_FALSE(qwen.experts.stacked || qwen.attentionSinks || qwen.experts.normalised);
    EXPECT_TRUE(parse("Qwen3MoeForCausalLM", kQwen3Moe + R"(,"norm_topk_prob":true)").experts.normalised);
    EXPECT_EQ(parse("Qwen3MoeForCausalLM", R"("num_local_experts":4,"num_experts_per_tok":2,"moe_intermediate_size":8)")
                  .experts.count,
              4);

    const ModelConfig gptOss = parse("GptOssForCausalLM", kGptOss);
    EXPECT_EQ(gptOss.experts.count, 8);
    EXPECT_EQ(gptOss.experts.intermediateSize, 96);
    EXPECT_TRUE(gptOss.experts.stacked && gptOss.attentionSinks && gptOss.qkvBias && gptOss.outputBias);
    EXPECT_FALSE(gptOss.experts.mxfp4 || gptOss.qkNorm);
    EXPECT_EQ(gptOss.headDim, 64);
    EXPECT_EQ(gptOss.slidingWindow, (std::vector<int64_t>{128, 0, 128, 0}));
    EXPECT_EQ(gptOss.rope.type, RopeConfig::Type::kYarn);
    EXPECT_DOUBLE_EQ(gptOss.rope.factor, 32);
    EXPECT_DOUBLE_EQ(gptOss.rope.theta, 150000);
    EXPECT_FALSE(gptOss.rope.truncate);
    EXPECT_EQ(gptOss.dtype, DType::kF32);
    EXPECT_DOUBLE_EQ(gptOss.experts.gateLimit, 7);
    EXPECT_DOUBLE_EQ(gptOss.experts.gateSlope, 1.702);
    const ModelConfig otherGate = parse("GptOssForCausalLM", kGptOss + R"(,"swiglu_limit":5,"swiglu_alpha":1)");
    EXPECT_DOUBLE_EQ(otherGate.experts.gateLimit, 5);
    EXPECT_DOUBLE_EQ(otherGate.experts.gateSlope, 1);
    const ModelConfig packed =
        parse("GptOssForCausalLM", kGptOss + R"(,"quantization_config":{"quant_method":"mxfp4"})");
    EXPECT_TRUE(packed.experts.mxfp4);
    EXPECT_EQ(packed.dtype, DType::kBF16);
}

TEST(ModelConfig, namesTheFieldOfAbsurdExperts) {
    const auto refused = [](const std::string& extra, std::initializer_list<std::string> words) {
        expectRefused(ErrorKind::kInvalidInput, extra, words, "Qwen3MoeForCausalLM");
    };
    refused(R"("num_experts_per_tok":2,"moe_intermediate_size":8)", {"num_experts", "missing"});
    refused(R"("num_experts":4,"moe_intermediate_size":8)", {"num_experts_per_tok", "missing"});
    refused(R"("num_experts":4,"num_experts_per_tok":2)", {"moe_intermediate_size", "missing"});
    refused(R"("num_experts":4,"num_experts_per_tok":5,"moe_intermediate_size":8)", {"num_experts_per_tok", "5", "4"});
    refused(R"("num_experts":0,"num_experts_per_tok":1,"moe_intermediate_size":8)", {"num_experts", "0"});
    refused(R"("num_experts":99999999,"num_experts_per_tok":1,"moe_intermediate_size":8)", {"num_experts"});
    refused(kQwen3Moe + R"(,"decoder_sparse_step":0)", {"decoder_sparse_step"});
    refused(kQwen3Moe + R"(,"mlp_only_layers":[4])", {"mlp_only_layers", "3"});
    refused(kQwen3Moe + R"(,"mlp_only_layers":["a"])", {"mlp_only_layers"});
    const std::string mxfp4 = R"("quantization_config":{"quant_method":"mxfp4"})";
    expectRefused(ErrorKind::kInvalidInput, kGptOss + R"(,"hidden_size":72,)" + mxfp4, {"hidden_size", "32"},
                  "GptOssForCausalLM");
    expectRefused(ErrorKind::kUnsupported, mxfp4, {"mxfp4", "quantis"}, "LlamaForCausalLM");
    expectRefused(ErrorKind::kUnsupported, kGptOss + R"(,"quantization_config":{"quant_method":"awq"})", {"awq"},
                  "GptOssForCausalLM");
}

TEST(ModelConfig, refusesToTrainAllWeightsOfStackedExperts) {
    EXPECT_NO_THROW(requireWholeTrainable(parse("Qwen3ForCausalLM")));
    EXPECT_NO_THROW(requireWholeTrainable(parse("Qwen3MoeForCausalLM", kQwen3Moe)));
    expectError(ErrorKind::kUnsupported, {"gpt-oss", "All weights", "stacked", "lora"},
                [] { requireWholeTrainable(parse("GptOssForCausalLM", kGptOss)); });
}

TEST(ModelConfig, namesAFileThatIsNoConfig) {
    expectError(ErrorKind::kInvalidInput, {"x.json", "JSON"}, [] { parseModelConfig("{\"a\":", "x.json"); });
    expectError(ErrorKind::kInvalidInput, {"x.json", "object"}, [] { parseModelConfig("[]", "x.json"); });
    expectError(ErrorKind::kInvalidInput, {"architectures", "model_type"}, [] { parseModelConfig("{}", "x.json"); });
    const testing::TemporaryFolder folder;
    expectError(ErrorKind::kIo, {"config.json", folder.path().string()}, [&] { readModelConfig(folder.path()); });
    expectError(ErrorKind::kIo, {"absent", "model.path"}, [&] { readModelConfig(folder.path() / "absent"); });
}

TEST(ModelConfig, refusesEveryUnsupportedFixtureWithItsArchitecture) {
    RP_REQUIRE_FIXTURES();
    const auto configs = testing::fixtures() / "configs";
    const std::pair<const char*, const char*> cases[] = {
        {"DeepSeek-V3.json", "DeepseekV3ForCausalLM"},
        {"gemma-4-26B-A4B.json", "Gemma4ForConditionalGeneration"},
        {"Qwen3.5-27B.json", "Qwen3_5ForConditionalGeneration"},
        {"Qwen3-32B-FP8.json", "fp8"},
    };
    for (const auto& [file, word] : cases)
        expectError(ErrorKind::kUnsupported, {file, word}, [&] { readModelConfig(configs / file); });
}

} // namespace
} // namespace roundpipe::arch
