// SPDX-License-Identifier: GPL-3.0-or-later
// A merged model as one GGUF file, and such a file read back as the model's own tensors.
#pragma once

#include "artifact/gguf/gguf_file.h"
#include "artifact/merge/merged_model.h"
#include "artifact/output/output_folder.h"
#include "base/export_choices.h"

#include <string>

namespace roundpipe::artifact {

// What stands before the data, and where each tensor's values come from.
struct GgufPlan {
    struct Source {
        const MergedTensor* tensor = nullptr; // null: `values`
        arch::TensorRole role = arch::TensorRole::kEmbedTokens;
        float added = 0; // see addedInGguf()
        std::vector<float> values;
    };
    GgufHeader header;
    std::vector<Source> sources; // of header.tensors
    int64_t bytes = 0;           // of the file, about: the header's are few
};

// `name`: what the file calls itself. Matrices get the type, or, where their rows are no whole blocks, the next larger
// one that fits; norms and biases stay in fp32. `model` outlives the plan. Throws kUnsupported.
GgufPlan planGguf(const MergedModel& model, GgufType type, const std::string& name);
void writeGguf(OutputFolder& out, const std::string& fileName, const MergedModel& model, const GgufPlan& plan);

// `count` rows of a model's tensor, in the checkpoint's order of rows, out of such a file. A bias has one row.
void readFromGguf(const GgufFile& file, const arch::ModelConfig& config, const arch::LayerSpec& layer,
                  const arch::TensorSpec& tensor, int64_t first, int64_t count, std::span<float> into);

} // namespace roundpipe::artifact
