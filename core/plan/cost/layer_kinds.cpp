// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/layer_kinds.h"

#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace roundpipe::plan {
namespace {

std::string kindOfBlock(const arch::ModelSpec& model, std::size_t layer) {
    std::string kind(spellingOf(model.layers[layer].type));
    if (const std::size_t b = layer - 1; // layer 0 is the embedding
        b < model.config.slidingWindow.size() && model.config.slidingWindow[b] > 0)
        kind += fmt::format(" with a window of {}", model.config.slidingWindow[b]);
    return kind;
}

// "all", "q_proj, v_proj", "up_proj (128)" for that of all experts.
std::string namesOf(const arch::ModelSpec& model, const std::vector<arch::LinearSpec>& linears, std::size_t layer) {
    const bool hasExperts =
        std::ranges::any_of(model.layers[layer].tensors, arch::isOfExperts, &arch::TensorSpec::kind);
    if (!hasExperts && linears.size() == arch::linearsOf(model, LayerId(static_cast<int32_t>(layer))).size())
        return "all";
    std::set<std::string> names;
    for (const arch::LinearSpec& linear : linears)
        names.insert(linear.module.substr(linear.module.rfind('.') + 1));
    const std::string count = names.size() < linears.size() ? fmt::format(" ({})", linears.size()) : "";
    return fmt::format("{}{}", fmt::join(names, ", "), count);
}

// "lm_head", "input_layernorm, q_norm".
std::string namesOf(const arch::LayerSpec& layer, const std::vector<arch::TensorRole>& roles) {
    std::vector<std::string> names;
    for (const arch::TensorSpec& tensor : layer.tensors)
        if (std::ranges::find(roles, tensor.role) != roles.end()) {
            const std::string module = arch::moduleOf(tensor);
            names.push_back(module.substr(module.rfind('.') + 1));
        }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

int32_t firstTrained(const std::vector<arch::TrainedLayer>& parts) {
    return static_cast<int32_t>(std::ranges::find(parts, false, &arch::TrainedLayer::empty) - parts.begin());
}

std::vector<std::string> layerKinds(const arch::ModelSpec& model, const std::vector<arch::TrainedLayer>& parts) {
    const auto firstTrainable = static_cast<std::size_t>(firstTrained(parts));
    if (firstTrainable == parts.size())
        throw invalidInput("No layer of the model is trained.", "Name at least one target module for LoRA.");
    std::vector<std::string> kinds;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const bool isBlock = model.layers[l].kind == arch::LayerKind::kBlock;
        std::string kind = isBlock ? kindOfBlock(model, l) : model.layers[l].name;
        if (!parts[l].adapted.empty()) kind += fmt::format(", trained: {}", namesOf(model, parts[l].adapted, l));
        if (const std::size_t whole = parts[l].tensors.size(); whole > 0 && whole < model.layers[l].tensors.size())
            kind += fmt::format(", whole: {}", namesOf(model.layers[l], parts[l].tensors));
        if (l == firstTrainable) kind += ", the first that is trained";
        if (l < firstTrainable && isBlock) kind += ", below all that is trained";
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

} // namespace roundpipe::plan
