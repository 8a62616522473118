// SPDX-License-Identifier: GPL-3.0-or-later
// Weights out of a GGUF file of ours, for what is asked of an export.
#pragma once

#include "arch/layers.h"
#include "transfer/host_weight_store.h"

#include <filesystem>

namespace roundpipe::engine {

// The model that such a file is of: `folder`'s config, with a head of its own where the file has one.
arch::ModelSpec specOfGguf(const std::filesystem::path& file, const std::filesystem::path& folder);

// Fills every tensor of the store, in the checkpoint's order of rows, converted to the type of its place. Throws
// kInvalidInput naming a tensor that is missing or of another shape.
void fillFromGguf(transfer::HostWeightStore& store, const std::filesystem::path& file, const arch::ModelSpec& model);

} // namespace roundpipe::engine
