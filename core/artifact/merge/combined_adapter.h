// SPDX-License-Identifier: GPL-3.0-or-later
// Any adapters, with weights, as one plain adapter: what they add together, exactly, as PEFT reads it everywhere.
#pragma once

#include "artifact/merge/merged_model.h"
#include "artifact/output/output_folder.h"

#include <string>

namespace roundpipe::artifact {

// A module of the combined adapter: A of all one under the other, B beside each other, each B times its adapter's
// weight and scale. `rank`: of all modules, the largest; what a module has less is zeros.
struct CombinedModule {
    std::string module;
    int64_t inFeatures = 0, outFeatures = 0;
    int64_t matrices = 1; // A and B for each of stacked experts, one behind the other
    std::vector<float> a; // (rank, in)
    std::vector<float> b; // (out, rank)
};

class CombinedAdapter {
public:
    // `model` outlives it. Throws kUnsupported where a module was trained whole: that is no product.
    explicit CombinedAdapter(const MergedModel& model);
    int64_t rank() const { return m_rank; } // its alpha, too: the scale is 1
    int64_t bytes() const;                  // of its file of weights
    const std::vector<const MergedTensor*>& adapted() const { return m_adapted; }
    CombinedModule make(const MergedTensor& tensor) const;

private:
    std::vector<const MergedTensor*> m_adapted;
    int64_t m_rank = 0;
};

// adapter_model.safetensors, adapter_config.json and the tokenizer's files. `baseName`: what the config calls the base.
void writeCombined(OutputFolder& out, const MergedModel& model, const std::string& baseName);

// The files of an adapter as they are, without what training needs beside them.
void copyAdapter(OutputFolder& out, const std::filesystem::path& adapter);

} // namespace roundpipe::artifact
