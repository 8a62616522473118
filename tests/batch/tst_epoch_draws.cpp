// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/epoch_draws.h"

#include "made_up_lengths.h"
#include "random_mixture.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <span>

namespace roundpipe::batch {
namespace {

using testing::expectError;

std::vector<int64_t> epochOf(const EpochDraws& draws, int64_t epoch) {
    std::vector<int64_t> drawn;
    for (int64_t position = 0; position < draws.perEpoch(); ++position)
        drawn.push_back(draws.at(epoch, position));
    return drawn;
}

Mixture ofSizes(std::initializer_list<int64_t> sizes, std::vector<Share> shares) {
    Mixture mixture{{}, std::move(shares)};
    for (const int64_t size : sizes)
        mixture.examples.append(unevenLengths(size));
    return mixture;
}

std::vector<int64_t> drawsOf(const Mixture& mixture) {
    return drawsOf(mixture.examples, mixture.shares);
}

int64_t tokensOf(const Mixture& mixture, const std::vector<int64_t>& drawn, std::size_t dataset) {
    int64_t tokens = 0;
    for (const int64_t example : drawn)
        tokens += mixture.datasetOf(example) == dataset ? mixture.examples.lengthOf(example) : 0;
    return tokens;
}

TEST(Share, saysHowManyExamplesAnEpochDraws) {
    EXPECT_EQ(drawsOf(ofSizes({10, 20}, {})), (std::vector<int64_t>{10, 20}));
    EXPECT_EQ(drawsOf(ofSizes({10, 20}, {{ShareKind::kEpochs, 2.5}})), (std::vector<int64_t>{25, 20}));
    EXPECT_EQ(drawsOf(ofSizes({10, 20}, {{ShareKind::kRows, 7}, {ShareKind::kRows, 45}})),
              (std::vector<int64_t>{7, 45}));
    // Weights share what they have together; who has another share stands beside them.
    EXPECT_EQ(drawsOf(ofSizes({10, 30, 5}, {{ShareKind::kWeight, 3}, {ShareKind::kWeight, 1}, {}})),
              (std::vector<int64_t>{30, 10, 5}));
    EXPECT_EQ(drawsOf(ofSizes({10}, {{ShareKind::kWeight, 0.1}})), std::vector<int64_t>{10});
    EXPECT_EQ(drawsOf(ofSizes({5, 5, 5}, {{ShareKind::kWeight, 1}, {ShareKind::kWeight, 1}, {ShareKind::kWeight, 2}})),
              (std::vector<int64_t>{4, 4, 7})); // 3.75, 3.75, 7.5
    Mixture mixture;
    mixture.examples = lengthsOf({10, 20, 30, 40}); // 25 on average
    mixture.shares = {{ShareKind::kTokens, 260}};
    EXPECT_EQ(drawsOf(mixture), std::vector<int64_t>{10});
}

TEST(Share, drawsAnExampleAtLeastButNoneOfNothing) {
    EXPECT_EQ(drawsOf(ofSizes({10, 1000}, {{ShareKind::kEpochs, 1e-9}, {ShareKind::kTokens, 0.5}})),
              (std::vector<int64_t>{1, 1}));
    EXPECT_EQ(drawsOf(ofSizes({1, 1000}, {{ShareKind::kWeight, 1e-9}, {ShareKind::kWeight, 1}})),
              (std::vector<int64_t>{1, 1001}));
    Mixture mixture;
    mixture.examples.beginDataset();
    mixture.examples.append(unevenLengths(8));
    mixture.shares = {{ShareKind::kWeight, 5}, {ShareKind::kWeight, 1}};
    EXPECT_EQ(drawsOf(mixture), (std::vector<int64_t>{0, 8}));
    EXPECT_EQ(epochOf(EpochDraws(mixture.examples, mixture.shares, {false, 0}), 3).back(), 7);
}

TEST(Share, mustBeAboveNothingAndBelowAllMeasure) {
    for (const double wrong : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        expectError(ErrorKind::kInvalidInput, {"dataset 2", "above 0"}, [&] {
            drawsOf(ofSizes({10, 20}, {{}, {ShareKind::kRows, wrong}}));
        });
    expectError(ErrorKind::kInvalidInput, {"examples", "share_amount"}, [&] {
        drawsOf(ofSizes({10}, {{ShareKind::kEpochs, 1e12}}));
    });
}

// What runs of one dataset have drawn since there are any.
TEST(EpochDraws, ofDatasetsThatAreDrawnOnceAreTheOrderOfAllTheirExamples) {
    for (const bool shuffle : {false, true})
        for (const Mixture& mixture : {ofSizes({100}, {}), ofSizes({30, 69, 1}, {{}, {}, {}})}) {
            const DrawOrder order{shuffle, 7};
            const EpochDraws draws(mixture.examples, mixture.shares, order);
            ASSERT_EQ(draws.perEpoch(), 100);
            EXPECT_EQ(draws.tokensPerEpoch(), static_cast<double>(mixture.examples.numTokens()));
            EXPECT_EQ(draws.tokensAtMost(), mixture.examples.numTokens());
            for (int64_t epoch = 0; epoch < 3; ++epoch)
                for (int64_t i = 0; i < 100; ++i)
                    ASSERT_EQ(draws.at(epoch, i), EpochOrder(order, epoch, 100).at(i));
        }
}

TEST(EpochDraws, goThroughDatasetsInTurnWhereTheyAreNotShuffled) {
    const Mixture mixture = ofSizes({4, 3}, {{ShareKind::kEpochs, 1.5}, {ShareKind::kRows, 2}});
    const EpochDraws draws(mixture.examples, mixture.shares, {false, 0});
    EXPECT_EQ(epochOf(draws, 0), (std::vector<int64_t>{0, 1, 2, 3, 1, 3, 5, 6}));
    EXPECT_EQ(epochOf(draws, 1), (std::vector<int64_t>{0, 1, 2, 3, 0, 2, 4, 6}));
    EXPECT_FALSE(draws.isSameInEveryEpoch());
}

// The shares of each dataset over each epoch, in examples and in tokens.
TEST(EpochDraws, giveEachDatasetWhatWasAskedWithinAnExample) {
    RandomMixtures random(1);
    for (int i = 0; i < 300; ++i) {
        const Mixture mixture = random.next(80);
        SCOPED_TRACE(::testing::Message() << "case " << i << ": " << mixture);
        const EpochDraws draws(mixture.examples, mixture.shares, {random.upTo(4) > 1, static_cast<uint64_t>(i)});
        double pool = 0, weights = 0;
        for (std::size_t d = 0; d < mixture.shares.size(); ++d)
            if (mixture.shares[d].kind == ShareKind::kWeight) {
                pool += static_cast<double>(mixture.dataset(d).size);
                weights += mixture.shares[d].amount;
            }
        for (int64_t epoch = 0; epoch < 3; ++epoch) {
            std::map<std::size_t, double> counts;
            for (const int64_t example : epochOf(draws, epoch))
                ++counts[mixture.datasetOf(example)];
            for (std::size_t d = 0; d < mixture.shares.size(); ++d) {
                const auto& [kind, amount] = mixture.shares[d];
                const auto size = static_cast<double>(mixture.dataset(d).size);
                const double average = static_cast<double>(mixture.dataset(d).numTokens) / size;
                const double asked = kind == ShareKind::kEpochs   ? amount * size
                                     : kind == ShareKind::kRows   ? amount
                                     : kind == ShareKind::kTokens ? amount / average
                                                                  : amount / weights * pool;
                ASSERT_NEAR(counts[d], asked, 1);
            }
        }
    }
}

TEST(EpochDraws, haveTheTokensOfTheAverageEpochWithinALongExample) {
    RandomMixtures random(2);
    for (int i = 0; i < 300; ++i) {
        const Mixture mixture = random.next(80);
        SCOPED_TRACE(::testing::Message() << "case " << i << ": " << mixture);
        const EpochDraws draws(mixture.examples, mixture.shares, {true, static_cast<uint64_t>(i)});
        for (int64_t epoch = 0; epoch < 5; ++epoch) {
            const std::vector<int64_t> drawn = epochOf(draws, epoch);
            int64_t all = 0;
            for (std::size_t d = 0; d < mixture.shares.size(); ++d) {
                const auto& [first, size, numTokens, numTrained] = mixture.dataset(d);
                const auto lengths =
                    mixture.examples.tokens().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size));
                const auto [shortest, longest] = std::ranges::minmax(lengths);
                const int64_t tokens = tokensOf(mixture, drawn, d);
                all += tokens;
                const double average = static_cast<double>(numTokens) / static_cast<double>(size);
                const auto spread = static_cast<double>(longest - shortest);
                ASSERT_NEAR(static_cast<double>(tokens), average * static_cast<double>(draws.drawsOfDataset(d)),
                            spread + 1e-6);
                if (mixture.shares[d].kind == ShareKind::kTokens && draws.drawsOfDataset(d) > 1) {
                    ASSERT_NEAR(static_cast<double>(tokens), mixture.shares[d].amount, spread + average / 2 + 1e-6);
                }
            }
            ASSERT_LE(all, draws.tokensAtMost());
        }
    }
}

// Over any number of epochs, each example of a dataset as often as every other, or once more.
TEST(EpochDraws, repeatNoExampleBeforeAllOthers) {
    RandomMixtures random(3);
    for (int i = 0; i < 200; ++i) {
        const Mixture mixture = random.next(40);
        SCOPED_TRACE(::testing::Message() << "case " << i << ": " << mixture);
        const EpochDraws draws(mixture.examples, mixture.shares, {random.upTo(2) > 1, static_cast<uint64_t>(i)});
        std::vector<int64_t> numDrawn(static_cast<std::size_t>(mixture.examples.size()));
        for (int64_t epoch = 0; epoch < 50; ++epoch) {
            std::vector<int64_t> before = numDrawn;
            for (const int64_t example : epochOf(draws, epoch))
                ++numDrawn[static_cast<std::size_t>(example)];
            for (std::size_t d = 0; d < mixture.shares.size(); ++d) {
                const auto [fewest, most] =
                    std::ranges::minmax(std::span(numDrawn).subspan(static_cast<std::size_t>(mixture.dataset(d).first),
                                                                    static_cast<std::size_t>(mixture.dataset(d).size)));
                ASSERT_LE(most - fewest, 1) << "dataset " << d << " after epoch " << epoch;
            }
            for (std::size_t e = 0; e < numDrawn.size(); ++e)
                ASSERT_LE(numDrawn[e] - before[e], draws.mostOften(mixture.datasetOf(static_cast<int64_t>(e))));
        }
    }
}

TEST(EpochDraws, dependOnTheSeedAndTheEpoch) {
    const Mixture mixture = ofSizes({50, 60}, {{ShareKind::kEpochs, 0.3}, {ShareKind::kWeight, 1}});
    const EpochDraws one(mixture.examples, mixture.shares, {true, 1}),
        other(mixture.examples, mixture.shares, {true, 2});
    EXPECT_NE(epochOf(one, 0), epochOf(one, 1));
    EXPECT_NE(epochOf(one, 0), epochOf(other, 0));
    EXPECT_EQ(epochOf(one, 4), epochOf(EpochDraws(mixture.examples, mixture.shares, {true, 1}), 4));
    // Which of equally long examples an epoch takes is up to the seed.
    ExampleLengths alike;
    for (int i = 0; i < 100; ++i)
        alike.add(8, 4);
    const std::vector<Share> some = {{ShareKind::kRows, 10}};
    const auto chosen = [&](uint64_t seed) {
        std::vector<int64_t> drawn = epochOf(EpochDraws(alike, some, {true, seed}), 0);
        std::ranges::sort(drawn);
        return drawn;
    };
    EXPECT_NE(chosen(1), chosen(2));
}

} // namespace
} // namespace roundpipe::batch
