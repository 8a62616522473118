// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/rope_config.h"

#include "arch/config_fields.h"
#include "arch/families.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace roundpipe::arch {
namespace {

RopeConfig::Type ropeTypeOf(const ConfigFields& rope, const std::string& field, const FamilyRules& rules) {
    auto name = rope.text("rope_type");
    if (!name) name = rope.text("type"); // until transformers 4.43
    const std::string type = name.value_or("default");
    if (type == "default") return RopeConfig::Type::kDefault;
    if (type == "linear") return RopeConfig::Type::kLinear;
    if (type == "dynamic") return RopeConfig::Type::kDynamic;
    if (type == "llama3") return RopeConfig::Type::kLlama3;
    const bool wasLongRope = rules.longRopeAsYarn && (type == "su" || type == "yarn");
    if (type == "longrope" || wasLongRope) return RopeConfig::Type::kLongRope;
    if (type == "yarn") return RopeConfig::Type::kYarn;
    throw unsupported(fmt::format("'{}': the rotary scaling '{}' of '{}' is not supported.", rope.file(), type, field),
                      "Supported are default, linear, dynamic, llama3, yarn and longrope.");
}

// The top level wins over the nested field, and both default to max_position_embeddings: as transformers does.
int64_t originalPositions(const ConfigFields& given, const ConfigFields& top, int64_t maxPositions) {
    const char* key = "original_max_position_embeddings";
    const auto nested = given.integer(key, 1, kMaxDimension);
    return top.integer(key, 1, kMaxDimension).value_or(nested.value_or(maxPositions));
}

int64_t turnedColumns(const RopeConfig& rope, int64_t headDim) {
    return static_cast<int64_t>(static_cast<double>(headDim) * rope.partialRotaryFactor);
}

// A factor for each period.
std::vector<double> periodFactors(const ConfigFields& given, const char* key, int64_t count) {
    const std::string expected =
        fmt::format("a list of {} numbers above 0, one for each pair of turned columns", count);
    const auto list = given.numbers(key, expected);
    if (!list) throw invalidInput(fmt::format("'{}': the rotary scaling has no '{}'.", given.file(), key));
    if (static_cast<int64_t>(list->size()) != count ||
        !std::ranges::all_of(*list, [](double factor) { return factor > 0; }))
        throw given.bad(key, expected);
    return *list;
}

void readLongRope(RopeConfig& rope, const ConfigFields& given, const ConfigFields& top, const ModelConfig& config) {
    const int64_t count = turnedColumns(rope, config.headDim) / 2;
    rope.shortFactors = periodFactors(given, "short_factor", count);
    rope.longFactors = periodFactors(given, "long_factor", count);
    rope.originalMaxPositions = originalPositions(given, top, config.maxPositions);
    if (rope.originalMaxPositions < 2) throw given.bad("original_max_position_embeddings", "at least 2", int64_t{1});
    rope.factor = given.positive("factor", static_cast<double>(config.maxPositions) /
                                               static_cast<double>(rope.originalMaxPositions));
    const double stretched =
        rope.factor <= 1
            ? 1
            : std::sqrt(1 + std::log(rope.factor) / std::log(static_cast<double>(rope.originalMaxPositions)));
    rope.attentionFactor = given.number("attention_factor", 0).value_or(stretched);
}

void readScaling(RopeConfig& rope, const ConfigFields& given, const ConfigFields& top, const ModelConfig& config) {
    if (rope.type == RopeConfig::Type::kDefault) return;
    if (rope.type == RopeConfig::Type::kLongRope) return readLongRope(rope, given, top, config);
    if (!given.has("factor"))
        throw invalidInput(fmt::format("'{}': the rotary scaling has no 'factor'.", given.file()));
    rope.factor = given.positive("factor", 1);
    if (rope.type == RopeConfig::Type::kLinear || rope.type == RopeConfig::Type::kDynamic) return;

    rope.originalMaxPositions = originalPositions(given, top, config.maxPositions);
    if (rope.type == RopeConfig::Type::kLlama3) {
        rope.lowFrequencyFactor = given.positive("low_freq_factor", rope.lowFrequencyFactor);
        rope.highFrequencyFactor = given.positive("high_freq_factor", rope.highFrequencyFactor);
        if (rope.highFrequencyFactor <= rope.lowFrequencyFactor)
            throw given.bad("high_freq_factor", "above low_freq_factor", rope.highFrequencyFactor);
        return;
    }
    rope.betaFast = given.positive("beta_fast", rope.betaFast);
    rope.betaSlow = given.positive("beta_slow", rope.betaSlow);
    rope.mscale = given.number("mscale", 0);
    rope.mscaleAllDim = given.number("mscale_all_dim", 0);
    rope.attentionFactor = given.number("attention_factor", 0);
    rope.truncate = given.flag("truncate", true);
}

// The older spelling wins where both stand, as in transformers; {} counts as absent.
struct GivenRope {
    std::string field = "rope_scaling";
    std::optional<ConfigFields> fields;
};
GivenRope givenRope(const ConfigFields& top) {
    GivenRope given;
    given.fields = top.object("rope_scaling");
    if (given.fields && !given.fields->isEmpty()) return given;
    return {"rope_parameters", top.object("rope_parameters")};
}

// Of one type of layers, where a family tells them apart: {"full_attention": {…}, "sliding_attention": {…}}.
GivenRope givenFor(const ConfigFields& top, const FamilyRules& rules, const char* layerType) {
    GivenRope given = givenRope(top);
    if (!rules.windowRope || !given.fields || given.fields->objects().empty()) return given;
    return {given.field + "." + layerType, given.fields->object(layerType)};
}

// `rope` has what is assumed.
RopeConfig readGiven(RopeConfig rope, const GivenRope& given, const ConfigFields& top, const FamilyRules& rules,
                     const ModelConfig& config) {
    const ConfigFields nested = given.fields.value_or(ConfigFields(rules.rotaryScaling, top.file()));
    for (const std::string& key : nested.objects())
        throw unsupported(fmt::format("'{}': '{}' differs by layer type ('{}'), which is not supported.", top.file(),
                                      given.field, key));
    rope.type = ropeTypeOf(nested, given.field, rules);
    rope.theta = nested.positive("rope_theta", rope.theta);
    rope.partialRotaryFactor = nested.positive("partial_rotary_factor", rope.partialRotaryFactor);
    if (rope.partialRotaryFactor > 1) throw nested.bad("partial_rotary_factor", "at most 1", rope.partialRotaryFactor);
    readScaling(rope, nested, top, config);
    return rope;
}

} // namespace

