// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/packing.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace roundpipe::batch {
namespace {

std::vector<uint32_t> randomLengths(std::size_t count, int64_t longest, unsigned seed) {
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> draw(std::log(static_cast<double>(longest) / 8), 0.9);
    std::vector<uint32_t> lengths(count);
    for (uint32_t& length : lengths)
        length = static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int64_t>(draw(random)), 2, longest));
    return lengths;
}

// Microbatches of at most so many tokens.
StepRules byTokens(int64_t tokens, Packing packing) {
    StepRules rules;
    rules.microbatchTokens = tokens;
    rules.packing = packing;
    return rules;
}

// Microbatches of at most so many examples.
StepRules byExamples(int64_t examples, Packing packing) {
    StepRules rules;
    rules.microbatchSize = examples;
    rules.packing = packing;
    return rules;
}

void expectPartition(const std::vector<std::vector<int64_t>>& groups, const std::vector<uint32_t>& lengths,
                     const StepRules& rules) {
    std::vector<int64_t> all;
    for (const auto& group : groups) {
        int64_t tokens = 0;
        for (const int64_t index : group)
            tokens += lengths[static_cast<std::size_t>(index)];
        ASSERT_FALSE(group.empty());
        if (rules.microbatchTokens > 0) {
            ASSERT_LE(tokens, rules.microbatchTokens);
        } else {
            ASSERT_LE(static_cast<int64_t>(group.size()), rules.microbatchSize);
        }
        all.insert(all.end(), group.begin(), group.end());
    }
    std::ranges::sort(all);
    std::vector<int64_t> expected(lengths.size());
    std::iota(expected.begin(), expected.end(), 0);
    ASSERT_EQ(all, expected);
}

TEST(Packing, putsEveryExampleIntoOneGroupWithinTheLimit) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const auto lengths = randomLengths(seed % 60, 100, seed);
        const auto check = [&](const StepRules& rules) {
            const auto groups = packed(lengths, rules);
            expectPartition(groups, lengths, rules);
            EXPECT_EQ(groups, packed(lengths, rules));
        };
        for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit})
            for (const int64_t tokens : {100, 173, 5000})
                check(byTokens(tokens, packing));
        for (const Packing packing : {Packing::kNone, Packing::kByLength})
            for (const int64_t examples : {1, 3, 4, 100})
                check(byExamples(examples, packing));
    }
}

TEST(Packing, takesTheFullestGroupWithRoom) {
    // 7 opens, 6 opens, 3 fits beside 7 exactly, 4 beside 6 exactly, 2 needs a third.
    const std::vector<uint32_t> lengths = {3, 7, 2, 6, 4};
    EXPECT_EQ(packed(lengths, byTokens(10, Packing::kBestFit)),
              (std::vector<std::vector<int64_t>>{{1, 0}, {3, 4}, {2}}));
    EXPECT_EQ(packed(lengths, byTokens(10, Packing::kNone)), (std::vector<std::vector<int64_t>>{{0, 1}, {2, 3}, {4}}));
    EXPECT_EQ(packed(lengths, byTokens(10, Packing::kByLength)),
              (std::vector<std::vector<int64_t>>{{1}, {3, 4}, {0, 2}}));
}

TEST(Packing, ofLikeLengthKeepsNeighboursAlike) {
    const auto lengths = randomLengths(500, 1000, 3);
    int64_t least = 1 << 20;
    for (const auto& group : packed(lengths, byTokens(4000, Packing::kByLength)))
        for (const int64_t index : group) {
            EXPECT_LE(lengths[static_cast<std::size_t>(index)], least);
            least = lengths[static_cast<std::size_t>(index)];
        }
}

// 11/9 of the optimum and 6/9 of a group is proved for best-fit-decreasing (Johnson, 1974; Dósa, 2007); the tokens
// alone give a lower bound of the optimum.
TEST(Packing, bestFitStaysWithinItsProvedBound) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const auto lengths = randomLengths(2000, 1024, seed);
        const auto tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
        const auto groups = packed(lengths, byTokens(2048, Packing::kBestFit));
        EXPECT_LE(static_cast<double>(groups.size()), 11.0 / 9.0 * std::ceil(static_cast<double>(tokens) / 2048) + 1);
    }
}

TEST(Packing, packsAMillionExamplesInSeconds) { // a quadratic search would take hours
    const auto lengths = randomLengths(1'000'000, 1024, 1);
    const auto groups = packed(lengths, byTokens(2048, Packing::kBestFit));
    const auto tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    EXPECT_GT(static_cast<double>(tokens) / (2048.0 * static_cast<double>(groups.size())), 0.99);
}

} // namespace
} // namespace roundpipe::batch
