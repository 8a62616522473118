// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig_file.h"
#include "testing/fixtures.h"
#include "ui/bridge/planner_controller.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <utility>

using namespace roundpipe;
using ui::bridge::PlannerController;

class TestPlannerController : public QObject {
    Q_OBJECT

private:
    // With stages that are far from even.
    static session::PlanQuestion badCuts() {
        session::PlanQuestion question;
        question.spec.model.path = (testing::sourceFolder() / "resources/demo/model").string(); // of 12 layers
        question.spec.data.maxLength = 256;
        question.spec.batch.microbatches = 6;
        question.spec.engine.forwardStages = {11};
        question.spec.engine.backwardStages = {1, 11};
        question.usesMeasured = false;
        return question;
    }
    static session::PlanQuestion ofLength(int64_t maxLength) {
        session::PlanQuestion question = badCuts();
        question.spec.data.maxLength = maxLength;
        question.seeksBetter = false;
        return question;
    }

private slots:
    void answersAQuestionAndRests() {
        PlannerController controller(session::makePlanner());
        QVERIFY(!controller.isWorking());
        QVERIFY(!controller.isOld());
        QVERIFY(!controller.update().answer);
        controller.ask(badCuts(), "4x4090");
        QVERIFY(controller.isWorking());
        QVERIFY(controller.isOld());
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        QVERIFY(!controller.isOld());
        QVERIFY(controller.update().isLast);
        QVERIFY(controller.update().answer->better.has_value());
        QCOMPARE(controller.update().answer->choice.plan.forward.size(), std::size_t(1));

        QSignalSpy changes(&controller, &PlannerController::changed);
        QTest::qWait(100);
        QCOMPARE(changes.size(), 0); // at rest
    }

    void showsEachUpdateAsItComes() {
        struct Scripted : session::Planner {
            std::vector<session::PlanUpdate> updates;
            uint64_t ask(session::PlanQuestion, const std::string&) override { return 1; }
            void cancel() override {}
            std::vector<session::PlanUpdate> takeUpdates() override { return std::exchange(updates, {}); }
        };
        auto owned = std::make_unique<Scripted>();
        Scripted& planner = *owned;
        PlannerController controller(std::move(owned));
        QSignalSpy changes(&controller, &PlannerController::changed);
        controller.ask(badCuts(), "this");
        session::PlanAnswer answer;
        planner.updates = {{1, false, std::make_shared<const session::PlanAnswer>(answer), {}, {}, {}}};
        QTRY_VERIFY(!controller.isOld());
        QVERIFY(controller.isWorking());
        QVERIFY(!controller.update().answer->better);
        answer.better.emplace();
        planner.updates = {{1, false, controller.update().answer, {}, {}, {}},
                           {1, true, std::make_shared<const session::PlanAnswer>(answer), {}, {}, {}}};
        QTRY_VERIFY(!controller.isWorking());
        QVERIFY(controller.update().answer->better.has_value());
        QCOMPARE(changes.size(), 3); // asked, and one for each tick that brought something
    }

    void keepsWhatIsOldUntilTheNewAnswerComes() {
        PlannerController controller(session::makePlanner());
        controller.ask(ofLength(256), "4x4090");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        const auto old = controller.update().answer;
        controller.ask(ofLength(128), "4x4090");
        QVERIFY(controller.isOld());
        QCOMPARE(controller.update().answer, old);
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isOld(), 20'000);
        QCOMPARE(old->training.maxLength, int64_t(256));
        QCOMPARE(controller.update().answer->training.maxLength, int64_t(128));
    }

    // A slider that is dragged: what is shown at the end is the answer to the last question, whatever came between.
    void answersTheLastOfManyQuestions() {
        PlannerController controller(session::makePlanner());
        std::vector<int64_t> shown;
        connect(&controller, &PlannerController::changed, this, [&] {
            if (controller.isOld() || !controller.update().answer) return;
            shown.push_back(controller.update().answer->training.maxLength);
        });
        for (int64_t length = 64; length <= 128; length += 8) {
            controller.ask(ofLength(length), "2x3090");
            QTest::qWait(3);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        QCOMPARE(shown.back(), int64_t(128));
        QVERIFY(std::ranges::is_sorted(shown)); // never an answer to a question before the one that was shown
    }

    void deliversProblems() {
        PlannerController controller(session::makePlanner());
        controller.ask(ofLength(256), "4x9999");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        QVERIFY(!controller.update().answer);
        QVERIFY(QString::fromStdString(controller.update().problem).contains(QLatin1String("9999")));
        session::PlanQuestion wide = badCuts();
        wide.spec.batch.microbatchSize = 65536;
        controller.ask(wide, "4090");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 60'000);
        QVERIFY(controller.update().answer->hasPlan); // as given, which does not fit
        QVERIFY(!controller.update().answer->problem.empty());
        QVERIFY(!controller.update().answer->fixes.empty());
    }

    void knowsNothingOfWhatItWasToldToForget() {
        PlannerController controller(session::makePlanner());
        controller.ask(ofLength(256), "4x4090");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        controller.ask(ofLength(128), "4x4090");
        controller.forget();
        QVERIFY(!controller.isWorking());
        QVERIFY(!controller.isOld());
        QTest::qWait(100); // nothing comes after it
        QVERIFY(controller.update().answer == nullptr);
    }

    void asksTheProbeForThisMachine() {
        PlannerController controller(session::makePlanner(
            [](const std::vector<std::string>&, const std::stop_token&) { return plan::loadRig("2x4090"); }));
        controller.ask(ofLength(256), "this");
        QTRY_VERIFY_WITH_TIMEOUT(!controller.isWorking(), 20'000);
        QCOMPARE(controller.update().answer->rig.numDevices(), 2);
    }
};

QTEST_GUILESS_MAIN(TestPlannerController)
#include "tst_planner_controller.moc"
