// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"
#include "trace/files/trace_export.h"
#include "trace/files/trace_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roundpipe::trace {
namespace {

constexpr int64_t kOrigin = 1'000'000'000'000;
constexpr int64_t kMs = 1'000'000;

TraceAbout about() {
    return {{"embedding", "block 0"}, {{"model", "tiny \"one\""}, {"RoundPipe Studio", "0.1"}}};
}

// Ten steps of 100 ms: forward on one device, backward on the other, a marker for each.
std::vector<Record> tenSteps() {
    std::vector<Record> records;
    for (int32_t step = 0; step < 10; ++step)
        for (int32_t d = 0; d < 3; ++d) {
            Record record;
            record.lane = d < 2 ? laneOf(DeviceId(d), LaneRole::kCompute) : hostLane(2, LaneRole::kSession);
            record.kind = d == 0 ? Kind::kForward : d == 1 ? Kind::kBackward : Kind::kStep;
            record.startNs = kOrigin + (step * 100 + d % 2 * 40) * kMs;
            record.endNs = record.startNs + (d < 2 ? 40 : 100) * kMs;
            record.step = step;
            record.stage = StageId(d);
            records.push_back(record);
        }
    return records;
}

class TraceFileTest : public ::testing::Test {
protected:
    const std::vector<Lane> m_lanes = makeLanes({"cpu:0", "cpu:1"});
    testing::TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder.path() / "a.rptrace";

    void writeRun(uint64_t numLost = 0) const {
        TraceFileWriter writer(m_path, m_lanes, kOrigin, about());
        writer.append(tenSteps());
        writer.finish(numLost);
    }
    void overwrite(int64_t offset, const std::string& bytes) const {
        std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(offset);
        file.write(bytes.data(), std::ssize(bytes));
    }
    int64_t firstRecordAt() const {
        return static_cast<int64_t>(std::filesystem::file_size(m_path)) - 31 * int64_t{sizeof(Record)};
    }
    void expectRefused(const std::string& what) const {
        try {
            const TraceFile file(m_path);
            readTrace(file);
            FAIL() << "it was read";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kInvalidInput);
            EXPECT_NE(error.message().find(m_path.string()), std::string::npos) << error.message();
            EXPECT_NE(error.message().find(what), std::string::npos) << error.message();
            EXPECT_FALSE(error.advice().empty());
        }
    }
};

TEST_F(TraceFileTest, holdsWhatWasWrittenAndWhatTheRunWas) {
    writeRun(7);
    const TraceFile file(m_path);
    EXPECT_TRUE(file.isComplete());
    EXPECT_EQ(file.numLost(), 7U);
    EXPECT_EQ(file.numRecords(), 30);
    EXPECT_EQ(file.originNs(), kOrigin);
    EXPECT_EQ(file.about().layerNames, about().layerNames);
    ASSERT_EQ(file.about().facts.size(), 2U);
    EXPECT_EQ(file.about().facts[0].value, "tiny \"one\"");
    const LaneStore store = readTrace(file);
    EXPECT_EQ(store.numSlices(), 30U);
    ASSERT_EQ(store.lanes().size(), m_lanes.size());
    EXPECT_EQ(store.lanes()[0].name, "cpu:0 compute");
    const Record first = store.slices(LaneId(0))[3];
    EXPECT_EQ(std::memcmp(&first, &tenSteps()[9], sizeof first), 0);
}

// What is there of a run that was killed, down to a torn last record, can be read.
TEST_F(TraceFileTest, showsNoSecretOfARunsName) {
    TraceFileWriter(m_path, m_lanes, kOrigin, {{}, {{"run", "my hf_aB3dEfGh1jKlMnOpQrStUvWx"}}}).finish(0);
    EXPECT_EQ(TraceFile(m_path).about().facts.at(0).value, "my hf_(hidden)");
}

TEST_F(TraceFileTest, isReadableHoweverTheRunEnded) {
    {
        TraceFileWriter writer(m_path, m_lanes, kOrigin, about());
        writer.append(tenSteps());
    }
    EXPECT_EQ(TraceFile(m_path).numRecords(), 30);
    EXPECT_FALSE(TraceFile(m_path).isComplete());
    std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) - 100);
    EXPECT_EQ(TraceFile(m_path).numRecords(), 28);
    EXPECT_EQ(readTrace(TraceFile(m_path)).numSlices(), 28U);
    std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) / 64 * 64);
    std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) + 4096); // never written
    EXPECT_EQ(readTrace(TraceFile(m_path)).numSlices(), 28U);
}

