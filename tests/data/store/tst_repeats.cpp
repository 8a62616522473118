// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/choice/repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace roundpipe::data {
namespace {

std::optional<Bands> bandsOf(std::string_view text) {
    WordHasher words;
    words.add(text);
    return words.isEmpty() ? std::nullopt : std::optional(words.takeBands());
}

TEST(Repeats, findsEqualRowsAndNamesTheFirst) {
    std::vector<RowHashes> rows(5);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].tokens = i;
    rows[3].tokens = rows[1].tokens = (uint64_t{7} << 40) + 5;
    rows[4].tokens = 5; // the same low bits
    const Repeats repeats = repeatsOf(rows);
    EXPECT_EQ(repeats.exact, (std::vector<int64_t>{-1, -1, -1, 1, -1}));
    EXPECT_EQ(repeats.near, (std::vector<int64_t>{-1, -1, -1, -1, -1}));
}

TEST(Repeats, comparesRowsToValidateOnWithThoseToTrainOnOnly) {
    std::vector<RowHashes> rows = {{7, {}, true}, {7, {}, true}, {7, {}, false}, {7, {}, false}, {8, {}, true}};
    EXPECT_EQ(repeatsOf(rows).exact, (std::vector<int64_t>{2, 2, -1, 2, -1}));
}

TEST(Repeats, findsRowsOfTheSameWordsInOtherDress) {
    const std::vector<RowHashes> rows = {{1, bandsOf("Name three primary colours, please."), false},
                                         {2, bandsOf("name THREE primary colours - please"), false},
                                         {3, bandsOf("Describe the structure of an atom."), false},
                                         {4, bandsOf("..."), false},
                                         {5, bandsOf("?!"), false}};
    EXPECT_EQ(repeatsOf(rows).near, (std::vector<int64_t>{-1, 0, -1, -1, -1}));
}

TEST(Repeats, takesCharactersBeyondAsciiAsWords) {
    EXPECT_EQ(bandsOf("你好，世界和平"), bandsOf("你好，世界 和平"));
    EXPECT_NE(bandsOf("你好世界和平"), bandsOf("你好世界和战"));
}

// Pairs of rows whose shingles have a known similarity share a band as often as the formula says.
TEST(Repeats, findsNearDuplicatesWithTheStatedProbability) {
    std::mt19937 random(1);
    const auto shareAsFound = [&](double similarity) {
        constexpr int kPairs = 400, kShingles = 300;
        const int common = static_cast<int>(std::lround(kShingles * 2 * similarity / (1 + similarity)));
        int found = 0;
        for (int pair = 0; pair < kPairs; ++pair) {
            WordHasher first, second;
            std::string shared, onlyFirst, onlySecond;
            // A run of n words has n - 4 shingles, so a shared run and two different ends give exact counts.
            for (int i = 0; i < common + kShingleWords - 1; ++i)
                shared += std::to_string(random()) + " ";
            for (int i = 0; i < kShingles - common; ++i) {
                onlyFirst += std::to_string(random()) + " ";
                onlySecond += std::to_string(random()) + " ";
            }
            first.add(shared + onlyFirst);
            second.add(shared + onlySecond);
            const Bands a = first.takeBands(), b = second.takeBands();
            bool any = false;
            for (std::size_t band = 0; band < a.size(); ++band)
                any = any || a[band] == b[band];
            found += any ? 1 : 0;
        }
        return static_cast<double>(found) / kPairs;
    };
    for (const double similarity : {0.5, 0.7, 0.8, 0.9, 0.95}) {
        const double expected = 1 - std::pow(1 - std::pow(similarity, kRowsPerBand), kNumBands);
        const double deviation = std::sqrt(expected * (1 - expected) / 400);
        EXPECT_NEAR(shareAsFound(similarity), expected, 4 * deviation + 0.01) << similarity;
    }
}

} // namespace
} // namespace roundpipe::data
