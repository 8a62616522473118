// SPDX-License-Identifier: GPL-3.0-or-later
// The experts of a model, by the words of config.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::arch {

class ConfigFields;
struct FamilyRules;
struct ModelConfig;

// The experts of a mixture-of-experts model. A sparse block has a router and `count` experts in the place of one MLP;
// each token goes through `perToken` of them.
struct ExpertsConfig {
    int64_t count = 0; // 0: a dense model
    int64_t perToken = 0;
    int64_t intermediateSize = 0; // of one expert
    int64_t sharedSize = 0;       // likewise, of one more that every token goes through; 0: none (Qwen2-MoE)
    bool normalised = false;      // a token's routing weights are divided by their sum
    bool stacked = false; // all experts of a block in one tensor, gate and up interleaved, with biases (gpt-oss)
    double gateSlope =
        1.702;            // of stacked ones: gate * sigma(slope * gate) * (up + 1), of gates cut off above the limit
    double gateLimit = 7; // and ups on both sides
    bool mxfp4 = false;   // the stacked weights are stored in 4 bits, with an 8-bit scale for every 32
    std::vector<bool> sparse; // per decoder block; empty for a dense model
    bool isSparse(int64_t block) const { return !sparse.empty() && sparse[static_cast<std::size_t>(block)]; }
};

// Whether the stacked experts are published in 4 bits, with nothing else quantised.
bool hasMxfp4Experts(const ConfigFields& fields, const FamilyRules& rules);
// The hidden and intermediate size and the number of blocks of `config` are there already. Throws kInvalidInput naming
// the field.
ExpertsConfig readExperts(const ConfigFields& fields, const FamilyRules& rules, const ModelConfig& config);

} // namespace roundpipe::arch
