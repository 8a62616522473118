// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_config.h"

#include "arch/config_fields.h"
#include "arch/families.h"
#include "base/error.h"
#include "base/file.h"
#include "base/half_bits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxConfigBytes = 16 << 20;
constexpr int64_t kMaxLayers = 1 << 16;

std::string architectureOf(const ConfigFields& fields) {
    if (const auto names = fields.names("architectures", "a list of names")) {
        if (names->empty()) throw fields.bad("architectures", "a list of names");
        return names->front();
    }
    // Configs written by hand often say the type only.
    const auto type = fields.text("model_type");
    if (!type)
        throw invalidInput(fmt::format("'{}' names neither 'architectures' nor 'model_type'.", fields.file()),
                           "Choose a Hugging Face model folder.");
    for (const FamilyRules& rules : families())
        if (*type == rules.modelType) return rules.architecture;
    return *type;
}

std::string supportedFamilies() {
    std::vector<std::string_view> run;
    for (const FamilyRules& rules : families())
        run.push_back(rules.architecture);
    return fmt::format("Those that run are {}.", fmt::join(run, ", "));
}

const FamilyRules& familyOf(const ConfigFields& fields) {
    const std::string architecture = architectureOf(fields);
    for (const FamilyRules& rules : families()) {
        if (architecture != rules.architecture) continue;
        const auto type = fields.text("model_type");
        if (type && *type != rules.modelType)
            throw unsupported(fmt::format("'{}': the architecture '{}' does not go with the model_type '{}'.",
                                          fields.file(), architecture, *type),
                              "Fetch the model's config.json again.");
        return rules;
    }
    throw unsupported(fmt::format("'{}': the architecture '{}' is not supported.", fields.file(), architecture),
                      supportedFamilies());
}

// The settings of what is run: of a model with pictures those of its text part.
ConfigFields textFieldsOf(const ConfigFields& top, const FamilyRules& rules) {
    if (!rules.textPart) return top;
    auto text = top.object("text_config");
    if (!text)
        throw invalidInput(fmt::format("'{}': the field 'text_config' is missing.", top.file()),
                           "Fetch that file again, from where its folder comes from.");
    return *std::move(text);
}

void refuseQuantised(const ConfigFields& fields, const FamilyRules& rules) {
    const char* key = "quantization_config";
    if (!fields.has(key) || hasMxfp4Experts(fields, rules)) return;
    const std::string method = fields.isObject(key) ? fields.object(key)->shown("quant_method") : "";
    throw unsupported(fmt::format("'{}' has a quantization_config: the weights are quantised ({}).", fields.file(),
                                  method.empty() ? "by an unnamed method" : method),
                      "Choose the original model in bfloat16, float16 or float32.");
}

void refuseWhatWeCannotRead(const ConfigFields& fields, const FamilyRules& rules) {
    const char* activates = rules.geluGate ? "hidden_activation" : "hidden_act";
    const std::string expected = rules.geluGate ? "gelu_pytorch_tanh" : "silu";
    const std::string activation = fields.text(activates).value_or(expected);
    if (activation != expected && (rules.geluGate || activation != "swish"))
        throw unsupported(fmt::format("'{}': {} '{}' is not supported.", fields.file(), activates, activation),
                          fmt::format("Only '{}' is.", expected));
    for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"})
        if (fields.has(cap))
            throw unsupported(fmt::format("'{}': {} is not supported.", fields.file(), cap),
                              "Choose a model without one: of Gemma, version 3.");
    if (fields.flag("use_bidirectional_attention", false))
        throw unsupported(fmt::format("'{}': use_bidirectional_attention is not supported.", fields.file()),
                          "Choose a model that writes text.");
}

