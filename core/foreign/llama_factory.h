// SPDX-License-Identifier: GPL-3.0-or-later
// LLaMA-Factory's YAML, as `llamafactory-cli train` takes it. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "foreign/translation.h"

#include <filesystem>

namespace roundpipe::foreign {

bool isLlamaFactory(const Tree& file);
// `folder`: where the file lies.
ForeignRun fromLlamaFactory(const Tree& file, const std::filesystem::path& folder);

} // namespace roundpipe::foreign
