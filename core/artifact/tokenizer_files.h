// SPDX-License-Identifier: GPL-3.0-or-later
// What lies beside weights so that a folder can be used by itself (internal to the folder).
#pragma once

#include <filesystem>

namespace roundpipe::artifact {

// Copies the model folder's tokenizer and generation settings. `chatTemplate`: file used instead of the folder's;
// empty: none.
void copyTokenizerFiles(const std::filesystem::path& modelFolder, const std::filesystem::path& chatTemplate,
                        const std::filesystem::path& folder);

} // namespace roundpipe::artifact
