#include "arch/layers.h"

#include "arch/model_outline.h"
#include "base/error.h"

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
    case Family::kQwen3Moe:
        return "Qwen3-MoE";
    case Family::kGptOss:
        return "gpt-oss";
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

// Adds a block's tensors in the order of the modules.
class BlockTensors {
public:
    BlockTensors(const ModelConfig& config, std::string prefix, std::vector<TensorSpec>& tensors)
        : m_config(config), m_prefix(std::move(prefix)), m_tensors(tensors) {}

    void addAttention() {
        using enum TensorRole;
        const int64_t hidden = m_config.hiddenSize;
        const int64_t queries = m_config.numHeads * m_config.headDim;
        const int64_t keys = m_config.numKvHeads * m_config.headDim;
        add(kInputNorm, "input_layernorm.weight", {hidden});
        linear(kQ, kQBias, "self_attn.q_proj", queries, hidden, m_config.qkvBias);
        linear(kK, kKBias, "self_attn.k_proj", keys, hidden, m_config.qkvBias);
        linear(kV, kVBias, "self_attn.v_proj", keys, hidden, m_config.qkvBias);
        linear(kO, kOBias, "self_attn.o_proj", hidden, queries, m_config.outputBias);
        if (m_config.qkNorm) {
            add(kQNorm, "self_attn.q_norm.weight", {m_config.headDim});
            add(kKNorm, "self_attn.k_norm.weight", {m_config.headDim});
        }
        if (m_config.attentionSinks) add(kSinks, "self_attn.sinks", {m_config.numHeads});
        add(kPostNorm, "post_attention_layernorm.weight", {hidden});
    }

    void addMlp() {
        using enum TensorRole;
        linear(kGate, kGateBias, "mlp.gate_proj", m_config.intermediateSize, m_config.hiddenSize, m_config.mlpBias);
        linear(kUp, kUpBias, "mlp.up_proj", m_config.intermediateSize, m_config.hiddenSize, m_config.mlpBias);
        linear(kDown, kDownBias, "mlp.down_proj", m_config.hiddenSize, m_config.intermediateSize, m_config.mlpBias);
    }

    // As Qwen3-MoE spells it.
    void addExperts() {
        using enum TensorRole;
        const ExpertsConfig& experts = m_config.experts;
        linear(kRouter, kRouterBias, "mlp.gate", experts.count, m_config.hiddenSize, false);
        for (int64_t e = 0; e < experts.count; ++e) {
            const std::string expert = fmt::format("mlp.experts.{}.", e);
            linear(kExpertGate, kGateBias, expert + "gate_proj", experts.intermediateSize, m_config.hiddenSize, false);
            linear(kExpertUp, kUpBias, expert + "up_proj", experts.intermediateSize, m_config.hiddenSize, false);
            linear(kExpertDown, kDownBias, expert + "down_proj", m_config.hiddenSize, experts.intermediateSize, false);
        }
    }

    // As gpt-oss spells it: gate and up are the even and the odd columns of one tensor.
    void addStackedExperts() {
        using enum TensorRole;
        const ExpertsConfig& experts = m_config.experts;
        const int64_t hidden = m_config.hiddenSize;
        linear(kRouter, kRouterBias, "mlp.router", experts.count, hidden, true);
        add(kExpertsGateUp, "mlp.experts.gate_up_proj", {experts.count, hidden, 2 * experts.intermediateSize},
            experts.mxfp4);
        add(kExpertsGateUpBias, "mlp.experts.gate_up_proj_bias", {experts.count, 2 * experts.intermediateSize});
        add(kExpertsDown, "mlp.experts.down_proj", {experts.count, experts.intermediateSize, hidden}, experts.mxfp4);
        add(kExpertsDownBias, "mlp.experts.down_proj_bias", {experts.count, hidden});
    }

private:
    void add(TensorRole role, const std::string& name, std::vector<int64_t> shape, bool mxfp4 = false) {
        m_tensors.push_back({role, m_prefix + name, std::move(shape), mxfp4});
    }
    void linear(TensorRole weight, TensorRole bias, const std::string& module, int64_t out, int64_t in, bool hasBias) {
        add(weight, module + ".weight", {out, in});
        if (hasBias) add(bias, module + ".bias", {out});
    }

    const ModelConfig& m_config;
    std::string m_prefix;
    std::vector<TensorSpec>& m_tensors;
};

