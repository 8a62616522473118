// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include "base/error.h"
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

// Each token that the text has counts once, however often it stands there.
std::vector<float> penalised(std::span<const float> logits, double penalty, std::span<const int32_t> seen) {
    std::vector<float> result(logits.begin(), logits.end());
    std::vector<bool> isDone(logits.size());
    for (const int32_t token : seen) {
        const auto t = static_cast<std::size_t>(token);
        if (t >= isDone.size() || isDone[t]) continue; // a tokenizer may have ids that the model does not
        isDone[t] = true;
        const double logit = result[t];
        result[t] = static_cast<float>(logit > 0 ? logit / penalty : logit * penalty);
    }
    return result;
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

// Those with this part of the likeliest one's weight, which is 1.
void keepNearTheLikeliest(Ranking& candidates, double minP) {
    std::size_t kept = 1;
    while (kept < candidates.size() && candidates.at(kept).weight >= minP)
        ++kept;
    candidates.keep(kept);
}

// An infinite one makes the softmax NaN; -inf alone is a token that is never taken.
void requireNumbers(std::span<const float> logits) {
    const auto isNan = [](float logit) { return std::isnan(logit); };
    if (std::isfinite(*std::ranges::max_element(logits)) && std::ranges::none_of(logits, isNan)) return;
    throw unsupported("The model computes no numbers: its logits are NaN or infinite.",
                      "Try a larger type (--precision bf16 or fp32), answer without the adapter or at a smaller "
                      "strength, and see whether the weights were saved whole.");
}

int32_t draw(std::span<const float> logits, const session::SamplingOptions& options, int64_t index) {
    Ranking candidates(logits, options.temperature);
    if (options.topK > 0) candidates.keep(static_cast<std::size_t>(options.topK));
    if (options.topP < 1) keepNucleus(candidates, options.topP);
    if (options.minP > 0) keepNearTheLikeliest(candidates, options.minP);
    const bool isCut = options.topK > 0 || options.topP < 1 || options.minP > 0;
    const uint32_t drawn = kernels::philox(options.seed, static_cast<uint64_t>(index), 0).values[0];
    double left = static_cast<double>(kernels::uniform(drawn)) * candidates.totalWeight();
    const auto candidate = [&](std::size_t i) { return isCut ? candidates.at(i) : candidates.byToken(i); };
    for (std::size_t i = 0; i + 1 < candidates.size(); ++i)
        if ((left -= candidate(i).weight) < 0) return candidate(i).token;
    return candidate(candidates.size() - 1).token;
}

} // namespace

int32_t pickToken(std::span<const float> logits, const session::SamplingOptions& options, int64_t index,
                  std::span<const int32_t> seen) {
    requireNumbers(logits);
    std::vector<float> changed;
    if (options.repetitionPenalty != 1 && !seen.empty()) {
        changed = penalised(logits, options.repetitionPenalty, seen);
        logits = changed;
    }
    if (options.temperature <= 0) return static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin());
    return draw(logits, options, index);
}

double logProbabilityOf(std::span<const float> logits, int32_t token) {
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const double logit : logits)
        sum += std::exp(logit - largest);
    return static_cast<double>(logits[static_cast<std::size_t>(token)]) - largest - std::log(sum);
}

std::vector<int32_t> likeliestTokens(std::span<const float> logits, int64_t count) {
    std::vector<int32_t> tokens(logits.size());
    std::iota(tokens.begin(), tokens.end(), 0);
    const auto end = tokens.begin() + std::min(count, std::ssize(tokens));
    std::partial_sort(tokens.begin(), end, tokens.end(), [&](int32_t a, int32_t b) {
        const float ofA = logits[static_cast<std::size_t>(a)], ofB = logits[static_cast<std::size_t>(b)];
        return ofA != ofB ? ofA > ofB : a < b;
    });
    tokens.erase(end, tokens.end());
    return tokens;
}

} // namespace roundpipe::generate
