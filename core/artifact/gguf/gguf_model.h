// SPDX-License-Identifier: GPL-3.0-or-later
// A merged model as one GGUF file, and such a file read back as the model's own tensors.
#pragma once

#include "artifact/gguf/gguf_file.h"
#include "artifact/merge/merged_model.h"
#include "artifact/output/output_folder.h"
#include "base/spelling.h"

#include <array>
#include <string>

namespace roundpipe::artifact {

// Of the weights of a file, under llama.cpp's names; the "m" mixes give the layers that matter most more bits.
enum class GgufType { kF32, kF16, kBF16, kQ8, kQ4KM, kQ5KM, kQ6K };
constexpr std::array<const char*, 7> spellings(GgufType) {
    return {"f32", "f16", "bf16", "q8_0", "q4_k_m", "q5_k_m", "q6_k"};
}

// What stands before the data, and where each tensor's values come from.
struct GgufPlan {
    struct Source {
        const MergedTensor* tensor = nullptr; // null: `values`
        arch::TensorRole role = arch::TensorRole::kEmbedTokens;
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
