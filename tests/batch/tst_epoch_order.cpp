// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/epoch_order.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace roundpipe::batch {
namespace {

std::vector<int64_t> orderOf(uint64_t seed, int64_t epoch, int64_t size) {
    const EpochOrder order({true, seed}, epoch, size);
    std::vector<int64_t> result;
    for (int64_t i = 0; i < size; ++i)
        result.push_back(order.at(i));
    return result;
}

TEST(EpochOrder, visitsEveryExampleOnce) {
    for (const int64_t size : {1, 2, 3, 15, 16, 17, 255, 256, 257, 1000, 4096, 70001}) {
        auto order = orderOf(7, 3, size);
        std::ranges::sort(order);
        for (int64_t i = 0; i < size; ++i)
            ASSERT_EQ(order[static_cast<std::size_t>(i)], i) << size;
    }
}

TEST(EpochOrder, differsBySeedAndEpochAndNeverByCalls) {
    EXPECT_EQ(orderOf(1, 0, 100), orderOf(1, 0, 100));
    EXPECT_NE(orderOf(1, 0, 100), orderOf(1, 1, 100));
    EXPECT_NE(orderOf(1, 0, 100), orderOf(2, 0, 100));
}

// The order of a run must not change with a release: a run that is resumed would see examples twice.
TEST(EpochOrder, staysAsItIs) {
    EXPECT_EQ(orderOf(42, 0, 8), (std::vector<int64_t>{6, 0, 3, 5, 1, 7, 4, 2}));
}

TEST(EpochOrder, isTheDatasetsWhereNothingIsShuffled) {
    const EpochOrder order({false, 7}, 3, 100);
    for (int64_t i = 0; i < 100; ++i)
        EXPECT_EQ(order.at(i), i);
}

TEST(EpochOrder, reachesAllOrdersOfFourAboutAlike) {
    std::map<std::vector<int64_t>, int> counts;
    for (int64_t epoch = 0; epoch < 24000; ++epoch)
        ++counts[orderOf(5, epoch, 4)];
    EXPECT_EQ(counts.size(), 24u);
    for (const auto& [order, count] : counts) { // 1000 expected, standard deviation 31
        EXPECT_GT(count, 850);
        EXPECT_LT(count, 1150);
    }
}

} // namespace
} // namespace roundpipe::batch
