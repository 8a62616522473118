// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/block_work.h"

namespace roundpipe::plan {
namespace {

using arch::TensorRole;

// A block's experts, all together: each computes the rows that are routed to it.
class ExpertsAtWork {
public:
    explicit ExpertsAtWork(const BlockAtWork& block)
        : m_block(block)
        , m_tokens(block.tokens())
        , m_hidden(block.hidden())
        , m_experts(static_cast<double>(block.at(TensorRole::kRouter).shape[0]))
        , m_routed(m_tokens * static_cast<double>(block.config().experts.perToken)) {
        const arch::TensorSpec* stacked = block.find(TensorRole::kExpertsDown);
        m_inner = static_cast<double>((stacked ? *stacked : block.at(TensorRole::kExpertDown)).shape[1]);
    }

    void forward(KernelIssue& issue) const {
        m_block.norm(issue);
        route(issue);
        linear(TensorRole::kExpertGate).forward(issue);
        linear(TensorRole::kExpertUp).forward(issue);
        issue.touch(3 * m_routed * m_inner);
        linear(TensorRole::kExpertDown).forward(issue);
        bringTogether(issue);
    }

    void gateUp(KernelIssue& issue) const {
        m_block.norm(issue);
        route(issue);
        linear(TensorRole::kExpertGate).forward(issue);
        linear(TensorRole::kExpertUp).forward(issue);
        if (!m_block.isAdapted(TensorRole::kExpertDown)) return;
        issue.touch(3 * m_routed * m_inner);
        linear(TensorRole::kExpertDown).adapterProduct(issue);
    }

    void output(KernelIssue& issue) const {
        if (!m_block.isAdapted(TensorRole::kExpertDown)) issue.touch(3 * m_routed * m_inner);
        linear(TensorRole::kExpertDown).output(issue);
        bringTogether(issue);
    }

    void backward(KernelIssue& issue) const {
        const LinearWork down = linear(TensorRole::kExpertDown);
        issue.touch((m_routed + m_tokens) * m_hidden); // handed out to the experts
        down.inputGradient(issue, true, false);
        issue.touch((m_block.isAdapted(TensorRole::kExpertDown) ? 6 : 5) * (m_routed * m_inner));
        down.trainedGradient(issue);
        m_block.norm(issue);
        issue.touch(2 * m_routed * m_hidden); // gathered again
        linear(TensorRole::kExpertGate).backward(issue, true, false);
        linear(TensorRole::kExpertUp).backward(issue, true, true);
        routeBackward(issue);
        m_block.normBackward(issue, TensorRole::kPostNorm);
    }

private:
    // Every expert's weights are read, however few rows it gets: with thousands of tokens each one gets some.
    LinearWork linear(TensorRole role) const {
        const bool isDown = role == TensorRole::kExpertDown;
        return m_block.adapted(
            {isDown ? m_inner : m_hidden, isDown ? m_hidden : m_inner, m_routed / m_experts, m_experts}, role);
    }
    void bringTogether(KernelIssue& issue) const {
        issue.touch((m_routed + m_tokens) * m_hidden); // weighted
        m_block.addTo(issue);
    }
    // Router, softmax with top-k, sorting, and copies of the rows side by side for each expert.
    void route(KernelIssue& issue) const {
        issue.product(m_tokens, m_experts, m_hidden);
        issue.pass(3 * m_tokens * m_experts * issue.statistics());
        issue.pass(4 * m_routed * 4);
        issue.touch(2 * m_routed * m_hidden);
    }
    // Copies added up per token, and the gradient by way of the routing weights.
    void routeBackward(KernelIssue& issue) const {
        issue.touch((m_routed + m_tokens) * m_hidden);
        issue.touch(2 * (m_routed * m_inner));
        issue.pass(3 * m_tokens * m_experts * issue.statistics());
        issue.product(m_tokens, m_hidden, m_experts, true);
    }

    const BlockAtWork& m_block;
    double m_tokens, m_hidden, m_experts;
    double m_routed;    // rows that the experts compute, all together
    double m_inner = 0; // intermediate size of one
};

} // namespace

void sparse_block::forward(const BlockAtWork& block, KernelIssue& issue) {
    block.attentionHalf(issue);
    ExpertsAtWork(block).forward(issue);
}

void sparse_block::gateUp(const BlockAtWork& block, KernelIssue& issue) {
    ExpertsAtWork(block).gateUp(issue);
}

void sparse_block::output(const BlockAtWork& block, KernelIssue& issue) {
    ExpertsAtWork(block).output(issue);
}

void sparse_block::backward(const BlockAtWork& block, KernelIssue& issue, bool wantsInputGradient) {
    ExpertsAtWork(block).backward(issue);
    block.attentionHalfBackward(issue, wantsInputGradient);
}

} // namespace roundpipe::plan