// Which blocks leave queries and keys as they are: a list says 1 where they turn, or every fourth one does not.
std::vector<bool> readWithoutRotary(const ConfigFields& fields, int64_t numLayers) {
    std::vector<bool> without(static_cast<std::size_t>(numLayers));
    const std::string expected = fmt::format("a list of {} times 0 or 1", numLayers);
    const auto turning = fields.numbers("no_rope_layers", expected);
    if (!turning) {
        const int64_t every = fields.integer("no_rope_layer_interval", 1, kMaxLayers).value_or(4);
        for (std::size_t block = 0; block < without.size(); ++block)
            without[block] = (block + 1) % static_cast<std::size_t>(every) == 0;
        return without;
    }
    if (turning->size() < without.size()) throw fields.bad("no_rope_layers", expected);
    for (std::size_t block = 0; block < without.size(); ++block) {
        const double turns = (*turning)[block];
        if (turns != 0 && turns != 1) throw fields.bad("no_rope_layers", expected);
        without[block] = turns == 0;
    }
    return without;
}

// Whether a block looks at a window where no list says.
bool isWindowed(const ConfigFields& fields, const FamilyRules& rules, const ModelConfig& config, int64_t block) {
    const auto first = [&] { return fields.integer("max_window_layers", 0, kMaxDimension).value_or(28); };
    switch (rules.windows) {
    case WindowRule::kNone:
        return false;
    case WindowRule::kEveryBlock:
    case WindowRule::kEveryBlockWhereSaid:
        return true;
    case WindowRule::kFromABlockOn:
        return block >= first();
    case WindowRule::kEverySecondBeforeABlock:
        return block < first() && block % 2 == 0;
    case WindowRule::kEverySecond:
        return block % 2 == 0;
    case WindowRule::kAllButEveryNth:
        return (block + 1) % fields.integer("sliding_window_pattern", 1, kMaxLayers).value_or(6) != 0;
    case WindowRule::kBlocksWithoutRotary:
        return !config.hasRotary(block);
    }
    RP_CHECK(false);
}

std::vector<int64_t> readSlidingWindow(const ConfigFields& fields, const FamilyRules& rules,
                                       const ModelConfig& config) {
    std::vector<int64_t> windows(static_cast<std::size_t>(config.numLayers), 0);
    if (rules.windows == WindowRule::kNone) return windows;
    const bool isEveryBlock = rules.windows == WindowRule::kEveryBlock;
    const bool hasSwitch =
        !isEveryBlock && rules.windows != WindowRule::kEverySecond && rules.windows != WindowRule::kAllButEveryNth;
    const int64_t least = rules.windows == WindowRule::kEverySecondBeforeABlock ? 0 : 1; // Qwen2-MoE's 0 is none
    int64_t window = fields.integer("sliding_window", least, kMaxDimension)
                         .value_or(fields.mentions("sliding_window") ? 0 : rules.window);
    if (hasSwitch && !fields.flag("use_sliding_window", false)) window = 0;

    const bool hasList = !isEveryBlock && rules.windows != WindowRule::kEveryBlockWhereSaid;
    const std::string expected = fmt::format("a list of {} layer types", windows.size());
    const auto types = hasList ? fields.names("layer_types", expected) : std::nullopt;
    if (!types) {
        for (std::size_t block = 0; block < windows.size(); ++block)
            if (isWindowed(fields, rules, config, static_cast<int64_t>(block))) windows[block] = window;
        return windows;
    }
    if (types->size() != windows.size()) throw fields.bad("layer_types", expected);
    for (std::size_t block = 0; block < windows.size(); ++block) {
        const std::string& type = (*types)[block];
        if (type == "full_attention") continue;
        if (type != "sliding_attention")
            throw unsupported(
                fmt::format("'{}': the layer type '{}' of 'layer_types' is not supported.", fields.file(), type));
        if (window == 0)
            throw invalidInput(
                fmt::format("'{}': 'layer_types' asks for sliding_attention, but 'use_sliding_window' is "
                            "false or 'sliding_window' is null.",
                            fields.file()));
        windows[block] = window;
    }
    return windows;
}

int64_t readSize(const ConfigFields& fields, const char* key, int64_t assumed, int64_t most = kMaxDimension) {
    return assumed == 0 ? fields.requiredSize(key, most) : fields.integer(key, 1, most).value_or(assumed);
}

