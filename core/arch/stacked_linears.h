// SPDX-License-Identifier: GPL-3.0-or-later
// Linears of experts that lie in one parameter, as LoRA adapts them: each expert has its LinearSpec, named by the
// parameter with the expert's number behind it, and all of a parameter are adapted or none.
#pragma once

#include "arch/layers.h"

#include <string_view>

namespace roundpipe::arch {

// The parameter, "model.layers.0.mlp.experts.down_proj"; empty of a linear that is a module or an expert by itself.
inline std::string_view stackOf(const LinearSpec& linear) {
    if (linear.role != TensorRole::kExpertsGateUp && linear.role != TensorRole::kExpertsDown) return {};
    return std::string_view(linear.fullName).substr(0, linear.fullName.rfind('.'));
}
inline bool isStacked(const LinearSpec& linear) {
    return !stackOf(linear).empty();
}
// What LoRA's targets match: a module's path, or a parameter's as of PEFT's target_parameters.
inline std::string_view targetNameOf(const LinearSpec& linear) {
    return isStacked(linear) ? stackOf(linear) : std::string_view(linear.fullName);
}

} // namespace roundpipe::arch
