// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/block_work.h"

#include "base/error.h"
#include "geometry/linear.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

using arch::TensorRole;

// Query-key pairs of one causal sequence.
double pairsOf(double length, double window) {
    if (window <= 0 || length <= window) return length * (length + 1) / 2;
    return window * (window + 1) / 2 + (length - window) * window;
}

} // namespace

BlockAtWork::BlockAtWork(const arch::ModelConfig& config, const arch::LayerSpec& layer, const arch::TrainedLayer& parts,
                         const TrainingShape& shape)
    : m_config(config)
    , m_layer(layer)
    , m_parts(parts)
    , m_shape(shape)
    , m_tokens(shape.tokens())
    , m_hidden(static_cast<double>(config.hiddenSize))
    , m_queries(static_cast<double>(config.numHeads * config.headDim))
    , m_keys(static_cast<double>(config.numKvHeads * config.headDim)) {
    if (const std::size_t block = layer.id.index() - 1; block < config.slidingWindow.size())
        m_window = static_cast<double>(config.slidingWindow[block]);
}

const arch::TensorSpec* BlockAtWork::find(TensorRole role) const {
    const auto found = std::ranges::find(m_layer.tensors, role, &arch::TensorSpec::role);
    return found == m_layer.tensors.end() ? nullptr : &*found;
}

const arch::TensorSpec& BlockAtWork::at(TensorRole role) const {
    const arch::TensorSpec* tensor = find(role);
    RP_CHECK(tensor != nullptr);
    return *tensor;
}

LinearWork BlockAtWork::linear(TensorRole role) const {
    const std::vector<int64_t>& shape = at(role).shape;
    LinearWork linear{static_cast<double>(shape[1]), static_cast<double>(shape[0]), m_tokens};
    linear.isTrained = trains(role);
    linear.isFp8 = m_shape.weights == WeightFormat::kFp8;
    return adapted(linear, role);
}

JoinedLinears BlockAtWork::linears(std::initializer_list<TensorRole> roles, double appended) const {
    std::vector<LinearWork> all;
    for (const TensorRole role : roles)
        all.push_back(linear(role));
    return JoinedLinears(std::move(all), appended);
}

double BlockAtWork::appendedColumns() const {
    if (m_tokens < static_cast<double>(geometry::kTokensToAppendFor)) return 0;
    return static_cast<double>(geometry::appendedColumns(m_parts.adapted, m_shape.lora));
}

LinearWork BlockAtWork::adapted(LinearWork linear, TensorRole role) const {
    if (!isAdapted(role)) return linear;
    linear.rank = static_cast<double>(m_shape.lora.rank);
    linear.dropout = m_shape.lora.dropout;
    return linear;
}

JoinedLinears BlockAtWork::qkv() const {
    if (m_config.fusedLinears) return linears({TensorRole::kQkv});
    return linears({TensorRole::kQ, TensorRole::kK, TensorRole::kV});
}

void BlockAtWork::attentionHalf(KernelIssue& issue) const {
    positions(issue);
    norm(issue);
    qkv().forward(issue);
    normOverHeads(issue, 2);
    rotate(issue, 2);
    attention(issue);
    linear(TensorRole::kO).forward(issue);
    addTo(issue);
}

void BlockAtWork::attentionHalfBackward(KernelIssue& issue, bool wantsInputGradient) const {
    positions(issue);
    const bool goesOn = wantsInputGradient || isAdapted(TensorRole::kQ) || isAdapted(TensorRole::kK) ||
                        isAdapted(TensorRole::kV) || isAdapted(TensorRole::kQkv);
    gradientOfAdded(issue, TensorRole::kAttentionOutNorm);
    linear(TensorRole::kO).backward(issue, goesOn, false);
    if (!goesOn) return;
    if (m_config.qkNorm) normOverHeads(issue, 2);
    if (m_config.qkNorm) rotate(issue, 2);
    attentionBackward(issue);
    rotate(issue, m_config.qkNorm && !m_config.qkNormIsWide ? 3 : 2);
    normOverHeads(issue, 3);
    issue.touch(2 * m_tokens * m_keys); // dv, beside the others
    norm(issue);
    qkv().backward(issue, wantsInputGradient);
    if (wantsInputGradient) normBackward(issue, TensorRole::kInputNorm);
}

void BlockAtWork::positions(KernelIssue& issue) const {
    issue.pass(static_cast<double>(m_config.headDim) * 4); // frequencies
    issue.pass(m_tokens * static_cast<double>(m_config.headDim) * issue.statistics());
    if (!m_parts.adapted.empty() && m_shape.lora.dropout > 0) issue.pass(m_tokens * 12);
}

// q and k, each touched `times`, by norms that are not done on the way.
void BlockAtWork::normOverHeads(KernelIssue& issue, double times) const {
    if (!m_config.qkNormIsWide) return;
    issue.touch(times * m_tokens * m_queries);
    issue.touch(times * m_tokens * m_keys);
}

// q and k, each touched `times`, and the table of cosines and sines.
void BlockAtWork::rotate(KernelIssue& issue, double times) const {
    const double table = m_tokens * static_cast<double>(m_config.headDim) * issue.statistics();
    issue.heavyPass(times * m_tokens * m_queries * issue.operand() + table);
    issue.heavyPass(times * m_tokens * m_keys * issue.operand() + table);
}

double BlockAtWork::pairs() const {
    return m_shape.usualSequences() * pairsOf(m_shape.lengthOfSequences(), m_window);
}

double BlockAtWork::headsOfAll() const {
    return m_shape.usualSequences() * static_cast<double>(m_config.numHeads);
}

// LibTorch's results come from its own memory and are copied (core/model/attention/flash_attention.cpp); cuDNN's are
// not, which is a hundredth of what its attention takes.
void BlockAtWork::attention(KernelIssue& issue) const {
    const double sums = m_tokens * static_cast<double>(m_config.numHeads) * issue.statistics();
    issue.attention(KernelWork::Kind::kAttentionForward, 4 * pairs() * m_queries,
                    2 * m_tokens * (m_queries + m_keys) * issue.operand() + sums, m_shape.lengthOfSequences(),
                    headsOfAll());
    issue.touch(2 * m_tokens * m_queries);
    issue.pass(2 * sums);
    if (m_config.attentionSinks) issue.pass(2 * (m_tokens * m_queries * issue.operand() + sums));
}

void BlockAtWork::attentionBackward(KernelIssue& issue) const {
    issue.attention(KernelWork::Kind::kAttentionBackward, 10 * pairs() * m_queries,
                    4 * m_tokens * (m_queries + m_keys) * issue.operand(), m_shape.lengthOfSequences(), headsOfAll());
    issue.touch(2 * m_tokens * m_queries);
    issue.touch(2 * m_tokens * m_keys);
    issue.touch(2 * m_tokens * m_keys);
}

} // namespace roundpipe::plan
