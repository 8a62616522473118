#include "batch/steps.h"

#include "base/error.h"
#include "batch/packing.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::batch {

Steps::Steps(const ExampleLengths& examples, const StepRules& rules, DrawOrder order)
    : m_examples(examples), m_rules(rules), m_order(order) {
    validate(rules, examples.longest());
    m_perEpoch = rules.tokensPerStep > 0 ? (examples.numTokens() - 1) / rules.tokensPerStep + 1
                                         : (examples.size() - 1) / rules.examplesPerStep() + 1;
}

int64_t Steps::total(double epochs, int64_t maxSteps) const {
    if (maxSteps > 0) return maxSteps;
    return static_cast<int64_t>(std::ceil(epochs * static_cast<double>(m_perEpoch)));
}

double Steps::epochAt(int64_t step) const {
    const int64_t epoch = step / m_perEpoch;
    const int64_t seen = positionOf(epoch, step % m_perEpoch);
    return static_cast<double>(epoch) + static_cast<double>(seen) / static_cast<double>(m_examples.size());
}

double Steps::meanTokens() const {
    return static_cast<double>(m_examples.numTokens()) / static_cast<double>(m_perEpoch);
}

// Position in the epoch's order at which a step begins; stepInEpoch may be perEpoch().
int64_t Steps::positionOf(int64_t epoch, int64_t stepInEpoch) const {
    if (m_rules.tokensPerStep == 0) return std::min(stepInEpoch * m_rules.examplesPerStep(), m_examples.size());
    return cutOf(m_order.shuffle ? epoch : 0)->starts[static_cast<std::size_t>(stepInEpoch)];
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

// Step s begins at the border between examples that is nearest to s / perEpoch() of the tokens, but leaves at least one
// example to every step.
Steps::EpochCut Steps::cutByTokens(int64_t epoch) const {
    const EpochOrder order(m_order, epoch, m_examples.size());
    const int64_t size = m_examples.size();
    const double share = meanTokens();
    EpochCut cut{epoch, {0}};
    double before = 0; // tokens in front of `position`
    for (int64_t position = 0, step = 1; step < m_perEpoch; ++position) {
        const auto length = static_cast<double>(m_examples.lengthOf(order.at(position)));
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
    const EpochOrder order(m_order, epoch, m_examples.size());
    std::vector<int64_t> drawn;
    std::vector<uint32_t> lengths;
    for (int64_t position = first; position < last; ++position) {
        drawn.push_back(order.at(position));
        lengths.push_back(static_cast<uint32_t>(m_examples.lengthOf(drawn.back())));
    }
    std::vector<std::vector<int64_t>> microbatches = packed(lengths, m_rules);
    for (std::vector<int64_t>& group : microbatches)
        for (int64_t& index : group)
            index = drawn[static_cast<std::size_t>(index)];
    return microbatches;
}

} // namespace roundpipe::batch
