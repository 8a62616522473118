// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/loss_guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace roundpipe::engine {
namespace {

using Trouble = LossGuard::Trouble;

LossGuard usedTo(double loss, int steps) {
    LossGuard guard;
    for (int i = 0; i < steps; ++i)
        EXPECT_EQ(guard.add(loss, true), Trouble::kNone);
    return guard;
}

TEST(LossGuard, findsThreeStepsInARowThatAreNotFinite) {
    LossGuard guard;
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNone);
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNone);
    EXPECT_EQ(guard.add(2, true), Trouble::kNone) << "two were odd rows";
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNone);
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNone);
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNotFinite);
    EXPECT_EQ(guard.add(NAN, false), Trouble::kNone) << "once";
}

TEST(LossGuard, findsALossThatHasDoubled) {
    LossGuard guard = usedTo(1, 32);
    EXPECT_EQ(guard.add(2.5, true), Trouble::kNone);
    EXPECT_EQ(guard.add(1, true), Trouble::kNone) << "a step alone is none";
    EXPECT_EQ(guard.add(2.6, true), Trouble::kNone);
    EXPECT_EQ(guard.add(3, true), Trouble::kNone);
    EXPECT_EQ(guard.add(9, true), Trouble::kSpike);
    EXPECT_EQ(guard.usual(), 1);
    EXPECT_EQ(guard.add(9, true), Trouble::kNone) << "once";
}

TEST(LossGuard, knowsNothingBeforeItHasSeenEnough) {
    LossGuard guard = usedTo(1, 5);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(guard.add(9, true), Trouble::kNone);
    LossGuard forgetful = usedTo(1, 32);
    forgetful.forget();
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(forgetful.add(9, true), Trouble::kNone);
}

TEST(LossGuard, takesALossThatStaysForUsual) {
    LossGuard guard = usedTo(1, 32);
    int found = 0;
    for (int i = 0; i < 200; ++i)
        found += guard.add(9, true) == Trouble::kSpike ? 1 : 0;
    EXPECT_EQ(found, 1);
}

// As losses of small steps scatter, log-normally and by a third: no false alarm in ten thousand runs of a thousand
// steps would be too much to ask, one in a hundred runs is not.
TEST(LossGuard, leavesScatterAlone) {
    std::mt19937 random(7);
    std::lognormal_distribution<double> loss(0.5, 0.33);
    int found = 0;
    for (int run = 0; run < 100; ++run) {
        LossGuard guard;
        for (int step = 0; step < 1000; ++step)
            found += guard.add(loss(random), true) == Trouble::kSpike ? 1 : 0;
    }
    EXPECT_LE(found, 1);
}

} // namespace
} // namespace roundpipe::engine
