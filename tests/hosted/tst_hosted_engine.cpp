// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in a process of their own: the simulated engine's, so that no LibTorch is needed.
#include "base/error.h"
#include "base/file.h"
#include "hosted/hosted_engine.h"
#include "hosted/run_host.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "session/run/moved_folder.h"
#include "session/simulated/simulated_engine.h"
#include "testing/fixtures.h"
#include "testing/tiny_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <utility>

namespace roundpipe::hosted {
namespace {

using session::Command;
using session::RunEvent;
using session::RunState;

class Hosted : public ::testing::Test {
protected:
    Hosted() {
        writeFileAtomically(m_folder.path() / "config.json", testing::kTinyModel);
        std::filesystem::create_directory(out());
        m_job.spec.model.path = m_folder.path();
        m_job.spec.data.datasets.front().files = {"rows.jsonl"};
        m_job.spec.output.folder = out();
        m_job.spec.engine.devices = {"cpu:2"};
        m_job.spec.batch.microbatches = 4;
        m_job.spec.duration.maxSteps = 4;
        m_job.samplePrompts = {"Hello?"};
    }
    // Longer than an address of a socket may be.
    std::filesystem::path out() const { return m_folder.path() / std::string(150, 'o'); }
    static std::unique_ptr<HostedEngine> host(const std::string& speed, const std::string& what = "") {
        std::vector<std::string> command = {SIMULATED_HOST, speed};
        if (!what.empty()) command.push_back(what);
        return std::make_unique<HostedEngine>(command);
    }
    // Gathers events meanwhile. Fails after 30 seconds.
    void waitUntil(session::Engine& engine, const std::function<bool()>& condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!condition()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            gather(engine);
        }
        gather(engine);
    }
    void gather(session::Engine& engine) {
        for (RunEvent& event : engine.takeEvents())
            m_events.push_back(std::move(event));
    }
    void reach(session::Engine& engine, int64_t step) {
        waitUntil(engine, [&] { return engine.snapshot().step >= step; });
    }
    void waitForEnd(session::Engine& engine) {
        waitUntil(engine, [&] { return session::isOver(engine.snapshot().state); });
    }
    int64_t count(RunEvent::Kind kind) const {
        return std::count_if(m_events.begin(), m_events.end(), [&](const RunEvent& e) { return e.kind == kind; });
    }
    // Without gaps: a process that gets no processor for a while shows one more.
    static int64_t numPlanned(const std::vector<trace::Record>& records) {
        return std::ranges::count_if(records, [](const trace::Record& r) { return r.kind != trace::Kind::kWait; });
    }
    const RunEvent* find(RunEvent::Kind kind) const {
        const auto found =
            std::find_if(m_events.begin(), m_events.end(), [&](const RunEvent& e) { return e.kind == kind; });
        return found == m_events.end() ? nullptr : &*found;
    }

    testing::TemporaryFolder m_folder;
    session::RunJob m_job;
    std::vector<RunEvent> m_events;
};

TEST_F(Hosted, aRunIsWhatItWouldBeInThisProcess) {
    const auto run = [&](session::Engine& engine) {
        m_events.clear();
        engine.start(m_job);
        engine.wait();
        gather(engine);
        std::string text;
        for (const RunEvent& event : m_events) {
            if (event.kind == RunEvent::Kind::kStateChanged) text += spellingOf(event.state);
            text += std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(event.metrics.loss) + "\n";
        }
        return text;
    };
    const auto local = session::makeSimulatedEngine({.speed = 20});
    const auto hosted = host("20");
    EXPECT_EQ(run(*hosted), run(*local));
    EXPECT_EQ(hosted->snapshot().state, RunState::kFinished);
    EXPECT_EQ(hosted->snapshot().step, 4);
    std::vector<trace::Record> here, there;
    local->takeTrace(here);
    hosted->takeTrace(there);
    EXPECT_EQ(hosted->numTraceRecordsDropped(), 0);
    EXPECT_EQ(numPlanned(there), numPlanned(here));
    EXPECT_GT(numPlanned(there), 0);
    EXPECT_EQ(run(*hosted), run(*local)) << "a second run has a process of its own";
}

TEST_F(Hosted, commandsReachIt) {
    m_job.spec.duration.maxSteps = 100000;
    const auto engine = host("20");
    engine->start(m_job);
    reach(*engine, 1);
    engine->send({Command::Kind::kPause});
    waitUntil(*engine, [&] { return engine->snapshot().state == RunState::kPaused; });
    engine->send({Command::Kind::kSample, {"One?", "Two?"}});
    waitUntil(*engine, [&] { return count(RunEvent::Kind::kSampleReady) >= 3; });
    EXPECT_THROW(engine->start(m_job), Error);
    engine->requestStop();
    engine->wait();
    EXPECT_EQ(engine->snapshot().state, RunState::kStopped);
}

TEST_F(Hosted, aWrongSpecIsRefusedAtOnceAndAWrongModelByTheRun) {
    const auto engine = host("20");
    session::RunJob wrong = m_job;
    wrong.spec.batch.microbatches = -1;
    EXPECT_THROW(engine->start(wrong), Error);
    m_job.spec.model.path = m_folder.path() / "nothing here";
    engine->start(m_job);
    waitForEnd(*engine);
    ASSERT_NE(find(RunEvent::Kind::kError), nullptr);
    EXPECT_NE(find(RunEvent::Kind::kError)->text.find("nothing here"), std::string::npos);
    EXPECT_EQ(engine->snapshot().state, RunState::kFailed);
}

TEST_F(Hosted, aProcessThatDiesLeavesItsCauseAndItsLastWords) {
    m_job.spec.duration.maxSteps = 100000;
    const auto engine = host("20", "dies");
    engine->start(m_job);
    waitForEnd(*engine);
    const RunEvent* const problem = find(RunEvent::Kind::kError);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->text.find("signal 11"), std::string::npos) << problem->text;
    EXPECT_NE(problem->text.find("the driver is gone"), std::string::npos) << problem->text;
    EXPECT_NE(problem->advice.find("--resume"), std::string::npos);
    EXPECT_NE(problem->advice.find("debug report"), std::string::npos) << problem->advice;
    EXPECT_EQ(problem->advice.find("memory"), std::string::npos) << "that is what signal 9 speaks of";
    EXPECT_EQ(engine->snapshot().state, RunState::kFailed);
    EXPECT_GE(count(RunEvent::Kind::kStepDone), 2);
    engine->start(m_job); // and another may begin
    waitForEnd(*engine);
}

