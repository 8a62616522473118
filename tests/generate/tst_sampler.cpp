// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include "kernels/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace roundpipe::generate {
namespace {

// How often each token is picked at positions 0..count-1.
std::map<int32_t, int> picks(std::span<const float> logits, const SamplingOptions& options, int count) {
    std::map<int32_t, int> found;
    for (int i = 0; i < count; ++i)
        ++found[pickToken(logits, options, i)];
    return found;
}

constexpr std::array<float, 4> kLogits = {1.0f, 3.0f, 2.0f, -1.0f};

TEST(Sampler, greedyTakesTheFirstOfTheLikeliest) {
    EXPECT_EQ(pickToken(kLogits, {}, 0), 1);
    const std::array<float, 3> tied = {0.5f, 2.0f, 2.0f};
    EXPECT_EQ(pickToken(tied, {}, 5), 1);
}

TEST(Sampler, drawsInProportionToTheSoftmax) {
    SamplingOptions options;
    options.temperature = 2;
    constexpr int kDraws = 40000;
    const auto found = picks(kLogits, options, kDraws);
    double total = 0;
    for (const float logit : kLogits)
        total += std::exp(logit / 2);
    for (int32_t token = 0; token < 4; ++token) {
        const double expected = std::exp(kLogits[static_cast<std::size_t>(token)] / 2) / total;
        EXPECT_NEAR(found.at(token) / static_cast<double>(kDraws), expected, 4 * std::sqrt(expected / kDraws)) << token;
    }
}

// What the sampler says of a vocabulary without putting all of it in order: every token sorted, the draw walked along.
int32_t pickedFromAll(std::span<const float> logits, const SamplingOptions& options, int64_t index) {
    std::vector<std::pair<double, int32_t>> all; // by token, or where some are cut off by falling weight
    for (std::size_t i = 0; i < logits.size(); ++i)
        all.emplace_back(-std::exp(static_cast<double>(logits[i]) / options.temperature), static_cast<int32_t>(i));
    if (options.topK > 0 || options.topP < 1) std::ranges::sort(all);
    const auto sumOf = [&] {
        double sum = 0;
        for (const auto& [weight, token] : all)
            sum -= weight;
        return sum;
    };
    if (options.topK > 0) all.resize(std::min(all.size(), static_cast<std::size_t>(options.topK)));
    double wanted = options.topP * sumOf();
    std::size_t kept = 0;
    while (kept < all.size() && (kept == 0 || wanted > 0))
        wanted += all[kept++].first;
    all.resize(kept);
    const uint32_t draw = kernels::philox(options.seed, static_cast<uint64_t>(index), 0).values[0];
    double left = static_cast<double>(kernels::uniform(draw)) * sumOf();
    for (const auto& [weight, token] : all)
        if ((left += weight) < 0) return token;
    return all.back().second;
}

TEST(Sampler, picksFromALargeVocabularyAsIfAllOfItWereSorted) {
    std::vector<float> logits(5000);
    for (std::size_t i = 0; i < logits.size(); ++i) // many ties, and a tail that matters
        logits[i] = static_cast<float>((i * 7919) % 601) / 50.0f;
    SamplingOptions options;
    int different = 0;
    for (const double temperature : {0.3, 1.0, 40.0})
        for (const int64_t topK : {int64_t{0}, int64_t{100}, int64_t{9000}})
            for (const double topP : {0.3, 0.97, 1.0})
                for (int64_t index = 0; index < 50; ++index) {
                    options.temperature = temperature;
                    options.topK = static_cast<decltype(options.topK)>(topK);
                    options.topP = topP;
                    different += pickToken(logits, options, index) != pickedFromAll(logits, options, index);
                }
    EXPECT_EQ(different, 0);
}

TEST(Sampler, topKLeavesOnlyTheLikeliest) {
    SamplingOptions options;
    options.temperature = 5;
    options.topK = 2;
    const auto found = picks(kLogits, options, 500);
    EXPECT_EQ(found.size(), 2u);
    EXPECT_TRUE(found.contains(1) && found.contains(2));
}

TEST(Sampler, topPLeavesTheFewestThatReachTheShare) {
    SamplingOptions options;
    options.temperature = 1;
    options.topP = 0.6; // token 1 alone has 0.66
    EXPECT_EQ(picks(kLogits, options, 200).size(), 1u);
    options.topP = 0.7;
    EXPECT_EQ(picks(kLogits, options, 500).size(), 2u);
}

TEST(Sampler, isAFunctionOfSeedAndPosition) {
    SamplingOptions options;
    options.temperature = 3;
    std::vector<int32_t> forward, backward;
    for (int i = 0; i < 50; ++i)
        forward.push_back(pickToken(kLogits, options, i));
    for (int i = 49; i >= 0; --i)
        backward.insert(backward.begin(), pickToken(kLogits, options, i));
    EXPECT_EQ(forward, backward);
    options.seed = 1;
    std::vector<int32_t> other;
    for (int i = 0; i < 50; ++i)
        other.push_back(pickToken(kLogits, options, i));
    EXPECT_NE(forward, other);
}

} // namespace
} // namespace roundpipe::generate
