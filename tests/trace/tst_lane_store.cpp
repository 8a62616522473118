// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/fixtures.h"
#include "trace/analysis/fold.h"
#include "trace/store/lane_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <random>
#include <thread>

namespace roundpipe::trace {
namespace {

Record slice(int64_t startNs, int64_t endNs, Kind kind = Kind::kForward, int32_t lane = 0) {
    Record record;
    record.startNs = startNs;
    record.endNs = endNs;
    record.kind = kind;
    record.lane = LaneId(lane);
    return record;
}

// Back-to-back slices of 1 us to 3 ms with gaps, as a busy lane has them.
std::vector<Record> randomLane(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int64_t> duration(1'000, 3'000'000);
    std::uniform_int_distribution<int> kind(0, static_cast<int>(Kind::kOptimizer));
    std::vector<Record> records;
    int64_t now = 5'000'000;
    for (int i = 0; i < count; ++i) {
        const int64_t end = now + duration(random);
        records.push_back(slice(now, end, static_cast<Kind>(kind(random))));
        now = end + (i % 3 == 0 ? duration(random) : 0);
    }
    return records;
}

LaneStore storeOf(const std::vector<Record>& records) {
    LaneStore store(makeLanes({"cpu:0"}), 0);
    store.append(records);
    return store;
}

TEST(LaneStore, sortsRecordsThatArriveLate) {
    std::vector<Record> records = randomLane(3000, 1);
    std::mt19937 random(2);
    for (std::size_t i = 0; i + 40 < records.size(); i += 40) // shuffled within a window, as parallel streams end
        std::shuffle(records.begin() + static_cast<std::ptrdiff_t>(i),
                     records.begin() + static_cast<std::ptrdiff_t>(i + 40), random);
    const LaneStore store = storeOf(records);
    const SliceList& slices = store.slices(LaneId(0));
    ASSERT_EQ(slices.size(), records.size());
    for (std::size_t i = 1; i < slices.size(); ++i)
        ASSERT_LE(slices[i - 1].startNs, slices[i].startNs);
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.startNs < b.startNs; });
    for (std::size_t i = 0; i < slices.size(); ++i)
        ASSERT_EQ(slices[i].endNs, records[i].endNs);
}

TEST(LaneStore, findsEverySliceThatTouchesARange) {
    std::vector<Record> records = randomLane(2000, 3);
    records.push_back(slice(0, 900'000'000)); // covers hundreds of others
    const LaneStore store = storeOf(records);
    const SliceList& slices = store.slices(LaneId(0));
    std::mt19937 random(4);
    std::uniform_int_distribution<int64_t> time(0, store.endNs());
    for (int i = 0; i < 500; ++i) {
        const int64_t begin = time(random);
        const int64_t end = begin + time(random) / 50;
        const IndexRange range = slices.touching(begin, end);
        for (std::size_t s = 0; s < slices.size(); ++s) {
            const bool touches = slices[s].endNs > begin && slices[s].startNs < end;
            ASSERT_TRUE(!touches || (s >= range.begin && s < range.end)) << "slice " << s << " of range " << i;
        }
    }
}

TEST(LaneStore, countsWhatItCannotPlace) {
    LaneStore store(makeLanes({"cpu:0"}), 0);
    store.append(
        std::vector{slice(0, 10, Kind::kForward, 99), slice(10, 5), slice(0, 10, Kind::kForward, -1), slice(3, 4)});
    EXPECT_EQ(store.numRejected(), 3U);
    EXPECT_EQ(store.numSlices(), 1U);
    EXPECT_EQ(store.beginNs(), 3);
    EXPECT_EQ(store.endNs(), 4);
}

TEST(LaneStore, snapshotStaysAsItWasWhileTheStoreGrows) {
    const std::vector<Record> records = randomLane(5000, 5);
    LaneStore store(makeLanes({"cpu:0"}), 0);
    store.append(std::span(records).first(1500));
    const TraceSnapshot snapshot = store.snapshot();
    std::jthread reader([&] { // under TSan this proves that the owner never writes to what a snapshot holds
        for (int round = 0; round < 20; ++round)
            for (std::size_t i = 0; i < snapshot.slices[0].size(); ++i)
                ASSERT_EQ(snapshot.slices[0][i].endNs, records[i].endNs);
    });
    store.append(std::vector{slice(1, 2)}); // before everything: moves every slice
    store.append(std::span(records).subspan(1500));
    reader.join();
    EXPECT_EQ(snapshot.slices[0].size(), 1500U);
    EXPECT_EQ(store.slices(LaneId(0)).size(), 5001U);
    EXPECT_EQ(store.slices(LaneId(0))[0].endNs, 2);
}

// What the snapshot shared is the store's alone again, and is given up as it is written to: the first wait of a device
// is found after its first slice.
TEST(LaneStore, aLateRecordMovesOthersWholeAfterASnapshotHasGone) {
    for (int numBefore = 1; numBefore < 4; ++numBefore) {
        std::vector<Record> records;
        for (int i = 1; i <= numBefore; ++i)
            records.push_back(slice(i * 1'000, i * 1'000 + 500));
        LaneStore store = storeOf(records);
        { const TraceSnapshot gone = store.snapshot(); }
        const Record late = slice(100, 200);
        store.append(std::span(&late, 1));
        const SliceList& slices = store.slices(LaneId(0));
        EXPECT_EQ(slices[0].startNs, 100);
        for (std::size_t i = 0; i < records.size(); ++i) {
            EXPECT_EQ(slices[i + 1].startNs, records[i].startNs);
            EXPECT_EQ(slices[i + 1].endNs, records[i].endNs);
        }
    }
}

TEST(LaneStore, foldsSubPixelSlicesKeepingTheLongest) {
    std::vector<Record> records; // 10 000 slices of 100 us, and in the middle one of backward that is longer
    for (int i = 0; i < 10'000; ++i)
        records.push_back(slice(i * 200'000, i * 200'000 + 100'000, Kind::kUploadWeights));
    records[5050] = slice(5050 * 200'000, 5050 * 200'000 + 150'000, Kind::kBackward);
    const LaneStore store = storeOf(records);
    std::vector<Summary> columns(100); // 20 ms each
    foldLane(store, LaneId(0), 0, 2'000'000'000, columns);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        EXPECT_EQ(columns[c].kind, c == 50 ? Kind::kBackward : Kind::kUploadWeights) << c;
        EXPECT_NEAR(columns[c].busyNs / 20e6, 0.5, 0.03) << c;
    }
}

// The pyramid against a sum over all slices, for ranges and columns of every size.
TEST(LaneStore, foldsLikeBruteForce) {
    const std::vector<Record> records = randomLane(20'000, 6);
    const LaneStore store = storeOf(records);
    std::mt19937 random(7);
    std::uniform_int_distribution<int64_t> time(0, store.endNs());
    int comparedToPyramid = 0;
    for (int i = 0; i < 60; ++i) {
        const int64_t begin = time(random) / (1 + i % 4);
        const int64_t end = begin + (time(random) >> (i % 14)) + 1000;
        const std::size_t numColumns = 1 + static_cast<std::size_t>(i) * 5;
        std::vector<Summary> columns(numColumns);
        foldLane(store, LaneId(0), begin, end, columns);
        const double columnNs = static_cast<double>(end - begin) / static_cast<double>(numColumns);
        const bool fromPyramid = columnNs >= static_cast<double>(store.pyramid(LaneId(0)).finestNs());
        comparedToPyramid += fromPyramid;
        // A bucket is shared out by overlap, so each border is off by at most the work of one bucket: a column's width.
        const double toleranceNs = fromPyramid ? 2 * columnNs : 1.0;
        double sumOfColumns = 0;
        double sumOfBruteForce = 0;
        for (std::size_t c = 0; c < numColumns; ++c) {
            const double from = static_cast<double>(begin) + columnNs * static_cast<double>(c);
            double busyNs = 0;
            for (const Record& r : records)
                busyNs += std::max(0.0, std::min(from + columnNs, static_cast<double>(r.endNs)) -
                                            std::max(from, static_cast<double>(r.startNs)));
            ASSERT_NEAR(columns[c].busyNs, busyNs, toleranceNs) << "column " << c << " of range " << i;
            sumOfColumns += columns[c].busyNs;
            sumOfBruteForce += busyNs;
        }
        ASSERT_NEAR(sumOfColumns, sumOfBruteForce, toleranceNs) << "inner borders lose nothing";
    }
    EXPECT_GT(comparedToPyramid, 10);
}

TEST(LaneStore, alignedBucketsAreExact) {
    const std::vector<Record> records = randomLane(20'000, 8);
    const LaneStore store = storeOf(records);
    const int64_t bucketNs = store.pyramid(LaneId(0)).finestNs() * 8;
    std::vector<Summary> columns(64);
    foldLane(store, LaneId(0), bucketNs * 10, bucketNs * 74, columns);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const int64_t from = bucketNs * (10 + static_cast<int64_t>(c));
        Summary expected;
        for (const Record& r : records)
            if (r.endNs > from && r.startNs < from + bucketNs)
                expected.add(r, static_cast<double>(std::min(r.endNs, from + bucketNs) - std::max(r.startNs, from)));
        ASSERT_DOUBLE_EQ(columns[c].busyNs, expected.busyNs);
        ASSERT_EQ(columns[c].longestNs, expected.longestNs);
        ASSERT_EQ(columns[c].used, expected.used);
    }
}

TEST(Pyramid, givesUpFineLevelsInsteadOfGrowingWithTime) {
    Pyramid pyramid;
    for (int64_t hour = 0; hour < 48; ++hour)
        pyramid.add(slice(hour * 3'600'000'000'000, hour * 3'600'000'000'000 + 1'000'000'000));
    EXPECT_GE(pyramid.finestNs() * 4096, 47 * int64_t{3'600'000'000'000});
    std::vector<Summary> whole(1);
    pyramid.fold(0, 48 * int64_t{3'600'000'000'000}, whole);
    EXPECT_NEAR(whole[0].busyNs, 48e9, 1.0);
}

TEST(Pyramid, waitingIsSeenButIsNoWork) {
    Pyramid pyramid;
    pyramid.add(slice(0, 50'000'000, Kind::kWait));
    pyramid.add(slice(50'000'000, 60'000'000, Kind::kForward));
    std::vector<Summary> columns(4);
    pyramid.fold(0, 134'217'728, columns); // columns of 2^25 ns
    EXPECT_EQ(columns[0].kind, Kind::kWait);
    EXPECT_EQ(columns[0].busyNs, 0);
    EXPECT_TRUE(columns[0].used);
    EXPECT_EQ(columns[1].kind, Kind::kForward) << "work wins over a longer wait";
    EXPECT_FALSE(columns[3].used);
}

// Near and far, the staircase of a counter is that of its records.
TEST(LaneStore, countersAreFoldedToTheMostInUse) {
    const LaneId lane = laneOf(DeviceId(0), LaneRole::kMemory);
    LaneStore store(makeLanes({"cpu:0"}), 0);
    std::mt19937 random(9);
    std::uniform_int_distribution<int64_t> bytes(0, 1'000'000);
    std::vector<Record> records;
    for (int64_t i = 0; i < 50'000; ++i) { // pauses now and then, over which the last value holds
        const int64_t atNs = i * 100'000 + i / 5'000 * 300'000'000;
        records.push_back(slice(atNs, atNs, Kind::kMemory, lane.value));
        records.back().bytes = bytes(random);
    }
    store.append(records);
    EXPECT_FALSE(store.counterPyramid(lane).memoryBytes() == 0);
    EXPECT_EQ(store.pyramid(lane).memoryBytes(), 0);
    for (const int64_t spanNs : {int64_t{3'000'000}, int64_t{700'000'000}, store.endNs()}) {
        const int64_t beginNs = (store.endNs() - spanNs) / 3;
        std::vector<int64_t> columns(200);
        ASSERT_TRUE(foldCounter(store, lane, beginNs, beginNs + spanNs, columns));
        const bool isFar = spanNs / 200 >= store.counterPyramid(lane).finestNs();
        const int64_t marginNs = isFar ? spanNs / 200 / 4 : 0; // a bucket on a border counts on both sides of it
        for (int64_t c = 0; c < 200; ++c) {
            const int64_t from = beginNs + spanNs * c / 200;
            const int64_t to = beginNs + spanNs * (c + 1) / 200;
            const auto most = [&](int64_t fromNs, int64_t toNs) { // with the value that holds at its begin
                int64_t held = 0;
                int64_t result = 0;
                for (const Record& record : records) {
                    if (record.startNs >= toNs) break;
                    if (record.startNs < fromNs)
                        held = record.bytes;
                    else
                        result = std::max(result, record.bytes);
                }
                return std::max(result, held);
            };
            const int64_t found = columns[static_cast<std::size_t>(c)];
            ASSERT_GE(found, most(from + marginNs + 1, to - marginNs - 1)) << spanNs << ' ' << c;
            ASSERT_LE(found, most(from - marginNs - 1, to + marginNs + 1)) << spanNs << ' ' << c;
        }
    }
    std::vector<int64_t> before(10, 7);
    foldCounter(store, lane, -2'000'000, -1'000'000, before);
    EXPECT_EQ(before, std::vector<int64_t>(10)) << "nothing is in use before the first record";
}

// What went to the disk is read as if it had stayed.
TEST(LaneStore, keepsABudgetWithoutLosingASlice) {
    const testing::TemporaryFolder folder;
    std::vector<Record> records = randomLane(200'000, 11);
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i].lane = LaneId(static_cast<int32_t>(i % 4));
    LaneStore whole(makeLanes({"cpu:0"}), 0);
    whole.append(records);
    LaneStore kept(makeLanes({"cpu:0"}), 0);
    constexpr int64_t kBudget = 6 << 20; // less than the pyramids alone would take
    kept.setBudget(kBudget, folder.path());
    kept.append(records);
    EXPECT_EQ(kept.budgetProblem(), "");
    EXPECT_GT(kept.numChunksOnDisk(), 50U);
    EXPECT_LE(kept.memoryBytes(), kBudget + static_cast<int64_t>(SliceList::kChunkBytes) * 4);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "a file without a name";
    const Record late = slice(20'000'000, 21'000'000); // among what is on the disk
    whole.append({&late, 1});
    kept.append({&late, 1});
    for (int32_t lane = 0; lane < 4; ++lane) {
        const SliceList& expected = whole.slices(LaneId(lane));
        const SliceList& found = kept.slices(LaneId(lane));
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i].startNs, expected[i].startNs) << lane << ' ' << i;
        for (int64_t ns = 0; ns < whole.endNs(); ns += 77'777'777) {
            ASSERT_EQ(found.firstStartingFrom(ns), expected.firstStartingFrom(ns));
            ASSERT_EQ(found.touching(ns, ns + 100'000).begin, expected.touching(ns, ns + 100'000).begin);
            ASSERT_GE(found.roughlyTouching(ns, ns + 100'000), found.touching(ns, ns + 100'000).size());
        }
        std::vector<Summary> a(100);
        std::vector<Summary> b(100);
        while (!foldLane(kept, LaneId(lane), 10'000'000, 12'000'000, b))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_TRUE(foldLane(whole, LaneId(lane), 10'000'000, 12'000'000, a));
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_EQ(a[i].busyNs, b[i].busyNs);
    }
}

// An export goes on after the run's store is gone.
TEST(LaneStore, aSnapshotKeepsWhatIsOnTheDisk) {
    const testing::TemporaryFolder folder;
    const std::vector<Record> records = randomLane(50'000, 12);
    TraceSnapshot snapshot;
    {
        LaneStore store(makeLanes({"cpu:0"}), 0);
        store.setBudget(1 << 20, folder.path());
        store.append(records);
        EXPECT_GT(store.numChunksOnDisk(), 20U);
        snapshot = store.snapshot();
    }
    ASSERT_EQ(snapshot.slices[0].size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i)
        ASSERT_EQ(snapshot.slices[0][i].endNs, records[i].endNs);
}

TEST(LaneStore, aDiskThatRefusesLeavesAllInMemoryAndIsTold) {
    LaneStore store(makeLanes({"cpu:0"}), 0);
    store.setBudget(1 << 20, "/proc/nowhere");
    const std::vector<Record> records = randomLane(50'000, 13);
    store.append(records);
    EXPECT_NE(store.budgetProblem().find("/proc/nowhere"), std::string::npos) << store.budgetProblem();
    EXPECT_EQ(store.numChunksOnDisk(), 0U);
    EXPECT_EQ(store.numSlices(), records.size());
}

} // namespace
} // namespace roundpipe::trace
