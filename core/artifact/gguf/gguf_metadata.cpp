// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_metadata.h"

#include "artifact/gguf/gguf_names.h"
#include "artifact/gguf/gguf_tokenizer.h"
#include "base/error.h"

#include <cmath>
#include <numbers>

namespace roundpipe::artifact {
namespace {

uint32_t fileTypeOf(GgufType type) { // llama.cpp's own numbers
    switch (type) {
    case GgufType::kF32:
        return 0;
    case GgufType::kF16:
        return 1;
    case GgufType::kQ8:
        return 7;
    case GgufType::kQ4KM:
        return 15;
    case GgufType::kQ5KM:
        return 17;
    case GgufType::kQ6K:
        return 18;
    case GgufType::kBF16:
        return 32;
    }
    return 0;
}

int64_t rotaryDim(const arch::ModelConfig& config) {
    return static_cast<int64_t>(static_cast<double>(config.headDim) * config.rope.partialRotaryFactor);
}

void addRotary(GgufHeader& header, const std::string& prefix, const arch::ModelConfig& config) {
    using Type = arch::RopeConfig::Type;
    const arch::RopeConfig& rope = config.rope;
    header.set(prefix + "rope.freq_base", static_cast<float>(rope.theta));
    header.set(prefix + "rope.dimension_count", static_cast<uint32_t>(rotaryDim(config)));
    if (rope.type == Type::kLongRope) {
        header.set(prefix + "rope.scaling.original_context_length", static_cast<uint32_t>(rope.originalMaxPositions));
        header.set(prefix + "rope.scaling.attn_factor", static_cast<float>(rope.attentionFactor.value()));
    }
    if (rope.type != Type::kLinear && rope.type != Type::kYarn) return;
    const bool isYarn = rope.type == Type::kYarn;
    header.set(prefix + "rope.scaling.type", std::string(isYarn ? "yarn" : "linear"));
    header.set(prefix + "rope.scaling.factor", static_cast<float>(rope.factor));
    if (!isYarn) return;
    const int64_t before = rope.originalMaxPositions > 0 ? rope.originalMaxPositions : config.maxPositions;
    header.set(prefix + "rope.scaling.original_context_length", static_cast<uint32_t>(before));
    header.set(prefix + "rope.scaling.yarn_beta_fast", static_cast<float>(rope.betaFast));
    header.set(prefix + "rope.scaling.yarn_beta_slow", static_cast<float>(rope.betaSlow));
}

// As llama.cpp's Granite reads them: it divides by the last.
void addMultipliers(GgufHeader& header, const std::string& prefix, const arch::ModelConfig& config) {
    if (config.family != arch::Family::kGranite) return;
    const arch::Multipliers& by = config.multipliers;
    header.set(prefix + "attention.scale", static_cast<float>(by.attention.value()));
    header.set(prefix + "embedding_scale", static_cast<float>(by.embedding));
    header.set(prefix + "residual_scale", static_cast<float>(by.residual));
    header.set(prefix + "logit_scale", static_cast<float>(1 / by.logits));
}

// llama.cpp wants to be told of a Phi-3 that its window, which it does not keep, is none.
void addWindow(GgufHeader& header, const std::string& prefix, const arch::ModelConfig& config) {
    if (config.family == arch::Family::kPhi3) header.set(prefix + "attention.sliding_window", uint32_t{0});
    if (config.family == arch::Family::kGemma3) // five blocks of every six keep to it
        header.set(prefix + "attention.sliding_window", static_cast<uint32_t>(config.slidingWindow.front()));
}

// As transformers' llama3 scales them (modeling_rope_utils): long waves by the factor, short ones not, smoothly
// between.
std::vector<float> llama3Factors(const arch::ModelConfig& config) {
    const arch::RopeConfig& rope = config.rope;
    const int64_t dim = rotaryDim(config);
    const auto before = static_cast<double>(rope.originalMaxPositions);
    std::vector<float> factors;
    for (int64_t i = 0; i < dim; i += 2) {
        const double wave =
            2 * std::numbers::pi * std::pow(rope.theta, static_cast<double>(i) / static_cast<double>(dim));
        double factor = rope.factor;
        if (wave < before / rope.highFrequencyFactor) {
            factor = 1;
        } else if (wave <= before / rope.lowFrequencyFactor) {
            const double smooth =
                (before / wave - rope.lowFrequencyFactor) / (rope.highFrequencyFactor - rope.lowFrequencyFactor);
            factor = 1 / ((1 - smooth) / rope.factor + smooth);
        }
        factors.push_back(static_cast<float>(factor));
    }
    return factors;
}

} // namespace

void addModelMetadata(GgufHeader& header, const MergedModel& model, GgufType type, const std::string& name) {
    const arch::ModelConfig& config = model.spec().config;
    const std::string architecture = ggufArchitecture(config), prefix = architecture + ".";
    const auto set = [&](const char* key, int64_t value) { header.set(prefix + key, static_cast<uint32_t>(value)); };
    constexpr uint32_t kQuantizationVersion = 2;
    header.set("general.architecture", architecture);
    header.set("general.type", std::string("model"));
    header.set("general.name", name);
    header.set("general.file_type", fileTypeOf(type));
    header.set("general.quantization_version", kQuantizationVersion);
    set("block_count", config.numLayers);
    set("context_length", config.maxPositions);
    set("embedding_length", config.hiddenSize);
    set("feed_forward_length", config.intermediateSize);
    set("attention.head_count", config.numHeads);
    set("attention.head_count_kv", config.numKvHeads);
    set("attention.key_length", config.headDim);
    set("attention.value_length", config.headDim);
    set("vocab_size", config.vocabSize);
    header.set(prefix + "attention.layer_norm_rms_epsilon", static_cast<float>(config.rmsNormEps));
    addRotary(header, prefix, config);
    addMultipliers(header, prefix, config);
    addWindow(header, prefix, config);
    addTokenizer(header, model.textFolder(), config);
}

std::vector<FrequencyFactors> frequencyFactors(const arch::ModelConfig& config) {
    const arch::RopeConfig& rope = config.rope;
    if (rope.type == arch::RopeConfig::Type::kLlama3) return {{"rope_freqs.weight", llama3Factors(config)}};
    if (rope.type != arch::RopeConfig::Type::kLongRope) return {};
    return {{"rope_factors_long.weight", {rope.longFactors.begin(), rope.longFactors.end()}},
            {"rope_factors_short.weight", {rope.shortFactors.begin(), rope.shortFactors.end()}}};
}

} // namespace roundpipe::artifact
