// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/layers.h"

#include "arch/block_tensors.h"
#include "arch/families.h"
#include "arch/model_outline.h"
#include "arch/stacked_linears.h"
#include "arch/text_part.h"
#include "base/error.h"
#include "base/mxfp4.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::arch {
namespace {

std::string embeddingName(const ModelConfig& config) {
    return fmt::format("{}embed_tokens.weight", decoderPrefix(config));
}

LayerSpec embeddingLayer(const ModelConfig& config) {
    return {LayerId(0),
            LayerKind::kEmbedding,
            "embedding",
            {{TensorRole::kEmbedTokens, embeddingName(config), {config.vocabSize, config.hiddenSize}}}};
}

LayerSpec headLayer(const ModelConfig& config, LayerId id) {
    return {id,
            LayerKind::kHead,
            "head",
            {{TensorRole::kFinalNorm,
              fmt::format("{}norm.weight", decoderPrefix(config)),
              {config.hiddenSize},
              false,
              normKindOf(config)},
             {TensorRole::kLmHead,
              config.tiedEmbeddings ? embeddingName(config) : "lm_head.weight",
              {config.vocabSize, config.hiddenSize},
              false,
              TensorKind::kLinear}}};
}

struct TypeOfBlock {
    BlockType type;
    decltype(&dense_block::claims) claims;
    decltype(&dense_block::addTensors) addTensors;
};
#define RP_TYPE(folder, value, words) TypeOfBlock{BlockType::value, folder::claims, folder::addTensors},
constexpr std::array kTypes{RP_FOR_EACH_BLOCK_TYPE(RP_TYPE)};
#undef RP_TYPE

LayerSpec blockLayer(const ModelConfig& config, int64_t block, LayerId id) {
    const auto type = std::ranges::find_if(kTypes, [&](const TypeOfBlock& t) { return t.claims(config, block); });
    RP_CHECK(type != kTypes.end());
    LayerSpec layer{id, LayerKind::kBlock, fmt::format("block {}", block), {}, type->type};
    BlockTensors tensors(config, block, layer.tensors);
    type->addTensors(tensors);
    return layer;
}

constexpr const char* kAllLinear = "all-linear"; // but experts and the head

bool matches(const LinearSpec& linear, const std::string& target) {
    if (target == kAllLinear) return linear.role != TensorRole::kLmHead && !linear.ofExpert;
    const std::string_view name = targetNameOf(linear);
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

bool mayBeTrainedWhole(const TensorSpec& tensor) {
    return isNorm(tensor.kind) || tensor.role == TensorRole::kEmbedTokens || tensor.role == TensorRole::kLmHead;
}

// The names of the tensors that modules_to_save takes in.
std::set<std::string> wholeTensors(const ModelSpec& model, const std::vector<std::string>& modules) {
    std::set<std::string> whole;
    for (const std::string& module : modules) {
        bool isKnown = false;
        for (const LayerSpec& layer : model.layers)
            for (const TensorSpec& tensor : layer.tensors) {
                if (module.empty() || !mayBeTrainedWhole(tensor) || !moduleOf(tensor).ends_with(module)) continue;
                isKnown = true;
                whole.insert(tensor.name);
            }
        if (!isKnown)
            throw invalidInput(
                fmt::format("The model has no embedding, head or norm named '{}'.", module),
                "Of 'lora.modules_to_save', embed_tokens, lm_head and norms can be trained whole (norm is "
                "all of them). Linear layers get adapters: name them in 'lora.targets'.");
    }
    return whole;
}

Error unknownTarget(const std::string& target, const ModelSpec& model) {
    std::vector<std::string> names;
    for (const LayerSpec& layer : model.layers)
        for (const LinearSpec& linear : linearsOf(model, layer.id)) {
            const std::string last = linear.module.substr(linear.module.rfind('.') + 1); // of experts: once
            if (std::ranges::find(names, last) == names.end()) names.push_back(last);
        }
    return invalidInput(fmt::format("No linear layer of the model matches the LoRA target '{}'.", target),
                        fmt::format("The model has {}; \"all-linear\" takes all but lm_head{}.", fmt::join(names, ", "),
                                    model.config.experts.count > 0 ? " and experts" : ""));
}

// x can't be factored out of B A drop(x), and PEFT adapts a stack by what it adds to the weights.
void requireNoDropout(const std::vector<std::vector<LinearSpec>>& adapted, const LoraConfig& lora) {
    if (lora.dropout == 0) return;
    for (const std::vector<LinearSpec>& linears : adapted)
        for (const LinearSpec& linear : linears)
            if (isStacked(linear))
                throw invalidInput(
                    fmt::format("'{}' is a stack of experts, whose adapters know no dropout, as in PEFT.",
                                stackOf(linear)),
                    "Set 'lora.dropout' to 0, or leave experts out of 'lora.targets'.");
}

// Those of a stack: of each expert its matrix.
void addLinearsOf(const TensorSpec& stack, const std::string& prefix, std::vector<LinearSpec>& linears) {
    for (int64_t e = 0; e < stack.shape[0]; ++e)
        linears.push_back({stack.role, stack.name.substr(prefix.size()), fmt::format("{}.{}", stack.name, e),
                           stack.shape[2], stack.shape[1], true});
}

// With those of experts, which may be thousands, or without.
std::vector<LinearSpec> linearsOf(const ModelSpec& model, LayerId layer, bool withExperts) {
    RP_CHECK(layer.valid() && layer.index() < model.layers.size());
    std::vector<LinearSpec> linears;
    const LayerSpec& spec = model.layers[layer.index()];
    const std::string prefix =
        spec.kind == LayerKind::kBlock ? fmt::format("{}layers.{}.", decoderPrefix(model.config), layer.value - 1) : "";
    for (const TensorSpec& tensor : spec.tensors) {
        if (isOfExperts(tensor.kind) && !withExperts) continue;
        if (tensor.kind == TensorKind::kExpertStack) addLinearsOf(tensor, prefix, linears);
        if (tensor.kind != TensorKind::kLinear && tensor.kind != TensorKind::kExpertLinear) continue;
        const std::string fullName = moduleOf(tensor);
        linears.push_back({tensor.role, fullName.substr(prefix.size()), fullName, tensor.shape[1], tensor.shape[0],
                           isOfExperts(tensor.kind)});
    }
    return linears;
}

} // namespace

int64_t TensorSpec::numElements() const {
    int64_t product = 1;
    for (const int64_t size : shape)
        product *= size;
    return product;
}

std::vector<StoredTensor> storedTensors(const TensorSpec& tensor) {
    if (tensor.kind != TensorKind::kExpertStack) return {{tensor.name, tensor.shape, false}};
    const int64_t experts = tensor.shape[0], out = tensor.shape[1], in = tensor.shape[2], groups = in / kMxfp4Group;
    if (!tensor.mxfp4) return {{tensor.name, {experts, in, out}, false}};
    return {{tensor.name + "_blocks", {experts, out, groups, kMxfp4Group / 2}, true},
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
            if (isOfExperts(tensor.kind)) ofExperts += tensor.numElements();
    if (ofExperts == 0) return numParameters();
    return numParameters() - ofExperts / config.experts.count * (config.experts.count - config.experts.perToken);
}

std::string ModelSpec::summary() const {
    return outlineOf(*this).text();
}

ModelOutline outlineOf(const ModelSpec& model) {
    const ModelConfig& config = model.config;
    return {rulesOf(config).name, config.numLayers,      config.experts.count, config.experts.perToken,
            config.hiddenSize,    model.numParameters(), config.maxPositions};
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

// A tied head stands in the checkpoint under the embedding's name.
std::string moduleOf(const TensorSpec& tensor) {
    return tensor.role == TensorRole::kLmHead ? "lm_head" : tensor.name.substr(0, tensor.name.rfind('.'));
}

std::vector<LinearSpec> linearsOf(const ModelSpec& model, LayerId layer) {
    return linearsOf(model, layer, true);
}

double LoraConfig::scale() const {
    const double r = static_cast<double>(rank);
    return alpha / (rsLora ? std::sqrt(r) : r);
}

std::vector<std::vector<LinearSpec>> adaptedLinears(const ModelSpec& model, const LoraConfig& lora) {
    checkLora(lora);
    std::vector<std::vector<LinearSpec>> adapted(model.layers.size());
    std::set<std::string> unmatched(lora.targets.begin(), lora.targets.end());
    const bool namesSome = std::ranges::any_of(lora.targets, [](const auto& target) { return target != kAllLinear; });
    for (const LayerSpec& layer : model.layers)
        for (LinearSpec& linear : linearsOf(model, layer.id, namesSome)) {
            bool wanted = false;
            for (const std::string& target : lora.targets)
                if (matches(linear, target)) {
                    wanted = true;
                    unmatched.erase(target);
                }
            if (wanted) adapted[layer.id.index()].push_back(std::move(linear));
        }
    if (!unmatched.empty()) throw unknownTarget(*unmatched.begin(), model);
    requireNoDropout(adapted, lora);
    return adapted;
}

Trained Trained::weights() {
    Trained trained;
    trained.base = true;
    trained.lora.targets.clear();
    return trained;
}

bool TrainedLayer::trains(TensorRole role) const {
    return std::ranges::find(tensors, role) != tensors.end();
}

bool TrainedLayer::isAdapted(TensorRole role) const {
    return std::ranges::find(adapted, role, &LinearSpec::role) != adapted.end();
}

std::vector<TrainedLayer> trainedLayers(const ModelSpec& model, const Trained& trained) {
    std::vector<TrainedLayer> layers(model.layers.size());
    if (!trained.lora.targets.empty()) {
        std::vector<std::vector<LinearSpec>> adapted = adaptedLinears(model, trained.lora);
        for (std::size_t l = 0; l < layers.size(); ++l)
            layers[l].adapted = std::move(adapted[l]);
    }
    const std::set<std::string> whole = wholeTensors(model, trained.lora.modulesToSave);
    for (const LayerSpec& layer : model.layers)
        for (const TensorSpec& tensor : layer.tensors)
            if (trained.base || whole.contains(tensor.name)) layers[layer.id.index()].tensors.push_back(tensor.role);
    if (!trained.base && layers.back().trains(TensorRole::kLmHead) && layers.back().isAdapted(TensorRole::kLmHead))
        throw invalidInput("The head is to be adapted and trained whole.",
                           "Name lm_head in 'lora.targets' or in 'lora.modules_to_save', not in both.");
    return layers;
}

} // namespace roundpipe::arch
