// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread_team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <stdexcept>
#include <vector>

namespace roundpipe {
namespace {

TEST(ThreadTeam, callsEachElementOnceWhateverTheSizes) {
    for (const int numThreads : {1, 2, 5}) {
        ThreadTeam team(numThreads);
        for (const int64_t count : {0, 1, 4, 5, 9, 1000})
            for (const int64_t grain : {1, 5, 10000}) {
                std::vector<int> calls(static_cast<std::size_t>(count));
                team.split(count, grain, [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i)
                        ++calls[static_cast<std::size_t>(i)];
                });
                EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), count) << numThreads << ' ' << grain;
            }
    }
}

TEST(ThreadTeam, makesNoPartSmallerThanTheGrain) {
    ThreadTeam team(4);
    std::atomic<int> numParts = 0;
    std::atomic<int64_t> least = 1000;
    team.split(35, 10, [&](int64_t begin, int64_t end) {
        ++numParts;
        int64_t seen = least;
        while (end - begin < seen && !least.compare_exchange_weak(seen, end - begin)) {
        }
    });
    EXPECT_EQ(numParts, 3);
    EXPECT_GE(least, 10);
}

TEST(ThreadTeam, servesManyRoundsOfDifferentSizes) {
    ThreadTeam team(4);
    int64_t expected = 0;
    std::atomic<int64_t> sum = 0;
    for (int64_t round = 0; round < 3000; ++round) {
        const int64_t count = round % 7;
        expected += count;
        team.split(count, 1, [&](int64_t begin, int64_t end) { sum += end - begin; });
        ASSERT_EQ(sum, expected) << "round " << round; // nobody works on after split() has returned
    }
}

TEST(ThreadTeam, endsALoopAtAnExceptionAndServesOn) {
    for (const int numThreads : {1, 4}) {
        ThreadTeam team(numThreads);
        for (int round = 0; round < 200; ++round) {
            std::atomic<int> numCalls = 0;
            const auto failAtFive = [&](int64_t i) {
                ++numCalls;
                if (i == 5) throw std::runtime_error("five");
            };
            EXPECT_THROW(team.forEach(1000, failAtFive), std::runtime_error);
            if (numThreads == 1) {
                EXPECT_EQ(numCalls, 6);
            }
            numCalls = 0;
            team.forEach(7, [&](int64_t) { ++numCalls; });
            ASSERT_EQ(numCalls, 7);
        }
    }
}

TEST(ThreadTeam, ofOneLoopUsesAsManyThreadsAsItIsGiven) {
    std::latch all(3); // passed only if three bodies run at once
    std::atomic<int> numCalls = 0;
    forEachIndex(3, 3, [&](int64_t) {
        all.arrive_and_wait();
        ++numCalls;
    });
    EXPECT_EQ(numCalls, 3);
    forEachIndex(0, 0, [&](int64_t) { ++numCalls; });
    EXPECT_EQ(numCalls, 3);
    forEachIndex(5, 0, [&](int64_t) { ++numCalls; });
    EXPECT_EQ(numCalls, 8);
}

} // namespace
} // namespace roundpipe
