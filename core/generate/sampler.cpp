// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include "kernels/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace roundpipe::generate {
namespace {

struct Candidate {
    int32_t token;
    double weight; // exp((logit - largest) / temperature)
};

std::vector<Candidate> candidatesOf(std::span<const float> logits, const SamplingOptions& options) {
    const double largest = *std::ranges::max_element(logits);
    std::vector<Candidate> all(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i)
        all[i] = {static_cast<int32_t>(i), std::exp((static_cast<double>(logits[i]) - largest) / options.temperature)};
    std::ranges::stable_sort(all, std::greater<>(), &Candidate::weight);
    if (options.topK > 0 && static_cast<std::size_t>(options.topK) < all.size())
        all.resize(static_cast<std::size_t>(options.topK));
    return all;
}

double totalWeight(std::span<const Candidate> candidates) {
    return std::transform_reduce(candidates.begin(), candidates.end(), 0.0, std::plus<>(),
                                 [](const Candidate& candidate) { return candidate.weight; });
}

// The fewest candidates whose share reaches topP, at least one.
void keepNucleus(std::vector<Candidate>& candidates, double topP) {
    const double wanted = topP * totalWeight(candidates);
    double reached = 0;
    std::size_t kept = 0;
    while (kept < candidates.size() && (kept == 0 || reached < wanted))
        reached += candidates[kept++].weight;
    candidates.resize(kept);
}

} // namespace

int32_t pickToken(std::span<const float> logits, const SamplingOptions& options, int64_t index) {
    if (options.temperature <= 0) return static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin());
    std::vector<Candidate> candidates = candidatesOf(logits, options);
    if (options.topP < 1) keepNucleus(candidates, options.topP);
    const uint32_t draw = kernels::philox(options.seed, static_cast<uint64_t>(index), 0).values[0];
    double left = static_cast<double>(kernels::uniform(draw)) * totalWeight(candidates);
    for (const Candidate& candidate : candidates)
        if ((left -= candidate.weight) < 0) return candidate.token;
    return candidates.back().token;
}

} // namespace roundpipe::generate
