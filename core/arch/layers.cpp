#include "arch/layers.h"

#include "base/error.h"
#include "base/units.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::arch {
namespace {

constexpr const char* kEmbeddingName = "model.embed_tokens.weight";

const char* familyName(Family family) {
    switch (family) {
    case Family::kLlama:
        return "Llama";
    case Family::kMistral:
        return "Mistral";
    case Family::kQwen2:
        return "Qwen2";
    case Family::kQwen3:
        return "Qwen3";
    }
    return "";
}

LayerSpec embeddingLayer(const ModelConfig& config) {
    return {LayerId(0),
            LayerKind::kEmbedding,
            "embedding",
            {{TensorRole::kEmbedTokens, kEmbeddingName, {config.vocabSize, config.hiddenSize}}}};
}

LayerSpec headLayer(const ModelConfig& config, LayerId id) {
    return {id,
            LayerKind::kHead,
            "head",
            {{TensorRole::kFinalNorm, "model.norm.weight", {config.hiddenSize}},
             {TensorRole::kLmHead,
              config.tiedEmbeddings ? kEmbeddingName : "lm_head.weight",
              {config.vocabSize, config.hiddenSize}}}};
}

LayerSpec blockLayer(const ModelConfig& config, int64_t block, LayerId id) {
    LayerSpec layer{id, LayerKind::kBlock, fmt::format("block {}", block), {}};
    const std::string prefix = fmt::format("model.layers.{}.", block);
    const auto vector = [&](TensorRole role, const char* name, int64_t size) {
        layer.tensors.push_back({role, prefix + name, {size}});
    };
    const auto linear = [&](TensorRole weight, TensorRole bias, const std::string& module, int64_t out, int64_t in,
                            bool hasBias) {
        layer.tensors.push_back({weight, prefix + module + ".weight", {out, in}});
        if (hasBias) layer.tensors.push_back({bias, prefix + module + ".bias", {out}});
    };
    const int64_t hidden = config.hiddenSize;
    const int64_t queries = config.numHeads * config.headDim;
    const int64_t keys = config.numKvHeads * config.headDim;
    using enum TensorRole;
    vector(kInputNorm, "input_layernorm.weight", hidden);
    linear(kQ, kQBias, "self_attn.q_proj", queries, hidden, config.qkvBias);
    linear(kK, kKBias, "self_attn.k_proj", keys, hidden, config.qkvBias);
    linear(kV, kVBias, "self_attn.v_proj", keys, hidden, config.qkvBias);
    linear(kO, kOBias, "self_attn.o_proj", hidden, queries, config.outputBias);
    if (config.qkNorm) {
        vector(kQNorm, "self_attn.q_norm.weight", config.headDim);
        vector(kKNorm, "self_attn.k_norm.weight", config.headDim);
    }
    vector(kPostNorm, "post_attention_layernorm.weight", hidden);
    linear(kGate, kGateBias, "mlp.gate_proj", config.intermediateSize, hidden, config.mlpBias);
    linear(kUp, kUpBias, "mlp.up_proj", config.intermediateSize, hidden, config.mlpBias);
    linear(kDown, kDownBias, "mlp.down_proj", hidden, config.intermediateSize, config.mlpBias);
    return layer;
}

bool isLinear(TensorRole role) {
    using enum TensorRole;
    return role == kQ || role == kK || role == kV || role == kO || role == kGate || role == kUp || role == kDown ||
           role == kLmHead;
}

bool matches(const LinearSpec& linear, const std::string& target) {
    if (target == "all-linear") return linear.role != TensorRole::kLmHead;
    return linear.fullName == target || linear.fullName.ends_with("." + target);
}

void checkLora(const LoraConfig& lora) {
    if (lora.rank < 1) throw invalidInput(fmt::format("LoRA rank must be at least 1, but is {}.", lora.rank));
    if (!std::isfinite(lora.alpha) || lora.alpha <= 0)
        throw invalidInput(fmt::format("LoRA alpha must be above 0, but is {}.", lora.alpha));
    if (!(lora.dropout >= 0 && lora.dropout < 1))
        throw invalidInput(fmt::format("LoRA dropout must be at least 0 and below 1, but is {}.", lora.dropout));
    if (lora.targets.empty()) throw invalidInput("LoRA has no target modules.", "Give \"all-linear\" or module names.");
}

Error unknownTarget(const std::string& target, const std::vector<std::vector<LinearSpec>>& linears) {
    std::vector<std::string> names;
    for (const auto& layer : linears)
        for (const LinearSpec& linear : layer) {
            const std::string last = linear.module.substr(linear.module.rfind('.') + 1);
            if (std::ranges::find(names, last) == names.end()) names.push_back(last);
        }
    return invalidInput(fmt::format("No linear layer of the model matches the LoRA target '{}'.", target),
                        fmt::format("The model has {}; \"all-linear\" takes all but lm_head.", fmt::join(names, ", ")));
}

} // namespace

