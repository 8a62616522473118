// SPDX-License-Identifier: GPL-3.0-or-later
// Small models of every architecture with random weights, adapters and batches, for the tests of this folder.
#pragma once

#include "model/model.h"

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace roundpipe::testing {

// Memory aligned as the layers require.
class Buffer {
public:
    explicit Buffer(int64_t bytes);
    std::byte* data() const { return m_data.get(); }
    int64_t bytes() const { return m_bytes; }

private:
    struct Free {
        void operator()(std::byte* data) const { std::free(data); }
    };
    std::unique_ptr<std::byte, Free> m_data;
    int64_t m_bytes;
};

// Hidden 24, 4 heads, 2 key/value heads, 2 blocks; every family with what sets it apart.
arch::ModelConfig tinyConfig(arch::Family family);
// Those that run, Qwen3-MoE whose routing weights are not normalised, and Llama with all biases.
struct NamedConfig {
    std::string name;
    arch::ModelConfig config;
};
std::vector<NamedConfig> tinyConfigs();
// Of models all weights of which can be trained.
std::vector<NamedConfig> wholeConfigs();

// All linears but the head, those of experts too.
inline const std::vector<std::string> kAllTargets = {"all-linear", "gate_proj", "up_proj", "down_proj"};
arch::LoraConfig tinyLora(double dropout, std::vector<std::string> targets = kAllTargets);
// With targets as the family spells them: w1, w3 and w2 where Mixtral is trained.
arch::Trained spelledFor(arch::Family family, arch::Trained trained);

// Random tokens; every third label is ignored.
TokenBatch randomBatch(const std::vector<int32_t>& lengths, int64_t vocabSize);

// A batch with its view (kept alive here).
struct BatchOnHost {
    explicit BatchOnHost(TokenBatch tokens, bool training = true);
    BatchOnHost(const BatchOnHost&) = delete;
    BatchOnHost& operator=(const BatchOnHost&) = delete;
    TokenBatch batch;
    std::vector<int32_t> rows;
    model::BatchView view;
};

// Rows of each matrix further apart than they need be: no code may assume that a weight is contiguous.
geometry::LayerLayout withWidePitch(geometry::LayerLayout layout);

// A layer's base (weights around 0, norms around 1) and adapter (A and B non-zero), random, of the layout's type.
struct RandomWeights {
    RandomWeights(const geometry::LayerLayout& layout, DType dtype, uint32_t seed);
    Buffer base, adapter;
    model::LayerWeights view() const { return {base.data(), adapter.data()}; }
};

// A CPU device whose workspace has exactly this size.
struct CpuCompute {
    CpuCompute(DType dtype, int64_t workspaceBytes);
    Buffer workspace;
    model::Compute compute;
};

// Values of [count] of dtype, normal with this deviation.
Buffer randomValues(int64_t count, DType dtype, double deviation, uint32_t seed);

} // namespace roundpipe::testing
