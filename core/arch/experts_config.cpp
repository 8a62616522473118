// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/experts_config.h"

#include "arch/config_fields.h"
#include "arch/families.h"
#include "base/mxfp4.h"

#include <fmt/format.h>

namespace roundpipe::arch {
namespace {

constexpr int64_t kMaxExperts = 1 << 14; // of a block

// Which blocks of Qwen's are sparse: every decoder_sparse_step-th one, unless mlp_only_layers names it.
std::vector<bool> readSparseBlocks(const ConfigFields& fields, int64_t numLayers) {
    const int64_t every = fields.integer("decoder_sparse_step", 1, 1 << 16).value_or(1);
    std::vector<bool> sparse(static_cast<std::size_t>(numLayers));
    for (std::size_t block = 0; block < sparse.size(); ++block)
        sparse[block] = (block + 1) % static_cast<std::size_t>(every) == 0;
    const std::string expected = fmt::format("a list of blocks from 0 to {}", numLayers - 1);
    for (const int64_t block : fields.integers("mlp_only_layers", expected).value_or(std::vector<int64_t>())) {
        if (block < 0 || block >= numLayers) throw fields.bad("mlp_only_layers", expected);
        sparse[static_cast<std::size_t>(block)] = false;
    }
    return sparse;
}

// A size with two spellings.
int64_t requiredEither(const ConfigFields& fields, const char* key, const char* otherKey, int64_t most) {
    if (const auto value = fields.integer(otherKey, 1, most); value && !fields.has(key)) return *value;
    return fields.requiredSize(key, most);
}

// gpt-oss's softmax is over the chosen experts alone, which is the same as normalised weights.
ExpertsConfig readExpertsOfEveryBlock(const ConfigFields& fields, const FamilyRules& rules, const ModelConfig& config) {
    ExpertsConfig experts;
    experts.count = requiredEither(fields, "num_local_experts", "num_experts", kMaxExperts);
    experts.perToken = requiredEither(fields, "num_experts_per_tok", "experts_per_token", kMaxExperts);
    experts.intermediateSize = config.intermediateSize;
    experts.normalised = true;
    experts.stacked = rules.experts == ExpertsRule::kEveryBlockStacked;
    experts.mxfp4 = hasMxfp4Experts(fields, rules);
    experts.gateSlope = fields.positive("swiglu_alpha", experts.gateSlope);
    experts.gateLimit = fields.positive("swiglu_limit", experts.gateLimit);
    experts.sparse.assign(static_cast<std::size_t>(config.numLayers), true);
    return experts;
}

ExpertsConfig readExpertsOfSparseBlocks(const ConfigFields& fields, const FamilyRules& rules,
                                        const ModelConfig& config) {
    ExpertsConfig experts;
    experts.count = requiredEither(fields, "num_experts", "num_local_experts", kMaxExperts);
    experts.perToken = fields.requiredSize("num_experts_per_tok", kMaxExperts);
    experts.intermediateSize = fields.requiredSize("moe_intermediate_size");
    if (rules.experts == ExpertsRule::kSparseBlocksShared)
        experts.sharedSize = fields.requiredSize("shared_expert_intermediate_size");
    experts.normalised = fields.flag("norm_topk_prob", false);
    experts.sparse = readSparseBlocks(fields, config.numLayers);
    return experts;
}

} // namespace

bool hasMxfp4Experts(const ConfigFields& fields, const FamilyRules& rules) {
    return rules.experts == ExpertsRule::kEveryBlockStacked && fields.isObject("quantization_config") &&
           fields.object("quantization_config")->shown("quant_method") == "\"mxfp4\"";
}

ExpertsConfig readExperts(const ConfigFields& fields, const FamilyRules& rules, const ModelConfig& config) {
    if (rules.experts == ExpertsRule::kNone) return {};
    const bool isEveryBlock =
        rules.experts == ExpertsRule::kEveryBlock || rules.experts == ExpertsRule::kEveryBlockStacked;
    ExpertsConfig experts = isEveryBlock ? readExpertsOfEveryBlock(fields, rules, config)
                                         : readExpertsOfSparseBlocks(fields, rules, config);
    if (experts.perToken > experts.count)
        throw fields.bad("num_experts_per_tok", fmt::format("at most the number of experts ({})", experts.count),
                         experts.perToken);
    if (experts.mxfp4 && (config.hiddenSize % kMxfp4Group != 0 || experts.intermediateSize % kMxfp4Group != 0))
        throw fields.bad("hidden_size",
                         "a multiple of 32, as intermediate_size, because mxfp4 scales 32 values at a time",
                         config.hiddenSize);
    return experts;
}

} // namespace roundpipe::arch
