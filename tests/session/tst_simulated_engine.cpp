// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "plan/rig/rig_notation.h"
#include "session/planning/plan_answer.h"
#include "session/simulated/simulated_engine.h"
#include "testing/fixtures.h"
#include "testing/tiny_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <thread>

namespace roundpipe::session {
namespace {

using trace::Kind;
using trace::Record;

class SimulatedEngineTest : public ::testing::Test {
protected:
    SimulatedEngineTest() {
        writeFileAtomically(m_folder.path() / "config.json", testing::kTinyModel);
        m_spec.model.path = m_folder.path();
        m_spec.data.datasets.front().files = {"rows.jsonl"};
        m_spec.output.folder = m_folder.path() / "out";
        m_spec.engine.devices = {"cpu:3"};
        m_spec.batch.microbatches = 4;
        m_spec.duration.maxSteps = 4;
    }

    void runToEnd() {
        m_engine->start(m_spec, {"Hello?"});
        m_engine->wait();
        m_events = m_engine->takeEvents();
    }
    void startAndReach(int64_t step) {
        m_engine->start(m_spec, {"Hello?"});
        waitUntil([&] { return m_engine->snapshot().step >= step; });
    }
    // Gathers events meanwhile. Fails after ten seconds.
    void waitUntil(const std::function<bool()>& condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            gatherEvents();
        }
        gatherEvents();
    }
    void gatherEvents() {
        for (RunEvent& event : m_engine->takeEvents())
            m_events.push_back(std::move(event));
    }
    void stop() {
        m_engine->send({Command::Kind::kStopAndDiscard});
        m_engine->wait();
        gatherEvents();
    }
    RunState state() const { return m_engine->snapshot().state; }
    std::vector<const RunEvent*> eventsOf(RunEvent::Kind kind) const {
        std::vector<const RunEvent*> found;
        for (const RunEvent& event : m_events)
            if (event.kind == kind) found.push_back(&event);
        return found;
    }
    std::vector<Record> traceOfRun() {
        std::vector<Record> records;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        std::size_t before = 1;
        while (records.size() != before && std::chrono::steady_clock::now() < deadline) {
            before = records.size();
            std::this_thread::sleep_for(std::chrono::milliseconds(40)); // several periods of the collector
            m_engine->takeTrace(records);
        }
        return records;
    }

    testing::TemporaryFolder m_folder;
    RunSpec m_spec;
    std::unique_ptr<Engine> m_engine = makeSimulatedEngine({.speed = 20});
    std::vector<RunEvent> m_events;
};

TEST_F(SimulatedEngineTest, runsFromPreparingToFinishedAndReportsEveryStep) {
    runToEnd();
    const auto states = eventsOf(RunEvent::Kind::kStateChanged);
    ASSERT_GE(states.size(), 3U);
    EXPECT_EQ(states.front()->state, RunState::kPreparing);
    EXPECT_EQ(states.back()->state, RunState::kFinished);
    EXPECT_EQ(m_engine->snapshot().state, RunState::kFinished);
    const auto steps = eventsOf(RunEvent::Kind::kStepDone);
    ASSERT_EQ(steps.size(), 4U);
    for (std::size_t i = 0; i < steps.size(); ++i)
        EXPECT_EQ(steps[i]->metrics.step, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(steps[0]->metrics.learningRate, 0) << "the first warm-up step has learning rate 0";
    EXPECT_TRUE(steps.back()->metrics.validationLoss.has_value());
    const auto samples = eventsOf(RunEvent::Kind::kSampleReady);
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_FALSE(samples[0]->tuned);
    EXPECT_TRUE(samples[1]->tuned);
}

TEST_F(SimulatedEngineTest, goesOnFromWhatItWouldHaveSavedAndFromNothingElse) {
    EXPECT_THROW(m_engine->start(m_spec, {}, true), Error);
    m_spec.duration.maxSteps = 1000;
    startAndReach(2);
    m_engine->requestStop();
    m_engine->wait();
    const int64_t stopped = m_engine->snapshot().step;
    m_engine->takeEvents();
    m_events.clear();
    m_spec.duration.maxSteps = stopped + 2;
    m_engine->start(m_spec, {}, true);
    m_engine->wait();
    gatherEvents();
    EXPECT_EQ(eventsOf(RunEvent::Kind::kPlanReady).at(0)->plan->stepsDone, stopped);
    const auto steps = eventsOf(RunEvent::Kind::kStepDone);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0]->metrics.step, stopped + 1);
    EXPECT_EQ(m_engine->snapshot().state, RunState::kFinished);
}

