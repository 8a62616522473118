// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights an adapter was trained on: names and shapes fit many models, and an adapter on top of another of the
// same size talks nonsense.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe::artifact {

inline constexpr const char* kBaseFile = "base_model.json"; // beside an adapter

// What stands in it. `weights`: arch::fingerprintOfWeights() of the base.
std::string baseJson(const std::string& weights);
// What an adapter says of its base's weights; empty where it says nothing, as PEFT's.
std::string baseOf(const std::filesystem::path& adapterFolder);
// Throws kInvalidInput where the adapter says of its base that it is another one than `modelFolder`; one that says
// nothing is taken. Reads all of the model where its fingerprint is not kept.
void requireBase(const std::filesystem::path& adapterFolder, const std::filesystem::path& modelFolder);

} // namespace roundpipe::artifact
