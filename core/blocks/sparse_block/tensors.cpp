// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/block_tensors.h"

#include <fmt/format.h>

namespace roundpipe::arch::sparse_block {
namespace {

using enum TensorRole;

// How a checkpoint spells a block with a tensor for each expert, and so does PEFT where experts are modules.
struct Names {
    const char *block, *gate, *up, *down;
};

Names namesOf(const ModelConfig& config) {
    if (config.family == Family::kMixtral) return {"block_sparse_moe", "w1", "w3", "w2"};
    return {"mlp", "gate_proj", "up_proj", "down_proj"};
}

void addExperts(BlockTensors& tensors) {
    const ExpertsConfig& experts = tensors.config().experts;
    const int64_t hidden = tensors.config().hiddenSize;
    const auto linear = [&](TensorRole role, TensorRole bias, const std::string& module, int64_t out, int64_t in) {
        tensors.addLinear(role, bias, module, out, in, false, TensorKind::kExpertLinear);
    };
    const Names names = namesOf(tensors.config());
    tensors.addLinear(kRouter, kRouterBias, fmt::format("{}.gate", names.block), experts.count, hidden, false,
                      TensorKind::kOther);
    for (int64_t e = 0; e < experts.count; ++e) {
        const std::string expert = fmt::format("{}.experts.{}.", names.block, e);
        linear(kExpertGate, kGateBias, expert + names.gate, experts.intermediateSize, hidden);
        linear(kExpertUp, kUpBias, expert + names.up, experts.intermediateSize, hidden);
        linear(kExpertDown, kDownBias, expert + names.down, hidden, experts.intermediateSize);
    }
    if (experts.sharedSize == 0) return;
    tensors.addLinears({{kGate, kGateBias, "mlp.shared_expert.gate_proj", experts.sharedSize},
                        {kUp, kUpBias, "mlp.shared_expert.up_proj", experts.sharedSize}},
                       hidden, false);
    tensors.addLinear(kDown, kDownBias, "mlp.shared_expert.down_proj", hidden, experts.sharedSize, false);
    tensors.addLinear(kSharedExpertGate, kGateBias, "mlp.shared_expert_gate", 1, hidden, false);
}

// As gpt-oss spells it: gate and up are the even and the odd outputs of one tensor.
void addStackedExperts(BlockTensors& tensors) {
    const ExpertsConfig& experts = tensors.config().experts;
    const int64_t hidden = tensors.config().hiddenSize;
    using enum TensorKind;
    tensors.addLinear(kRouter, kRouterBias, "mlp.router", experts.count, hidden, true, kOther);
    tensors.add(kExpertsGateUp, kExpertStack, "mlp.experts.gate_up_proj",
                {experts.count, 2 * experts.intermediateSize, hidden}, experts.mxfp4);
    tensors.add(kExpertsGateUpBias, kExpertBias, "mlp.experts.gate_up_proj_bias",
                {experts.count, 2 * experts.intermediateSize});
    tensors.add(kExpertsDown, kExpertStack, "mlp.experts.down_proj", {experts.count, hidden, experts.intermediateSize},
                experts.mxfp4);
    tensors.add(kExpertsDownBias, kExpertBias, "mlp.experts.down_proj_bias", {experts.count, hidden});
}

} // namespace

bool claims(const ModelConfig& config, int64_t block) {
    return config.experts.isSparse(block);
}

void addTensors(BlockTensors& tensors) {
    tensors.addAttention();
    if (tensors.config().experts.stacked)
        addStackedExperts(tensors);
    else
        addExperts(tensors);
}

} // namespace roundpipe::arch::sparse_block