// So that plan and run speak of the same steps.
TEST_F(SimulatedEngineTest, hasTheExamplesThatWereCounted) {
    const auto counted = std::make_shared<batch::ExampleLengths>();
    for (int i = 0; i < 100; ++i)
        counted->add(20, 10);
    const RunLengths lengths{counted, nullptr};
    m_engine = makeSimulatedEngine(
        {.speed = 1000, .lengths = [lengths](const RunSpec&, const std::stop_token&) { return lengths; }});
    m_spec.duration.maxSteps = 0;
    m_spec.duration.epochs = 1;
    runToEnd();
    const RunPlan& plan = *eventsOf(RunEvent::Kind::kPlanReady).at(0)->plan;
    EXPECT_EQ(plan.numExamples, 100);
    EXPECT_EQ(plan.numValidationExamples, 0);
    EXPECT_EQ(plan.tokensPerEpoch, 2000);
    EXPECT_EQ(plan.totalSteps, stepsOf(m_spec, lengths).total);
    EXPECT_EQ(m_engine->snapshot().step, plan.totalSteps);
}

TEST_F(SimulatedEngineTest, showsAnswersBeforeTheFirstStepAndAfterTheLast) {
    runToEnd();
    std::vector<Record> session;
    for (const Record& record : traceOfRun())
        if (record.lane == trace::hostLane(3, trace::LaneRole::kSession)) session.push_back(record);
    std::ranges::sort(session, {}, &Record::startNs);
    ASSERT_GE(session.size(), 6U);
    EXPECT_EQ(session.front().kind, Kind::kAnswer);
    EXPECT_EQ(session.back().kind, Kind::kAnswer);
    EXPECT_EQ(std::ranges::count(session, Kind::kAnswer, &Record::kind), 2);
    EXPECT_GT(session.back().endNs, session.back().startNs);
    EXPECT_NE(eventsOf(RunEvent::Kind::kSampleReady)[1]->text.find("after step 4"), std::string::npos);
}

TEST_F(SimulatedEngineTest, tellsWhatDevicesAreBusyWith) {
    m_engine = makeSimulatedEngine({.speed = 1});
    m_engine->start(m_spec, {});
    std::vector<Record> open;
    std::vector<Record> ended;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (open.empty() && std::chrono::steady_clock::now() < deadline) {
        open = m_engine->openSlices();
        m_engine->takeTrace(ended);
    }
    ASSERT_FALSE(open.empty());
    const auto isIt = [&](const Record& record) {
        return record.lane == open[0].lane && record.startNs == open[0].startNs;
    };
    EXPECT_TRUE(std::ranges::none_of(ended, isIt));
    while (std::ranges::none_of(ended, isIt) && std::chrono::steady_clock::now() < deadline)
        m_engine->takeTrace(ended);
    EXPECT_TRUE(std::ranges::any_of(ended, isIt));
    stop();
    EXPECT_TRUE(m_engine->openSlices().empty());
}

TEST_F(SimulatedEngineTest, saysThatItAnswersAndShowsItInTheTrace) {
    m_engine = makeSimulatedEngine({.speed = 1});
    m_spec.duration.maxSteps = 100'000;
    m_engine->start(m_spec, {"Hello?"});
    waitUntil([&] { return state() == RunState::kAnswering && !m_engine->snapshot().activities.empty(); });
    EXPECT_EQ(textOf(m_engine->snapshot().activities), "answering: Hello?") << "and no longer that it plans";
    const LaneId session = trace::hostLane(3, trace::LaneRole::kSession);
    const LaneId first = trace::laneOf(DeviceId(0), trace::LaneRole::kCompute);
    waitUntil([&] { return m_engine->openSlices().size() == 2 || state() != RunState::kAnswering; });
    const std::vector<Record> open = m_engine->openSlices();
    ASSERT_EQ(open.size(), 2U);
    for (const LaneId lane : {first, session})
        EXPECT_EQ(std::ranges::count_if(
                      open, [&](const Record& one) { return one.lane == lane && one.kind == Kind::kAnswer; }),
                  1);
    waitUntil([&] { return m_engine->snapshot().step >= 1; });
    EXPECT_TRUE(m_engine->snapshot().activities.empty());
    stop();
}

