// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of models that tests make up: model.safetensors in bf16 for the config.json that lies in the folder.
#pragma once

#include <filesystem>

namespace roundpipe::testing {

// A header over a hole in the file: a model of any size as far as a folder shows it, without space on disk.
void writeHollowWeights(const std::filesystem::path& folder);
// A model that can be trained: norms are ones, all else is random, the same each time.
void writeRandomWeights(const std::filesystem::path& folder);

} // namespace roundpipe::testing
