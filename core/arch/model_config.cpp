// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/model_config.h"

#include "arch/block_tensors.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int64_t kMaxConfigBytes = 16 << 20;
constexpr int64_t kMaxDimension = int64_t{1} << 28; // of any one size: keeps products of two within 64 bits
constexpr int64_t kMaxLayers = 1 << 16;
constexpr int64_t kMaxExperts = 1 << 14; // of a block
constexpr int64_t kMxfp4Group = 32;

Json parseObject(std::string_view text, const std::string& name) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        throw invalidInput(
            fmt::format("'{}' is not valid JSON: {}.", name, wordsForJsonError(error.id, error.what(), text)));
    }
    if (!json.is_object()) throw invalidInput(fmt::format("'{}' must hold a JSON object.", name));
    return json;
}

// One object of a config file; every error names the file and the field. A null counts as absent, as transformers
// writes null for what is not set.
class Fields {
public:
    Fields(const Json& object, std::string file, std::string prefix = {})
        : m_object(object), m_file(std::move(file)), m_prefix(std::move(prefix)) {}

    const Json* find(const char* key) const {
        const auto found = m_object.find(key);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }
    bool mentions(const char* key) const { return m_object.contains(key); }

    std::optional<int64_t> integer(const char* key, int64_t least, int64_t most) const {
        const Json* value = find(key);
        if (value == nullptr) return std::nullopt;
        const bool fits = value->is_number_integer() &&
                          !(value->is_number_unsigned() &&
                            value->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
        if (!fits || value->get<int64_t>() < least || value->get<int64_t>() > most)
            throw bad(key, fmt::format("an integer from {} to {}", least, most), *value);
        return value->get<int64_t>();
    }
    int64_t requiredSize(const char* key, int64_t most = kMaxDimension) const {
        const auto value = integer(key, 1, most);
        if (!value)
            throw invalidInput(fmt::format("'{}': the field '{}{}' is missing.", m_file, m_prefix, key),
                               "Fetch the model's config.json again.");
        return *value;
    }
    std::optional<double> number(const char* key, double least) const {
        const Json* value = find(key);
        if (value == nullptr) return std::nullopt;
        if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() < least)
            throw bad(key, fmt::format("a number of at least {}", least), *value);
        return value->get<double>();
    }
    double positive(const char* key, double otherwise) const {
        const double value = number(key, 0).value_or(otherwise);
        if (value <= 0) throw bad(key, "a number above 0", *find(key));
        return value;
    }
    bool flag(const char* key, bool otherwise) const {
        const Json* value = find(key);
        if (value == nullptr) return otherwise;
        if (!value->is_boolean()) throw bad(key, "true or false", *value);
        return value->get<bool>();
    }
    std::optional<std::string> text(const char* key) const {
        const Json* value = find(key);
        if (value == nullptr) return std::nullopt;
        if (!value->is_string()) throw bad(key, "a string", *value);
        return value->get<std::string>();
    }
    // An integer or a list of them.
    std::vector<int32_t> ids(const char* key) const {
        const Json* value = find(key);
        std::vector<int32_t> result;
        if (value == nullptr) return result;
        for (const Json& item : value->is_array() ? *value : Json::array({*value})) {
            if (!item.is_number_integer() || item.get<int64_t>() < -1 ||
                item.get<int64_t>() > std::numeric_limits<int32_t>::max())
                throw bad(key, "a token id or a list of token ids", *value);
            if (item.get<int64_t>() >= 0) result.push_back(item.get<int32_t>()); // -1 was used for "none"
        }
        return result;
    }

    Error bad(const char* key, const std::string& expected, const Json& found) const {
        std::string shown = found.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (shown.size() > 80) shown = shown.substr(0, 77) + "...";
        return invalidInput(
            fmt::format("'{}': the field '{}{}' must be {}, but is {}.", m_file, m_prefix, key, expected, shown));
    }
    const std::string& file() const { return m_file; }

private:
    const Json& m_object;
    std::string m_file;
    std::string m_prefix;
};