int64_t TensorSpec::numElements() const {
    int64_t product = 1;
    for (const int64_t size : shape)
        product *= size;
    return product;
}

int64_t LayerSpec::numParameters() const {
    int64_t sum = 0;
    for (const TensorSpec& tensor : tensors)
        sum += tensor.numElements();
    return sum;
}

int64_t ModelSpec::numParameters() const {
    int64_t sum = 0;
    for (const LayerSpec& layer : layers)
        sum += layer.numParameters();
    return config.tiedEmbeddings ? sum - config.vocabSize * config.hiddenSize : sum;
}

std::string ModelSpec::summary() const {
    return fmt::format("{}, {} blocks, hidden {}, {} parameters", familyName(config.family), config.numLayers,
                       config.hiddenSize, formatCount(static_cast<double>(numParameters())));
}

ModelSpec makeModelSpec(ModelConfig config) {
    ModelSpec model;
    model.layers.push_back(embeddingLayer(config));
    for (int64_t block = 0; block < config.numLayers; ++block)
        model.layers.push_back(blockLayer(config, block, LayerId(static_cast<int32_t>(block + 1))));
    model.layers.push_back(headLayer(config, LayerId(static_cast<int32_t>(config.numLayers + 1))));
    model.config = std::move(config);
    return model;
}

std::vector<LinearSpec> linearsOf(const ModelSpec& model, LayerId layer) {
    RP_CHECK(layer.valid() && layer.index() < model.layers.size());
    std::vector<LinearSpec> linears;
    const LayerSpec& spec = model.layers[layer.index()];
    const std::string prefix =
        spec.kind == LayerKind::kBlock ? fmt::format("model.layers.{}.", layer.value - 1) : std::string();
    constexpr std::string_view kSuffix = ".weight";
    for (const TensorSpec& tensor : spec.tensors) {
        if (!isLinear(tensor.role)) continue;
        // A tied head stands in the checkpoint under the embedding's name; the module is lm_head all the same.
        const std::string fullName =
            tensor.role == TensorRole::kLmHead ? "lm_head" : tensor.name.substr(0, tensor.name.size() - kSuffix.size());
        linears.push_back({tensor.role, fullName.substr(prefix.size()), fullName, tensor.shape[1], tensor.shape[0]});
    }
    return linears;
}

double LoraConfig::scale() const {
    const double r = static_cast<double>(rank);
    return alpha / (rsLora ? std::sqrt(r) : r);
}

std::vector<std::vector<LinearSpec>> adaptedLinears(const ModelSpec& model, const LoraConfig& lora) {
    checkLora(lora);
    std::vector<std::vector<LinearSpec>> all, adapted(model.layers.size());
    for (const LayerSpec& layer : model.layers)
        all.push_back(linearsOf(model, layer.id));
    std::set<std::string> unmatched(lora.targets.begin(), lora.targets.end());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const LinearSpec& linear : all[i]) {
            bool wanted = false;
            for (const std::string& target : lora.targets)
                if (matches(linear, target)) {
                    wanted = true;
                    unmatched.erase(target);
                }
            if (wanted) adapted[i].push_back(linear);
        }
    if (!unmatched.empty()) throw unknownTarget(*unmatched.begin(), all);
    return adapted;
}

} // namespace roundpipe::arch
