// SPDX-License-Identifier: GPL-3.0-or-later
// File and tensor names of PEFT's adapter format (internal to the folder).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::artifact {

inline constexpr const char* kAdapterWeightsFile = "adapter_model.safetensors";
inline constexpr const char* kAdapterConfigFile = "adapter_config.json";
inline constexpr std::string_view kPrefix = "base_model.model.";
inline constexpr std::string_view kSuffixA = ".lora_A.weight";
inline constexpr std::string_view kSuffixB = ".lora_B.weight";

inline std::string tensorNameA(const std::string& module) {
    return std::string(kPrefix) + module + std::string(kSuffixA);
}
inline std::string tensorNameB(const std::string& module) {
    return std::string(kPrefix) + module + std::string(kSuffixB);
}

// Of a module that is trained whole: its own name in the checkpoint.
inline std::string tensorNameWhole(const std::string& tensor) {
    return std::string(kPrefix) + tensor;
}

// "model.layers.0.self_attn.q_proj" of one of its tensors' names; nothing for a name that is neither A nor B.
inline std::optional<std::string> moduleOfTensor(std::string_view name) {
    if (!name.starts_with(kPrefix)) return std::nullopt;
    name.remove_prefix(kPrefix.size());
    for (const std::string_view suffix : {kSuffixA, kSuffixB})
        if (name.ends_with(suffix)) return std::string(name.substr(0, name.size() - suffix.size()));
    return std::nullopt;
}

} // namespace roundpipe::artifact