// The run goes on after the process's memory has it: what was appended a moment ago is in the file.
TEST_F(TraceFileTest, isWrittenWhileTheRunGoesOn) {
    TraceFileWriter writer(m_path, m_lanes, kOrigin, about());
    const std::vector<Record> records = tenSteps();
    writer.append(records);
    for (int tries = 0; TraceFile(m_path).numRecords() < 30; ++tries) {
        ASSERT_LT(tries, 400) << "it was not written within ten seconds";
        ::usleep(25'000);
    }
    writer.append(records);
    writer.finish(0);
    EXPECT_EQ(TraceFile(m_path).numRecords(), 60);
    EXPECT_EQ(writer.numLeftOut(), 0);
}

TEST_F(TraceFileTest, whatIsNoTraceIsRefusedWithThePlace) {
    std::ofstream(m_path) << "{}";
    expectRefused("byte 0");
    std::ofstream(m_path) << std::string(1000, 'x');
    expectRefused("byte 0");
    writeRun();
    overwrite(16, std::string(1, '\x09'));
    expectRefused("version 9");
    writeRun();
    overwrite(24, "\xff\xff\xff");
    expectRefused("byte 24");
    writeRun();
    overwrite(64, "no JSON");
    expectRefused("byte 64");
    writeRun();
    const int64_t third = firstRecordAt() + 2 * 64;
    overwrite(third + 32, std::string("\x77\0\0\0", 4)); // its lane
    expectRefused("byte " + std::to_string(third));
    writeRun();
    overwrite(third, std::string(8, '\x7f')); // its start
    expectRefused("record 3 ");
    writeRun();
    overwrite(third + 57, "\x40"); // its reason to wait
    expectRefused("record 3 ");
    EXPECT_THROW(TraceFile(m_folder.path() / "nowhere.rptrace"), Error);
    EXPECT_THROW(TraceFileWriter(m_folder.path() / "no" / "where", m_lanes, 0, {}), Error);
}

TEST_F(TraceFileTest, aDiskThatFailsIsToldAtTheEndAndHoldsNobodyUp) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto signalled = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
    EXPECT_THROW(TraceFileWriter(m_path, m_lanes, kOrigin, about()), Error);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, signalled);
}

// It would wait for who reads the pipe, write over what has another name, too, and follow the link.
TEST_F(TraceFileTest, takesThePlaceOfFilesAlone) {
    const std::filesystem::path other = m_folder.path() / "other";
    std::ofstream(other) << "precious";
    std::filesystem::create_hard_link(other, m_path);
    writeRun();
    EXPECT_EQ(readTextFile(other), "precious");
    std::filesystem::remove(m_path);
    std::filesystem::create_symlink(other, m_path);
    EXPECT_THROW(TraceFileWriter(m_path, m_lanes, kOrigin, about()), Error);
    std::filesystem::remove(m_path);
    ASSERT_EQ(::mkfifo(m_path.c_str(), 0600), 0);
    EXPECT_THROW(TraceFileWriter(m_path, m_lanes, kOrigin, about()), Error);
    EXPECT_EQ(readTextFile(other), "precious");
}

TEST_F(TraceFileTest, exportsASelectionInEveryFormat) {
    LaneStore store(m_lanes, kOrigin, about());
    store.append(tenSteps());
    const TraceSnapshot all = store.snapshot();
    // Steps 3 and 4, counted from 1, without what only touches.
    const ExportRange two{kOrigin + 201 * kMs, kOrigin + 399 * kMs};
    const auto exported = [&](const char* name, std::optional<ExportRange> range) {
        const std::filesystem::path path = m_folder.path() / name;
        exportTrace(all, path, {exportFormatOf(path), range, 900});
        return path;
    };
    const auto lines = [](const std::filesystem::path& path) {
        const std::string text = readTextFile(path);
        return std::ranges::count(text, '\n');
    };
    EXPECT_EQ(lines(exported("slices.csv", std::nullopt)), 31);
    EXPECT_EQ(lines(exported("slices.csv", two)), 1 + 6);
    std::istringstream csv(readTextFile(m_folder.path() / "slices.csv"));
    std::string header, first;
    std::getline(csv, header);
    std::getline(csv, first);
    EXPECT_EQ(first, "\"cpu:0 compute\",forward,,3,,0,,,,200.000000,40.000000,,0");
    EXPECT_EQ(readTrace(TraceFile(exported("two.rptrace", two))).numSlices(), 6U);
    EXPECT_EQ(readTrace(TraceFile(exported("all.rptrace", std::nullopt))).numSlices(), 30U);
    EXPECT_NE(readTextFile(exported("two.svg", two)).find("tiny \"one"), std::string::npos)
        << readTextFile(m_folder.path() / "two.svg").substr(0, 2000);
    const std::string statistics = readTextFile(exported("statistics.csv", two));
    EXPECT_NE(statistics.find("kind,forward,2,"), std::string::npos) << statistics;
    const std::string json = readTextFile(exported("two.json", two));
    EXPECT_NE(json.find("step 3"), std::string::npos);
    EXPECT_EQ(json.find("step 5"), std::string::npos);
    EXPECT_THROW(exportFormatOf("trace.png"), Error);
}

TEST_F(TraceFileTest, anExportThatIsGivenUpLeavesNothing) {
    LaneStore store(m_lanes, kOrigin);
    for (int i = 0; i < 400; ++i)
        store.append(tenSteps());
    for (const char* name : {"t.json", "t.csv", "t.rptrace"}) {
        const std::filesystem::path path = m_folder.path() / name;
        double share = -1;
        const auto stop = [&](double now) {
            share = now;
            return false;
        };
        EXPECT_THROW(exportTrace(store.snapshot(), path, {exportFormatOf(path), {}, 900}, stop), Error) << name;
        EXPECT_GE(share, 0) << name;
        EXPECT_LE(share, 1) << name;
        EXPECT_FALSE(std::filesystem::exists(path)) << name;
        EXPECT_FALSE(std::filesystem::exists(path.string() + ".part")) << name;
    }
}

} // namespace
} // namespace roundpipe::trace
