// SPDX-License-Identifier: GPL-3.0-or-later
// What arch asks of each type of block: which blocks are of it, and their tensors.
#pragma once

#include "arch/layers.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace roundpipe::arch {

// Adds the tensors of one block to a layer, in the order of the modules.
class BlockTensors {
public:
    BlockTensors(const ModelConfig& config, int64_t block, std::vector<TensorSpec>& tensors);

    const ModelConfig& config() const { return m_config; }
    // `name` without "model.layers.7.".
    void add(TensorRole role, TensorKind kind, const std::string& name, std::vector<int64_t> shape, bool mxfp4 = false);
    // `module`.weight (out, in), and `module`.bias where there is one.
    void addLinear(TensorRole weight, TensorRole bias, const std::string& module, int64_t out, int64_t in, bool hasBias,
                   TensorKind kind = TensorKind::kLinear);
    // Those of one input: their weights, then their biases, each without anything between, so that one product can take
    // them all.
    struct Linear {
        TensorRole weight, bias;
        const char* module;
        int64_t out;
    };
    void addLinears(std::initializer_list<Linear> linears, int64_t in, bool hasBias);
    // Both norms of a block and what lies between them.
    void addAttention();

private:
    const ModelConfig& m_config;
    std::string m_prefix;
    std::vector<TensorSpec>& m_tensors;
};

// clang-format off
#define RP_ANSWERS(folder, value, words)                                                      \
    namespace folder {                                                                        \
    bool claims(const ModelConfig& config, int64_t block); /* whether the block is of it */   \
    void addTensors(BlockTensors& tensors); /* all of a block */                              \
    }
RP_FOR_EACH_BLOCK_TYPE(RP_ANSWERS)
#undef RP_ANSWERS
// clang-format on

} // namespace roundpipe::arch
