// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that is full when a run writes its result: earlier checkpoints go first, and nothing that was trained is lost.
#include "runs/journal.h"
#include "runs/metrics_file.h"
#include "runs/run_files.h"
#include "runs/stored_run.h"
#include "runs/training_state.h"
#include "small_run.h"

#include <atomic>
#include <cerrno>
#include <string>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

enum class Disk {
    kHasRoom,
    kIsFullWithEarlierCheckpoints,
    kIsFull,
    kIsFullForCurves,
    kIsFullForCheckpoints,
    kIsFullForAllButBest,
    kHasLittleFree // as far as it says
};
std::atomic<Disk> g_disk{Disk::kHasRoom};
std::atomic<unsigned long> g_littleFree{1}; // blocks, where it says that it has little

bool hasNoRoomFor(int descriptor) {
    if (g_disk == Disk::kHasRoom || g_disk == Disk::kHasLittleFree) return false;
    std::error_code none;
    const std::string file = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none).string();
    if (g_disk == Disk::kIsFullForCurves) return file.ends_with("/metrics.jsonl");
    const bool isOfLast = file.find("/checkpoints/last.part/") != std::string::npos;
    if (g_disk == Disk::kIsFullForCheckpoints || (g_disk == Disk::kIsFullForAllButBest && isOfLast)) return isOfLast;
    const std::size_t at = file.find("/adapter.part/");
    if (at == std::string::npos) return false;
    const bool isAlwaysFull = g_disk == Disk::kIsFull || g_disk == Disk::kIsFullForAllButBest;
    return isAlwaysFull || fs::exists(file.substr(0, at) + "/checkpoints/step-9", none);
}

} // namespace

// In place of the system's, for the whole program.
extern "C" ssize_t write(int descriptor, const void* bytes, size_t count) {
    if (hasNoRoomFor(descriptor)) {
        errno = ENOSPC;
        return -1;
    }
    return ::syscall(SYS_write, descriptor, bytes, count);
}

extern "C" int statvfs(const char* path, struct statvfs* found) noexcept {
    struct statfs system {};
    if (::statfs(path, &system) != 0) return -1;
    *found = {};
    found->f_bsize = found->f_frsize = static_cast<unsigned long>(system.f_bsize);
    found->f_blocks = system.f_blocks;
    found->f_bfree = found->f_bavail = g_disk == Disk::kHasLittleFree ? g_littleFree.load() : system.f_bavail;
    return 0;
}

