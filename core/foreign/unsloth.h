// SPDX-License-Identifier: GPL-3.0-or-later
// Unsloth's YAML, as `unsloth train --config` takes it: sections data, training, lora and logging. Internal to this
// folder (it includes nlohmann-json).
#pragma once

#include "foreign/translation.h"

#include <filesystem>

namespace roundpipe::foreign {

bool isUnsloth(const Tree& file);
// `folder`: where the file lies.
ForeignRun fromUnsloth(const Tree& file, const std::filesystem::path& folder);

} // namespace roundpipe::foreign
