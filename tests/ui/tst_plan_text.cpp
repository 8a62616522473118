// SPDX-License-Identifier: GPL-3.0-or-later
// A plan in words.
#include "plan/rig/rig_file.h"
#include "session/planning/plan_answer.h"
#include "ui/models/command_line.h"
#include "ui/models/plan_text.h"
#include "ui/models/run_text.h"
#include "ui/translations/device_text.h"

#include <QTest>
#include <QTextBoundaryFinder>

using namespace roundpipe;

class TestPlanText : public QObject {
    Q_OBJECT

private slots:
    // And which setting asks for it.
    void whatWouldBeFasterIsSaid() {
        plan::EvaluatedPlan choice;
        choice.step.stepSeconds = 1;
        const auto rival = [](plan::ComparedSchedule schedule, double seconds) {
            plan::Rival made;
            made.schedule = schedule;
            made.step.stepSeconds = seconds;
            return made;
        };
        using enum plan::ComparedSchedule;
        const auto text = [&](const std::vector<plan::Rival>& rivals) {
            return ui::models::fasterText(choice, rivals);
        };
        QVERIFY(text({rival(kGpipe, 1.4), rival(kReplicas, 0.99)}).isEmpty()); // as good as equal
        QVERIFY(text({rival(kRoundPipe, 0.9), rival(kReplicas, 0.8)}).contains(QLatin1String("Replicas")));
        QVERIFY(text({rival(kRoundPipeOtherRounds, 0.7), rival(kReplicas, 0.8)}).contains(QLatin1String("Rounds")));
        QVERIFY(text({rival(kRoundPipe, 0.7)}).contains(QLatin1String("Stages in turn"))); // than replicas
        QVERIFY(text({rival(kRoundPipeStale, 0.7)}).contains(QLatin1String("Updates")));
        plan::Rival full = rival(kReplicas, 0.5);
        full.problem.obstacle = plan::Misfit::Obstacle::kFewLayers; // it cannot run here
        QVERIFY(text({full}).isEmpty());
    }

    // Wherever the line ends that an option stands in.
    void optionsStayWhole() {
        const QString sentence = QStringLiteral("Export it (--to merged), or use --chat-template FILE.");
        const QString whole = ui::models::withWholeOptions(sentence);
        QVERIFY(whole.contains(QStringLiteral("to\u00a0merged), or use ")));
        QTextBoundaryFinder ends(QTextBoundaryFinder::Line, whole);
        for (qsizetype at = ends.toNextBoundary(); at > 0 && at < whole.size(); at = ends.toNextBoundary())
            QVERIFY2(whole.at(at - 1) == QLatin1Char(' '), qPrintable(whole.left(at)));
        QString copied = ui::models::withWholeOptions(sentence, true);
        QCOMPARE(copied.replace(QChar(QChar::Nbsp), QLatin1Char(' ')), sentence);
    }

    void aPlanInALineLeavesOutWhatItHasNoneOf() {
        plan::PlanOutline outline;
        outline.numForward = 2;
        outline.fusedLayers = 3;
        outline.numBackward = 1;
        outline.numDevices = 4;
        QCOMPARE(ui::models::outlineText(outline),
                 QStringLiteral("2 forward stage(s), a fused stage of 3 layer(s), 1 backward stage(s) on 4 device(s)"));
        outline.numForward = 0;
        outline.numBackward = 0;
        outline.replicas = 4;
        QCOMPARE(ui::models::outlineText(outline), QStringLiteral("4 replica(s), each of a fused stage of 3 layer(s)"));
    }

    // Of all rounds together, wherever it is said.
    void aStepOfSeveralRoundsNamesThem() {
        session::PlanAnswer answer;
        answer.choseMicrobatches = true;
        answer.training.sequences = 1;
        answer.training.maxLength = 1845;
        answer.choice.shape = {.roundSize = 1, .rounds = 4};
        QCOMPARE(ui::models::microbatchesText(answer), QStringLiteral("4 chosen microbatch(es) in 4 round(s)"));
        QCOMPARE(ui::models::sizedMicrobatchesText(answer),
                 QString::fromUtf8("4 chosen microbatch(es) of 1 × 1845 tokens in 4 round(s)"));
        answer.choice.shape = {.roundSize = 4, .rounds = 1};
        answer.choseMicrobatches = false;
        QCOMPARE(ui::models::microbatchesText(answer), QStringLiteral("4 microbatch(es)"));
        answer.training.tokenLimit = 8192;
        QCOMPARE(ui::models::sizedMicrobatchesText(answer), QStringLiteral("4 microbatch(es) of at most 8192 tokens"));
    }

    void eachScheduleBeginsWithACapital() {
        using enum plan::ComparedSchedule;
        for (const auto schedule : {kGpipe, kInterleaved1f1b, kLoopedBfs, kReplicas, kRoundPipe, kRoundPipeStale})
            QVERIFY(ui::models::scheduleName(schedule).front().isUpper());
    }

    void rigsAreNamedInTheUsersWords() {
        plan::Rig rig;
        rig.name = "2 x RTX 4090 + 3 x CPU worker (this machine)";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("2 × RTX 4090 + 3 CPU worker(s) (this machine)"));
        rig.name = "RTX 3090, PCIe 4.0 x16 + 2 x RTX 4090, PCIe 4.0 x8";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("RTX 3090, PCIe 4.0 x16 + 2 × RTX 4090, PCIe 4.0 x8"));
        QCOMPARE(ui::models::runText(session::RunText(session::RunTextCode::kSimulated, "2 x CPU worker")).left(42),
                 QStringLiteral("This run is simulated for 2 CPU worker(s):"));
        const session::RunText faster(session::RunTextCode::kSimulatedAtSpeed, "2 x CPU worker", "8");
        QCOMPARE(ui::models::runText(faster).section(QLatin1Char(':'), 0, 0),
                 QStringLiteral("This run is simulated for 2 CPU worker(s) and shown 8 times as fast as the planner "
                                "predicts"));
        rig.name = "mine, all of it";
        QCOMPARE(ui::models::rigText(rig), QStringLiteral("mine, all of it"));
    }

    void aDeviceHasOneNameWhereverItStands() {
        using ui::translations::deviceText;
        for (const char* worker : {"cpu:1", "CPU worker", "1 CPU worker"}) // a run's, a rig's, a predicted step's
            QCOMPARE(deviceText(std::string(worker), 1), QStringLiteral("Worker 1"));
        for (const char* gpu : {"cuda:1 NVIDIA GeForce RTX 4090", "RTX 4090", "1 RTX 4090"})
            QCOMPARE(deviceText(std::string(gpu), 1), QStringLiteral("GPU 1"));
        plan::Rig rig = plan::loadRig("2x4090");
        QCOMPARE(ui::models::deviceText(rig, 1), QStringLiteral("GPU 1"));
    }
};

QTEST_MAIN(TestPlanText)
#include "tst_plan_text.moc"
