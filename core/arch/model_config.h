// SPDX-License-Identifier: GPL-3.0-or-later
// What config.json says, in one spelling, whatever Hugging Face version wrote it.
#pragma once

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
    kPhi3
};

// Rotary scaling (transformers modeling_rope_utils). Fields that a type doesn't use keep their defaults.
struct RopeConfig {
    enum class Type { kDefault, kLinear, kDynamic, kLlama3, kYarn, kLongRope };
    Type type = Type::kDefault;
    double theta = 10000.0;
    double partialRotaryFactor = 1.0;
    double factor = 1.0;
    int64_t originalMaxPositions = 0;      // 0: not given
    double lowFrequencyFactor = 1.0;       // llama3
    double highFrequencyFactor = 4.0;      // llama3
    double betaFast = 32.0;                // yarn
    double betaSlow = 1.0;                 // yarn
    std::optional<double> mscale;          // yarn
    std::optional<double> mscaleAllDim;    // yarn
    std::optional<double> attentionFactor; // yarn; always there of longrope
    bool truncate = true;                  // yarn
    std::vector<double> shortFactors;      // longrope: of each period, for sequences up to originalMaxPositions
    std::vector<double> longFactors;       // longrope: for longer ones
    // Whether the frequencies depend on the length of a sequence.
    bool dependsOnLength() const { return type == Type::kDynamic || type == Type::kLongRope; }
};

// The experts of a mixture-of-experts model. A sparse block has a router and `count` experts in the place of one MLP;
// each token goes through `perToken` of them.
struct ExpertsConfig {
    int64_t count = 0; // 0: a dense model
    int64_t perToken = 0;
    int64_t intermediateSize = 0; // of one expert
    int64_t sharedSize = 0;       // likewise, of one more that every token goes through; 0: none (Qwen2-MoE)
    bool normalised = false;      // a token's routing weights are divided by their sum
    bool stacked = false;     // all experts of a block in one tensor, gate and up interleaved, with biases (gpt-oss)
    bool mxfp4 = false;       // the stacked weights are stored in 4 bits, with an 8-bit scale for every 32
    std::vector<bool> sparse; // per decoder block; empty for a dense model
    bool isSparse(int64_t block) const { return !sparse.empty() && sparse[static_cast<std::size_t>(block)]; }
};

// What Granite multiplies by, beside a Llama.
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
    bool qkNorm = false;       // RMSNorm over each head of q and k (Qwen3)
    bool qkvBias = false;      // q_proj, k_proj, v_proj
    bool outputBias = false;   // o_proj (Llama's attention_bias sets both)
    bool mlpBias = false;      // gate_proj, up_proj, down_proj
    bool fusedLinears = false; // q, k and v are one linear, gate and up another (Phi-3)
    bool tiedEmbeddings = false;
    bool attentionSinks = false; // a learned logit a head that takes part in the softmax (gpt-oss)
    ExpertsConfig experts;
    Multipliers multipliers;
    std::vector<int64_t> slidingWindow; // per decoder block; 0: full attention
    std::vector<bool> withoutRotary;    // per decoder block; empty: all turn queries and keys (SmolLM3: not every one)
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

// Throws kUnsupported saying why for a model that can be planned, but neither trained nor asked yet.
void requireRunnable(const ModelConfig& config);

} // namespace roundpipe::arch
