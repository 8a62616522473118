// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/tokenizer_files.h"

#include "base/file.h"

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

// What a tokenizer needs, as transformers' save_pretrained leaves it beside weights.
constexpr const char* kTokenizerFiles[] = {"tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "added_tokens.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "tokenizer.model",
                                           "chat_template.jinja",
                                           "chat_template.json",
                                           "generation_config.json"};

} // namespace

void copyTokenizerFiles(const fs::path& modelFolder, const fs::path& chatTemplate, const fs::path& folder) {
    for (const char* name : kTokenizerFiles) {
        const fs::path source = modelFolder / name;
        if (fs::exists(source)) writeFileAtomically(folder / name, readTextFile(source));
    }
    if (!chatTemplate.empty()) writeFileAtomically(folder / "chat_template.jinja", readTextFile(chatTemplate));
}

} // namespace roundpipe::artifact
