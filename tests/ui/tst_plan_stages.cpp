// SPDX-License-Identifier: GPL-3.0-or-later
// A stage is lit wherever it is on show, by mouse and keys, in colours that are named.
#include "shown_plan_page.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/predicted_step.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace roundpipe;

class TestPlanStages : public QObject {
    Q_OBJECT

private slots:
    // Hovering a stage lights its slices in the predicted step, and the reverse.
    void aHoveredStageIsLitInBothPictures() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        auto* step = bench.find<ui::pages::PredictedStep>();
        QTest::qWait(300); // what was laid out anew has its place
        QTest::mouseMove(editor, QPoint(1, 1));
        QTest::mouseMove(step, QPoint(1, 1));
        const QImage plain = step->grab().toImage();
        const QImage plainCuts = editor->grab().toImage();
        QSignalSpy hovered(editor, &ui::pages::PartitionEditor::stageHovered);
        const std::vector<plan::Stage> stages = editor->shown().stages();
        QTest::mouseMove(editor, editor->rectOf(stages[1]).center().toPoint());
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered[0][0].value<StageId>(), stages[1].id);
        QVERIFY(step->grab().toImage() != plain);
        QTest::mouseMove(editor, QPoint(1, 1)); // beside the stages
        QCOMPARE(step->grab().toImage(), plain);
        QCOMPARE(editor->grab().toImage(), plainCuts);
        // The reverse, wherever device 0 computes.
        QSignalSpy there(step, &ui::pages::PredictedStep::stageHovered);
        for (int x = 40; x < step->width() && there.isEmpty(); x += 3)
            QTest::mouseMove(step, QPoint(x, 28));
        QVERIFY(!there.isEmpty());
        QVERIFY(editor->grab().toImage() != plainCuts);
    }

    // What is trained travels beside the weights, in a colour of its own.
    void everyColourOfTheStepIsInItsLegend() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.plan.answer() != nullptr && bench.plan.answer()->timeline != nullptr, 60'000);
        const session::PredictedTimeline& timeline = *bench.plan.answer()->timeline;
        const std::vector<trace::Kind> named = ui::pages::PredictedStep::kindsShown();
        bool seesTrained = false;
        for (const trace::Record& record : timeline.records) {
            if (!record.lane.valid() || !isWork(record.kind)) continue;
            const trace::LaneRole role = timeline.lanes[record.lane.index()].role;
            const bool isPainted = role == trace::LaneRole::kCompute || role == trace::LaneRole::kWeightsUp ||
                                   role == trace::LaneRole::kOptimizer;
            if (isPainted) QVERIFY2(std::ranges::count(named, record.kind) == 1, trace::toString(record.kind));
            seesTrained = seesTrained || record.kind == trace::Kind::kUploadAdapter;
        }
        QVERIFY(seesTrained);
    }

    // As the mouse does: the other picture follows, the stage is said, Escape ends it, Tab goes on to the cuts.
    void stagesAreLitByKeys() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        auto* step = bench.find<ui::pages::PredictedStep>();
        bench.page->activateWindow();
        editor->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(editor->hasFocus());
        const plan::Plan computed = editor->shown();
        const QImage plain = step->grab().toImage();
        const QString all = editor->accessibleDescription();
        QTest::keyClick(editor, Qt::Key_Down);
        const StageId below = editor->chosenStage();
        QVERIFY(below.valid() && below.index() >= computed.forward.size());
        QVERIFY(step->grab().toImage() != plain);
        QVERIFY(editor->accessibleDescription().startsWith(QStringLiteral("S%1,").arg(below.value)));
        QVERIFY(editor->accessibleDescription().size() < all.size());
        QTest::keyClick(editor, Qt::Key_Right); // deeper layers come first on the way back
        QCOMPARE(editor->chosenStage().value, below.value - 1);
        QTest::keyClick(editor, Qt::Key_Up);
        QVERIFY(editor->chosenStage().index() < computed.forward.size());
        QVERIFY(editor->shown().forward == computed.forward && editor->shown().backward == computed.backward);
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(!editor->chosenStage().valid());
        QCOMPARE(step->grab().toImage(), plain);
        QCOMPARE(editor->accessibleDescription(), all);

        const QImage plainCuts = editor->grab().toImage();
        step->setFocus(Qt::TabFocusReason);
        const QString wholeStep = step->accessibleDescription();
        QTest::keyClick(step, Qt::Key_Right);
        QTest::keyClick(step, Qt::Key_Right);
        QVERIFY(step->accessibleDescription().startsWith(QLatin1String("S1 computes")));
        QVERIFY(editor->grab().toImage() != plainCuts);
        QTest::keyClick(step, Qt::Key_Escape);
        QCOMPARE(step->accessibleDescription(), wholeStep);
    }
};

QTEST_MAIN(TestPlanStages)
#include "tst_plan_stages.moc"