TEST_F(SimulatedEngineTest, saysThatItIsSimulatedAndWritesNothing) {
    runToEnd();
    ASSERT_EQ(eventsOf(RunEvent::Kind::kPlanReady).size(), 1U);
    EXPECT_TRUE(eventsOf(RunEvent::Kind::kPlanReady)[0]->plan->isSimulated);
    const auto warnings = eventsOf(RunEvent::Kind::kWarning);
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[0]->coded.front().code, RunTextCode::kBeyondPositions);  // 1024 tokens, 256 positions
    EXPECT_EQ(warnings[1]->coded.front().code, RunTextCode::kSimulatedAtSpeed); // its times are not the planner's
    for (const RunEvent* sample : eventsOf(RunEvent::Kind::kSampleReady))
        EXPECT_TRUE(sample->text.starts_with("(simulated)"));
    EXPECT_TRUE(eventsOf(RunEvent::Kind::kCheckpointSaved).empty());
    EXPECT_FALSE(std::filesystem::exists(m_spec.output.folder));
}

TEST_F(SimulatedEngineTest, runsThePlannersOwnChoiceInItsTime) {
    runToEnd();
    PlanQuestion question;
    question.spec = m_spec;
    const PlanAnswer predicted = answer(question, plan::parseRig("3xcpu"));
    const RunPlan& plan = *eventsOf(RunEvent::Kind::kPlanReady).at(0)->plan;
    EXPECT_EQ(plan.plan.forward, predicted.choice.plan.forward);
    EXPECT_EQ(plan.plan.fused, predicted.choice.plan.fused);
    EXPECT_EQ(plan.plan.backward, predicted.choice.plan.backward);
    EXPECT_EQ(plan.devices.size(), 3U);
    const auto steps = eventsOf(RunEvent::Kind::kStepDone);
    for (std::size_t i = 1; i < steps.size(); ++i)
        EXPECT_NEAR(20 * steps[i]->metrics.seconds, predicted.choice.step.stepSeconds,
                    0.1 * predicted.choice.step.stepSeconds);
    EXPECT_EQ(steps[0]->metrics.tokens, predicted.tokensPerStep);
}

TEST_F(SimulatedEngineTest, takesGivenStagesAndSaysWhereTheyDoNotFit) {
    m_spec.engine.forwardStages = {3};
    m_spec.engine.backwardStages = {5, 2};
    runToEnd();
    ASSERT_EQ(eventsOf(RunEvent::Kind::kPlanReady).size(), 1U);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kPlanReady)[0]->plan->plan.fused, (plan::LayerRange{3, 8}));

    std::string wide = testing::kTinyModel;
    wide.replace(wide.find("128,"), 4, "4000000,");
    writeFileAtomically(m_folder.path() / "config.json", wide);
    m_spec.engine.devices = {"cuda:0"};
    runToEnd();
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kError)[0]->errorKind, ErrorKind::kOutOfMemory);
    EXPECT_EQ(state(), RunState::kFailed);
}

