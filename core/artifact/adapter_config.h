// SPDX-License-Identifier: GPL-3.0-or-later
// adapter_config.json: what PEFT needs to know of an adapter, and nothing that it would warn about.
#pragma once

#include "artifact/adapter.h"

namespace roundpipe::artifact {

// Called by writeAdapter.
void writeAdapterConfig(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const arch::LoraConfig& lora, const AdapterOrigin& origin);

enum class AdapterUse { kTraining, kAnswering }; // by which it is said what can't be done

// The LoRA settings of an adapter. Targets come as its config lists them, or as whole module names read off its tensors
// where the config has a pattern. Throws kUnsupported naming what we can't run (DoRA, biases, per-module ranks, …).
arch::LoraConfig readAdapterConfig(const std::filesystem::path& folder, AdapterUse use = AdapterUse::kTraining);

// What an adapter's config says of the strength of its modules: of all, and of those that a pattern names.
struct LoraStrengths {
    double alpha = 0;
    bool rsLora = false;
    std::vector<std::pair<std::string, double>> alphaPattern; // regular expressions of what a module's path ends with
    std::vector<std::string> targetParameters;                // of stacked experts; what a parameter's path ends with
    // alpha / rank of a module, or alpha / sqrt(rank); the first pattern that fits it counts, as in PEFT.
    double scaleOf(const std::string& module, int64_t rank) const;
};
// For adapters that are merged or exported: more of them than can be trained on. Throws kUnsupported naming what is
// no plain product of two matrices (DoRA, biases, …).
LoraStrengths readLoraStrengths(const std::filesystem::path& folder);

} // namespace roundpipe::artifact