LayerSpec blockLayer(const ModelConfig& config, int64_t block, LayerId id) {
    LayerSpec layer{id, LayerKind::kBlock, fmt::format("block {}", block), {}};
    BlockTensors tensors(config, fmt::format("model.layers.{}.", block), layer.tensors);
    tensors.addAttention();
    layer.type = config.experts.isSparse(block) ? BlockType::kSparse : BlockType::kDense;
    if (layer.type == BlockType::kDense)
        tensors.addMlp();
    else if (config.experts.stacked)
        tensors.addStackedExperts();
    else
        tensors.addExperts();
    return layer;
}

bool isExpert(TensorRole role) {
    using enum TensorRole;
    return role == kExpertGate || role == kExpertUp || role == kExpertDown || role == kExpertsGateUp ||
           role == kExpertsDown || role == kExpertsGateUpBias || role == kExpertsDownBias;
}

bool isLinear(TensorRole role) {
    using enum TensorRole;
    return role == kQ || role == kK || role == kV || role == kO || role == kGate || role == kUp || role == kDown ||
           role == kExpertGate || role == kExpertUp || role == kExpertDown || role == kLmHead;
}

bool matches(const LinearSpec& linear, const std::string& target) {
    if (target == "all-linear") return linear.role != TensorRole::kLmHead && !isExpert(linear.role);
    const std::string& name = linear.fullName;
    return name.ends_with(target) && (name.size() == target.size() || name[name.size() - target.size() - 1] == '.');
}

void checkLora(const LoraConfig& lora) {
    if (lora.rank < 1) throw invalidInput(fmt::format("LoRA rank must be at least 1, but is {}.", lora.rank));
    if (!std::isfinite(lora.alpha) || lora.alpha <= 0)
        throw invalidInput(fmt::format("LoRA alpha must be above 0, but is {}.", lora.alpha));
    if (!(lora.dropout >= 0 && lora.dropout < 1))
        throw invalidInput(fmt::format("LoRA dropout must be at least 0 and below 1, but is {}.", lora.dropout));
    if (lora.targets.empty()) throw invalidInput("LoRA has no target modules.", "Give \"all-linear\" or module names.");
}

Error unknownTarget(const std::string& target, const ModelSpec& model) {
    std::vector<std::string> names;
    for (const LayerSpec& layer : model.layers)
        for (const LinearSpec& linear : linearsOf(model, layer.id)) {
            const std::string last = linear.module.substr(linear.module.rfind('.') + 1); // of experts: once
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

std::vector<StoredTensor> storedTensors(const TensorSpec& tensor) {
    if (!tensor.mxfp4) return {{tensor.name, tensor.shape, false}};
    constexpr int64_t kGroup = 32;
    const int64_t experts = tensor.shape[0], groups = tensor.shape[1] / kGroup, out = tensor.shape[2];
    return {{tensor.name + "_blocks", {experts, out, groups, kGroup / 2}, true},
            {tensor.name + "_scales", {experts, out, groups}, true}};
}

int64_t storedBytes(const TensorSpec& tensor, DType dtype) {
    if (!tensor.mxfp4) return tensor.numElements() * static_cast<int64_t>(sizeOf(dtype));
    int64_t bytes = 0;
    for (const StoredTensor& stored : storedTensors(tensor)) {
        int64_t product = 1;
        for (const int64_t size : stored.shape)
            product *= size;
        bytes += product;
    }
    return bytes;
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

int64_t ModelSpec::numActiveParameters() const {
    int64_t ofExperts = 0;
    for (const LayerSpec& layer : layers)
        for (const TensorSpec& tensor : layer.tensors)
            if (isExpert(tensor.role)) ofExperts += tensor.numElements();
    if (ofExperts == 0) return numParameters();
    return numParameters() - ofExperts / config.experts.count * (config.experts.count - config.experts.perToken);
}

std::string ModelSpec::summary() const {
    return outlineOf(*this).text();
}

ModelOutline outlineOf(const ModelSpec& model) {
    const ModelConfig& config = model.config;
    return {familyName(config.family), config.numLayers,  config.experts.count,
            config.experts.perToken,   config.hiddenSize, model.numParameters()};
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
    std::vector<std::vector<LinearSpec>> adapted(model.layers.size());
    std::set<std::string> unmatched(lora.targets.begin(), lora.targets.end());
    for (const LayerSpec& layer : model.layers)
        for (LinearSpec& linear : linearsOf(model, layer.id)) {
            bool wanted = false;
            for (const std::string& target : lora.targets)
                if (matches(linear, target)) {
                    wanted = true;
                    unmatched.erase(target);
                }
            if (wanted) adapted[layer.id.index()].push_back(std::move(linear));
        }
    if (!unmatched.empty()) throw unknownTarget(*unmatched.begin(), model);
    return adapted;
}

} // namespace roundpipe::arch
