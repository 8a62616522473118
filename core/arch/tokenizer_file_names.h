// SPDX-License-Identifier: GPL-3.0-or-later
// What a tokenizer needs, as transformers' save_pretrained leaves it beside weights; and what cuts pictures, of models
// that see some.
#pragma once

#include <array>
#include <string_view>

namespace roundpipe::arch {

constexpr std::string_view kChatTemplateFile = "chat_template.jinja";
constexpr std::array<std::string_view, 12> kTokenizerFileNames = {"tokenizer.json",
                                                                  "tokenizer_config.json",
                                                                  "special_tokens_map.json",
                                                                  "added_tokens.json",
                                                                  "vocab.json",
                                                                  "merges.txt",
                                                                  "tokenizer.model",
                                                                  kChatTemplateFile,
                                                                  "chat_template.json",
                                                                  "generation_config.json",
                                                                  "preprocessor_config.json",
                                                                  "processor_config.json"};

} // namespace roundpipe::arch
