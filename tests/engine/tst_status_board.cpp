#include "engine/run_folder.h"
#include "engine/status_board.h"

#include <gtest/gtest.h>

#include <thread>

namespace roundpipe::engine {
namespace {

session::StepMetrics stepOf(int64_t step, double seconds = 0.5) {
    session::StepMetrics metrics;
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
        board.setState(session::RunState::kFinished);
    });
    int64_t expected = 1;
    for (bool over = false; !over;) {
        over = board.snapshot().state == session::RunState::kFinished;
        for (const session::RunEvent& event : board.takeEvents())
            if (event.kind == session::RunEvent::Kind::kStepDone) {
                EXPECT_EQ(event.metrics.step, expected++);
            }
    }
    run.join();
    EXPECT_EQ(expected, kSteps + 1);
}

TEST(StatusBoard, forgetsTheSlowFirstStepInItsRate) {
    StatusBoard board;
    session::RunPlan plan;
    plan.totalSteps = 13;
    board.planReady(plan);
    board.stepDone(stepOf(1, 60), 0);
    for (int64_t step = 2; step <= 3; ++step)
        board.stepDone(stepOf(step, 0.5), 0);
    const session::Snapshot snapshot = board.snapshot();
    EXPECT_DOUBLE_EQ(snapshot.tokensPerSecond, 200);
    EXPECT_DOUBLE_EQ(snapshot.remainingSeconds.value(), 5);
}

TEST(StatusBoard, saysAStateOnce) {
    StatusBoard board;
    board.setState(session::RunState::kTraining);
    board.setState(session::RunState::kTraining);
    EXPECT_EQ(board.takeEvents().size(), 1u);
    EXPECT_TRUE(board.takeEvents().empty());
}

TEST(Metrics, lineHasStableKeys) {
    session::StepMetrics metrics = stepOf(3);
    EXPECT_EQ(toJsonLine(metrics), "{\"step\":3,\"loss\":2.0,\"validation_loss\":null,\"lr\":0.0,\"grad_norm\":0.0,"
                                   "\"tokens\":100,\"trained_tokens\":0,\"seconds\":0.5}\n");
    metrics.validationLoss = 1.5;
    EXPECT_NE(toJsonLine(metrics).find("\"validation_loss\":1.5"), std::string::npos);
}

} // namespace
} // namespace roundpipe::engine
