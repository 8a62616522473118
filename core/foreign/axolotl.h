// SPDX-License-Identifier: GPL-3.0-or-later
// Axolotl's YAML, as `axolotl train` takes it. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "foreign/translation.h"

#include <filesystem>

namespace roundpipe::foreign {

bool isAxolotl(const Tree& file);
// `folder`: where the file lies.
ForeignRun fromAxolotl(const Tree& file, const std::filesystem::path& folder);

} // namespace roundpipe::foreign
