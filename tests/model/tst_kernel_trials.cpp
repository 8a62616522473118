// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/kernel_trials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace roundpipe::model {
namespace {

using Step = KernelTrials::TrialStep;

KernelKind kind(int32_t tile) {
    return {.algorithm = 66, .tile = tile};
}

// Follows what the trials say, for kernels that take so long each, until they are settled.
struct Followed {
    std::size_t settled = 0;
    int products = 0, compared = 0;
    std::map<std::size_t, int> timed;
};

Followed follow(KernelTrials& trials, const std::vector<KernelKind>& kinds, const std::map<int32_t, double>& seconds,
                const std::vector<int32_t>& otherBits = {}) {
    Followed all;
    for (; all.products < 1000; ++all.products) {
        const auto next = trials.next(kinds);
        const KernelKind& taken = kinds[next.kind];
        if (next.step == Step::kCompare) {
            ++all.compared;
            trials.same(taken, std::ranges::find(otherBits, taken.tile) == otherBits.end());
        } else if (next.step == Step::kTime) {
            ++all.timed[next.kind];
            trials.took(taken, seconds.at(taken.tile));
        } else if (next.step == Step::kSettled) {
            all.settled = next.kind;
            return all;
        }
    }
    ADD_FAILURE() << "never settled";
    return all;
}

TEST(KernelTrials, theFastestIsTakenAfterThreeTimingsOfEach) {
    KernelTrials trials;
    const Followed all = follow(trials, {kind(1), kind(2), kind(3)}, {{1, 1.0}, {2, 0.7}, {3, 0.9}});
    EXPECT_EQ(all.settled, 1);
    EXPECT_EQ(all.compared, 2);
    EXPECT_EQ(all.timed, (std::map<std::size_t, int>{{0, 3}, {1, 3}, {2, 3}}));
}

TEST(KernelTrials, aFasterKernelOfOtherBitsIsNeitherTimedNorTaken) {
    KernelTrials trials;
    const Followed all = follow(trials, {kind(1), kind(2), kind(3)}, {{1, 1.0}, {3, 0.9}}, {2});
    EXPECT_EQ(all.settled, 2);
    EXPECT_EQ(all.timed.count(1), 0);
}

TEST(KernelTrials, whatHasNotEndedIsWaitedForAndNothingIsBegunTwice) {
    KernelTrials trials;
    const std::vector<KernelKind> kinds{kind(1), kind(2)};
    EXPECT_EQ(trials.next(kinds).step, Step::kCompare);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(trials.next(kinds).step, Step::kTime) << "of the first, meanwhile";
    EXPECT_EQ(trials.next(kinds).step, Step::kWait);
    trials.same(kinds[1], true);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(trials.next(kinds).kind, 1);
    EXPECT_EQ(trials.next(kinds).step, Step::kWait);
    for (int i = 0; i < 3; ++i)
        trials.took(kinds[0], 2);
    EXPECT_EQ(trials.next(kinds).step, Step::kWait);
    for (int i = 0; i < 3; ++i)
        trials.took(kinds[1], 1);
    EXPECT_EQ(trials.next(kinds).step, Step::kSettled);
    EXPECT_EQ(trials.next(kinds).kind, 1);
}

TEST(KernelTrials, productsOfAnotherLengthTakeWhatIsKnown) {
    KernelTrials trials;
    follow(trials, {kind(1), kind(2)}, {{1, 1.0}, {2, 0.5}});
    const Followed later = follow(trials, {kind(2), kind(1)}, {});
    EXPECT_EQ(later.products, 0);
    EXPECT_EQ(later.settled, 0);
}

TEST(KernelTrials, whatAnEarlierRunFoundIsTakenWithoutTimingOnceItsBitsAreKnownToBeEqual) {
    KernelTrials trials;
    trials.expect(kind(2));
    const Followed all = follow(trials, {kind(1), kind(3), kind(2)}, {});
    EXPECT_EQ(all.settled, 2);
    EXPECT_EQ(all.compared, 1);
    EXPECT_TRUE(all.timed.empty());
    EXPECT_FALSE(trials.found().has_value());
}

TEST(KernelTrials, whatWasExpectedIsNotTakenWhereItsBitsAreOthersOrItIsNotThere) {
    KernelTrials trials;
    trials.expect(kind(2));
    EXPECT_EQ(follow(trials, {kind(1), kind(2), kind(3)}, {{1, 1.0}, {3, 0.9}}, {2}).settled, 2);
    EXPECT_EQ(trials.found(), kind(3));
    KernelTrials others;
    others.expect(kind(9));
    EXPECT_EQ(follow(others, {kind(1), kind(2)}, {{1, 1.0}, {2, 0.9}}).settled, 1);
}

TEST(KernelTrials, aFirstKernelThatCannotBeComparedStays) {
    KernelTrials trials;
    follow(trials, {kind(1), kind(2)}, {{1, 1.0}, {2, 0.5}});
    EXPECT_EQ(follow(trials, {kind(9), kind(2)}, {}).settled, 0) << "the reference is not among its kernels";
    EXPECT_EQ(follow(trials, {kind(8), kind(1), kind(2)}, {}, {8}).settled, 0) << "it adds up in another order";
    const Followed equal = follow(trials, {kind(7), kind(1), kind(2)}, {{7, 0.8}});
    EXPECT_EQ(equal.settled, 2);
}

} // namespace
} // namespace roundpipe::model
