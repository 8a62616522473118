// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer and a chat template as GGUF has them.
#pragma once

#include "arch/model_config.h"
#include "artifact/gguf/gguf_header.h"

#include <filesystem>
#include <string>

namespace roundpipe::artifact {

// Adds tokens, their kinds, merges or scores, how text is cut before (llama.cpp knows ways of cutting by name), special
// tokens and the template. Byte-level BPE becomes "gpt2", BPE that falls back to bytes (Llama 2, Mistral) "llama".
// Throws kUnsupported, naming it, for a tokenizer that llama.cpp would cut otherwise.
void addTokenizer(GgufHeader& header, const std::filesystem::path& textFolder, const arch::ModelConfig& config);

// A chat template without generation blocks, which mark what is trained and which other programs refuse: they become
// conditions that always hold, so blanks stay.
std::string withoutGenerationBlocks(const std::string& chatTemplate);

} // namespace roundpipe::artifact
