// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_names.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roundpipe::artifact {
namespace {

using arch::Family;
using arch::TensorRole;

struct NameOfRole {
    TensorRole role;
    const char* name;
};
constexpr NameOfRole kNames[] = {{TensorRole::kEmbedTokens, "token_embd.weight"},
                                 {TensorRole::kFinalNorm, "output_norm.weight"},
                                 {TensorRole::kLmHead, "output.weight"},
                                 {TensorRole::kInputNorm, "attn_norm.weight"},
                                 {TensorRole::kQ, "attn_q.weight"},
                                 {TensorRole::kK, "attn_k.weight"},
                                 {TensorRole::kV, "attn_v.weight"},
                                 {TensorRole::kQkv, "attn_qkv.weight"},
                                 {TensorRole::kO, "attn_output.weight"},
                                 {TensorRole::kQNorm, "attn_q_norm.weight"},
                                 {TensorRole::kKNorm, "attn_k_norm.weight"},
                                 {TensorRole::kPostNorm, "ffn_norm.weight"},
                                 {TensorRole::kAttentionOutNorm, "post_attention_norm.weight"},
                                 {TensorRole::kMlpOutNorm, "post_ffw_norm.weight"},
                                 {TensorRole::kGate, "ffn_gate.weight"},
                                 {TensorRole::kUp, "ffn_up.weight"},
                                 {TensorRole::kGateUp, "ffn_up.weight"}, // llama.cpp's Phi-3 knows that it is both
                                 {TensorRole::kDown, "ffn_down.weight"},
                                 {TensorRole::kQBias, "attn_q.bias"},
                                 {TensorRole::kKBias, "attn_k.bias"},
                                 {TensorRole::kVBias, "attn_v.bias"},
                                 {TensorRole::kOBias, "attn_output.bias"},
                                 {TensorRole::kGateBias, "ffn_gate.bias"},
                                 {TensorRole::kUpBias, "ffn_up.bias"},
                                 {TensorRole::kDownBias, "ffn_down.bias"}};

[[noreturn]] void refuse(const std::string& what) {
    throw unsupported("A GGUF file can't be made of this model: it has " + what + ".",
                      "Export the merged model (--to merged), and convert that with llama.cpp's own "
                      "convert_hf_to_gguf.py if it takes it.");
}

void requireRotary(const arch::RopeConfig& rope) {
    using Type = arch::RopeConfig::Type;
    if (rope.type == Type::kDynamic) refuse("dynamic rotary scaling, which llama.cpp does not have");
    if (rope.type == Type::kYarn && (rope.mscale || rope.mscaleAllDim || rope.attentionFactor || !rope.truncate))
        refuse("YaRN with an attention factor of its own, or without truncation");
}

// As llama.cpp has it built in.
void requireEveryFourthWithoutRotary(const arch::ModelConfig& config) {
    for (int64_t block = 0; block < config.numLayers; ++block)
        if (config.hasRotary(block) == ((block + 1) % 4 == 0))
            refuse("blocks without rotary embedding that are not every fourth one");
    if (std::ranges::any_of(config.slidingWindow, [](int64_t window) { return window > 0; }))
        refuse("a sliding window, which llama.cpp's SmolLM3 has not");
}

// As llama.cpp has it built in: full blocks and others in turn, what these turn by, and how queries are scaled.
void requireGemmasOwn(const arch::ModelConfig& config) {
    constexpr int64_t kFullEvery = 6;
    constexpr double kWindowTheta = 10000;
    for (int64_t block = 0; block < config.numLayers; ++block)
        if ((config.slidingWindow[static_cast<std::size_t>(block)] > 0) == ((block + 1) % kFullEvery == 0))
            refuse("blocks that look at a window that are not five of every six");
    if (config.windowRope->type != arch::RopeConfig::Type::kDefault || config.windowRope->theta != kWindowTheta)
        refuse("a rotary base other than 10000 in blocks that look at a window");
    constexpr int64_t kBlocksOf27B = 62; // which divides the hidden size by the heads
    const int64_t scaledBy = config.numLayers == kBlocksOf27B ? config.hiddenSize / config.numHeads : config.headDim;
    if (std::abs(config.multipliers.attention.value() * std::sqrt(static_cast<double>(scaledBy)) - 1) > 1e-6)
        refuse("a 'query_pre_attn_scalar' other than the size of a head");
    if (config.qkvBias || config.outputBias) refuse("biases that llama.cpp's Gemma 3 has not");
}

} // namespace

std::string ggufArchitecture(const arch::ModelConfig& config) {
    if (config.experts.count > 0) refuse("experts");
    requireRotary(config.rope);
    if (config.rope.type == arch::RopeConfig::Type::kLongRope && config.family != Family::kPhi3)
        refuse("longrope, which llama.cpp has for Phi-3 alone");
    switch (config.family) {
    case Family::kLlama:
    case Family::kMistral:
        return "llama";
    case Family::kQwen2:
    case Family::kQwen3:
        if (config.outputBias || config.mlpBias) refuse("biases that llama.cpp's Qwen has not");
        return config.family == Family::kQwen2 ? "qwen2" : "qwen3";
    case Family::kSmolLm3:
        requireEveryFourthWithoutRotary(config);
        if (config.qkvBias || config.outputBias || config.mlpBias) refuse("biases that llama.cpp's SmolLM3 has not");
        return "smollm3";
    case Family::kGranite:
        return "granite";
    case Family::kPhi3:
        return "phi3";
    case Family::kOlmo2:
        if (config.qkvBias) refuse("biases that llama.cpp's OLMo-2 has not");
        return "olmo2";
    case Family::kGemma3:
        requireGemmasOwn(config);
        return "gemma3";
    default:
        refuse("an architecture that is not exported");
    }
}

std::string ggufName(const arch::LayerSpec& layer, const arch::TensorSpec& tensor) {
    const auto* const found = std::ranges::find(kNames, tensor.role, &NameOfRole::role);
    RP_CHECK(found != std::end(kNames));
    if (layer.kind != arch::LayerKind::kBlock) return found->name;
    return fmt::format("blk.{}.{}", layer.id.index() - 1, found->name); // layer 0 is the embedding
}

float addedInGguf(const arch::TensorSpec& tensor) {
    return tensor.kind == arch::TensorKind::kNormPlusOne ? 1.0F : 0.0F;
}

int64_t HeadOrder::rowInCheckpoint(int64_t row) const {
    if (headDim == 0) return row;
    const int64_t within = row % headDim;
    return row - within + within % 2 * (headDim / 2) + within / 2;
}

int64_t HeadOrder::rowInGguf(int64_t row) const {
    if (headDim == 0) return row;
    const int64_t within = row % headDim, half = headDim / 2;
    return row - within + within % half * 2 + within / half;
}

HeadOrder headOrderOf(const arch::ModelConfig& config, TensorRole role) {
    const bool isTurned =
        role == TensorRole::kQ || role == TensorRole::kK || role == TensorRole::kQBias || role == TensorRole::kKBias;
    const bool isLlama = config.family == Family::kLlama || config.family == Family::kMistral ||
                         config.family == Family::kSmolLm3 || config.family == Family::kGranite;
    return {isTurned && isLlama ? config.headDim : 0};
}

} // namespace roundpipe::artifact