DType readDType(const ConfigFields& fields, DType otherwise) {
    for (const char* key : {"dtype", "torch_dtype"}) {
        const auto name = fields.text(key);
        if (!name) continue;
        const auto dtype = dtypeFromTorchName(*name);
        if (!dtype || !isFloating(*dtype))
            throw unsupported(fmt::format("'{}': the {} '{}' is not supported.", fields.file(), key, *name),
                              "Supported are bfloat16, float16, float32 and float64.");
        return *dtype;
    }
    return otherwise;
}

void readHeads(ModelConfig& config, const ConfigFields& fields, const FamilyRules& rules) {
    config.numHeads = readSize(fields, "num_attention_heads", rules.numHeads, 1 << 20);
    config.numKvHeads =
        fields.integer("num_key_value_heads", 1, 1 << 20)
            .value_or(fields.mentions("num_key_value_heads") || rules.numKvHeads == 0 ? config.numHeads
                                                                                      : rules.numKvHeads);
    if (config.numHeads % config.numKvHeads != 0)
        throw fields.bad("num_key_value_heads", fmt::format("a divisor of num_attention_heads ({})", config.numHeads),
                         config.numKvHeads);
    const auto headDim = fields.integer("head_dim", 1, 1 << 20);
    const bool dividedByHeads = !headDim && rules.headDim == 0;
    if ((dividedByHeads || rules.headsShareHidden) && config.hiddenSize % config.numHeads != 0)
        throw fields.bad("hidden_size", fmt::format("a multiple of num_attention_heads ({})", config.numHeads),
                         config.hiddenSize);
    config.headDim = headDim.value_or(dividedByHeads ? config.hiddenSize / config.numHeads : rules.headDim);
    if (config.headDim % 2 != 0)
        throw fields.bad("head_dim", "even, because rotary embedding turns pairs", config.headDim);
}

void readBiases(ModelConfig& config, const ConfigFields& fields, const FamilyRules& rules) {
    const bool unlessSaid = rules.biases == BiasRule::kUnlessSaidOtherwise;
    const bool ofAll =
        fields.flag("attention_bias", unlessSaid) && (unlessSaid || rules.biases == BiasRule::kWhereSaid);
    config.outputBias = ofAll;
    config.qkvBias = ofAll || rules.biases == BiasRule::kQkv ||
                     (rules.biases == BiasRule::kQkvUnlessSaid && fields.flag("qkv_bias", true));
    config.mlpBias = rules.mlpBias && fields.flag("mlp_bias", false);
}

void readAttention(ModelConfig& config, const ConfigFields& fields, const FamilyRules& rules) {
    readHeads(config, fields, rules);
    readBiases(config, fields, rules);
    config.qkNorm = rules.qkNorm;
    config.qkNormIsWide = rules.qkNormIsWide;
    config.inputNorms = rules.inputNorms;
    config.outputNorms = rules.outputNorms;
    config.normsAddOne = rules.normsAddOne;
    config.fusedLinears = rules.fusedLinears;
    config.attentionSinks = rules.sinks;
    if (rules.withoutRotary) config.withoutRotary = readWithoutRotary(fields, config.numLayers);
    config.slidingWindow = readSlidingWindow(fields, rules, config);
}

Multipliers readMultipliers(const ConfigFields& fields) {
    Multipliers multipliers;
    multipliers.embedding = fields.positive("embedding_multiplier", 1);
    multipliers.residual = fields.positive("residual_multiplier", 1);
    multipliers.logits = 1 / fields.positive("logits_scaling", 1);
    multipliers.attention = fields.positive("attention_multiplier", 1);
    return multipliers;
}

// As a tensor of the type holds it, which is made of fp32.
double roundedTo(DType dtype, double value) {
    const auto single = static_cast<float>(value);
    if (dtype == DType::kBF16) return fromBf16(toBf16(single));
    if (dtype == DType::kF16) return fromF16(toF16(single));
    return single;
}

