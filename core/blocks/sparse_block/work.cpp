// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/block_work.h"

#include <algorithm>

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
        , m_down(block.config().experts.stacked ? TensorRole::kExpertsDown : TensorRole::kExpertDown)
        , m_gateUp(rolesOfGateUp(block.config()))
        , m_routed(m_tokens * static_cast<double>(block.config().experts.perToken)) {
        m_inner = static_cast<double>(block.at(m_down).shape.back());
    }

    void forward(KernelIssue& issue) const {
        gateUpForward(issue);
        issue.touch(3 * m_routed * m_inner);
        down().forward(issue);
        bias(issue, m_hidden);
        bringTogether(issue);
        m_shared.forward(issue);
    }

    void gateUp(KernelIssue& issue) const {
        gateUpForward(issue);
        if (m_block.isAdapted(m_down)) {
            issue.touch(3 * m_routed * m_inner);
            down().adapterProduct(issue);
        }
        m_shared.gateUp(issue);
    }

    void output(KernelIssue& issue) const {
        if (!m_block.isAdapted(m_down)) issue.touch(3 * m_routed * m_inner);
        down().output(issue);
        bias(issue, m_hidden);
        bringTogether(issue);
        m_shared.output(issue);
    }

    void backward(KernelIssue& issue) const {
        const LinearWork ofDown = down();
        const bool needsAct = changes(m_down);
        gather(issue); // the gradient of the output
        ofDown.inputGradient(issue, true, false);
        issue.touch((needsAct ? 6 : 5) * (m_routed * m_inner));
        if (m_block.config().experts.stacked) issue.touch(m_routed * m_hidden); // times the biases
        if (ofDown.rank > 0) issue.touch(2 * m_routed * ofDown.rank);           // times the routing weights
        ofDown.trainedGradient(issue);
        m_shared.downBackward(issue);
        m_block.norm(issue);
        routerBackward(issue);
        if (std::ranges::any_of(m_gateUp, [this](TensorRole role) { return changes(role); })) gather(issue);
        for (const TensorRole role : m_gateUp)
            linear(role).backward(issue, true, role != m_gateUp.front());
        issue.touch((m_routed + 2 * m_tokens) * m_hidden); // what experts give, added up for each token
        m_shared.inputBackward(issue);
        m_block.normBackward(issue, TensorRole::kPostNorm);
    }

private:
    bool changes(TensorRole role) const { return m_block.isAdapted(role) || m_block.trains(role); }

    static std::vector<TensorRole> rolesOfGateUp(const arch::ModelConfig& config) {
        if (config.experts.stacked) return {TensorRole::kExpertsGateUp};
        return {TensorRole::kExpertGate, TensorRole::kExpertUp};
    }

    // Every expert's weights are read, however few rows it gets: with thousands of tokens each one gets some.
    LinearWork linear(TensorRole role) const {
        const std::vector<int64_t>& shape = m_block.at(role).shape;
        LinearWork work{static_cast<double>(shape.back()), static_cast<double>(shape.end()[-2]), m_routed / m_experts,
                        m_experts};
        work.isTrained = m_block.trains(role);
        return m_block.adapted(work, role);
    }
    LinearWork down() const { return linear(m_down); }
    void gateUpForward(KernelIssue& issue) const {
        m_block.norm(issue);
        m_block.linear(TensorRole::kRouter).forward(issue);
        issue.pass(m_tokens * m_experts * (issue.operand() + issue.statistics())); // softmax and choice
        issue.pass(4 * m_routed * 4);                                              // sorting
        gather(issue);
        for (const TensorRole role : m_gateUp)
            linear(role).forward(issue);
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
    TensorRole m_down;                // of all experts in one, or of each
    std::vector<TensorRole> m_gateUp; // "
    double m_routed;                  // rows that the experts compute, all together
    double m_inner = 0;               // intermediate size of one
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
