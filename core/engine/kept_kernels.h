// SPDX-License-Identifier: GPL-3.0-or-later
// The fastest kernels of products on this rig's GPUs (model/compute/found_kernels.h), kept beside its measured times in
// kernels.json: a later run tries them first. No result depends on them, as their bits are compared again.
#pragma once

#include "model/compute/found_kernels.h"
#include "plan/cost/profile_store.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::engine {

// Before a run's first product, and after its last. A file that can't be read or written is no reason to fail: the
// run's log says so, and what is kept is found again.
void recallKernels(const std::filesystem::path& folder = plan::profileFolder());
void keepKernels(const std::filesystem::path& folder = plan::profileFolder());

std::string toJson(std::span<const model::FoundKernel> kernels);
// Nothing of a file of another version. Throws kInvalidInput naming `file`.
std::vector<model::FoundKernel> parseKernels(std::string_view text, const std::string& file);

} // namespace roundpipe::engine
