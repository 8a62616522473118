// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/tokenizer_files.h"

#include "arch/tokenizer_file_names.h"
#include "base/file.h"

#include <string_view>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

} // namespace

std::vector<TokenizerFile> tokenizerFilesOf(const fs::path& modelFolder, const fs::path& chatTemplate) {
    std::vector<TokenizerFile> files;
    for (const std::string_view name : arch::kTokenizerFileNames)
        if (fs::exists(modelFolder / name) && (chatTemplate.empty() || name != arch::kChatTemplateFile))
            files.push_back({std::string(name), modelFolder / name});
    if (!chatTemplate.empty()) files.push_back({std::string(arch::kChatTemplateFile), chatTemplate});
    return files;
}

constexpr int64_t kMostBytes = int64_t{1} << 28; // of a tokenizer.json, the largest of them

void copyTokenizerFiles(const fs::path& modelFolder, const fs::path& chatTemplate, const fs::path& folder) {
    for (const TokenizerFile& file : tokenizerFilesOf(modelFolder, chatTemplate))
        writeFileAtomically(folder / file.name, readTextFile(file.source, kMostBytes));
}

} // namespace roundpipe::artifact
