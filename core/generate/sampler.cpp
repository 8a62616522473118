// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include "kernels/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace roundpipe::generate {
namespace {

// Below exp(-60) of the largest, all logits of a vocabulary together weigh less than the rounding of the sum.
constexpr double kNothing = -60;

struct Candidate {
    int32_t token;
    double weight; // exp((logit - largest) / temperature)
};

bool goesBefore(const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
}

// Candidates by falling weight, put in order as far as somebody looks: mostly at the first few of a whole vocabulary.
class Ranking {
public:
    Ranking(std::span<const float> logits, double temperature);
    std::size_t size() const { return m_all.size(); }
    const Candidate& at(std::size_t rank);
    const Candidate& byToken(std::size_t token) const { return m_all[token]; } // before any was put in order
    void keep(std::size_t count);                                              // the first ones
    double totalWeight() const;

private:
    std::vector<Candidate> m_all;
    std::size_t m_numRanked = 0;
};

Ranking::Ranking(std::span<const float> logits, double temperature) : m_all(logits.size()) {
    const double largest = *std::ranges::max_element(logits);
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double exponent = (static_cast<double>(logits[i]) - largest) / temperature;
        m_all[i] = {static_cast<int32_t>(i), exponent < kNothing ? 0 : std::exp(exponent)};
    }
}

const Candidate& Ranking::at(std::size_t rank) {
    constexpr std::size_t kAtFirst = 64;
    while (rank >= m_numRanked) {
        const std::size_t wanted = std::min(m_all.size(), std::max(kAtFirst, 4 * m_numRanked));
        const auto begin = m_all.begin() + static_cast<std::ptrdiff_t>(m_numRanked);
        std::partial_sort(begin, m_all.begin() + static_cast<std::ptrdiff_t>(wanted), m_all.end(), goesBefore);
        m_numRanked = wanted;
    }
    return m_all[rank];
}

void Ranking::keep(std::size_t count) {
    if (count >= m_all.size()) return;
    if (count > 0) at(count - 1);
    m_all.resize(count);
    m_numRanked = std::min(m_numRanked, count);
}

double Ranking::totalWeight() const {
    return std::transform_reduce(m_all.begin(), m_all.end(), 0.0, std::plus<>(),
                                 [](const Candidate& candidate) { return candidate.weight; });
}

// The fewest candidates whose share reaches topP, at least one.
void keepNucleus(Ranking& candidates, double topP) {
    const double wanted = topP * candidates.totalWeight();
    double reached = 0;
    std::size_t kept = 0;
    while (kept < candidates.size() && (kept == 0 || reached < wanted))
        reached += candidates.at(kept++).weight;
    candidates.keep(kept);
}

} // namespace

int32_t pickToken(std::span<const float> logits, const SamplingOptions& options, int64_t index) {
    if (options.temperature <= 0) return static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin());
    Ranking candidates(logits, options.temperature);
    if (options.topK > 0) candidates.keep(static_cast<std::size_t>(options.topK));
    if (options.topP < 1) keepNucleus(candidates, options.topP);
    const bool isCut = options.topK > 0 || options.topP < 1;
    const uint32_t draw = kernels::philox(options.seed, static_cast<uint64_t>(index), 0).values[0];
    double left = static_cast<double>(kernels::uniform(draw)) * candidates.totalWeight();
    const auto candidate = [&](std::size_t i) { return isCut ? candidates.at(i) : candidates.byToken(i); };
    for (std::size_t i = 0; i + 1 < candidates.size(); ++i)
        if ((left -= candidate(i).weight) < 0) return candidate(i).token;
    return candidate(candidates.size() - 1).token;
}

} // namespace roundpipe::generate
