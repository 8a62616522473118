// SPDX-License-Identifier: GPL-3.0-or-later
// What lies beside weights so that a folder can be used by itself (internal to the folder).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::artifact {

struct TokenizerFile {
    std::string name;
    std::filesystem::path source;
};
// The model folder's tokenizer and generation settings. `chatTemplate`: file used instead of the folder's; empty: none.
std::vector<TokenizerFile> tokenizerFilesOf(const std::filesystem::path& modelFolder,
                                            const std::filesystem::path& chatTemplate);
void copyTokenizerFiles(const std::filesystem::path& modelFolder, const std::filesystem::path& chatTemplate,
                        const std::filesystem::path& folder);

} // namespace roundpipe::artifact