// Gemma's. The table is multiplied in its own type, so its factor is rounded to that.
Multipliers readRootedScales(const ConfigFields& fields, const ModelConfig& config) {
    Multipliers multipliers;
    multipliers.embedding = roundedTo(config.dtype, std::sqrt(static_cast<double>(config.hiddenSize)));
    multipliers.attention = 1 / std::sqrt(fields.positive("query_pre_attn_scalar", 256));
    return multipliers;
}

std::optional<int32_t> firstOf(const std::vector<int32_t>& ids) {
    return ids.empty() ? std::nullopt : std::optional(ids.front());
}

void readSpecialIds(ModelConfig& config, const ConfigFields& fields) {
    for (const int32_t id : fields.ids("eos_token_id"))
        if (std::ranges::find(config.eosIds, id) == config.eosIds.end()) config.eosIds.push_back(id);
    if (!config.bosId) config.bosId = firstOf(fields.ids("bos_token_id"));
    if (!config.padId) config.padId = firstOf(fields.ids("pad_token_id"));
}

} // namespace

ModelConfig parseModelConfig(std::string_view json, const std::string& nameForErrors) {
    const ConfigFields top(json, nameForErrors);
    const FamilyRules& rules = familyOf(top);
    refuseQuantised(top, rules);
    const ConfigFields fields = textFieldsOf(top, rules);
    refuseWhatWeCannotRead(fields, rules);

    ModelConfig config;
    config.family = rules.family;
    config.architecture = rules.architecture;
    config.vocabSize = readSize(fields, "vocab_size", rules.vocabSize);
    config.hiddenSize = fields.requiredSize("hidden_size");
    config.intermediateSize = fields.requiredSize("intermediate_size");
    config.numLayers = fields.requiredSize("num_hidden_layers", kMaxLayers);
    config.maxPositions = fields.integer("max_position_embeddings", 1, kMaxDimension).value_or(rules.maxPositions);
    config.rmsNormEps = fields.positive("rms_norm_eps", rules.rmsNormEps);
    readAttention(config, fields, rules);
    config.experts = readExperts(fields, rules, config);
    if (rules.multipliers) config.multipliers = readMultipliers(fields);
    config.rope = readRope(fields, rules, config);
    if (rules.windowRope) config.windowRope = readWindowRope(fields, rules, config);
    config.geluGate = rules.geluGate;
    config.tiedEmbeddings = top.flag("tie_word_embeddings", rules.tied);
    config.dtype = readDType(top, readDType(fields, config.experts.mxfp4 ? DType::kBF16 : DType::kF32));
    if (rules.rootedScales) config.multipliers = readRootedScales(fields, config);
    readSpecialIds(config, top);
    if (rules.textPart) readSpecialIds(config, fields);
    return config;
}

void requireWholeTrainable(const ModelConfig& config) {
    if (!config.experts.stacked) return;
    throw unsupported(fmt::format("All weights of a {} model can be planned, but not be trained yet: its experts are "
                                  "stacked.",
                                  rulesOf(config).name),
                      "Train adapters (method lora).");
}

ModelConfig readModelConfig(const fs::path& folderOrFile) {
    std::error_code unreadable; // counts as absent here; opening a file says why
    if (fs::symlink_status(folderOrFile, unreadable).type() == fs::file_type::not_found)
        throw Error(ErrorKind::kIo, fmt::format("There is no model folder '{}' (model.path).", folderOrFile.string()),
                    "Choose a Hugging Face model folder.");
    const bool isFolder = fs::is_directory(folderOrFile, unreadable);
    const fs::path file = isFolder ? folderOrFile / "config.json" : folderOrFile;
    if (isFolder && !fs::exists(file, unreadable))
        throw Error(ErrorKind::kIo, fmt::format("'{}' has no config.json.", folderOrFile.string()),
                    "Choose a Hugging Face model folder.");
    ModelConfig config = parseModelConfig(readTextFile(file, kMaxConfigBytes), file.string());
    const fs::path generation = file.parent_path() / "generation_config.json";
    if (isFolder && fs::exists(generation, unreadable)) {
        const ConfigFields fields(readTextFile(generation, kMaxConfigBytes), generation.string());
        readSpecialIds(config, fields);
    }
    return config;
}

} // namespace roundpipe::arch