// The replay obeys what a real schedule must obey.
TEST_F(SimulatedEngineTest, traceKeepsTheOrderOfThePipeline) {
    runToEnd();
    const auto plan = eventsOf(RunEvent::Kind::kPlanReady)[0]->plan;
    const std::vector<Record> records = traceOfRun();
    ASSERT_FALSE(records.empty());
    std::map<LaneId, std::vector<Record>> lanes;
    std::map<std::tuple<int32_t, int32_t, int32_t>, Record> computed; // by step, slot, microbatch
    for (const Record& record : records) {
        ASSERT_LT(record.lane.index(), plan->lanes.size());
        ASSERT_LE(record.queuedNs, record.startNs);
        lanes[record.lane].push_back(record);
        const bool compute =
            record.kind == Kind::kForward || record.kind == Kind::kFused || record.kind == Kind::kBackward;
        if (compute) computed[{record.step, record.slot, record.microbatch.value}] = record;
    }
    for (auto& [lane, slices] : lanes) {
        std::sort(slices.begin(), slices.end(), [](const Record& a, const Record& b) { return a.startNs < b.startNs; });
        for (std::size_t i = 1; i < slices.size(); ++i)
            ASSERT_GE(slices[i].startNs, slices[i - 1].endNs) << "lane " << lane.value << " does one thing at a time";
    }
    const auto numMicrobatches = static_cast<int32_t>(m_spec.batch.microbatches);
    ASSERT_EQ(computed.size(), 4U * static_cast<std::size_t>(plan->plan.numStages() * numMicrobatches));
    int64_t slotSinceStart = 0;
    for (int32_t step = 0; step < 4; ++step)
        for (int32_t slot = 0; slot < plan->plan.numStages(); ++slot, ++slotSinceStart)
            for (int32_t m = 0; m < numMicrobatches; ++m) {
                const Record& here = computed.at({step, slot, m});
                const DeviceId device = plan->plan.deviceOf(slotSinceStart);
                EXPECT_EQ(here.lane, trace::laneOf(device, trace::LaneRole::kCompute));
                const int64_t beforeNs = slot > 0 ? computed.at({step, slot - 1, m}).endNs : 0;
                EXPECT_GE(here.startNs, beforeNs) << "a stage starts when the one before it has ended";
            }
}

TEST_F(SimulatedEngineTest, stopEndsAfterTheRunningStep) {
    m_engine = makeSimulatedEngine({.speed = 5});
    m_spec.duration.maxSteps = 100'000;
    startAndReach(2);
    m_engine->requestStop();
    EXPECT_EQ(m_engine->snapshot().state, RunState::kStopping);
    m_engine->wait();
    EXPECT_EQ(m_engine->snapshot().state, RunState::kStopped);
    gatherEvents();
    EXPECT_EQ(eventsOf(RunEvent::Kind::kStateChanged).back()->state, RunState::kStopped);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kSampleReady).size(), 1U) << "by the base model; a stopped run ends at once";
}

TEST_F(SimulatedEngineTest, pauseHoldsStepsAndClockUntilResume) {
    m_spec.duration.maxSteps = 100'000;
    startAndReach(2);
    m_engine->send({Command::Kind::kPause});
    waitUntil([&] { return state() == RunState::kPaused; });
    const Snapshot before = m_engine->snapshot();
    std::this_thread::sleep_for(std::chrono::milliseconds(60)); // several steps' time
    const Snapshot after = m_engine->snapshot();
    EXPECT_EQ(after.step, before.step);
    EXPECT_EQ(after.elapsedSeconds, before.elapsedSeconds);
    EXPECT_EQ(after.remainingSeconds, before.remainingSeconds);
    m_engine->send({Command::Kind::kResume});
    waitUntil([&] { return m_engine->snapshot().step > before.step; });
    EXPECT_EQ(state(), RunState::kTraining);
    EXPECT_GT(m_engine->snapshot().elapsedSeconds, before.elapsedSeconds);
    stop();
}

TEST_F(SimulatedEngineTest, answersEveryCommandInTrainingAndInAPause) {
    m_spec.duration.maxSteps = 100'000;
    startAndReach(1);
    for (const bool paused : {false, true}) {
        if (paused) m_engine->send({Command::Kind::kPause});
        waitUntil([&] { return state() == (paused ? RunState::kPaused : RunState::kTraining); });
        m_events.clear();
        m_engine->send({Command::Kind::kSave});
        m_engine->send({Command::Kind::kValidate});
        m_engine->send({Command::Kind::kSample, {"One?", "Two?"}});
        waitUntil([&] { return eventsOf(RunEvent::Kind::kSampleReady).size() == 2; });
        ASSERT_EQ(eventsOf(RunEvent::Kind::kCheckpointSaved).size(), 1U) << "as a window expects of any engine";
        EXPECT_TRUE(eventsOf(RunEvent::Kind::kCheckpointSaved)[0]->text.starts_with("(simulated)"));
        EXPECT_TRUE(eventsOf(RunEvent::Kind::kWarning).empty());
        ASSERT_EQ(eventsOf(RunEvent::Kind::kValidated).size(), 1U);
        EXPECT_GT(eventsOf(RunEvent::Kind::kValidated)[0]->validationLoss, 0);
        EXPECT_GE(eventsOf(RunEvent::Kind::kValidated)[0]->step, 1);
        EXPECT_TRUE(eventsOf(RunEvent::Kind::kSampleReady)[0]->tuned);
        EXPECT_EQ(eventsOf(RunEvent::Kind::kSampleReady)[1]->prompt, "Two?");
        if (paused) waitUntil([&] { return state() == RunState::kPaused; });
    }
    stop();
    EXPECT_EQ(state(), RunState::kStopped);
}

