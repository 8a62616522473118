// SPDX-License-Identifier: GPL-3.0-or-later
// What a GGUF file says of its model beside the tensors (internal to the folder).
#pragma once

#include "artifact/gguf/gguf_header.h"
#include "artifact/gguf/gguf_model.h"
#include "artifact/merge/merged_model.h"

#include <string>
#include <vector>

namespace roundpipe::artifact {

// Architecture, sizes, rotary embedding, tokenizer and template.
void addModelMetadata(GgufHeader& header, const MergedModel& model, GgufType type, const std::string& name);

// What llama.cpp divides each pair's frequency by, [headDim / 2], where the model scales them one by one ("llama3");
// empty where a few numbers say it all.
std::vector<float> frequencyFactors(const arch::ModelConfig& config);

} // namespace roundpipe::artifact
