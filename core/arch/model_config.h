// SPDX-License-Identifier: GPL-3.0-or-later
// What config.json says, in one spelling, whatever Hugging Face version wrote it.
#pragma once

#include "arch/experts_config.h"
#include "arch/rope_config.h"
#include "base/dtype.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::arch {

enum class Family {
    kLlama,
    kMistral,
    kQwen2,
    kQwen3,
    kMixtral,
    kQwen2Moe,
    kQwen3Moe,
    kGptOss,
    kSmolLm3,
    kGranite,
    kPhi3,
    kOlmo2,
    kGemma3
};

// What Granite and Gemma multiply by, beside a Llama.
struct Multipliers {
    double embedding = 1; // what the table gives
    double residual = 1;  // what either half of a block adds to what it was given
    double logits = 1;
    std::optional<double> attention; // queries times keys; nothing: one by the root of the head's size
};

struct ModelConfig {
    Family family = Family::kLlama;
    std::string architecture; // "Qwen3ForCausalLM", as in config.json
    int64_t vocabSize = 0;
    int64_t hiddenSize = 0;
    int64_t intermediateSize = 0; // of a dense block's MLP
    int64_t numLayers = 0;        // decoder blocks
    int64_t numHeads = 0;
    int64_t numKvHeads = 0;
    int64_t headDim = 0;
    int64_t maxPositions = 0;
    double rmsNormEps = 1e-6;
    RopeConfig rope;
    std::optional<RopeConfig> windowRope; // of blocks that look at a window, where it is another one (Gemma 3)
    bool qkNorm = false;                  // RMSNorm over each head of q and k (Qwen3)
    bool qkNormIsWide = false;            // over all heads of q and all of k instead (OLMo-2)
    bool inputNorms = true;               // RMSNorm of what either half of a block reads
    bool outputNorms = false;             // of what it adds to that (OLMo-2)
    bool normsAddOne = false;             // they multiply by 1 + w (Gemma)
    bool geluGate = false;                // GELU, by its tanh formula, in place of SiLU (Gemma)
    bool qkvBias = false;                 // q_proj, k_proj, v_proj
    bool outputBias = false;              // o_proj (Llama's attention_bias sets both)
    bool mlpBias = false;                 // gate_proj, up_proj, down_proj
    bool fusedLinears = false;            // q, k and v are one linear, gate and up another (Phi-3)
    bool tiedEmbeddings = false;
    bool attentionSinks = false; // a learned logit a head that takes part in the softmax (gpt-oss)
    ExpertsConfig experts;
    Multipliers multipliers;
    std::vector<int64_t> slidingWindow; // per decoder block; 0: full attention
    std::vector<bool> withoutRotary;    // per decoder block; empty: all turn queries and keys (SmolLM3: not every one)
    const RopeConfig& ropeOf(int64_t block) const {
        return windowRope && slidingWindow[static_cast<std::size_t>(block)] > 0 ? *windowRope : rope;
    }
    bool hasRotary(int64_t block) const {
        return withoutRotary.empty() || !withoutRotary[static_cast<std::size_t>(block)];
    }
    DType dtype = DType::kF32;   // as stored
    std::vector<int32_t> eosIds; // config.json and generation_config.json together
    std::optional<int32_t> bosId;
    std::optional<int32_t> padId;
};

// Reads `folder`/config.json (or the file itself). Throws kUnsupported for another architecture, activation or a
// quantization_config (with advice; gpt-oss's own is taken), kInvalidInput naming the field for a missing or absurd
// value. A model that can be read can be inspected and planned.
ModelConfig readModelConfig(const std::filesystem::path& folderOrFile);
ModelConfig parseModelConfig(std::string_view json, const std::string& nameForErrors);

// Throws kUnsupported for a model of which all weights together can be planned, but not be trained yet.
void requireWholeTrainable(const ModelConfig& config);

} // namespace roundpipe::arch