TEST_F(SimulatedEngineTest, withoutValidationRowsNothingIsValidated) {
    m_spec.data.validationFraction = 0;
    m_spec.duration.maxSteps = 100'000;
    startAndReach(1);
    m_events.clear();
    m_engine->send({Command::Kind::kValidate});
    waitUntil([&] { return !eventsOf(RunEvent::Kind::kWarning).empty(); });
    EXPECT_NE(eventsOf(RunEvent::Kind::kWarning)[0]->text.find("no validation rows"), std::string::npos);
    EXPECT_TRUE(eventsOf(RunEvent::Kind::kValidated).empty());
    stop();
    m_events.clear();
    m_spec.duration.maxSteps = 2;
    runToEnd();
    EXPECT_EQ(eventsOf(RunEvent::Kind::kPlanReady).at(0)->plan->numValidationExamples, 0);
    EXPECT_FALSE(eventsOf(RunEvent::Kind::kStepDone).back()->metrics.validationLoss.has_value());
}

TEST_F(SimulatedEngineTest, carriesOutWhatIsSentAfterTheLastStep) {
    m_engine->start(m_spec, {"Hello?"});
    waitUntil([&] { return m_engine->snapshot().step == 4 && state() == RunState::kAnswering; });
    for (const Command::Kind kind : {Command::Kind::kSave, Command::Kind::kValidate, Command::Kind::kPause})
        m_engine->send({kind});
    waitUntil([&] { return state() == RunState::kPaused; });
    EXPECT_EQ(eventsOf(RunEvent::Kind::kCheckpointSaved).size(), 1U);
    EXPECT_EQ(eventsOf(RunEvent::Kind::kValidated).size(), 1U);
    m_engine->send({Command::Kind::kResume});
    m_engine->wait();
    EXPECT_EQ(state(), RunState::kFinished);
    EXPECT_TRUE(m_engine->snapshot().pending.empty());
}

TEST_F(SimulatedEngineTest, stopsFromAPause) {
    for (const Command::Kind kind : {Command::Kind::kStop, Command::Kind::kStopAndDiscard}) {
        m_spec.duration.maxSteps = 100'000;
        startAndReach(1);
        m_engine->send({Command::Kind::kPause});
        waitUntil([&] { return state() == RunState::kPaused; });
        const int64_t step = m_engine->snapshot().step;
        m_engine->send({kind});
        m_engine->wait();
        EXPECT_EQ(state(), RunState::kStopped);
        EXPECT_EQ(m_engine->snapshot().step, step);
        m_engine->takeEvents();
    }
}

TEST_F(SimulatedEngineTest, commandsOfPreparingWaitForTheFirstStep) {
    m_spec.duration.maxSteps = 100'000;
    m_engine->start(m_spec, {});
    m_engine->send({Command::Kind::kPause});
    waitUntil([&] { return state() == RunState::kPaused; });
    EXPECT_EQ(m_engine->snapshot().step, 0);
    stop();
}

