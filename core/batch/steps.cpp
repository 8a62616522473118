// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/steps.h"

#include "base/error.h"
#include "batch/packing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roundpipe::batch {

Steps::Steps(const ExampleLengths& examples, const StepRules& rules, DrawOrder order, std::span<const Share> shares)
    : m_examples(examples), m_rules(rules), m_draws(examples, shares, order) {
    validate(rules, examples.longest());
    m_perEpoch = rules.tokensPerStep > 0 ? (std::llround(m_draws.tokensPerEpoch()) - 1) / rules.tokensPerStep + 1
                                         : (m_draws.perEpoch() - 1) / rules.examplesPerStep() + 1;
}

int64_t Steps::total(double epochs, int64_t maxSteps) const {
    if (maxSteps > 0) return maxSteps;
    return static_cast<int64_t>(std::ceil(epochs * static_cast<double>(m_perEpoch)));
}

double Steps::epochAt(int64_t step) const {
    const int64_t epoch = step / m_perEpoch;
    const int64_t seen = positionOf(epoch, step % m_perEpoch);
    return static_cast<double>(epoch) + static_cast<double>(seen) / static_cast<double>(m_draws.perEpoch());
}

double Steps::meanTokens() const {
    return m_draws.tokensPerEpoch() / static_cast<double>(m_perEpoch);
}

// Position in the epoch's order at which a step begins; stepInEpoch may be perEpoch().
int64_t Steps::positionOf(int64_t epoch, int64_t stepInEpoch) const {
    if (m_rules.tokensPerStep == 0) return std::min(stepInEpoch * m_rules.examplesPerStep(), m_draws.perEpoch());
    return cutOf(m_draws.isSameInEveryEpoch() ? 0 : epoch)->starts[static_cast<std::size_t>(stepInEpoch)];
}

std::shared_ptr<const Steps::EpochCut> Steps::cutOf(int64_t epoch) const {
    {
        const std::lock_guard lock(m_mutex);
        if (m_lastCut && m_lastCut->epoch == epoch) return m_lastCut;
    }
    auto cut = std::make_shared<const EpochCut>(cutByTokens(epoch)); // outside the lock: it takes O(examples)
    const std::lock_guard lock(m_mutex);
    return m_lastCut = std::move(cut);
}

// Step s begins at the border between examples that is nearest to s / perEpoch() of the epoch's tokens, but leaves at
// least one example to every step.
Steps::EpochCut Steps::cutByTokens(int64_t epoch) const {
    const int64_t size = m_draws.perEpoch();
    std::vector<uint32_t> lengths;
    for (int64_t position = 0; position < size; ++position)
        lengths.push_back(static_cast<uint32_t>(m_examples.lengthOf(m_draws.at(epoch, position))));
    const auto tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    const double share = static_cast<double>(tokens) / static_cast<double>(m_perEpoch);
    EpochCut cut{epoch, {0}};
    double before = 0; // tokens in front of `position`
    for (int64_t position = 0, step = 1; step < m_perEpoch; ++position) {
        const auto length = static_cast<double>(lengths[static_cast<std::size_t>(position)]);
        for (; step < m_perEpoch; ++step) {
            const double border = share * static_cast<double>(step);
            const bool mustEnd = position == size - (m_perEpoch - step);
            const bool mayEnd = position > cut.starts.back() && border - before <= before + length - border;
            if (!mustEnd && !mayEnd) break;
            cut.starts.push_back(position);
        }
        before += length;
    }
    cut.starts.push_back(size);
    return cut;
}

std::vector<std::vector<int64_t>> Steps::microbatchesOf(int64_t step) const {
    RP_CHECK(step >= 0);
    const int64_t epoch = step / m_perEpoch;
    const int64_t first = positionOf(epoch, step % m_perEpoch);
    const int64_t last = positionOf(epoch, step % m_perEpoch + 1);
    std::vector<int64_t> drawn;
    std::vector<uint32_t> lengths;
    for (int64_t position = first; position < last; ++position) {
        drawn.push_back(m_draws.at(epoch, position));
        lengths.push_back(static_cast<uint32_t>(m_examples.lengthOf(drawn.back())));
    }
    std::vector<std::vector<int64_t>> microbatches = packed(lengths, m_rules);
    for (std::vector<int64_t>& group : microbatches)
        for (int64_t& index : group)
            index = drawn[static_cast<std::size_t>(index)];
    return microbatches;
}

} // namespace roundpipe::batch
