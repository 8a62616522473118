// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/block_work.h"

namespace roundpipe::plan {
namespace {

using arch::TensorRole;

// The expert that every token goes through, and what its weight comes of.
class SharedAtWork {
public:
    explicit SharedAtWork(const BlockAtWork& block) : m_block(block) {
        if (exists()) m_act = m_block.tokens() * static_cast<double>(m_block.at(TensorRole::kDown).shape[1]);
    }

    void forward(KernelIssue& issue) const {
        if (!exists()) return;
        inputs(issue);
        issue.touch(3 * m_act);
        m_block.linear(TensorRole::kDown).forward(issue);
        m_block.addTo(issue);
    }

    void gateUp(KernelIssue& issue) const {
        if (!exists()) return;
        inputs(issue);
        if (!m_block.isAdapted(TensorRole::kDown)) return;
        issue.touch(3 * m_act);
        m_block.linear(TensorRole::kDown).adapterProduct(issue);
    }

    void output(KernelIssue& issue) const {
        if (!exists()) return;
        if (!m_block.isAdapted(TensorRole::kDown)) issue.touch(3 * m_act);
        m_block.linear(TensorRole::kDown).output(issue);
        m_block.addTo(issue);
    }

    void downBackward(KernelIssue& issue) const {
        if (!exists()) return;
        const LinearWork down = m_block.linear(TensorRole::kDown);
        down.inputGradient(issue, true, false);
        issue.touch((m_block.isAdapted(TensorRole::kDown) || m_block.trains(TensorRole::kDown) ? 6 : 5) * m_act);
        if (down.rank > 0) issue.touch(2 * m_block.tokens() * down.rank); // times the weights
        down.trainedGradient(issue);
        issue.touch(3 * m_block.tokens()); // the sigmoid's
    }

    void inputBackward(KernelIssue& issue) const {
        if (!exists()) return;
        m_block.linear(TensorRole::kSharedExpertGate).backward(issue, true, false);
        m_block.addTo(issue);
        gateUpLinears().backward(issue, true);
        m_block.addTo(issue);
    }

private:
    bool exists() const { return m_block.find(TensorRole::kSharedExpertGate) != nullptr; }
    JoinedLinears gateUpLinears() const {
        return m_block.linears({TensorRole::kGate, TensorRole::kUp}, m_block.appendedColumns());
    }
    void inputs(KernelIssue& issue) const {
        m_block.linear(TensorRole::kSharedExpertGate).forward(issue);
        issue.touch(2 * m_block.tokens()); // the sigmoid
        gateUpLinears().forward(issue);
    }

    const BlockAtWork& m_block;
    double m_act = 0; // elements of its activation
};

// A block's experts, all together: each computes the rows that are routed to it.
class ExpertsAtWork {
public:
    explicit ExpertsAtWork(const BlockAtWork& block)
        : m_block(block)
        , m_shared(block)
        , m_tokens(block.tokens())
        , m_hidden(block.hidden())
        , m_experts(static_cast<double>(block.at(TensorRole::kRouter).shape[0]))
        , m_routed(m_tokens * static_cast<double>(block.config().experts.perToken)) {
        const arch::TensorSpec* stacked = block.find(TensorRole::kExpertsDown);
        m_inner = static_cast<double>((stacked ? *stacked : block.at(TensorRole::kExpertDown)).shape.back());
    }

    void forward(KernelIssue& issue) const {
        gateUpForward(issue);
        issue.touch(3 * m_routed * m_inner);
        linear(TensorRole::kExpertDown).forward(issue);
        bias(issue, m_hidden);
        bringTogether(issue);
        m_shared.forward(issue);
    }

    void gateUp(KernelIssue& issue) const {
        gateUpForward(issue);
        if (m_block.isAdapted(TensorRole::kExpertDown)) {
            issue.touch(3 * m_routed * m_inner);
            linear(TensorRole::kExpertDown).adapterProduct(issue);
        }
        m_shared.gateUp(issue);
    }

    void output(KernelIssue& issue) const {
        if (!m_block.isAdapted(TensorRole::kExpertDown)) issue.touch(3 * m_routed * m_inner);
        linear(TensorRole::kExpertDown).output(issue);
        bias(issue, m_hidden);
        bringTogether(issue);
        m_shared.output(issue);
    }

    void backward(KernelIssue& issue) const {
        const LinearWork down = linear(TensorRole::kExpertDown);
        const bool needsAct = changes(TensorRole::kExpertDown);
        gather(issue); // the gradient of the output
        down.inputGradient(issue, true, false);
        issue.touch((needsAct ? 6 : 5) * (m_routed * m_inner));
        if (m_block.config().experts.stacked) issue.touch(m_routed * m_hidden); // times the biases
        if (down.rank > 0) issue.touch(2 * m_routed * down.rank);               // times the routing weights
        down.trainedGradient(issue);
        m_shared.downBackward(issue);
        m_block.norm(issue);
        routerBackward(issue);
        if (changes(TensorRole::kExpertGate) || changes(TensorRole::kExpertUp)) gather(issue);
        linear(TensorRole::kExpertGate).backward(issue, true, false);
        linear(TensorRole::kExpertUp).backward(issue, true, true);
        issue.touch((m_routed + 2 * m_tokens) * m_hidden); // what experts give, added up for each token
        m_shared.inputBackward(issue);
        m_block.normBackward(issue, TensorRole::kPostNorm);
    }

private:
    bool trains(TensorRole role) const { // itself, stacked or not
        const bool isDown = role == TensorRole::kExpertDown;
        return m_block.trains(role) || m_block.trains(isDown ? TensorRole::kExpertsDown : TensorRole::kExpertsGateUp);
    }
    bool changes(TensorRole role) const { return m_block.isAdapted(role) || trains(role); }

    // Every expert's weights are read, however few rows it gets: with thousands of tokens each one gets some.
    LinearWork linear(TensorRole role) const {
        const bool isDown = role == TensorRole::kExpertDown;
        LinearWork work{isDown ? m_inner : m_hidden, isDown ? m_hidden : m_inner, m_routed / m_experts, m_experts};
        work.isTrained = trains(role);
        return m_block.adapted(work, role);
    }
    void gateUpForward(KernelIssue& issue) const {
        m_block.norm(issue);
        m_block.linear(TensorRole::kRouter).forward(issue);
        issue.pass(m_tokens * m_experts * (issue.operand() + issue.statistics())); // softmax and choice
        issue.pass(4 * m_routed * 4);                                              // sorting
        gather(issue);
        linear(TensorRole::kExpertGate).forward(issue);
        linear(TensorRole::kExpertUp).forward(issue);
        bias(issue, 2 * m_inner);
    }
    // Of stacked experts, added to rows of so many columns.
    void bias(KernelIssue& issue, double columns) const {
        if (m_block.config().experts.stacked) issue.touch(2 * m_routed * columns);
    }
    // Rows copied side by side for each expert.
    void gather(KernelIssue& issue) const { issue.touch(2 * m_routed * m_hidden); }
    // Weighted, onto what went into the block's second half.
    void bringTogether(KernelIssue& issue) const { issue.touch((m_routed + 2 * m_tokens) * m_hidden); }
    void routerBackward(KernelIssue& issue) const {
        issue.pass(m_tokens * m_experts * (issue.operand() + issue.statistics()));
        m_block.linear(TensorRole::kRouter).backward(issue, true, false);
    }

    const BlockAtWork& m_block;
    SharedAtWork m_shared;
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