TEST_F(Hosted, aProcessThatDiesLeavesTheLastMinuteOfItsLog) {
    m_job.spec.duration.maxSteps = 100000;
    const auto line = [](std::time_t seconds, const char* words) {
        std::tm place{};
        ::localtime_r(&seconds, &place);
        char time[32];
        std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S.123 ", &place);
        return time + std::string("info ") + words + "\n";
    };
    const std::time_t now = std::time(nullptr);
    const auto ends = [&](std::chrono::hours logIsOld) {
        m_events.clear();
        const auto engine = host("20", "dies");
        engine->start(m_job);
        const std::filesystem::path log = runs::RunFiles{out()}.log();
        writeFileAtomically(log, line(now - 7200, "two hours ago") + line(now - 5, "just now\nand more of it"));
        std::filesystem::last_write_time(log, std::filesystem::file_time_type::clock::now() - logIsOld);
        waitForEnd(*engine);
        const RunEvent* const problem = find(RunEvent::Kind::kError);
        return problem == nullptr ? std::string() : problem->text;
    };
    const std::string text = ends(std::chrono::hours(0));
    EXPECT_NE(text.find("the driver is gone"), std::string::npos) << text;
    EXPECT_NE(text.find("The last minute of its log:\n20"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("just now\nand more of it\n")) << text;
    EXPECT_EQ(text.find("two hours ago"), std::string::npos) << text;
    EXPECT_EQ(ends(std::chrono::hours(1)).find("just now"), std::string::npos) << "the log of an earlier process";
}

TEST_F(Hosted, aProcessThatIsKilledMayHaveTakenTooMuchMemory) {
    m_job.spec.duration.maxSteps = 100000;
    const auto engine = host("20", "killed");
    engine->start(m_job);
    waitForEnd(*engine);
    const RunEvent* const problem = find(RunEvent::Kind::kError);
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->text.find("signal 9"), std::string::npos) << problem->text;
    EXPECT_NE(problem->advice.find("memory"), std::string::npos) << problem->advice;
    EXPECT_EQ(problem->advice.find("fault of the program"), std::string::npos) << problem->advice;
}

TEST_F(Hosted, aProgramThatIsNotThereIsAnErrorInWords) {
    HostedEngine engine(std::vector<std::string>{"/nowhere/roundpipe", "host"});
    try {
        engine.start(m_job);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("/nowhere/roundpipe"), std::string::npos);
    }
}

TEST_F(Hosted, aRunOutlivesItsWindowAndIsFollowedAgain) {
    m_job.spec.duration.maxSteps = 100000;
    {
        const auto window = host("20", out());
        window->start(m_job);
        reach(*window, 2);
    }
    m_events.clear();
    const auto again = HostedEngine::following(out());
    EXPECT_TRUE(again->goesOnAlone());
    EXPECT_THROW(again->start(m_job), Error);
    reach(*again, 4);
    EXPECT_EQ(count(RunEvent::Kind::kPlanReady), 1) << "whoever comes later gets what was before";
    ASSERT_NE(find(RunEvent::Kind::kStepDone), nullptr);
    EXPECT_EQ(find(RunEvent::Kind::kStepDone)->metrics.step, 1);
    const auto third = HostedEngine::following(out());
    reach(*third, 4);
    third->send({Command::Kind::kStop});
    again->wait();
    third->wait();
    EXPECT_EQ(again->snapshot().state, RunState::kStopped);
    waitUntil(*again, [&] { return !std::filesystem::exists(runs::RunFiles{out()}.socket()); });
}