RopeConfig readWindowRope(const ConfigFields& top, const FamilyRules& rules, const ModelConfig& config) {
    const char* key = "rope_local_base_freq";
    RopeConfig rope;
    rope.theta = top.positive(key, 10000);
    GivenRope given = givenFor(top, rules, "sliding_attention");
    if (given.fields && given.field.find('.') == std::string::npos) given.fields.reset(); // what it scales is the other
    rope = readGiven(rope, given, top, rules, config);
    if (rope.theta <= 1) throw top.bad(key, "above 1", rope.theta);
    if (rope.partialRotaryFactor != config.rope.partialRotaryFactor || rope.dependsOnLength())
        throw unsupported(
            fmt::format("'{}': the rotary embedding of blocks that look at a window is not supported.", top.file()),
            "It may differ from that of the others in its base and scaling, but not in the share of a head or by the "
            "length of a text.");
    return rope;
}

RopeConfig readRope(const ConfigFields& top, const FamilyRules& rules, const ModelConfig& config) {
    RopeConfig rope;
    rope.theta = top.positive("rope_theta", rules.ropeTheta);
    rope.partialRotaryFactor = top.positive("partial_rotary_factor", 1);
    rope = readGiven(rope, givenFor(top, rules, "full_attention"), top, rules, config);
    if (rope.theta <= 1) throw top.bad("rope_theta", "above 1", rope.theta);
    const int64_t columns = turnedColumns(rope, config.headDim);
    if (rules.partialRotary && (columns < 2 || columns % 2 != 0))
        throw top.bad("partial_rotary_factor", "at most 1, for an even number of columns of a head",
                      rope.partialRotaryFactor);
    if (rope.partialRotaryFactor != 1 && !rules.partialRotary)
        throw unsupported(
            fmt::format("'{}': partial_rotary_factor {} is not supported.", top.file(), rope.partialRotaryFactor),
            "Only Phi-3 models that don't rotate whole heads are.");
    return rope;
}

} // namespace roundpipe::arch
