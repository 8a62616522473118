// SPDX-License-Identifier: GPL-3.0-or-later
// A model as the engine sees it: a flat list of layers, each a list of tensors with the names of the checkpoint.
//
// Layer 0 is the embedding, layers 1..numLayers the decoder blocks, the last one the final norm and the head.
#pragma once

#include "arch/model_config.h"
#include "base/ids.h"
#include "base/spelling.h"
#include "blocks/block_types.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::arch {

enum class LayerKind { kEmbedding, kBlock, kHead };
// What a decoder block is made of: the types of blocks/block_types.h.
// clang-format off
#define RP_VALUE(folder, value, words) value,
#define RP_WORDS(folder, value, words) words,
enum class BlockType { RP_FOR_EACH_BLOCK_TYPE(RP_VALUE) };
constexpr auto spellings(BlockType) { return std::to_array<const char*>({RP_FOR_EACH_BLOCK_TYPE(RP_WORDS)}); }
#undef RP_WORDS
#undef RP_VALUE
// clang-format on

// What a tensor is for; decides nothing by itself, spares comparing names.
enum class TensorRole {
    kEmbedTokens,
    kInputNorm,
    kQ,
    kK,
    kV,
    kO,
    kQNorm,
    kKNorm,
    kPostNorm,
    kGate,
    kUp,
    kDown,
    kFinalNorm,
    kLmHead,
    kQBias,
    kKBias,
    kVBias,
    kOBias,
    kGateBias,
    kUpBias,
    kDownBias,
    kSinks,
    kRouter,
    kRouterBias,
    kSharedExpertGate, // of the weight of an expert that every token goes through, whose linears are kGate, kUp, kDown
    kExpertGate,       // of one expert
    kExpertUp,
    kExpertDown,
    kExpertsGateUp, // of all experts, stacked
    kExpertsGateUpBias,
    kExpertsDown,
    kExpertsDownBias,
    kQkv, // q, k and v in one
    kGateUp,
    kAttentionOutNorm, // of what the attention half adds
    kMlpOutNorm,       // of what the MLP adds
    kOwn = 100,        // this and what follows: of a type of block alone, which counts them in its folder
};

// What all must know of a tensor, whatever type of block it is of.
enum class TensorKind {
    kOther, // an embedding, a bias, a router
    kNorm,
    kNormPlusOne,  // a norm that multiplies by 1 + w
    kLinear,       // may be adapted; packed in blocks, where weights are
    kExpertLinear, // the same of one expert
    kExpertStack,  // of all experts: may be packed, and adapted expert by expert (stacked_linears.h)
    kExpertBias,   // of all experts: neither
};
constexpr bool isOfExperts(TensorKind kind) {
    return kind >= TensorKind::kExpertLinear;
}

constexpr bool isNorm(TensorKind kind) {
    return kind == TensorKind::kNorm || kind == TensorKind::kNormPlusOne;
}
inline TensorKind normKindOf(const ModelConfig& config) {
    return config.normsAddOne ? TensorKind::kNormPlusOne : TensorKind::kNorm;
}

struct TensorSpec {
    TensorRole role;
    std::string name;           // as in the checkpoint: "model.layers.0.self_attn.q_proj.weight"
    std::vector<int64_t> shape; // linears: (out, in); stacked experts: (experts, out, in), see storedTensors()
    bool mxfp4 = false;         // stands in the checkpoint as `name`_blocks and `name`_scales, see storedTensors()
    TensorKind kind = TensorKind::kOther;
    int64_t numElements() const;
};

// The path of the module whose tensor it is: "model.layers.0.self_attn.q_proj", and "lm_head" of a tied head, too.
std::string moduleOf(const TensorSpec& tensor);

// What a checkpoint holds of a tensor: itself, and of stacked experts each transposed, (experts, in, out); or in mxfp4,
// as they are computed with, the 4-bit values, two a byte and 32 a group, and the scales.
struct StoredTensor {
    std::string name;
    std::vector<int64_t> shape;
    bool packed = false; // bytes; else of a floating type
};
std::vector<StoredTensor> storedTensors(const TensorSpec& tensor);
// Bytes of a tensor as stored; what is not packed has the type `dtype`.
int64_t storedBytes(const TensorSpec& tensor, DType dtype);

struct LayerSpec {
    LayerId id;
    LayerKind kind = LayerKind::kBlock;
    std::string name;                   // "embedding", "block 0", …, "head"
    std::vector<TensorSpec> tensors;    // a tied head lists the embedding's tensor under role kLmHead
    BlockType type = BlockType::kDense; // of a block
    int64_t numParameters() const;
};

struct ModelSpec {
    ModelConfig config;
    std::vector<LayerSpec> layers;
    int64_t numParameters() const;       // a tied tensor counts once
    int64_t numActiveParameters() const; // that one token meets: of the experts those it is routed to
    std::string summary() const;         // "Qwen3, 28 blocks, hidden 2048, 1.72 B parameters"
};
ModelSpec makeModelSpec(ModelConfig config);

// A linear that LoRA may adapt, in the order of the checkpoint.
struct LinearSpec {
    TensorRole role;
    std::string module;   // "self_attn.q_proj": what PEFT's target_modules match by their last part
    std::string fullName; // "model.layers.0.self_attn.q_proj"
    int64_t inFeatures = 0;
    int64_t outFeatures = 0;
    bool ofExpert = false;
};
// The head has lm_head, the embedding none. Routers are no linears; stacked experts have one each (stacked_linears.h).
std::vector<LinearSpec> linearsOf(const ModelSpec& model, LayerId layer);

// LoRA settings, as PEFT defines them.
struct LoraConfig {
    int64_t rank = 16;
    double alpha = 32;
    double dropout = 0;
    bool rsLora = false;
    std::vector<std::string> targets = {"all-linear"};
    std::vector<std::string> modulesToSave = {}; // embedding, head and norms that are trained whole beside the adapters
    double scale() const;                        // alpha / rank, or alpha / sqrt(rank)
    bool operator==(const LoraConfig&) const = default;
};

// What of a model is trained: adapters, with whole modules beside them where some are named, or the weights themselves
// (full fine-tuning), all of them.
struct Trained {
    Trained() = default;
    Trained(LoraConfig adapters) : lora(std::move(adapters)) {}
    static Trained weights();

    bool base = false; // the weights; else the adapters
    LoraConfig lora;   // without targets where the weights are
    bool operator==(const Trained&) const = default;
};

// The adapted linears of each layer (index: LayerId). "all-linear" means every linear but the head, as in PEFT, and but
// experts (README); a name matches a module's last part ("q_proj") or whole name. Throws kInvalidInput for a target
// that matches nothing (listing what exists), for rank < 1, and for stacked experts with dropout.
std::vector<std::vector<LinearSpec>> adaptedLinears(const ModelSpec& model, const LoraConfig& lora);

// What of one layer is trained.
struct TrainedLayer {
    std::vector<LinearSpec> adapted;
    std::vector<TensorRole> tensors; // themselves

    bool trains(TensorRole role) const;
    bool isAdapted(TensorRole role) const;
    bool empty() const { return adapted.empty() && tensors.empty(); }
};
// Of each layer (index: LayerId). A name of LoraConfig::modulesToSave is what a module's path ends with, as in PEFT:
// "norm" is every norm. A table that embedding and head share is trained by either name, in both places. Throws
// kInvalidInput, as above and for a name that matches no embedding, head or norm.
std::vector<TrainedLayer> trainedLayers(const ModelSpec& model, const Trained& trained);

} // namespace roundpipe::arch
