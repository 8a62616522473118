// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"
#include "engine/memory_guard.h"
#include "engine/sleep_watch.h"

#include <gtest/gtest.h>

namespace roundpipe::engine {
namespace {

constexpr int64_t kTotal = 64 * kGiB;

TEST(MemoryGuard, aPlanThatFillsTheMachineIsNoTroubleWhileNobodyWaits) {
    MemoryGuard guard;
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(guard.look(device::MemoryPressure{0.01, 0}, 100 * kMiB, kTotal), MemoryState::kEnough);
}

TEST(MemoryGuard, whoWritesLargeFilesLetsProgramsWaitAndIsNoTrouble) {
    MemoryGuard guard;
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(guard.look(device::MemoryPressure{0.9, 0.8}, 50 * kGiB, kTotal), MemoryState::kEnough);
    EXPECT_EQ(guard.look(device::MemoryPressure{0.9, 0.8}, 5 * kGiB, kTotal), MemoryState::kShort);
}

TEST(MemoryGuard, programsThatWaitAreSaidAndThoseThatDoNothingElseEndTheRun) {
    MemoryGuard guard;
    EXPECT_EQ(guard.look(device::MemoryPressure{0.25, 0.1}, kGiB, kTotal), MemoryState::kShort);
    for (int i = 1; i < MemoryGuard::kInARow; ++i)
        EXPECT_EQ(guard.look(device::MemoryPressure{0.7, 0.5}, kGiB, kTotal), MemoryState::kShort) << "a burst is none";
    EXPECT_EQ(guard.look(device::MemoryPressure{0.7, 0.5}, kGiB, kTotal), MemoryState::kOut);
    EXPECT_EQ(guard.look(device::MemoryPressure{0.1, 0}, kGiB, kTotal), MemoryState::kEnough) << "and it may pass";
    EXPECT_EQ(guard.look(device::MemoryPressure{0.7, 0.5}, kGiB, kTotal), MemoryState::kShort);
}

TEST(MemoryGuard, whereTheKernelDoesNotCountWhatIsLeftDecides) {
    MemoryGuard guard;
    EXPECT_EQ(guard.look({}, 2 * kGiB, kTotal), MemoryState::kEnough);
    EXPECT_EQ(guard.look({}, 500 * kMiB, kTotal), MemoryState::kShort);
    for (int i = 1; i < MemoryGuard::kInARow; ++i)
        EXPECT_EQ(guard.look({}, 100 * kMiB, kTotal), MemoryState::kShort);
    EXPECT_EQ(guard.look({}, 100 * kMiB, kTotal), MemoryState::kOut);
}

TEST(SleepWatch, findsHowLongTheMachineSleptAndNothingElse) {
    constexpr int64_t kSecond = 1'000'000'000;
    SleepWatch watch;
    EXPECT_EQ(watch.sleptNs(50 * kSecond, 80 * kSecond), 0) << "what was before the run is not its own";
    EXPECT_EQ(watch.sleptNs(51 * kSecond, 81 * kSecond), 0);
    EXPECT_EQ(watch.sleptNs(60 * kSecond, 90 * kSecond + 1000), 0) << "no two clocks are read at once";
    EXPECT_EQ(watch.sleptNs(61 * kSecond, 3691 * kSecond), 3600 * kSecond);
    EXPECT_EQ(watch.sleptNs(62 * kSecond, 3692 * kSecond), 0) << "once";
}

} // namespace
} // namespace roundpipe::engine
