// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts are moved by mouse and keys, as settings.
#include "shown_plan_page.h"
#include "ui/pages/plan/cuts.h"
#include "ui/pages/plan/partition_editor.h"

#include <QTest>

using namespace roundpipe;
using ui::pages::Cut;

class TestPlanCuts : public QObject {
    Q_OBJECT

private slots:
    void cutsAreMovedBetweenTheirNeighbours() {
        plan::Plan plan;
        plan.numLayers = 10;
        plan.forward = {{0, 4}, {4, 8}};
        plan.fused = {8, 10};
        plan.backward = {{4, 8}, {1, 4}};
        const std::vector<Cut> cuts = ui::pages::cutsOf(plan);
        QCOMPARE(cuts.size(), std::size_t(3));
        const plan::Plan forward = ui::pages::withCutAt(plan, {Cut::Row::kForward, 4}, 6);
        QCOMPARE(forward.forward[0].end, 6);
        QCOMPARE(forward.forward[1].begin, 6);
        QVERIFY(forward.backward == plan.backward);
        const plan::Plan fused = ui::pages::withCutAt(plan, {Cut::Row::kBoth, 8}, 5);
        QCOMPARE(fused.fused.begin, 5);
        QCOMPARE(fused.forward[1].end, 5);
        QCOMPARE(fused.backward[0].end, 5);
        QCOMPARE(ui::pages::withCutAt(plan, {Cut::Row::kBackward, 4}, 99).backward[1].end, 7);
        QCOMPARE(ui::pages::withCutAt(plan, {Cut::Row::kBackward, 4}, -9).backward[1].end, 2);
        session::RunSpec spec;
        ui::pages::giveStages(fused, spec);
        QCOMPARE(spec.engine.forwardStages, (std::vector<int64_t>{4, 1}));
        QCOMPARE(spec.engine.backwardStages, (std::vector<int64_t>{5, 1, 3}));
    }

    void aDraggedCutIsASettingThatCanBeUndone() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        const plan::Plan computed = editor->shown();
        const int32_t layer = computed.forward[1].begin;
        const auto pointAt = [&](int32_t at) { return QPoint(qRound(editor->xOf(at)), 20); };
        QTest::mousePress(editor, Qt::LeftButton, {}, pointAt(layer));
        QTest::mouseMove(editor, pointAt(layer + 1));
        QTest::mouseRelease(editor, Qt::LeftButton, {}, pointAt(layer + 1));
        QCOMPARE(bench.document.spec().engine.forwardStages[0], int64_t(layer + 1));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QCOMPARE(bench.plan.answer()->choice.plan.forward[1].begin, layer + 1);
        QVERIFY(testing::shows(*bench.page, "ms a step"));
        QVERIFY(testing::buttonOf(*bench.page, "Back to the computed cuts") != nullptr);
        bench.document.undoStack().undo();
        QVERIFY(bench.document.spec().engine.backwardStages.empty());
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QVERIFY(editor->shown().forward == computed.forward);
    }

    void keysMoveTheChosenCutAndGiveTheChoiceBack() {
        testing::ShownPlanPage bench;
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        auto* editor = bench.find<ui::pages::PartitionEditor>();
        bench.page->activateWindow();
        editor->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(editor->chosenCut().has_value());
        const Cut first = *editor->chosenCut();
        QTest::keyClick(editor, Qt::Key_Tab);
        const Cut second = *editor->chosenCut();
        QVERIFY(!(second == first));
        QTest::keyClick(editor, Qt::Key_Right);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 60'000);
        QCOMPARE(editor->chosenCut()->layer, second.layer + 1);
        QTest::keyClick(editor, Qt::Key_Home);
        QVERIFY(bench.document.spec().engine.backwardStages.empty());
    }
};

QTEST_MAIN(TestPlanCuts)
#include "tst_plan_cuts.moc"
