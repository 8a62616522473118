// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/status_board.h"

#include "base/units.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <thread>

namespace roundpipe::session {
namespace {

StepMetrics stepOf(int64_t step, double seconds = 0.5) {
    StepMetrics metrics;
    metrics.step = step;
    metrics.loss = 2;
    metrics.tokens = 100;
    metrics.seconds = seconds;
    return metrics;
}

TEST(StatusBoard, losesNoEventBetweenThreads) {
    StatusBoard board;
    constexpr int64_t kSteps = 20000;
    std::thread run([&] {
        for (int64_t step = 1; step <= kSteps; ++step)
            board.stepDone(stepOf(step), 0);
        board.setState(RunState::kFinished);
    });
    int64_t expected = 1;
    for (bool over = false; !over;) {
        over = board.snapshot().state == RunState::kFinished;
        for (const RunEvent& event : board.takeEvents())
            if (event.kind == RunEvent::Kind::kStepDone) {
                EXPECT_EQ(event.metrics.step, expected++);
            }
    }
    run.join();
    EXPECT_EQ(expected, kSteps + 1);
}

TEST(StatusBoard, forgetsTheSlowFirstStepInItsRate) {
    StatusBoard board;
    RunPlan plan;
    plan.totalSteps = 13;
    board.planReady(plan);
    board.stepDone(stepOf(1, 60), 0);
    for (int64_t step = 2; step <= 3; ++step)
        board.stepDone(stepOf(step, 0.5), 0);
    const Snapshot snapshot = board.snapshot();
    EXPECT_DOUBLE_EQ(snapshot.tokensPerSecond, 200);
    EXPECT_DOUBLE_EQ(snapshot.remainingSeconds.value(), 5);
}

// The median, so that one step that stumbles does not double the time that is left.
TEST(StatusBoard, remainingTimeFollowsTheMedianOfRecentSteps) {
    StatusBoard board;
    RunPlan plan;
    plan.totalSteps = 107;
    board.planReady(plan);
    for (int64_t step = 1; step <= 7; ++step)
        board.stepDone(stepOf(step, step == 6 ? 40 : 0.5), 0);
    EXPECT_DOUBLE_EQ(board.snapshot().remainingSeconds.value(), 50);
}

// The scatter of recent steps says how far it may be off; a single stumble is no scatter.
TEST(StatusBoard, remainingTimeSaysHowFarItMayBeOff) {
    StatusBoard board;
    RunPlan plan;
    plan.totalSteps = 105;
    board.planReady(plan);
    board.setState(RunState::kTraining);
    for (int64_t step = 1; step <= 4; ++step)
        board.stepDone(stepOf(step, 2), 0);
    EXPECT_FALSE(board.snapshot().remainingErrorSeconds) << "too few";
    board.stepDone(stepOf(5, 90), 0);
    EXPECT_FALSE(board.snapshot().remainingErrorSeconds) << "the first step is not regarded";
    board.stepDone(stepOf(6, 2), 0);
    EXPECT_DOUBLE_EQ(board.snapshot().remainingErrorSeconds.value(), 0);
    for (int64_t step = 7; step <= 25; ++step) // the newest twenty: a third each of 1, 2 and 3 seconds
        board.stepDone(stepOf(step, static_cast<double>(1 + step % 3)), 0);
    const double error = board.snapshot().remainingErrorSeconds.value();
    EXPECT_NEAR(error, 1.4826 * std::sqrt(80 + 80 * 80 * 1.2533 * 1.2533 / 20), 1e-9);
    board.send({Command::Kind::kStop});
    EXPECT_FALSE(board.snapshot().remainingErrorSeconds);
}

TEST(StatusBoard, remainingTimeHoldsWhatIsDoneBetweenStepsAndThePromptsAtTheEnd) {
    const auto pass = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
    StatusBoard board;
    RunPlan plan;
    plan.totalSteps = 12;
    board.planReady(plan);
    board.setState(RunState::kAnswering);
    pass(60);
    board.setState(RunState::kTraining);
    board.stepDone(stepOf(1, 0), 0);
    board.setState(RunState::kEvaluating); // as due
    pass(40);
    board.setState(RunState::kTraining);
    board.stepDone(stepOf(2, 0), 0);
    const double remaining = board.snapshot().remainingSeconds.value();
    EXPECT_GE(remaining, 10 * 0.04 + 0.06);
    EXPECT_LT(remaining, 3);

    board.send({Command::Kind::kValidate}); // was asked for: says nothing of the steps to come
    const auto validate = [&]() -> std::optional<double> {
        pass(300);
        return 2.5;
    };
    board.carryOutCommands({[] {}, validate, [](const auto&) {}});
    board.stepDone(stepOf(3, 0), 0);
    EXPECT_LT(board.snapshot().remainingSeconds.value(), remaining);
    board.send({Command::Kind::kStop});
    EXPECT_FALSE(board.snapshot().remainingSeconds) << "it ends with the running step";
    board.stepDone(stepOf(4, 0), 0);
    board.setState(RunState::kStopped);
    EXPECT_FALSE(board.snapshot().remainingSeconds);
}

TEST(StatusBoard, saysAStateOnce) {
    StatusBoard board;
    board.setState(RunState::kTraining);
    board.setState(RunState::kTraining);
    EXPECT_EQ(board.takeEvents().size(), 1u);
    EXPECT_TRUE(board.takeEvents().empty());
}

using Kind = Command::Kind;

// A run between two steps, in a thread of its own, that writes down what it was told to do.
class Standing {
public:
    Standing() {
        m_board.setState(RunState::kPreparing);
        m_board.setState(RunState::kTraining);
    }
    ~Standing() { leave(); }