struct FamilyRules {
    Family family;
    const char* architecture;
    const char* modelType;
    int64_t maxPositions;     // what transformers assumes where config.json does not say
    int64_t headDim;          // likewise; 0: hidden size / heads
    int64_t numKvHeads;       // likewise; 0: as many as heads
    double ropeTheta = 10000; // likewise
    double rmsNormEps = 1e-6; // likewise
    bool tied = false;        // likewise
};
constexpr FamilyRules kFamilies[] = {
    {Family::kLlama, "LlamaForCausalLM", "llama", 2048, 0, 0},
    {Family::kMistral, "MistralForCausalLM", "mistral", 131072, 0, 8},
    {Family::kQwen2, "Qwen2ForCausalLM", "qwen2", 32768, 0, 0},
    {Family::kQwen3, "Qwen3ForCausalLM", "qwen3", 32768, 128, 0},
    {Family::kMixtral, "MixtralForCausalLM", "mixtral", 131072, 0, 8, 1e6, 1e-5},
    {Family::kQwen2Moe, "Qwen2MoeForCausalLM", "qwen2_moe", 32768, 0, 16},
    {Family::kQwen3Moe, "Qwen3MoeForCausalLM", "qwen3_moe", 32768, 0, 4},
    {Family::kGptOss, "GptOssForCausalLM", "gpt_oss", 131072, 64, 8, 150000, 1e-5},
    {Family::kSmolLm3, "SmolLM3ForCausalLM", "smollm3", 32768, 0, 4, 2e6, 1e-6, true},
    {Family::kGranite, "GraniteForCausalLM", "granite", 2048, 0, 0},
    {Family::kPhi3, "Phi3ForCausalLM", "phi3", 4096, 0, 0, 1e4, 1e-5},
};

std::string architectureOf(const Fields& fields) {
    if (const Json* list = fields.find("architectures")) {
        if (!list->is_array() || list->empty() || !list->front().is_string())
            throw fields.bad("architectures", "a list of names", *list);
        return list->front().get<std::string>();
    }
    // Configs written by hand often say the type only.
    const auto type = fields.text("model_type");
    if (!type)
        throw invalidInput(fmt::format("'{}' names neither 'architectures' nor 'model_type'.", fields.file()),
                           "Choose a Hugging Face model folder.");
    for (const FamilyRules& rules : kFamilies)
        if (*type == rules.modelType) return rules.architecture;
    return *type;
}

// What of the model cannot be run; empty: nothing.
std::string onlyPlannedOf(const ModelConfig& config) {
#define RP_PLANNED(folder, value, words) folder::onlyPlanned(config),
    for (const std::string& blocks : {RP_FOR_EACH_BLOCK_TYPE(RP_PLANNED)})
#undef RP_PLANNED
        if (!blocks.empty()) return blocks;
    return {};
}

// Those that are trained and asked, and those that are only looked at and planned.
std::string supportedFamilies() {
    std::vector<std::string_view> run, planned;
    for (const FamilyRules& rules : kFamilies) {
        ModelConfig config;
        config.experts.stacked = rules.family == Family::kGptOss;
        (onlyPlannedOf(config).empty() ? run : planned).push_back(rules.architecture);
    }
    const std::string others =
        planned.empty() ? "" : fmt::format("; inspected and planned, too, {}", fmt::join(planned, ", "));
    return fmt::format("Those that run are {}{}.", fmt::join(run, ", "), others);
}

