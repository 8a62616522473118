// SPDX-License-Identifier: GPL-3.0-or-later
// The families of models, a row each: what one has that another has not, and what transformers assumes where its
// config.json is silent. Internal to the folder.
#pragma once

#include "arch/model_config.h"

#include <span>

namespace roundpipe::arch {

// Of q, k, v and, where there is a switch, o.
enum class BiasRule {
    kNone,
    kQkv,
    kQkvUnlessSaid,      // "qkv_bias"
    kWhereSaid,          // "attention_bias"
    kUnlessSaidOtherwise // "
};
// Which blocks look at a window only.
enum class WindowRule {
    kNone,
    kEveryBlock,
    kEveryBlockWhereSaid,     // "use_sliding_window", as all that follow
    kFromABlockOn,            // "layer_types", else "max_window_layers"
    kEverySecondBeforeABlock, // "
    kEverySecond,             // "layer_types", else in turns; has no switch
    kAllButEveryNth,          // "layer_types", else by "sliding_window_pattern"; has no switch
    kBlocksWithoutRotary      // "layer_types", else those
};
enum class ExpertsRule {
    kNone,
    kEveryBlock,
    kEveryBlockStacked, // gpt-oss, which may have them in 4 bits
    kSparseBlocks,      // those that the config says
    kSparseBlocksShared // with one more that every token goes through
};

struct FamilyRules {
    Family family;
    const char* architecture;
    const char* modelType;
    const char* name;      // as people say it
    bool textPart = false; // of a model with pictures: its settings are config.json's "text_config"
    // What transformers assumes.
    int64_t maxPositions;
    int64_t vocabSize = 0;  // 0: must be said
    int64_t numHeads = 0;   // "
    int64_t headDim = 0;    // 0: hidden size / heads
    int64_t numKvHeads = 0; // 0: as many as heads
    double ropeTheta = 10000;
    double rmsNormEps = 1e-6;
    bool tied = false;
    int64_t window = 0; // 0: none
    // What the family has.
    BiasRule biases = BiasRule::kNone;
    WindowRule windows = WindowRule::kNone;
    ExpertsRule experts = ExpertsRule::kNone;
    bool mlpBias = false;          // "mlp_bias"
    bool headsShareHidden = false; // heads divide the hidden size even where they have a size of their own
    bool qkNorm = false;
    bool qkNormIsWide = false;
    bool inputNorms = true;
    bool outputNorms = false;
    bool normsAddOne = false;
    bool geluGate = false;     // "hidden_activation"
    bool rootedScales = false; // of the embedding by the hidden size, of queries by "query_pre_attn_scalar"
    bool windowRope = false;   // "rope_local_base_freq", or rotary parameters by layer type
    bool fusedLinears = false;
    bool sinks = false;
    bool withoutRotary = false; // blocks of it: "no_rope_layers"
    bool partialRotary = false;
    bool multipliers = false;
    bool longRopeAsYarn = false;      // the first names of longrope: "su" and "yarn"
    const char* rotaryScaling = "{}"; // assumed
};

std::span<const FamilyRules> families();
const FamilyRules& rulesOf(const ModelConfig& config);

} // namespace roundpipe::arch
