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

// What llama.cpp divides each pair's frequency by, one value a pair of turned columns, where the model scales them one
// by one ("llama3"; "longrope", for short and for long texts); nothing where a few numbers say it all.
struct FrequencyFactors {
    const char* name; // of the tensor
    std::vector<float> values;
};
std::vector<FrequencyFactors> frequencyFactors(const arch::ModelConfig& config);

} // namespace roundpipe::artifact
