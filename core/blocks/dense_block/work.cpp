// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/block_work.h"

namespace roundpipe::plan {
namespace {

using arch::TensorRole;

double mlpElements(const BlockAtWork& block) { // of gate, of up and of what follows
    return block.tokens() * static_cast<double>(block.config().intermediateSize);
}

JoinedLinears gateUpOf(const BlockAtWork& block) {
    if (block.config().fusedLinears) return block.linears({TensorRole::kGateUp});
    return block.linears({TensorRole::kGate, TensorRole::kUp}, block.appendedColumns());
}

} // namespace

void dense_block::forward(const BlockAtWork& block, KernelIssue& issue) {
    block.attentionHalf(issue);
    block.norm(issue);
    gateUpOf(block).forward(issue);
    issue.touch(3 * mlpElements(block));
    block.linear(TensorRole::kDown).forward(issue);
    block.addTo(issue);
}

void dense_block::gateUp(const BlockAtWork& block, KernelIssue& issue) {
    block.norm(issue);
    gateUpOf(block).forward(issue);
    if (block.config().outputNorms) { // backward reads what it norms
        issue.touch(3 * mlpElements(block));
        block.linear(TensorRole::kDown).forward(issue);
        return;
    }
    if (!block.isAdapted(TensorRole::kDown)) return;
    issue.touch(3 * mlpElements(block));
    block.linear(TensorRole::kDown).adapterProduct(issue);
}

void dense_block::output(const BlockAtWork& block, KernelIssue& issue) {
    if (block.config().outputNorms) return block.addTo(issue);
    if (!block.isAdapted(TensorRole::kDown)) issue.touch(3 * mlpElements(block));
    block.linear(TensorRole::kDown).output(issue);
    block.addTo(issue);
}

void dense_block::backward(const BlockAtWork& block, KernelIssue& issue, bool wantsInputGradient) {
    const LinearWork down = block.linear(TensorRole::kDown);
    block.gradientOfAdded(issue, TensorRole::kMlpOutNorm);
    down.inputGradient(issue, true, false);
    issue.touch((block.isAdapted(TensorRole::kDown) || block.trains(TensorRole::kDown) ? 6 : 5) * mlpElements(block));
    down.trainedGradient(issue);
    block.norm(issue);
    gateUpOf(block).backward(issue, true);
    block.normBackward(issue, TensorRole::kPostNorm);
    block.attentionHalfBackward(issue, wantsInputGradient);
}

} // namespace roundpipe::plan
