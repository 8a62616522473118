// SPDX-License-Identifier: GPL-3.0-or-later
// How queries and keys turn, by the words of config.json.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::arch {

class ConfigFields;
struct FamilyRules;
struct ModelConfig;

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

// Reads what `top` says of it. The head's size and the positions of `config` are there already. Throws kUnsupported for
// a scaling that we cannot compute, kInvalidInput naming the field.
RopeConfig readRope(const ConfigFields& top, const FamilyRules& rules, const ModelConfig& config);
// The same of blocks that look at a window, in a family where it is another one.
RopeConfig readWindowRope(const ConfigFields& top, const FamilyRules& rules, const ModelConfig& config);

} // namespace roundpipe::arch
