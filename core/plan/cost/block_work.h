// SPDX-License-Identifier: GPL-3.0-or-later
// What plan asks of each type of block: the kernels of its calls. Attention and the linears are counted here for all.
#pragma once

#include "blocks/block_types.h"
#include "plan/cost/kernel_issue.h"

#include <initializer_list>

namespace roundpipe::plan {

// A block in a microbatch of usual size. Widths are those of its tensors.
class BlockAtWork {
public:
    BlockAtWork(const arch::ModelConfig& config, const arch::LayerSpec& layer, const arch::TrainedLayer& parts,
                const TrainingShape& shape);

    const arch::ModelConfig& config() const { return m_config; }
    double tokens() const { return m_tokens; }
    double hidden() const { return m_hidden; }
    const arch::TensorSpec* find(arch::TensorRole role) const; // null where the block has none
    const arch::TensorSpec& at(arch::TensorRole role) const;   // throws kInternal where the block has none
    bool isAdapted(arch::TensorRole role) const { return m_parts.isAdapted(role); }
    bool trains(arch::TensorRole role) const { return m_parts.trains(role); } // itself
    // For every token, with its adapter.
    LinearWork linear(arch::TensorRole role) const;
    JoinedLinears linears(std::initializer_list<arch::TensorRole> roles, double appended = 0) const; // of one input
    double appendedColumns() const;                                                                  // to gate and up
    LinearWork adapted(LinearWork linear, arch::TensorRole role) const;

    // What a half reads: normed, or copied where there is no norm.
    void norm(KernelIssue& issue) const { issue.touch(2 * m_tokens * m_hidden); }
    void normBackward(KernelIssue& issue, arch::TensorRole role) const {
        if (trains(role)) issue.touch(2 * m_tokens * m_hidden);           // its weight's
        issue.touch((m_config.inputNorms ? 4 : 3) * m_tokens * m_hidden); // without a norm the sum alone
    }
    // What a half adds to, and the gradient of what was added; `role`: the norm of that, where there is one.
    void addTo(KernelIssue& issue) const {
        if (m_config.outputNorms) norm(issue);
        multiply(issue);
        issue.touch(3 * m_tokens * m_hidden);
    }
    void gradientOfAdded(KernelIssue& issue, arch::TensorRole role) const {
        multiply(issue);
        if (!m_config.outputNorms) return;
        norm(issue);
        if (trains(role)) issue.touch(2 * m_tokens * m_hidden); // its weight's
        issue.touch(3 * m_tokens * m_hidden);
    }
    // From the norm to the sum, and back; `wantsInputGradient`: something below the block is trained.
    void attentionHalf(KernelIssue& issue) const;
    void attentionHalfBackward(KernelIssue& issue, bool wantsInputGradient) const;

private:
    void multiply(KernelIssue& issue) const {
        if (m_config.multipliers.residual != 1) issue.touch(2 * m_tokens * m_hidden);
    }
    JoinedLinears qkv() const;
    void positions(KernelIssue& issue) const;
    void rotate(KernelIssue& issue, double times) const;
    void normOverHeads(KernelIssue& issue, double times) const;
    double pairs() const;
    double headsOfAll() const; // of all sequences
    void attention(KernelIssue& issue) const;
    void attentionBackward(KernelIssue& issue) const;

    const arch::ModelConfig& m_config;
    const arch::LayerSpec& m_layer;
    const arch::TrainedLayer& m_parts;
    const TrainingShape& m_shape;
    double m_tokens, m_hidden, m_queries, m_keys;
    double m_window = 0;
};

// clang-format off
#define RP_ANSWERS(folder, value, words)                                                      \
    namespace folder {                                                                        \
    void forward(const BlockAtWork& block, KernelIssue& issue);                               \
    /* Those of forward after attention that backward needs: gate, up and what follows them. */ \
    void gateUp(const BlockAtWork& block, KernelIssue& issue);                                \
    /* Those of forward that make the block's output alone, which backward does not read. */  \
    void output(const BlockAtWork& block, KernelIssue& issue);                                \
    void backward(const BlockAtWork& block, KernelIssue& issue, bool wantsInputGradient);     \
    }
RP_FOR_EACH_BLOCK_TYPE(RP_ANSWERS)
#undef RP_ANSWERS
// clang-format on

} // namespace roundpipe::plan
