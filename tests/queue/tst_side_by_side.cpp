// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of the queue beside each other, each run in a process of its own: the simulated engine's.
#include "hosted/hosted_engine.h"
#include "queue/train_line.h"
#include "testing/fixtures.h"
#include "waiting_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace roundpipe::queue {
namespace {

using session::RunState;

// The processes that this one has begun.
std::set<pid_t> children() {
    std::set<pid_t> found;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "children");
        for (pid_t child = 0; file >> child;)
            found.insert(child);
    }
    return found;
}

class SideBySide : public ::testing::Test {
protected:
    SideBySide() {
        makeTinyModel(m_folder.path());
        m_watch.stopRequested = [] { return false; };
        m_watch.onStopping = [] {};
    }
    QueuedRun on(const std::string& name, const std::vector<std::string>& devices, int64_t steps) const {
        return waitingRun(m_folder.path(), name, devices, steps);
    }

    testing::TemporaryFolder m_folder;
    RunQueue m_queue{m_folder.path() / "queue"};
    QueueRunner m_runner{
        m_queue,
        [] {
            return std::make_unique<hosted::HostedEngine>(std::vector<std::string>{SIMULATED_HOST, "20"});
        },
        [] { return std::vector<std::vector<std::string>>(); }};
    LineWatch m_watch;
};

TEST_F(SideBySide, twoLinesTrainAtOnceEachInItsProcess) {
    m_queue.add({on("a", {"cuda:0"}, 100'000), on("b", {"cuda:1"}, 100'000), on("next", {"cuda:0"}, 2)});
    std::set<std::string> training;
    std::size_t most = 0;
    m_watch.onNews = [&](const QueueRunner::News& news) {
        if (news.state == RunState::kTraining) training.insert(news.run.spec.name);
        most = std::max(most, children().size());
    };
    m_watch.stopRequested = [&] { return training.size() == 2; };
    EXPECT_EQ(trainLine(m_queue, m_runner, m_watch), LineEnd::kStopped);
    EXPECT_EQ(training, (std::set<std::string>{"a", "b"}));
    EXPECT_EQ(most, 2U) << "a process for each";
    EXPECT_EQ(m_queue.waiting().size(), 1U) << "it waits for the first device";
}

TEST_F(SideBySide, oneWhoseProcessIsKilledFailsAndTheOtherLineGoesOn) {
    m_queue.add({on("a", {"cuda:0"}, 100'000)});
    std::string failed, problem;
    bool isOtherDone = false, isNextDone = false;
    m_watch.onNews = [&](const QueueRunner::News& news) {
        const std::string& name = news.run.spec.name;
        if (name == "a" && news.state == RunState::kTraining) {
            for (const pid_t child : children())
                ::kill(child, SIGKILL);
            m_queue.add({on("b", {"cuda:1"}, 2), on("next", {"cuda:0"}, 2)});
        }
        if (news.state == RunState::kFailed) failed = name, problem = news.problem;
        if (name == "b" && news.state == RunState::kFinished) isOtherDone = true;
        if (name == "next" && news.state == RunState::kFinished) isNextDone = true;
    };
    EXPECT_EQ(trainLine(m_queue, m_runner, m_watch), LineEnd::kEmpty);
    EXPECT_EQ(failed, "a");
    EXPECT_FALSE(problem.empty());
    EXPECT_TRUE(isOtherDone);
    EXPECT_TRUE(isNextDone);
}

} // namespace
} // namespace roundpipe::queue