// A run that goes on and says what a test has it say.
class SayingEngine : public session::Engine {
public:
    std::vector<RunEvent> events;
    session::Snapshot now;
    SayingEngine() { now.state = RunState::kTraining; }
    void start(session::RunJob) override {}
    void send(Command) override {}
    void wait() override {}
    session::Snapshot snapshot() const override { return now; }
    std::vector<RunEvent> takeEvents() override { return std::exchange(events, {}); }
    void takeTrace(std::vector<trace::Record>&) override {}
    std::vector<trace::Record> openSlices() const override { return {}; }
    uint64_t numTraceRecordsDropped() const override { return 0; }
};

TEST_F(Hosted, isFollowedInAFolderThatWasMovedOrRemovedAndMadeAnew) {
    namespace fs = std::filesystem;
    using session::RunText;
    using session::RunTextCode;
    SayingEngine engine;
    RunHost host(engine);
    const auto says = [&](RunEvent::Kind kind, std::vector<RunText> texts) {
        RunEvent event;
        event.kind = kind;
        event.coded = std::move(texts);
        engine.events = {event};
        host.turn();
    };
    host.start(m_job);
    std::optional<runs::RunLock> lock(std::in_place, out());
    says(RunEvent::Kind::kPlanReady, {});
    EXPECT_TRUE(connectTo(out()));

    const fs::path moved = m_folder.path() / "moved";
    fs::rename(out(), moved);
    says(RunEvent::Kind::kWarning, {RunText(RunTextCode::kFolderMoved, out().string(), moved.string())});
    EXPECT_TRUE(connectTo(moved));

    fs::remove_all(moved);
    fs::create_directory(moved);
    lock.emplace(moved);
    says(RunEvent::Kind::kWarning, {RunText(RunTextCode::kFolderGone, moved.string(), moved.string())});
    EXPECT_TRUE(connectTo(moved));
}

// What comes over a socket may name no folder where this program always does.
TEST(MovedFolder, isNoneWhereNoneIsNamed) {
    for (const session::RunTextCode code : {session::RunTextCode::kFolderMoved, session::RunTextCode::kFolderGone}) {
        RunEvent event;
        event.coded = {session::RunText(code)};
        EXPECT_FALSE(session::movedFolder(event));
        event.coded = {session::RunText(code, "a", "b")};
        EXPECT_EQ(session::movedFolder(event), "b");
    }
}

TEST_F(Hosted, isFollowedWhileItIsPrepared) {
    SayingEngine engine;
    engine.now.state = RunState::kPreparing;
    RunHost host(engine);
    host.start(m_job);
    const runs::RunLock lock(out()); // another one's, for all that is known
    host.turn();
    EXPECT_THROW(connectTo(out()), Error);
    engine.now.activities = {session::Activity(session::ActivityCode::kReadingModel)};
    host.turn();
    EXPECT_TRUE(connectTo(out()));
}

TEST_F(Hosted, whereNoRunIsUnderWayItSaysSo) {
    EXPECT_THROW(HostedEngine::following(out()), Error);
    const runs::RunLock lock(out()); // one that nobody can follow
    try {
        HostedEngine::following(out());
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("cannot be followed"), std::string::npos);
    }
}

TEST_F(Hosted, strangersAndSlowReadersDisturbNobody) {
    m_job.spec.duration.maxSteps = 100000;
    const auto engine = host("20", out());
    engine->start(m_job);
    reach(*engine, 1);
    const Descriptor stranger = connectTo(out());
    std::string words = "GET / HTTP/1.1\r\n\r\n";
    EXPECT_TRUE(writeAvailable(stranger, words));
    const Descriptor slow = connectTo(out()); // and never reads
    std::string hello = framed(MessageKind::kHello, ROUNDPIPE_VERSION "\ntrace");
    EXPECT_TRUE(writeAvailable(slow, hello));
    const Descriptor other = connectTo(out());
    std::string old = framed(MessageKind::kHello, "0.0.1");
    EXPECT_TRUE(writeAvailable(other, old));
    const int64_t before = engine->snapshot().step;
    reach(*engine, before + 5);
    std::string rest;
    waitUntil(*engine, [&] { return !readAvailable(other, rest); }); // it was left
    engine->send({Command::Kind::kStopAndDiscard});
    engine->wait();
    EXPECT_EQ(engine->snapshot().state, RunState::kStopped);
}

} // namespace
} // namespace roundpipe::hosted
