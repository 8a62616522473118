// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/families.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::arch {
namespace {

constexpr FamilyRules kGemma3Text{.family = Family::kGemma3,
                                  .architecture = "Gemma3ForCausalLM",
                                  .modelType = "gemma3_text",
                                  .name = "Gemma 3",
                                  .maxPositions = 131072,
                                  .headDim = 256,
                                  .numKvHeads = 4,
                                  .ropeTheta = 1e6,
                                  .tied = true,
                                  .window = 4096,
                                  .biases = BiasRule::kWhereSaid,
                                  .windows = WindowRule::kAllButEveryNth,
                                  .qkNorm = true,
                                  .outputNorms = true,
                                  .normsAddOne = true,
                                  .geluGate = true,
                                  .rootedScales = true,
                                  .windowRope = true};

// Their configs leave out what others must say.
constexpr FamilyRules withPictures(FamilyRules text) {
    text.architecture = "Gemma3ForConditionalGeneration";
    text.modelType = "gemma3";
    text.name = "Gemma 3 (text part)";
    text.textPart = true;
    text.vocabSize = 262208;
    text.numHeads = 8;
    return text;
}

constexpr FamilyRules kFamilies[] = {
    {.family = Family::kLlama,
     .architecture = "LlamaForCausalLM",
     .modelType = "llama",
     .name = "Llama",
     .maxPositions = 2048,
     .biases = BiasRule::kWhereSaid,
     .mlpBias = true,
     .headsShareHidden = true},
    {.family = Family::kMistral,
     .architecture = "MistralForCausalLM",
     .modelType = "mistral",
     .name = "Mistral",
     .maxPositions = 131072,
     .numKvHeads = 8,
     .window = 4096,
     .windows = WindowRule::kEveryBlock},
    {.family = Family::kMixtral,
     .architecture = "MixtralForCausalLM",
     .modelType = "mixtral",
     .name = "Mixtral",
     .maxPositions = 131072,
     .numKvHeads = 8,
     .ropeTheta = 1e6,
     .rmsNormEps = 1e-5,
     .windows = WindowRule::kEveryBlock,
     .experts = ExpertsRule::kEveryBlock},
    {.family = Family::kQwen2,
     .architecture = "Qwen2ForCausalLM",
     .modelType = "qwen2",
     .name = "Qwen2",
     .maxPositions = 32768,
     .window = 4096,
     .biases = BiasRule::kQkv,
     .windows = WindowRule::kFromABlockOn},
    {.family = Family::kQwen2Moe,
     .architecture = "Qwen2MoeForCausalLM",
     .modelType = "qwen2_moe",
     .name = "Qwen2-MoE",
     .maxPositions = 32768,
     .numKvHeads = 16,
     .window = 4096,
     .biases = BiasRule::kQkvUnlessSaid,
     .windows = WindowRule::kEverySecondBeforeABlock,
     .experts = ExpertsRule::kSparseBlocksShared},
    {.family = Family::kQwen3,
     .architecture = "Qwen3ForCausalLM",
     .modelType = "qwen3",
     .name = "Qwen3",
     .maxPositions = 32768,
     .headDim = 128,
     .window = 4096,
     .biases = BiasRule::kWhereSaid,
     .windows = WindowRule::kFromABlockOn,
     .qkNorm = true},
    {.family = Family::kQwen3Moe,
     .architecture = "Qwen3MoeForCausalLM",
     .modelType = "qwen3_moe",
     .name = "Qwen3-MoE",
     .maxPositions = 32768,
     .numKvHeads = 4,
     .window = 4096,
     .biases = BiasRule::kWhereSaid,
     .windows = WindowRule::kEveryBlockWhereSaid,
     .experts = ExpertsRule::kSparseBlocks,
     .qkNorm = true},
    {.family = Family::kGptOss,
     .architecture = "GptOssForCausalLM",
     .modelType = "gpt_oss",
     .name = "gpt-oss",
     .maxPositions = 131072,
     .headDim = 64,
     .numKvHeads = 8,
     .ropeTheta = 150000,
     .rmsNormEps = 1e-5,
     .window = 128,
     .biases = BiasRule::kUnlessSaidOtherwise,
     .windows = WindowRule::kEverySecond,
     .experts = ExpertsRule::kEveryBlockStacked,
     .sinks = true,
     .rotaryScaling = R"({"rope_type": "yarn", "factor": 32.0, "truncate": false,
                          "original_max_position_embeddings": 4096})"},
    {.family = Family::kSmolLm3,
     .architecture = "SmolLM3ForCausalLM",
     .modelType = "smollm3",
     .name = "SmolLM3",
     .maxPositions = 32768,
     .numKvHeads = 4,
     .ropeTheta = 2e6,
     .tied = true,
     .biases = BiasRule::kWhereSaid,
     .windows = WindowRule::kBlocksWithoutRotary,
     .mlpBias = true,
     .withoutRotary = true},
    {.family = Family::kGranite,
     .architecture = "GraniteForCausalLM",
     .modelType = "granite",
     .name = "Granite",
     .maxPositions = 2048,
     .biases = BiasRule::kWhereSaid,
     .mlpBias = true,
     .multipliers = true},
    {.family = Family::kPhi3,
     .architecture = "Phi3ForCausalLM",
     .modelType = "phi3",
     .name = "Phi-3",
     .maxPositions = 4096,
     .rmsNormEps = 1e-5,
     .windows = WindowRule::kEveryBlock,
     .fusedLinears = true,
     .partialRotary = true,
     .longRopeAsYarn = true},
    {.family = Family::kOlmo2,
     .architecture = "Olmo2ForCausalLM",
     .modelType = "olmo2",
     .name = "OLMo-2",
     .maxPositions = 2048,
     .rmsNormEps = 1e-5,
     .biases = BiasRule::kWhereSaid,
     .qkNorm = true,
     .qkNormIsWide = true,
     .inputNorms = false,
     .outputNorms = true},
    kGemma3Text,
    withPictures(kGemma3Text),
};

} // namespace

std::span<const FamilyRules> families() {
    return kFamilies;
}

const FamilyRules& rulesOf(const ModelConfig& config) {
    const auto* found = std::ranges::find(kFamilies, config.architecture, &FamilyRules::architecture);
    if (found == std::end(kFamilies)) found = std::ranges::find(kFamilies, config.family, &FamilyRules::family);
    RP_CHECK(found != std::end(kFamilies));
    return *found;
}

} // namespace roundpipe::arch
