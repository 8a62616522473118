// SPDX-License-Identifier: GPL-3.0-or-later
// adapter_config.json: what PEFT needs to know of an adapter, and nothing that it would warn about.
#pragma once

#include "artifact/adapter.h"

namespace roundpipe::artifact {

// Called by writeAdapter.
void writeAdapterConfig(const std::filesystem::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const arch::LoraConfig& lora, const AdapterOrigin& origin);

// The LoRA settings of an adapter. Targets come as its config lists them, or as whole module names read off its tensors
// where the config has a pattern. Throws kUnsupported naming what we can't run (DoRA, biases, per-module ranks, …).
arch::LoraConfig readAdapterConfig(const std::filesystem::path& folder);

} // namespace roundpipe::artifact