    StatusBoard& board() { return m_board; }
    void enter() {
        m_thread = std::thread([this] {
            m_board.carryOutCommands({[this] { note("save"); }, [this] { return validated(); },
                                      [this](const auto& prompts) { note("sample " + prompts.at(0)); }});
            m_left = true;
        });
    }
    void leave() {
        if (m_thread.joinable()) m_thread.join();
    }
    bool hasLeft() const { return m_left; }
    RunState waitFor(RunState state) const {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (m_board.snapshot().state != state && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return m_board.snapshot().state;
    }
    std::string done() { // after leave()
        return m_done;
    }
    void haveNoValidationRows() { m_loss.reset(); }

private:
    std::optional<double> validated() {
        note("validate");
        return m_loss;
    }
    void note(const std::string& what) {
        const Snapshot now = m_board.snapshot();
        m_done += what + " as " + spellingOf(now.state) + (now.isPaused ? " in a pause, " : ", ");
    }

    StatusBoard m_board;
    std::string m_done;
    std::optional<double> m_loss = 1.5;
    std::atomic<bool> m_left{false};
    std::thread m_thread;
};

std::vector<RunState> statesOf(StatusBoard& board) {
    std::vector<RunState> states;
    for (const RunEvent& event : board.takeEvents())
        if (event.kind == RunEvent::Kind::kStateChanged) states.push_back(event.state);
    return states;
}

TEST(Commands, areCarriedOutInOrderAndThenTheRunGoesOn) {
    Standing run;
    run.board().send({Kind::kSave});
    run.board().send({Kind::kSample, {"Hello?"}});
    run.board().send({Kind::kValidate});
    run.board().send({Kind::kResume}); // is not paused
    EXPECT_EQ(run.board().snapshot().pending,
              (std::vector{Kind::kSave, Kind::kSample, Kind::kValidate, Kind::kResume}));
    run.enter();
    run.leave();
    EXPECT_EQ(run.done(), "save as saving, sample Hello? as answering, validate as evaluating, ");
    EXPECT_EQ(run.board().snapshot().state, RunState::kTraining);
    EXPECT_TRUE(run.board().snapshot().pending.empty());
}

TEST(Commands, aValidationIsAnsweredByItsLossOrAWarning) {
    for (const bool hasRows : {true, false}) {
        Standing run;
        if (!hasRows) run.haveNoValidationRows();
        run.board().stepDone(stepOf(8), 0);
        run.board().send({Kind::kValidate});
        run.enter();
        run.leave();
        std::string said;
        for (const RunEvent& event : run.board().takeEvents()) {
            if (event.kind == RunEvent::Kind::kValidated)
                said += std::to_string(event.validationLoss) + " after step " + std::to_string(event.step);
            if (event.kind == RunEvent::Kind::kWarning) said += event.text;
        }
        EXPECT_EQ(said, hasRows ? "1.500000 after step 8" : "There are no validation rows, so nothing was validated.");
    }
}

TEST(Commands, afterTheLastStepLeaveTheRunAsItWas) {
    Standing run;
    run.board().setState(RunState::kSaving);
    run.board().send({Kind::kValidate});
    run.board().send({Kind::kSample, {"Hello?"}});
    run.enter();
    run.leave();
    EXPECT_EQ(run.done(), "validate as evaluating, sample Hello? as answering, ");
    EXPECT_EQ(run.board().snapshot().state, RunState::kSaving);
}

TEST(Commands, thatComeTooLateAreAnsweredBeforeTheRunIsOver) {
    for (const RunState end : {RunState::kFinished, RunState::kFailed}) {
        StatusBoard board;
        board.setState(RunState::kSaving);
        board.takeEvents();
        board.send({Kind::kPause});
        board.send({Kind::kResume});
        board.send({Kind::kSample, {"Hello?"}});
        board.setState(end);
        EXPECT_TRUE(board.snapshot().pending.empty());
        const std::vector<RunEvent> events = board.takeEvents();
        ASSERT_EQ(events.size(), 3U) << "a resume without a pause means nothing";
        EXPECT_EQ(events[0].text, "'pause' came too late: the run is over.");
        EXPECT_EQ(events[1].text, "'sample' came too late: the run is over.");
        EXPECT_EQ(events[2].state, end);
        board.send({Kind::kSave}); // no run is under way
        EXPECT_TRUE(board.takeEvents().empty());
    }
}

TEST(Commands, workWhileTheRunIsPausedAndLeaveItSo) {
    Standing run;
    run.board().send({Kind::kPause});
    run.enter();
    ASSERT_EQ(run.waitFor(RunState::kPaused), RunState::kPaused);
    run.board().takeEvents();
    run.board().send({Kind::kPause}); // already
    run.board().send({Kind::kSave});
    while (!run.board().snapshot().pending.empty())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(run.waitFor(RunState::kPaused), RunState::kPaused);
    EXPECT_FALSE(run.hasLeft());
    run.board().send({Kind::kResume});
    run.leave();
    EXPECT_EQ(run.done(), "save as saving in a pause, ");
    EXPECT_FALSE(run.board().snapshot().isPaused);
    EXPECT_EQ(statesOf(run.board()), (std::vector{RunState::kSaving, RunState::kPaused, RunState::kTraining}));
}

TEST(Commands, aPausedRunLooksAtItsMachineAndEndsByWhatItFinds) {
    StatusBoard board;
    board.setState(RunState::kPreparing);
    board.setState(RunState::kTraining);
    board.send({Kind::kPause});
    int numLooks = 0;
    const auto look = [&] {
        EXPECT_EQ(board.snapshot().state, RunState::kPaused) << "and it may ask the board";
        if (++numLooks == 2) throw Error(ErrorKind::kOutOfMemory, "The machine's memory is used up.");
    };
    EXPECT_THROW(board.carryOutCommands({[] {}, [] { return std::optional<double>(); }, [](const auto&) {}, {}, look}),
                 Error);
    EXPECT_EQ(numLooks, 2) << "what is well ends nothing";
}

// Each stretch of a pause in which nothing was done, up to what was done meanwhile.
TEST(Commands, sayHowLongTheRunRestedInAPause) {
    StatusBoard board;
    board.setState(RunState::kPreparing);
    board.setState(RunState::kTraining);
    std::vector<std::pair<int64_t, int64_t>> rests;
    int64_t savedNs = 0;
    board.send({Kind::kPause}); // there when the run looks, which it does once
    std::thread run([&] {
        board.carryOutCommands({[&] { savedNs = steadyNowNs(); }, [] { return std::optional<double>(); },
                                [](const auto&) {},
                                [&](int64_t fromNs, int64_t toNs) {
                                    rests.push_back({fromNs, toNs});
                                }});
    });
    const auto rest = [&] {
        while (!board.snapshot().pending.empty() || board.snapshot().state != RunState::kPaused)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    rest();
    board.send({Kind::kSave});
    rest();
    board.send({Kind::kResume});
    run.join();
    board.send({Kind::kValidate});
    board.carryOutCommands({[] {}, [] { return std::optional<double>(); }, [](const auto&) {},
                            [&](int64_t, int64_t) { ADD_FAILURE() << "it is not paused"; }});
    ASSERT_EQ(rests.size(), 2U);
    EXPECT_LE(rests[0].second, savedNs);
    EXPECT_GE(rests[1].first, savedNs);
    EXPECT_GT(rests[0].second - rests[0].first, 5'000'000);
    EXPECT_GT(rests[1].second - rests[1].first, 5'000'000);
}

TEST(Commands, aStopOvertakesTheOthersAndEndsAPause) {
    for (const Kind stop : {Kind::kStop, Kind::kStopAndDiscard}) {
        Standing run;
        run.board().send({Kind::kPause});
        run.enter();
        ASSERT_EQ(run.waitFor(RunState::kPaused), RunState::kPaused);
        run.board().send({stop});
        EXPECT_EQ(run.board().snapshot().state, RunState::kStopping) << "shown at once";
        run.board().send({Kind::kSave});
        run.leave();
        EXPECT_EQ(run.done(), "");
        EXPECT_TRUE(run.board().stopRequested());
        EXPECT_EQ(run.board().discardRequested(), stop == Kind::kStopAndDiscard);
        run.board().setState(RunState::kSaving);
        EXPECT_EQ(run.board().snapshot().state, RunState::kStopping) << "until it is over";
        run.board().setState(RunState::kStopped);
        EXPECT_EQ(run.board().snapshot().state, RunState::kStopped);
    }
}

TEST(Commands, dropWhatWaitsWhenAStopIsAskedFor) {
    Standing run;
    run.board().send({Kind::kSave});
    run.board().send({Kind::kStop});
    EXPECT_TRUE(run.board().snapshot().pending.empty());
    run.enter();
    run.leave();
    EXPECT_EQ(run.done(), "");
}

TEST(Commands, aStopCanBecomeADiscardButNotTheOtherWay) {
    Standing run;
    run.board().send({Kind::kStop});
    EXPECT_FALSE(run.board().discardRequested());
    run.board().send({Kind::kStopAndDiscard});
    EXPECT_TRUE(run.board().discardRequested());
    run.board().send({Kind::kStop});
    EXPECT_TRUE(run.board().discardRequested());
    EXPECT_THROW(run.board().throwIfStopRequested(), Error);
}

TEST(Commands, meanNothingBeforeAndAfterARun) {
    StatusBoard board;
    const auto sendAll = [&] {
        for (const Kind kind : {Kind::kPause, Kind::kResume, Kind::kSave, Kind::kValidate, Kind::kSample, Kind::kStop,
                                Kind::kStopAndDiscard})
            board.send({kind});
        EXPECT_TRUE(board.snapshot().pending.empty());
        EXPECT_FALSE(board.stopRequested());
        EXPECT_TRUE(board.takeEvents().empty());
    };
    sendAll();
    for (const RunState end : {RunState::kFinished, RunState::kStopped, RunState::kFailed}) {
        board.setState(RunState::kTraining);
        board.send({Kind::kSave});
        board.setState(end);
        board.takeEvents();
        sendAll();
    }
}

TEST(Clock, runsWhileTheRunWorksAndStandsWhileItIsPausedOrOver) {
    const auto pass = [] { std::this_thread::sleep_for(std::chrono::milliseconds(15)); };
    StatusBoard board;
    const auto elapsed = [&] { return board.snapshot().elapsedSeconds; };
    EXPECT_EQ(elapsed(), 0);
    board.setState(RunState::kPreparing);
    pass();
    board.setState(RunState::kTraining);
    pass();
    EXPECT_GE(elapsed(), 0.03);
    board.setState(RunState::kPaused);
    const double paused = elapsed();
    EXPECT_GE(paused, 0.03);
    pass();
    EXPECT_EQ(elapsed(), paused);
    board.setState(RunState::kTraining);
    pass();
    board.setState(RunState::kFinished);
    const double end = elapsed();
    EXPECT_GE(end, paused + 0.015);
    pass();
    EXPECT_EQ(elapsed(), end);
}

TEST(StatusBoard, saysAfterWhichStepThingsHappened) {
    StatusBoard board;
    RunPlan plan;
    plan.stepsDone = 7;
    board.planReady(plan);
    EXPECT_EQ(board.snapshot().step, 7) << "of a resumed run";
    board.sampleReady("q", "a", true);
    board.stepDone(stepOf(8), 0);
    board.checkpointSaved("folder", 8);
    const auto events = board.takeEvents();
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[1].step, 7);
    EXPECT_EQ(events[3].step, 8);
}

} // namespace
} // namespace roundpipe::session