const FamilyRules& familyOf(const Fields& fields) {
    const std::string architecture = architectureOf(fields);
    for (const FamilyRules& rules : kFamilies) {
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

// gpt-oss is published with its experts in 4 bits, and with nothing else quantised.
bool hasMxfp4Experts(const Fields& fields, Family family) {
    const Json* quantization = fields.find("quantization_config");
    return family == Family::kGptOss && quantization != nullptr && quantization->is_object() &&
           quantization->value("quant_method", Json()) == "mxfp4";
}

void refuseWhatWeCannotRead(const Fields& fields, Family family) {
    if (const Json* quantization = fields.find("quantization_config");
        quantization && !hasMxfp4Experts(fields, family)) {
        std::string method = "by an unnamed method";
        if (quantization->is_object() && quantization->contains("quant_method"))
            method = (*quantization)["quant_method"].dump(-1, ' ', false, Json::error_handler_t::replace);
        throw unsupported(
            fmt::format("'{}' has a quantization_config: the weights are quantised ({}).", fields.file(), method),
            "Choose the original model in bfloat16, float16 or float32.");
    }
    const std::string activation = fields.text("hidden_act").value_or("silu");
    if (activation != "silu" && activation != "swish")
        throw unsupported(fmt::format("'{}': hidden_act '{}' is not supported.", fields.file(), activation),
                          "Only 'silu' is.");
}

RopeConfig::Type ropeTypeOf(const Fields& rope, const std::string& field, Family family) {
    auto name = rope.text("rope_type");
    if (!name) name = rope.text("type"); // until transformers 4.43
    const std::string type = name.value_or("default");
    if (type == "default") return RopeConfig::Type::kDefault;
    if (type == "linear") return RopeConfig::Type::kLinear;
    if (type == "dynamic") return RopeConfig::Type::kDynamic;
    if (type == "llama3") return RopeConfig::Type::kLlama3;
    const bool wasLongRope = family == Family::kPhi3 && (type == "su" || type == "yarn"); // its first names
    if (type == "longrope" || wasLongRope) return RopeConfig::Type::kLongRope;
    if (type == "yarn") return RopeConfig::Type::kYarn;
    throw unsupported(fmt::format("'{}': the rotary scaling '{}' of '{}' is not supported.", rope.file(), type, field),
                      "Supported are default, linear, dynamic, llama3, yarn and longrope.");
}

// The top level wins over the nested field, and both default to max_position_embeddings: as transformers does.
int64_t originalPositions(const Fields& given, const Fields& top, int64_t maxPositions) {
    const char* key = "original_max_position_embeddings";
    const auto nested = given.integer(key, 1, kMaxDimension);
    return top.integer(key, 1, kMaxDimension).value_or(nested.value_or(maxPositions));
}

// A factor for each period.
std::vector<double> periodFactors(const Fields& given, const char* key, int64_t count) {
    const Json* list = given.find(key);
    if (list == nullptr) throw invalidInput(fmt::format("'{}': the rotary scaling has no '{}'.", given.file(), key));
    const auto isFactor = [](const Json& value) {
        return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() > 0;
    };
    if (!list->is_array() || static_cast<int64_t>(list->size()) != count || !std::ranges::all_of(*list, isFactor))
        throw given.bad(key, fmt::format("a list of {} numbers above 0, one for each pair of turned columns", count),
                        *list);
    return list->get<std::vector<double>>();
}

void readLongRope(RopeConfig& rope, const Fields& given, const Fields& top, const ModelConfig& config) {
    const int64_t count = static_cast<int64_t>(static_cast<double>(config.headDim) * rope.partialRotaryFactor) / 2;
    rope.shortFactors = periodFactors(given, "short_factor", count);
    rope.longFactors = periodFactors(given, "long_factor", count);
    rope.originalMaxPositions = originalPositions(given, top, config.maxPositions);
    if (rope.originalMaxPositions < 2) throw given.bad("original_max_position_embeddings", "at least 2", Json(1));
    rope.factor = given.positive("factor", static_cast<double>(config.maxPositions) /
                                               static_cast<double>(rope.originalMaxPositions));
    const double stretched =
        rope.factor <= 1
            ? 1
            : std::sqrt(1 + std::log(rope.factor) / std::log(static_cast<double>(rope.originalMaxPositions)));
    rope.attentionFactor = given.number("attention_factor", 0).value_or(stretched);
}

void readScaling(RopeConfig& rope, const Fields& given, const Fields& top, const ModelConfig& config) {
    if (rope.type == RopeConfig::Type::kDefault) return;
    if (rope.type == RopeConfig::Type::kLongRope) return readLongRope(rope, given, top, config);
    const Json* factor = given.find("factor");
    if (factor == nullptr) throw invalidInput(fmt::format("'{}': the rotary scaling has no 'factor'.", given.file()));
    rope.factor = given.positive("factor", 1);
    if (rope.type == RopeConfig::Type::kLinear || rope.type == RopeConfig::Type::kDynamic) return;

    rope.originalMaxPositions = originalPositions(given, top, config.maxPositions);
    if (rope.type == RopeConfig::Type::kLlama3) {
        rope.lowFrequencyFactor = given.positive("low_freq_factor", rope.lowFrequencyFactor);
        rope.highFrequencyFactor = given.positive("high_freq_factor", rope.highFrequencyFactor);
        if (rope.highFrequencyFactor <= rope.lowFrequencyFactor)
            throw given.bad("high_freq_factor", "above low_freq_factor", Json(rope.highFrequencyFactor));
        return;
    }
    rope.betaFast = given.positive("beta_fast", rope.betaFast);
    rope.betaSlow = given.positive("beta_slow", rope.betaSlow);
    rope.mscale = given.number("mscale", 0);
    rope.mscaleAllDim = given.number("mscale_all_dim", 0);
    rope.attentionFactor = given.number("attention_factor", 0);
    rope.truncate = given.flag("truncate", true);
}

RopeConfig readRope(const Fields& top, const FamilyRules& rules, const ModelConfig& config) {
    RopeConfig rope;
    rope.theta = top.positive("rope_theta", rules.ropeTheta);
    rope.partialRotaryFactor = top.positive("partial_rotary_factor", 1);
    // rope_scaling is the older spelling and wins where both stand, as in transformers; {} counts as absent.
    std::string field = "rope_scaling";
    const Json* given = top.find("rope_scaling");
    if (given == nullptr || given->empty()) {
        field = "rope_parameters";
        given = top.find("rope_parameters");
    }
    const Json gptOss = {
        {"rope_type", "yarn"}, {"factor", 32.0}, {"truncate", false}, {"original_max_position_embeddings", 4096}};
    if (given == nullptr && rules.family == Family::kGptOss) given = &gptOss;
    if (given != nullptr) {
        if (!given->is_object()) throw top.bad(field.c_str(), "an object", *given);
        for (const auto& [key, value] : given->items())
            if (value.is_object())
                throw unsupported(fmt::format("'{}': '{}' differs by layer type ('{}'), which is not supported.",
                                              top.file(), field, key));
        const Fields nested(*given, top.file(), field + ".");
        rope.type = ropeTypeOf(nested, field, rules.family);
        rope.theta = nested.positive("rope_theta", rope.theta);
        rope.partialRotaryFactor = nested.positive("partial_rotary_factor", rope.partialRotaryFactor);
        if (rope.partialRotaryFactor > 1)
            throw nested.bad("partial_rotary_factor", "at most 1", Json(rope.partialRotaryFactor));
        readScaling(rope, nested, top, config);
    }
    if (rope.theta <= 1) throw top.bad("rope_theta", "above 1", Json(rope.theta));
    const auto columns = static_cast<int64_t>(static_cast<double>(config.headDim) * rope.partialRotaryFactor);
    if (rules.family == Family::kPhi3 && (rope.partialRotaryFactor > 1 || columns < 2 || columns % 2 != 0))
        throw top.bad("partial_rotary_factor", "at most 1, for an even number of columns of a head",
                      Json(rope.partialRotaryFactor));
    if (rope.partialRotaryFactor != 1 && rules.family != Family::kPhi3)
        throw unsupported(
            fmt::format("'{}': partial_rotary_factor {} is not supported.", top.file(), rope.partialRotaryFactor),
            "Only Phi-3 models that don't rotate whole heads are.");
    return rope;
}

// Which blocks of SmolLM3 leave queries and keys as they are: a list says 1 where they turn, or every fourth one does
// not.
std::vector<bool> readWithoutRotary(const Fields& fields, const ModelConfig& config) {
    if (config.family != Family::kSmolLm3) return {};
    std::vector<bool> without(static_cast<std::size_t>(config.numLayers));
    const Json* turning = fields.find("no_rope_layers");
    if (turning == nullptr) {
        const int64_t every = fields.integer("no_rope_layer_interval", 1, kMaxLayers).value_or(4);
        for (std::size_t block = 0; block < without.size(); ++block)
            without[block] = (block + 1) % static_cast<std::size_t>(every) == 0;
        return without;
    }
    if (!turning->is_array() || turning->size() < without.size())
        throw fields.bad("no_rope_layers", fmt::format("a list of {} times 0 or 1", without.size()), *turning);
    for (std::size_t block = 0; block < without.size(); ++block) {
        const Json& turns = (*turning)[block];
        if (turns != 0 && turns != 1)
            throw fields.bad("no_rope_layers", fmt::format("a list of {} times 0 or 1", without.size()), *turning);
        without[block] = turns == 0;
    }
    return without;
}

// Which blocks look at a window only. Llama and Granite know none; Mistral's, Mixtral's and Phi-3's hold for every
// block; Qwen's has a switch, and either a list of layer types or a first block (Qwen2-MoE: every second one before it;
// Qwen3-MoE: all blocks); gpt-oss takes turns where no list says; SmolLM3's has the switch, and is of the blocks
// without rotary then.
std::vector<int64_t> readSlidingWindow(const Fields& fields, const ModelConfig& config) {
    std::vector<int64_t> windows(static_cast<std::size_t>(config.numLayers), 0);
    if (config.family == Family::kLlama || config.family == Family::kGranite) return windows;
    const bool isGptOss = config.family == Family::kGptOss, isSmolLm3 = config.family == Family::kSmolLm3;
    const bool isQwen2Moe = config.family == Family::kQwen2Moe; // whose 0 is none
    const bool isMixtralOrPhi3 = config.family == Family::kMixtral || config.family == Family::kPhi3;
    const auto given = fields.integer("sliding_window", isQwen2Moe ? 0 : 1, kMaxDimension);
    const bool hasNone = isMixtralOrPhi3 || isSmolLm3 || fields.mentions("sliding_window");
    const int64_t window = given.value_or(hasNone ? 0 : isGptOss ? 128 : 4096);
    const int64_t active = isGptOss || fields.flag("use_sliding_window", false) ? window : 0;
    if (config.family == Family::kMistral || isMixtralOrPhi3 || config.family == Family::kQwen3Moe) {
        std::ranges::fill(windows, config.family == Family::kQwen3Moe ? active : window);
        return windows;
    }
    const Json* types = fields.find("layer_types");
    if (types == nullptr && isGptOss) {
        for (std::size_t i = 0; i < windows.size(); i += 2)
            windows[i] = active;
        return windows;
    }
    if (types == nullptr && config.family == Family::kSmolLm3) {
        for (std::size_t i = 0; i < windows.size(); ++i)
            windows[i] = config.withoutRotary[i] ? active : 0;
        return windows;
    }
    if (types == nullptr) {
        const int64_t first = fields.integer("max_window_layers", 0, kMaxDimension).value_or(28);
        for (int64_t i = 0; i < config.numLayers; ++i)
            if (isQwen2Moe ? i < first && i % 2 == 0 : i >= first) windows[static_cast<std::size_t>(i)] = active;
        return windows;
    }
    if (!types->is_array() || types->size() != windows.size())
        throw fields.bad("layer_types", fmt::format("a list of {} layer types", windows.size()), *types);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const Json& type = (*types)[i];
        if (type == "full_attention") continue;
        if (type != "sliding_attention")
            throw unsupported(fmt::format("'{}': the layer type {} of 'layer_types' is not supported.", fields.file(),
                                          type.dump(-1, ' ', false, Json::error_handler_t::replace)));
        if (active == 0)
            throw invalidInput(
                fmt::format("'{}': 'layer_types' asks for sliding_attention, but 'use_sliding_window' is "
                            "false or 'sliding_window' is null.",
                            fields.file()));
        windows[i] = active;
    }
    return windows;
}

DType readDType(const Fields& fields, DType otherwise) {
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

void readAttention(ModelConfig& config, const Fields& fields, const FamilyRules& rules) {
    config.numHeads = fields.requiredSize("num_attention_heads", 1 << 20);
    config.numKvHeads =
        fields.integer("num_key_value_heads", 1, 1 << 20)
            .value_or(fields.mentions("num_key_value_heads") || rules.numKvHeads == 0 ? config.numHeads
                                                                                      : rules.numKvHeads);
    if (config.numHeads % config.numKvHeads != 0)
        throw fields.bad("num_key_value_heads", fmt::format("a divisor of num_attention_heads ({})", config.numHeads),
                         Json(config.numKvHeads));
    const auto headDim = fields.integer("head_dim", 1, 1 << 20);
    const bool dividedByHeads = !headDim && rules.headDim == 0;
    if ((dividedByHeads || config.family == Family::kLlama) && config.hiddenSize % config.numHeads != 0)
        throw fields.bad("hidden_size", fmt::format("a multiple of num_attention_heads ({})", config.numHeads),
                         Json(config.hiddenSize));
    config.headDim = headDim.value_or(dividedByHeads ? config.hiddenSize / config.numHeads : rules.headDim);
    if (config.headDim % 2 != 0)
        throw fields.bad("head_dim", "even, because rotary embedding turns pairs", Json(config.headDim));

    const bool attentionBias = fields.flag("attention_bias", config.family == Family::kGptOss);
    const bool isQwen2 =
        config.family == Family::kQwen2 || (config.family == Family::kQwen2Moe && fields.flag("qkv_bias", true));
    const bool hasSwitch = config.family != Family::kMistral && config.family != Family::kMixtral &&
                           config.family != Family::kQwen2 && config.family != Family::kQwen2Moe &&
                           config.family != Family::kPhi3;
    config.qkvBias = isQwen2 || (hasSwitch && attentionBias);
    config.outputBias = hasSwitch && attentionBias;
    const bool isLikeLlama =
        config.family == Family::kLlama || config.family == Family::kSmolLm3 || config.family == Family::kGranite;
    config.mlpBias = isLikeLlama && fields.flag("mlp_bias", false);
    config.qkNorm = config.family == Family::kQwen3 || config.family == Family::kQwen3Moe;
    config.fusedLinears = config.family == Family::kPhi3;
    config.attentionSinks = config.family == Family::kGptOss;
    config.withoutRotary = readWithoutRotary(fields, config);
    config.slidingWindow = readSlidingWindow(fields, config);
}

Multipliers readMultipliers(const Fields& fields, Family family) {
    Multipliers multipliers;
    if (family != Family::kGranite) return multipliers;
    multipliers.embedding = fields.positive("embedding_multiplier", 1);
    multipliers.residual = fields.positive("residual_multiplier", 1);
    multipliers.logits = 1 / fields.positive("logits_scaling", 1);
    multipliers.attention = fields.positive("attention_multiplier", 1);
    return multipliers;
}

// Which blocks of Qwen's are sparse: every decoder_sparse_step-th one, unless mlp_only_layers names it.
std::vector<bool> readSparseBlocks(const Fields& fields, int64_t numLayers) {
    const int64_t every = fields.integer("decoder_sparse_step", 1, kMaxLayers).value_or(1);
    std::vector<bool> sparse(static_cast<std::size_t>(numLayers));
    for (std::size_t block = 0; block < sparse.size(); ++block)
        sparse[block] = (block + 1) % static_cast<std::size_t>(every) == 0;
    const Json* dense = fields.find("mlp_only_layers");
    if (dense == nullptr) return sparse;
    for (const Json& block : dense->is_array() ? *dense : Json::array({*dense})) {
        if (!block.is_number_integer() || block.get<int64_t>() < 0 || block.get<int64_t>() >= numLayers)
            throw fields.bad("mlp_only_layers", fmt::format("a list of blocks from 0 to {}", numLayers - 1), *dense);
        sparse[block.get<std::size_t>()] = false;
    }
    return sparse;
}

// A size with two spellings.
int64_t requiredEither(const Fields& fields, const char* key, const char* otherKey, int64_t most) {
    if (const auto value = fields.integer(otherKey, 1, most); value && fields.find(key) == nullptr) return *value;
    return fields.requiredSize(key, most);
}

ExpertsConfig readExperts(const Fields& fields, const ModelConfig& config) {
    ExpertsConfig experts;
    const bool isGptOss = config.family == Family::kGptOss;
    if (isGptOss || config.family == Family::kMixtral) {
        experts.count = requiredEither(fields, "num_local_experts", "num_experts", kMaxExperts);
        experts.perToken = requiredEither(fields, "num_experts_per_tok", "experts_per_token", kMaxExperts);
        experts.intermediateSize = config.intermediateSize;
        experts.normalised = true; // gpt-oss's softmax is over the chosen ones alone
        experts.stacked = isGptOss;
        experts.mxfp4 = hasMxfp4Experts(fields, config.family);
        experts.sparse.assign(static_cast<std::size_t>(config.numLayers), true);
    } else if (config.family == Family::kQwen2Moe || config.family == Family::kQwen3Moe) {
        experts.count = requiredEither(fields, "num_experts", "num_local_experts", kMaxExperts);
        experts.perToken = fields.requiredSize("num_experts_per_tok", kMaxExperts);
        experts.intermediateSize = fields.requiredSize("moe_intermediate_size");
        if (config.family == Family::kQwen2Moe)
            experts.sharedSize = fields.requiredSize("shared_expert_intermediate_size");
        experts.normalised = fields.flag("norm_topk_prob", false);
        experts.sparse = readSparseBlocks(fields, config.numLayers);
    }
    if (experts.perToken > experts.count)
        throw fields.bad("num_experts_per_tok", fmt::format("at most the number of experts ({})", experts.count),
                         Json(experts.perToken));
    if (experts.mxfp4 && (config.hiddenSize % kMxfp4Group != 0 || experts.intermediateSize % kMxfp4Group != 0))
        throw fields.bad("hidden_size",
                         "a multiple of 32, as intermediate_size, because mxfp4 scales 32 values at a time",
                         Json(config.hiddenSize));
    return experts;
}

std::optional<int32_t> firstOf(const std::vector<int32_t>& ids) {
    return ids.empty() ? std::nullopt : std::optional(ids.front());
}

void readSpecialIds(ModelConfig& config, const Fields& fields) {
    for (const int32_t id : fields.ids("eos_token_id"))
        if (std::ranges::find(config.eosIds, id) == config.eosIds.end()) config.eosIds.push_back(id);
    if (!config.bosId) config.bosId = firstOf(fields.ids("bos_token_id"));
    if (!config.padId) config.padId = firstOf(fields.ids("pad_token_id"));
}

} // namespace

ModelConfig parseModelConfig(std::string_view json, const std::string& nameForErrors) {
    const Json object = parseObject(json, nameForErrors);
    const Fields fields(object, nameForErrors);
    const FamilyRules& rules = familyOf(fields);
    refuseWhatWeCannotRead(fields, rules.family);

    ModelConfig config;
    config.family = rules.family;
    config.architecture = rules.architecture;
    config.vocabSize = fields.requiredSize("vocab_size");
    config.hiddenSize = fields.requiredSize("hidden_size");
    config.intermediateSize = fields.requiredSize("intermediate_size");
    config.numLayers = fields.requiredSize("num_hidden_layers", kMaxLayers);
    config.maxPositions = fields.integer("max_position_embeddings", 1, kMaxDimension).value_or(rules.maxPositions);
    config.rmsNormEps = fields.positive("rms_norm_eps", rules.rmsNormEps);
    readAttention(config, fields, rules);
    config.experts = readExperts(fields, config);
    config.multipliers = readMultipliers(fields, config.family);
    config.rope = readRope(fields, rules, config);
    config.tiedEmbeddings = fields.flag("tie_word_embeddings", rules.tied);
    config.dtype = readDType(fields, config.experts.mxfp4 ? DType::kBF16 : DType::kF32);
    readSpecialIds(config, fields);
    return config;
}

void requireRunnable(const ModelConfig& config) {
    if (const std::string blocks = onlyPlannedOf(config); !blocks.empty())
        throw unsupported(
            fmt::format("{} has {}, which can be planned and inspected, but not run yet.", config.architecture, blocks),
            "Choose a Llama, Mistral, Mixtral, Qwen2, Qwen2-MoE, Qwen3, Qwen3-MoE, SmolLM3, Granite or Phi-3 model.");
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
        const Json object = parseObject(readTextFile(generation, kMaxConfigBytes), generation.string());
        readSpecialIds(config, Fields(object, generation.string()));
    }
    return config;
}

} // namespace roundpipe::arch