TEST_F(SimulatedEngineTest, snapshotShowsMemoryLinksAndGpus) {
    m_engine = makeSimulatedEngine();
    m_spec.engine.devices = {"cuda:0", "cuda:1", "cuda:2"};
    m_spec.duration.maxSteps = 100'000;
    EXPECT_TRUE(m_engine->snapshot().machine.devices.empty());
    startAndReach(3);
    waitUntil([&] { return m_engine->snapshot().machine.devices.at(0).link.upBytesPerSecond > 0; });
    const Snapshot running = m_engine->snapshot();
    ASSERT_EQ(running.machine.devices.size(), 3U);
    for (const DeviceStatus& device : running.machine.devices) {
        EXPECT_GT(device.usedBytes, 0);
        EXPECT_LE(device.usedBytes, device.peakBytes);
        EXPECT_LT(device.peakBytes, device.totalBytes);
        ASSERT_TRUE(device.gpu.has_value());
        EXPECT_GT(device.gpu->temperatureCelsius, 0);
        EXPECT_GT(device.gpu->powerWatts, 0);
    }
    const HostStatus& host = running.machine.host;
    EXPECT_GT(host.pinnedBytes, 0);
    EXPECT_LE(host.pinnedBytes, host.processBytes);
    EXPECT_LE(host.processBytes + host.availableBytes, host.totalBytes);
    m_engine->send({Command::Kind::kPause});
    waitUntil([&] { return state() == RunState::kPaused; });
    EXPECT_LT(m_engine->snapshot().machine.devices[0].gpu->powerWatts, running.machine.devices[0].gpu->powerWatts);
    waitUntil([&] { return m_engine->snapshot().machine.devices[0].link.upBytesPerSecond == 0; });
    stop();
}

TEST_F(SimulatedEngineTest, runsAgainAfterItsEndButNotBefore) {
    m_spec.duration.maxSteps = 100'000;
    m_engine->start(m_spec, {});
    EXPECT_THROW(m_engine->start(m_spec, {}), Error);
    m_engine->requestStop();
    m_engine->wait();
    m_spec.duration.maxSteps = 2;
    runToEnd();
    EXPECT_EQ(m_engine->snapshot().state, RunState::kFinished);
    m_engine->requestStop(); // nothing runs: no state changes
    EXPECT_EQ(m_engine->snapshot().state, RunState::kFinished);
}

TEST_F(SimulatedEngineTest, missingModelIsAnErrorEventWithTheFolderInIt) {
    m_spec.model.path = (m_folder.path() / "gone").string();
    runToEnd();
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    EXPECT_NE(eventsOf(RunEvent::Kind::kError)[0]->text.find("gone"), std::string::npos);
    EXPECT_EQ(m_engine->snapshot().state, RunState::kFailed);
}

TEST_F(SimulatedEngineTest, devicesThatAreNoneAreAnErrorEvent) {
    m_spec.engine.devices = {"gpu"};
    runToEnd();
    ASSERT_EQ(eventsOf(RunEvent::Kind::kError).size(), 1U);
    EXPECT_NE(eventsOf(RunEvent::Kind::kError)[0]->text.find("'gpu'"), std::string::npos);
}

TEST_F(SimulatedEngineTest, stopEndsPlanning) {
    m_engine->start(m_spec, {"Hello?"});
    m_engine->requestStop();
    m_engine->wait();
    EXPECT_EQ(state(), RunState::kStopped);
    EXPECT_EQ(m_engine->snapshot().step, 0);
}

TEST_F(SimulatedEngineTest, destroyingItWaitsForNoStep) {
    m_engine = makeSimulatedEngine({.speed = 1e-3});
    m_engine->start(m_spec, {});
    waitUntil([&] { return state() == RunState::kTraining; });
    const auto begin = std::chrono::steady_clock::now();
    m_engine.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(SimulatedEngineTest, automaticDevicesAreThisMachinesWorkersUnlessOthersAreGiven) {
    EngineSection engine; // auto
    for (const plan::DeviceSpec& device : simulatedRigOf(engine, {}).devices)
        EXPECT_FALSE(device.isGpu);
    EXPECT_EQ(simulatedRigOf(engine, {.automatic = "4x4090,ram=256"}).numDevices(), 4);
    engine.devices = {"auto@10GiB", "cuda:0@3090"};
    const plan::Rig limited = simulatedRigOf(engine, {.gpu = "4090", .automatic = "2x4090"});
    ASSERT_EQ(limited.numDevices(), 3);
    EXPECT_EQ(limited.devices[1].memoryBytes, int64_t{10} << 30);
    EXPECT_EQ(limited.devices[2].name, "RTX 3090");
}

TEST_F(SimulatedEngineTest, wrongSpecIsRefusedAtOnce) {
    m_spec.lora.rank = 0;
    EXPECT_THROW(m_engine->start(m_spec, {}), Error);
    EXPECT_EQ(m_engine->snapshot().state, RunState::kIdle);
}

} // namespace
} // namespace roundpipe::session