namespace roundpipe::engine {
namespace {

class FullAtTheEnd : public SmallRun {
protected:
    FullAtTheEnd() {
        m_spec.output.saveTrace = false;
        m_spec.data.validationFraction = 0;
        m_spec.duration.maxSteps = 12;
        m_spec.output.saveEverySteps = 3;
        m_spec.output.keepCheckpoints = 3;
    }
    ~FullAtTheEnd() override {
        g_disk = Disk::kHasRoom;
        g_littleFree = 1;
    }
    runs::RunFiles files() const { return {m_spec.output.folder}; }
    std::string warnings() const {
        std::string all;
        for (const RunEvent& event : eventsOf(RunEvent::Kind::kWarning))
            all += event.text + '\n';
        return all;
    }
};

TEST_F(FullAtTheEnd, earlierCheckpointsGiveWayToTheResult) {
    g_disk = Disk::kIsFullWithEarlierCheckpoints;
    run("tight");
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
    EXPECT_TRUE(runs::earlierCheckpoints(files()).empty());
    EXPECT_EQ(runs::readTrainingState(files().lastCheckpoint()).step, 12);
}

TEST_F(FullAtTheEnd, theLastCheckpointIsNamedAndTheResultComesLater) {
    g_disk = Disk::kIsFull;
    m_mayFail = true;
    run("full");
    EXPECT_EQ(state(), RunState::kFailed);
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    EXPECT_EQ(error.errorKind, ErrorKind::kNoSpace);
    EXPECT_NE(error.text.find("12 steps, is in '" + files().lastCheckpoint().string() + "'"), std::string::npos)
        << error.text;
    EXPECT_NE(error.advice.find("--resume"), std::string::npos) << error.advice;
    EXPECT_FALSE(exists("adapter"));
    EXPECT_FALSE(exists("adapter.part"));

    g_disk = Disk::kHasRoom;
    m_mayFail = false;
    run("full", {}, true);
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
}

TEST_F(FullAtTheEnd, curvesThatAreLostAreSaidAndTheRunIsKnownByItsCheckpoint) {
    g_disk = Disk::kIsFullForCurves;
    m_mayFail = true;
    run("uncurved");
    EXPECT_EQ(state(), RunState::kFailed);
    std::string said;
    for (const runs::JournalEntry& entry : runs::readJournal(files().journal()))
        if (entry.event == runs::JournalEvent::kRemedy) said += entry.text;
    EXPECT_NE(said.find("The curves lack 12 steps at their end."), std::string::npos) << said;
    const runs::StoredRun stored = runs::readRun(files().folder);
    EXPECT_EQ(stored.steps, 12);
    EXPECT_TRUE(runs::readMetrics(files().metrics()).empty());
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    for (const std::string& kept : {files().adapter().string(), files().lastCheckpoint().string()})
        EXPECT_NE(error.text.find('\'' + kept + '\''), std::string::npos) << error.text;
}

TEST_F(FullAtTheEnd, aResultWithoutACheckpointIsSaidAndCanBeTrainedOn) {
    g_disk = Disk::kIsFullForCheckpoints;
    m_mayFail = true;
    run("result");
    EXPECT_EQ(state(), RunState::kFailed);
    EXPECT_TRUE(exists("adapter/adapter_model.safetensors"));
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    EXPECT_EQ(error.errorKind, ErrorKind::kNoSpace);
    EXPECT_NE(error.text.find("12 steps, is kept in '" + files().adapter().string() + "'"), std::string::npos)
        << error.text;
    EXPECT_EQ(error.text.find("newest checkpoint"), std::string::npos) << error.text;
    for (const char* part : {"Make room there.", "--start-from"}) // as there is none to resume from
        EXPECT_NE(error.advice.find(part), std::string::npos) << part << " in " << error.advice;
    EXPECT_EQ(errorOf("result", true), "has no checkpoint to go on from");
}

TEST_F(FullAtTheEnd, aResultOfMoreStepsThanTheCheckpointNamesBoth) {
    run("more");
    m_spec.duration.maxSteps = 14;
    g_disk = Disk::kIsFullForCheckpoints;
    m_mayFail = true;
    run("more", {}, true);
    EXPECT_EQ(state(), RunState::kFailed);
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    for (const std::string& part : {"14 steps, is kept in '" + files().adapter().string() + "'",
                                    "after step 12, '" + files().lastCheckpoint().string() + "'"})
        EXPECT_NE(error.text.find(part), std::string::npos) << part << " in " << error.text;
    EXPECT_NE(error.advice.find("--resume), from step 12 on."), std::string::npos) << error.advice;

    g_disk = Disk::kHasRoom;
    m_mayFail = false;
    EXPECT_EQ(run("more", {}, true).size(), 2U);
    EXPECT_EQ(state(), RunState::kFinished);
}

TEST_F(FullAtTheEnd, theBestCheckpointOfTheLastStepLosesNothing) {
    m_spec.data.validationFraction = 0.2;
    m_spec.output.evalEverySteps = 12;
    m_spec.output.saveEverySteps = 0;
    g_disk = Disk::kIsFullForAllButBest;
    m_mayFail = true;
    run("best");
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    const RunEvent error = eventsOf(RunEvent::Kind::kError)[0];
    EXPECT_NE(error.text.find("12 steps, is in '" + files().bestCheckpoint().string() + "'"), std::string::npos)
        << error.text;
    EXPECT_EQ(error.text.find("lost"), std::string::npos) << error.text;
}

// At the start it is said of the tensors that there will be, at the end of those that there are.
TEST_F(FullAtTheEnd, littleRoomIsWarnedOfAtTheStartByWhatACheckpointTakes) {
    m_mayFail = true;
    m_spec.output.saveEverySteps = 0;
    m_spec.duration.maxSteps = 2;
    for (const Method method : {Method::kLora, Method::kFull})
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
            g_disk = Disk::kHasLittleFree;
            m_spec.method = method;
            m_spec.optimizer.updates = updates;
            run((std::string(spellingOf(method)) + spellingOf(updates)).c_str());
            ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
            const std::string end = eventsOf(RunEvent::Kind::kError)[0].text, takes = "A checkpoint takes ";
            const std::size_t at = end.find(takes);
            ASSERT_NE(at, std::string::npos) << end;
            const std::size_t size = at + takes.size();
            const std::string words = end.substr(size, end.find(" here", size) - size) + " a checkpoint, but '" +
                                      files().folder.string() + "' has 4.00 KiB free: free ";
            EXPECT_NE(warnings().find(words), std::string::npos) << words << " in\n" << warnings();
            EXPECT_EQ(warnings().find("is full"), std::string::npos) << warnings();
        }
}

// Beside a checkpoint the result has to fit, and each has the tokenizer's files.
TEST_F(FullAtTheEnd, roomForACheckpointAloneIsTooLittle) {
    m_spec.output.saveEverySteps = 0;
    m_spec.duration.maxSteps = 2;
    run("roomy");
    EXPECT_EQ(warnings().find("This run writes"), std::string::npos) << warnings();
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(files().lastCheckpoint()))
        bytes += file.file_size();
    g_littleFree = bytes / 4096 + 2;
    g_disk = Disk::kHasLittleFree;
    run("tight");
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_NE(warnings().find("This run writes "), std::string::npos) << warnings();
}

TEST_F(FullAtTheEnd, aCheckpointOnTheWayThatHasTooLittleRoomIsSaidWithBothFigures) {
    m_mayFail = true;
    g_disk = Disk::kHasLittleFree;
    run("tight");
    const std::size_t at = warnings().find("was not written after step 3; training goes on. A checkpoint takes ");
    ASSERT_NE(at, std::string::npos) << warnings();
    EXPECT_NE(warnings().find("' has 4.00 KiB free. Free some space there.", at), std::string::npos) << warnings();
    EXPECT_EQ(warnings().find("is full"), std::string::npos) << warnings();
}

} // namespace
} // namespace roundpipe::engine
