// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "queue/train_line.h"
#include "session/simulated/simulated_engine.h"
#include "testing/fixtures.h"
#include "waiting_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

std::atomic<bool> g_isFull{false}; // the disk of the queue's folder

} // namespace

// In place of the system's, for the whole program.
extern "C" int fsync(int descriptor) {
    std::error_code none;
    const std::string file =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), none).string();
    if (g_isFull && file.find("/queue/") != std::string::npos) {
        errno = ENOSPC;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace roundpipe::queue {
namespace {

using session::RunState;

class TheRunner : public ::testing::Test {
protected:
    TheRunner() { makeTinyModel(m_folder.path()); }
    QueuedRun on(const std::string& name, const std::vector<std::string>& devices, int64_t steps = 3) const {
        return waitingRun(m_folder.path(), name, devices, steps);
    }
    // "a+ b+ a- b!": begun, ended, failed.
    void note(const std::vector<QueueRunner::News>& all) {
        for (const QueueRunner::News& news : all) {
            if (news.state == RunState::kTraining) {
                m_withFolder.insert(news.run.spec.name);
                continue;
            }
            m_story += (m_story.empty() ? "" : " ") + news.run.spec.name;
            m_story += news.state == RunState::kPreparing ? "+" : news.state == RunState::kFailed ? "!" : "-";
            if (news.state == RunState::kFailed) m_problem = news.problem;
        }
    }
    void runToEnd() {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        do {
            note(m_runner.turn());
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << m_story;
        } while (!m_runner.isIdle() || !m_queue.waiting().empty());
    }

    testing::TemporaryFolder m_folder;
    RunQueue m_queue{m_folder.path() / "queue"};
    std::vector<std::vector<std::string>> m_busy;
    QueueRunner m_runner{m_queue, [] { return session::makeSimulatedEngine({.speed = 20}); },
                         [this] { return m_busy; }};
    std::string m_story, m_problem;
    std::set<std::string> m_withFolder;
};

TEST_F(TheRunner, runsOnTheSameDevicesFollowEachOther) {
    m_queue.add({on("a", {"cpu"}), on("b", {"cpu:2"})});
    runToEnd();
    EXPECT_EQ(m_story, "a+ a- b+ b-");
    for (const BegunRun& run : m_queue.begun())
        EXPECT_TRUE(run.hasEnded) << run.name;
}

TEST_F(TheRunner, runsOnOtherDevicesGoBesideEachOtherAndNobodyIsOvertaken) {
    m_queue.add({on("a", {"cuda:0"}, 200), on("all", {"cuda:0", "cuda:1"}), on("c", {"cuda:1"}), on("d", {"cpu"})});
    note(m_runner.turn());
    EXPECT_EQ(m_story, "a+ d+") << "c wants what the run before it waits for";
    runToEnd();
    EXPECT_LT(m_story.find("all-"), m_story.find("c+"));
}

TEST_F(TheRunner, oneThatFailsIsNamedAndTheLineGoesOn) {
    QueuedRun gone = on("gone", {"cpu"});
    gone.spec.model.path = m_folder.path() / "no model here";
    QueuedRun wrong = on("wrong", {"cpu"});
    wrong.spec.batch.microbatches = -1;
    m_queue.add({gone, wrong, on("good", {"cpu"})});
    runToEnd();
    EXPECT_EQ(m_story, "gone+ gone! wrong! good+ good-");
    EXPECT_EQ(m_withFolder, std::set<std::string>{"good"});
    EXPECT_FALSE(m_problem.empty());
}

TEST_F(TheRunner, whatCannotBeReadKeepsNobodyFromBeingTrained) {
    m_queue.add({on("later", {"cpu"}), on("good", {"cpu"})});
    const std::filesystem::path file = m_folder.path() / "queue" / "queue.json";
    std::string text = readTextFile(file, 1 << 20);
    writeFileAtomically(file, text.replace(text.find("\"microbatches\""), 14, "\"macrobatches\""));
    LineWatch watch;
    watch.stopRequested = [] { return false; };
    watch.onNews = [this](const QueueRunner::News& news) { note({news}); };
    EXPECT_EQ(trainLine(m_queue, m_runner, watch), LineEnd::kEmpty);
    EXPECT_EQ(m_story, "good+ good-");
    EXPECT_EQ(m_queue.waiting().size(), 1U);
}

TEST_F(TheRunner, theLinePausesAfterAFailureWhereThatWasChosen) {
    m_queue.choose([](QueueChoices& choices) { choices.afterError = AfterError::kPause; });
    QueuedRun wrong = on("wrong", {"cpu"});
    wrong.spec.batch.microbatches = -1;
    m_queue.add({wrong, on("good", {"cpu"})});
    LineWatch watch;
    watch.stopRequested = [] { return false; };
    watch.onNews = [this](const QueueRunner::News& news) { note({news}); };
    EXPECT_EQ(trainLine(m_queue, m_runner, watch), LineEnd::kPaused);
    EXPECT_EQ(m_story, "wrong!");
    EXPECT_FALSE(m_queue.begun().front().problem.empty());
    m_queue.choose([](QueueChoices& choices) { choices.isPaused = false; });
    EXPECT_EQ(trainLine(m_queue, m_runner, watch), LineEnd::kEmpty);
    EXPECT_EQ(m_story, "wrong! good+ good-");
}

TEST_F(TheRunner, whatIsUnderWayStopsAndTheLineStaysWhereThatIsAsked) {
    m_queue.add({on("a", {"cpu"}, 100000), on("b", {"cpu"})});
    LineWatch watch;
    watch.stopRequested = [this] { return !m_story.empty(); };
    bool isStopping = false;
    watch.onStopping = [&] { isStopping = true; };
    watch.onNews = [this](const QueueRunner::News& news) { note({news}); };
    EXPECT_EQ(trainLine(m_queue, m_runner, watch), LineEnd::kStopped);
    EXPECT_TRUE(isStopping);
    EXPECT_EQ(m_story, "a+ a-");
    EXPECT_EQ(m_queue.waiting().size(), 1U);
}

// The draft of the new file can't be written, the file stays as it was.
TEST_F(TheRunner, aLineThatCannotBeWrittenGoesOnLaterAndForgetsNothing) {
    QueuedRun gone = on("gone", {"cpu"});
    gone.spec.model.path = m_folder.path() / "no model here";
    m_queue.add({gone, on("good", {"cpu"})});
    m_queue.choose([](QueueChoices& choices) { choices.afterError = AfterError::kPause; });
    note(m_runner.turn());
    ASSERT_EQ(m_story, "gone+");
    int rounds = 0, told = 0;
    LineWatch watch;
    watch.stopRequested = [&] {
        if (++rounds == 4) g_isFull = false;
        return false;
    };
    watch.onNews = [this](const QueueRunner::News& news) { note({news}); };
    watch.onTrouble = [&](const Error& error) {
        ++told;
        EXPECT_NE(error.message().find("queue.json"), std::string::npos) << error.message();
    };
    g_isFull = true;
    EXPECT_EQ(trainLine(m_queue, m_runner, watch), LineEnd::kPaused) << "it failed, and that was chosen";
    EXPECT_EQ(told, 1) << "once, not with each round";
    EXPECT_EQ(m_story, "gone+ gone!");
    EXPECT_FALSE(m_queue.begun().front().problem.empty());
    EXPECT_TRUE(m_queue.begun().front().hasEnded);

    m_queue.choose([](QueueChoices& choices) { choices.isPaused = false; });
    g_isFull = true;
    note(m_runner.turn());
    EXPECT_TRUE(m_runner.trouble());
    EXPECT_EQ(m_queue.waiting().size(), 1U) << "what could not be taken out still waits";
    g_isFull = false;
    runToEnd();
    EXPECT_EQ(m_story, "gone+ gone! good+ good-");
}

TEST_F(TheRunner, itWaitsForRunsOfOthers) {
    m_busy = {{"cuda:0"}};
    m_queue.add({on("a", {"cuda:0"}), on("b", {"cpu"})});
    note(m_runner.turn());
    EXPECT_EQ(m_story, "b+");
    m_busy.clear();
    note(m_runner.turn());
    EXPECT_EQ(m_story, "b+ a+");
    runToEnd();
}

TEST_F(TheRunner, stoppedRunsEndAndWhatWaitsStays) {
    m_queue.add({on("a", {"cpu"}, 100000), on("b", {"cpu"})});
    note(m_runner.turn());
    m_runner.stopAll();
    while (!m_runner.isIdle()) {
        note(m_runner.turnWithoutBeginning());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(m_story, "a+ a-");
    EXPECT_EQ(m_queue.waiting().size(), 1U);
}

} // namespace
} // namespace roundpipe::queue
