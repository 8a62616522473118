// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/sampler.h"

#include "kernels/random.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace roundpipe::generate {
namespace {

using session::SamplingOptions;

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

TEST(Sampler, picksNothingOfWhatIsNoNumber) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
    SamplingOptions drawn, penalised;
    drawn.temperature = 1;
    penalised.repetitionPenalty = 1.5;
    for (const SamplingOptions& options : {SamplingOptions(), drawn, penalised}) {
        for (const std::array<float, 3>& logits : {std::array{kNan, kNan, kNan},
                                                   {1.0f, 2.0f, kNan},
                                                   {kNan, 1.0f, 2.0f},
                                                   {1.0f, kInfinity, 2.0f},
                                                   {-kInfinity, -kInfinity, -kInfinity}})
            roundpipe::testing::expectError(ErrorKind::kUnsupported, {"no numbers"},
                                            [&] { pickToken(logits, options, 0, std::array{1}); });
        const std::array<float, 3> masked = {-kInfinity, 2.0f, -kInfinity};
        EXPECT_EQ(pickToken(masked, options, 0, std::array{1}), 1);
    }
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

TEST(Sampler, minPLeavesThoseNearTheLikeliest) {
    SamplingOptions options;
    options.temperature = 1;
    options.minP = 0.3; // exp(2 - 3) = 0.37 of the likeliest, exp(1 - 3) = 0.14
    const auto found = picks(kLogits, options, 500);
    EXPECT_EQ(found.size(), 2u);
    EXPECT_TRUE(found.contains(1) && found.contains(2));
    options.minP = 1;
    EXPECT_EQ(picks(kLogits, options, 200).size(), 1u);
}

// The softmax of what the options leave, every step by itself over the whole vocabulary, in the order of transformers.
std::vector<double> distributionOf(std::vector<double> logits, const SamplingOptions& options,
                                   std::span<const int32_t> seen) {
    constexpr double kOut = -1e300;
    std::vector<bool> penalised(logits.size());
    for (const int32_t token : seen)
        penalised[static_cast<std::size_t>(token)] = true;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (penalised[i])
            logits[i] = logits[i] > 0 ? logits[i] / options.repetitionPenalty : logits[i] * options.repetitionPenalty;
        logits[i] /= options.temperature;
    }
    std::vector<std::size_t> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    const auto softmax = [&] {
        std::vector<double> shares;
        double sum = 0;
        for (const double logit : logits)
            sum += shares.emplace_back(std::exp(logit));
        for (double& share : shares)
            share /= sum;
        return shares;
    };
    if (options.topK > 0)
        for (std::size_t rank = static_cast<std::size_t>(options.topK); rank < order.size(); ++rank)
            logits[order[rank]] = kOut;
    std::vector<double> shares = softmax();
    double above = 0;
    for (const std::size_t token : order) {
        if (above >= options.topP) logits[token] = kOut;
        above += shares[token];
    }
    shares = softmax();
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (shares[i] < options.minP * shares[order[0]]) logits[i] = kOut;
    return softmax();
}

// Pearson's chi-square of the draws against that distribution.
TEST(Sampler, drawsMatchTheDistributionOfWhateverOptionsTogether) {
    constexpr std::array<float, 9> logits = {0.4f, 2.1f, -0.3f, 1.6f, 0.9f, -2.5f, 1.2f, 0.1f, 1.9f};
    constexpr std::array<int32_t, 4> seen = {1, 3, 1, 5};
    constexpr int kDraws = 60000;
    const double quantile[] = {0, 15.1, 18.4, 21.1, 23.5, 25.7, 27.9, 29.9, 31.8}; // of 0.9999, by degrees of freedom
    SamplingOptions plain;
    plain.temperature = 0.8;
    std::vector<SamplingOptions> cases(6, plain);
    cases[1].topK = 5;
    cases[2].topP = 0.7;
    cases[3].minP = 0.25;
    cases[4].repetitionPenalty = 1.5;
    cases[5] = {.repetitionPenalty = 1.3, .temperature = 1.7, .topK = 7, .topP = 0.9, .minP = 0.2, .seed = 11};
    for (std::size_t c = 0; c < cases.size(); ++c) {
        const std::vector<double> expected = distributionOf({logits.begin(), logits.end()}, cases[c], seen);
        std::vector<double> found(logits.size());
        for (int i = 0; i < kDraws; ++i)
            ++found[static_cast<std::size_t>(pickToken(logits, cases[c], i, seen))];
        double sum = 0;
        std::size_t freedom = 0;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            if (expected[i] == 0) {
                EXPECT_EQ(found[i], 0) << "case " << c << ", token " << i;
                continue;
            }
            const double wanted = expected[i] * kDraws;
            sum += (found[i] - wanted) * (found[i] - wanted) / wanted;
            ++freedom;
        }
        ASSERT_GE(freedom, 2u) << c;
        EXPECT_LT(sum, quantile[freedom - 1]) << "case " << c;
    }
}

TEST(Sampler, penalisesRepetitionOnceForEachTokenAndGreedilyToo) {
    SamplingOptions options;
    options.repetitionPenalty = 1.6; // 3 / 1.6 is below 2
    constexpr std::array<int32_t, 1> seen = {1};
    EXPECT_EQ(pickToken(kLogits, options, 0, seen), 2);
    EXPECT_EQ(pickToken(kLogits, options, 0, {}), 1);
    options.repetitionPenalty = 1.4; // twice that would be below 2
    constexpr std::array<int32_t, 3> repeated = {1, 1, 1};
    EXPECT_EQ(pickToken(kLogits, options, 0, repeated), 1);
    constexpr std::array<float, 2> negative = {-1.0f, -1.2f};
    constexpr std::array<int32_t, 2> first = {0, 900}; // one that the model does not have
    EXPECT_EQ(pickToken(negative, options, 0, first), 1);
}

TEST(Sampler, saysHowLikelyTokensAre) {
    double sum = 0;
    for (int32_t token = 0; token < 4; ++token)
        sum += std::exp(logProbabilityOf(kLogits, token));
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_NEAR(logProbabilityOf(kLogits, 2) - logProbabilityOf(kLogits, 0), 1, 1e-9);
    EXPECT_EQ(likeliestTokens(kLogits, 3), (std::vector<int32_t>{1, 2, 0}));
    EXPECT_EQ(likeliestTokens(kLogits, 100).size(), 4u);
    EXPECT_TRUE(likeliestTokens(kLogits, 0).empty());
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
