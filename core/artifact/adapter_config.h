// Writes adapter_config.json (internal to the folder; readAdapterConfig is in adapter.h).
#pragma once

#include "artifact/adapter.h"

namespace roundpipe::artifact {

void writeAdapterConfig(const std::filesystem::path& folder, std::span<const model::LayerLayout> layouts,
                        const arch::LoraConfig& lora, const AdapterOrigin& origin);

} // namespace roundpipe::artifact
