// SPDX-License-Identifier: GPL-3.0-or-later
#include "demo_project.h"
#include "session/simulated/simulated_engine.h"
#include "ui/bridge/run_controller.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;
using session::RunState;
using ui::bridge::RunController;

class TestRunController : public QObject {
    Q_OBJECT

private slots:
    void runsToItsEndAndReportsEveryStepOnce() {
        const testing::DemoProject project(5);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 10}));
        QSignalSpy plans(&controller, &RunController::planReady);
        QSignalSpy samples(&controller, &RunController::sampleReady);
        std::vector<session::StepMetrics> steps;
        std::vector<RunState> states;
        connect(&controller, &RunController::stepDone, this,
                [&](const session::StepMetrics& metrics) { steps.push_back(metrics); });
        connect(&controller, &RunController::stateChanged, this, [&](RunState state) { states.push_back(state); });
        controller.start({project.spec(), {"Who are you?"}});
        QVERIFY(controller.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QCOMPARE(plans.size(), 1);
        QCOMPARE(samples.size(), 2);
        QCOMPARE(samples[0][0].value<session::RunEvent>().tuned, false);
        QCOMPARE(samples[1][0].value<session::RunEvent>().tuned, true);
        QVERIFY(!samples[1][0].value<session::RunEvent>().coded.empty()); // made up: said in any language
        QCOMPARE(steps.size(), std::size_t(5));
        for (std::size_t i = 0; i < steps.size(); ++i)
            QCOMPARE(steps[i].step, static_cast<int64_t>(i) + 1);
        QCOMPARE(states.front(), RunState::kPreparing);
        QCOMPARE(states.back(), RunState::kFinished);
    }

    void whoHearsOfTheEndFindsTheWholeTrace() {
        const testing::DemoProject project(5);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 10}));
        std::size_t numAtTheEnd = 0;
        connect(&controller, &RunController::stateChanged, this, [&](RunState state) {
            if (session::isOver(state)) numAtTheEnd = controller.store().numSlices();
        });
        controller.start({project.spec(), {"Who are you?"}});
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QVERIFY(numAtTheEnd > 0);
        QTest::qWait(200);
        QCOMPARE(numAtTheEnd, controller.store().numSlices());
    }

    void fillsTheStoreWithoutASignalPerEvent() {
        const testing::DemoProject project(12);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 10}));
        QSignalSpy traces(&controller, &RunController::traceChanged);
        QSignalSpy ticks(&controller, &RunController::ticked);
        controller.start({project.spec(), {}});
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QVERIFY(controller.store().numSlices() > 500);
        QCOMPARE(controller.store().numRejected(), std::size_t(0));
        QVERIFY(traces.size() <= ticks.size() + 3);
        QVERIFY(static_cast<std::size_t>(traces.size()) < controller.store().numSlices() / 5);
    }

    void stopEndsTheRunCleanly() {
        const testing::DemoProject project(100'000);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 4}));
        controller.start({project.spec(), {}});
        QTRY_VERIFY_WITH_TIMEOUT(controller.snapshot().step >= 2, 10'000);
        QElapsedTimer timer;
        timer.start();
        controller.stop();
        QVERIFY2(timer.elapsed() < 100, "stop() must not wait for the engine");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QCOMPARE(controller.snapshot().state, RunState::kStopped);
    }

    void forwardsCommandsAndTheirAnswers() {
        const testing::DemoProject project(100'000);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 10}));
        QSignalSpy validations(&controller, &RunController::validated);
        QSignalSpy samples(&controller, &RunController::sampleReady);
        QSignalSpy saved(&controller, &RunController::saved);
        QSignalSpy warnings(&controller, &RunController::warned);
        controller.pause(); // nothing runs: no-op
        controller.start({project.spec(), {}});
        QTRY_VERIFY_WITH_TIMEOUT(controller.snapshot().step >= 1, 10'000);
        controller.pause();
        QTRY_COMPARE_WITH_TIMEOUT(controller.snapshot().state, RunState::kPaused, 10'000);
        const int64_t step = controller.snapshot().step;
        const auto before = warnings.size();
        controller.saveNow();
        controller.validateNow();
        controller.sampleNow({"Who are you?"});
        QTRY_COMPARE_WITH_TIMEOUT(samples.size(), 1, 10'000);
        QCOMPARE(validations.size(), 1);
        QCOMPARE(validations[0][0].toLongLong(), step);
        QCOMPARE(saved.size(), 1);
        QVERIFY(saved[0][0].value<session::RunEvent>().text.starts_with("(simulated)")); // nothing is written
        QCOMPARE(warnings.size(), before);
        QCOMPARE(controller.snapshot().step, step);
        controller.resume();
        QTRY_VERIFY_WITH_TIMEOUT(controller.snapshot().step > step, 10'000);
        controller.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QCOMPARE(controller.snapshot().state, RunState::kStopped);
    }

    void errorsOfTheRunArriveWithTheirAdvice() {
        const testing::DemoProject project(5);
        session::RunSpec spec = project.spec();
        spec.model.path = (project.folder() / "no-such-model").string();
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine());
        QSignalSpy failures(&controller, &RunController::failed);
        controller.start({spec, {}});
        QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, 5'000);
        QVERIFY(failures[0][0].toString().contains(QLatin1String("no-such-model")));
        QTRY_VERIFY(!controller.isRunning());
        QCOMPARE(controller.snapshot().state, RunState::kFailed);
    }

    void aWrongSpecIsRefusedBeforeTheRun() {
        const testing::DemoProject project(5);
        session::RunSpec spec = project.spec();
        spec.lora.rank = 0;
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine());
        QSignalSpy failures(&controller, &RunController::failed);
        controller.start({spec, {}});
        QCOMPARE(failures.size(), 1);
        QVERIFY(!controller.isRunning());
    }

    // What is shown of it, and opened when it is over, lies in the new place.
    void knowsWhereTheRunHasGoneWhenItsFolderIsMoved() {
        struct Engine final : session::Engine {
            using session::Engine::start;
            void start(session::RunJob) override {}
            void send(session::Command) override {}
            void wait() override {}
            session::Snapshot snapshot() const override { return {}; }
            std::vector<session::RunEvent> takeEvents() override {
                session::RunEvent moved, end;
                moved.kind = session::RunEvent::Kind::kWarning;
                moved.coded = {session::RunText(session::RunTextCode::kFolderMoved, "/runs/a", "/elsewhere/a")};
                end.state = RunState::kFinished;
                return {moved, end};
            }
            void takeTrace(std::vector<trace::Record>&) override {}
            std::vector<trace::Record> openSlices() const override { return {}; }
            uint64_t numTraceRecordsDropped() const override { return 0; }
        };
        RunController controller;
        controller.setEngine(std::make_unique<Engine>());
        session::RunSpec spec;
        spec.output.folder = "/runs/a";
        controller.start({spec, {}});
        QTRY_VERIFY(!controller.isRunning());
        QCOMPARE(controller.job().spec.output.folder, std::string("/elsewhere/a"));
    }

    void aSecondRunStartsWithAnEmptyStore() {
        const testing::DemoProject project(3);
        RunController controller;
        controller.setEngine(session::makeSimulatedEngine({.speed = 20}));
        controller.start({project.spec(), {}});
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        const int64_t firstEnd = controller.store().endNs();
        controller.start({project.spec(), {}});
        QVERIFY(controller.store().empty());
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isRunning(), 10'000);
        QVERIFY(controller.store().beginNs() > firstEnd);
    }

    void deletingItStopsARunningEngine() {
        const testing::DemoProject project(100'000);
        QElapsedTimer timer;
        {
            RunController controller;
            controller.setEngine(session::makeSimulatedEngine({.speed = 10}));
            controller.start({project.spec(), {}});
            timer.start();
        }
        QVERIFY(timer.elapsed() < 5'000);
    }
};

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"
