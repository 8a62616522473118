// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters as a GGUF file that llama.cpp and Ollama lay over a base model.
#pragma once

#include "artifact/gguf/gguf_file.h"
#include "artifact/merge/combined_adapter.h"
#include "artifact/output/output_folder.h"

#include <filesystem>
#include <string>

namespace roundpipe::artifact {

// llama.cpp multiplies by alpha / rank with the rank of each tensor and one alpha for all: where that would not be a
// module's strength (rank-stabilised LoRA, patterns, weights), alpha is another number or B is multiplied. `type`:
// fp32, fp16 or bf16. Throws kUnsupported for the head of a model whose embedding it is, and for modules that were
// trained whole.
void writeGgufAdapter(OutputFolder& out, const std::string& fileName, const MergedModel& model, GgmlType type,
                      const std::string& name);
int64_t bytesOfGgufAdapter(const MergedModel& model, GgmlType type);

// Such a file read back as an adapter that PEFT reads: its weights, and a config with scale 1. Into `folder`, which
// exists.
void readGgufAdapter(const GgufFile& file, const MergedModel& model, const std::filesystem::path& folder);

} // namespace roundpipe::artifact
