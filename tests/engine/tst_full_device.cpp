// SPDX-License-Identifier: GPL-3.0-or-later
// A device whose memory runs out in the middle of a run: a tighter plan, and no step is lost.
#include "device/device_full.h"
#include "runs/metrics_file.h"
#include "small_run.h"

#include <atomic>
#include <optional>

namespace roundpipe::engine {
namespace {

class FullDevice : public SmallRun {
protected:
    FullDevice() { // so that there are spans of every kind
        m_spec.engine.forwardStages = {2, 2};
        m_spec.engine.backwardStages = {1, 2, 2};
    }

    // From now on the span that `isWhere` says finds its device full, `times` times.
    void fillAt(const std::function<bool(const trace::Record&)>& isWhere, int times) {
        m_left = times;
        m_engine = makeEngine([this, isWhere](const trace::Record& span) {
            if (isWhere(span) && m_left.fetch_sub(1) > 0)
                throw device::DeviceFull(trace::deviceOf(span.lane), "cpu:1 is full", "Close what else runs there.");
        });
    }
    int numTightened() const {
        int count = 0;
        for (const RunEvent& event : eventsOf(RunEvent::Kind::kWarning))
            if (!event.coded.empty() && event.coded.front().code == session::RunTextCode::kTightened) ++count;
        return count;
    }

    std::atomic<int> m_left{0};
};

TEST_F(FullDevice, theStepIsDoneAgainAndNoBitChanges) {
    for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
        m_spec.optimizer.updates = updates;
        m_engine = makeEngine();
        const std::vector<double> expected = run(updates == Updates::kSynchronous ? "whole" : "whole-stale");
        ASSERT_EQ(expected.size(), static_cast<std::size_t>(kSteps));
        int number = 0;
        for (const trace::Kind kind : {trace::Kind::kForward, trace::Kind::kFused, trace::Kind::kBackward,
                                       trace::Kind::kDownloadGradient, trace::Kind::kUploadActivation}) {
            fillAt([kind](const trace::Record& span) { return span.kind == kind && span.step >= 3; }, 2);
            const std::string folder = spellingOf(updates) + std::to_string(number++);
            EXPECT_EQ(run(folder.c_str()), expected) << toString(kind);
            EXPECT_EQ(state(), RunState::kFinished);
            EXPECT_LE(m_left.load(), 0) << toString(kind) << ": nothing was full";
            EXPECT_GE(numTightened(), 1) << toString(kind);
            EXPECT_EQ(eventsOf(RunEvent::Kind::kPlanReady).size(), 1U + static_cast<std::size_t>(numTightened()));
            EXPECT_EQ(runs::readMetrics(m_folder.path() / folder / "metrics.jsonl").size(), expected.size());
        }
    }
}

TEST_F(FullDevice, aValidationIsDoneAgain) {
    run("whole");
    const auto lossOf = [this] { return eventsOf(RunEvent::Kind::kStepDone).back().metrics.validationLoss; };
    const std::optional<double> expected = lossOf();
    ASSERT_TRUE(expected.has_value());
    fillAt([](const trace::Record& span) { return span.kind == trace::Kind::kEvaluate; }, 1);
    run("full");
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_EQ(numTightened(), 1);
    EXPECT_EQ(lossOf(), expected);
}

TEST_F(FullDevice, whatNeverFitsEndsTheRunInTheWordsOfTheDevice) {
    m_mayFail = true;
    fillAt([](const trace::Record& span) { return span.kind == trace::Kind::kFused && span.step == 2; }, 1 << 20);
    const std::vector<double> losses = run("never");
    EXPECT_EQ(losses.size(), 2U);
    EXPECT_EQ(state(), RunState::kFailed);
    const std::vector<RunEvent> errors = eventsOf(RunEvent::Kind::kError);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].text, "cpu:1 is full");
    EXPECT_GE(numTightened(), 3);
}

} // namespace
} // namespace roundpipe::engine
