// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/tokenizer_files.h"

#include "base/file.h"

#include <string_view>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemplateFile = "chat_template.jinja";

// What a tokenizer needs, as transformers' save_pretrained leaves it beside weights; and what cuts pictures, of models
// that see some.
constexpr const char* kTokenizerFiles[] = {"tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "added_tokens.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "tokenizer.model",
                                           kTemplateFile,
                                           "chat_template.json",
                                           "generation_config.json",
                                           "preprocessor_config.json",
                                           "processor_config.json"};

} // namespace

std::vector<TokenizerFile> tokenizerFilesOf(const fs::path& modelFolder, const fs::path& chatTemplate) {
    std::vector<TokenizerFile> files;
    for (const char* name : kTokenizerFiles)
        if (fs::exists(modelFolder / name) && (chatTemplate.empty() || std::string_view(name) != kTemplateFile))
            files.push_back({name, modelFolder / name});
    if (!chatTemplate.empty()) files.push_back({kTemplateFile, chatTemplate});
    return files;
}

constexpr int64_t kMostBytes = int64_t{1} << 28; // of a tokenizer.json, the largest of them

void copyTokenizerFiles(const fs::path& modelFolder, const fs::path& chatTemplate, const fs::path& folder) {
    for (const TokenizerFile& file : tokenizerFilesOf(modelFolder, chatTemplate))
        writeFileAtomically(folder / file.name, readTextFile(file.source, kMostBytes));
}

} // namespace roundpipe::artifact
