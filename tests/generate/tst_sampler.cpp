// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
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
