// SPDX-License-Identifier: GPL-3.0-or-later
// Where nothing fits: why, with its parts, and what would help.
#include "shown_plan_page.h"
#include "ui/models/plan_text.h"
#include "ui/pages/plan/fixes_card.h"
#include "ui/pages/plan/memory_bars.h"
#include "ui/pages/plan/memory_parts.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/rig_table.h"
#include "ui/pages/plan/schedule_bars.h"
#include "ui/translations/number_text.h"

#include <QTest>

using namespace roundpipe;

class TestPlanFixes : public QObject {
    Q_OBJECT

private slots:
    void whatDoesNotFitSaysWhyAndIsFixedByAButton() {
        testing::ShownPlanPage bench(36, "1x4090,ram=64");
        bench.document.change(QStringLiteral("longer"), [](session::RunSpec& spec) {
            spec.data.maxLength = 16'384;
            spec.batch.microbatchSize = 8;
        });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QCOMPARE(bench.page->status().mark, ui::pages::PageStatus::Mark::kMissing);
        QVERIFY(testing::shows(*bench.page, "Does not fit"));
        QTRY_VERIFY_WITH_TIMEOUT(testing::buttonOf(*bench.page, "Apply") != nullptr, 120'000);
        QPushButton* apply = testing::buttonOf(*bench.page, "Apply");
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(testing::shows(*bench.page, "Fits"));
        QCOMPARE(bench.document.spec().batch.microbatches * bench.document.spec().batch.microbatchSize, int64_t(48));
    }

    // Of a plan that does not fit the parts are known: they are on show, and the reason says the same numbers.
    void whatDoesNotFitIsShownWithItsParts() {
        testing::ShownPlanPage bench(36, "1x4090,ram=16");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        const session::PlanAnswer& answer = *bench.plan.answer();
        QVERIFY(!answer.problem.empty() && !answer.problem.shortfalls.empty());
        QCOMPARE(bench.find<ui::pages::PartitionEditor>()->shown().numLayers, 38);
        QCOMPARE(bench.find<ui::pages::ScheduleBars>()->rows().front().seconds, 0.0); // as the tile of a step says
        QVERIFY(!bench.find<ui::pages::ScheduleBars>()->isVisible());                 // nothing stands beside it
        const auto* parts = bench.find<ui::pages::MemoryParts>(); // in their place: of the memory that lacks most
        QTRY_VERIFY(parts->isVisible() && parts->accessibleDescription().contains(QLatin1String("GiB")));
        const QString bars = bench.find<ui::pages::MemoryBars>()->accessibleDescription();
        const QString reason = ui::models::misfitText(answer.problem, answer.rig);
        for (const plan::Shortfall& shortfall : answer.problem.shortfalls) {
            const QString needed = ui::translations::bytesText(shortfall.neededBytes);
            QVERIFY2(bars.contains(needed), qPrintable(needed + QStringLiteral(" in ") + bars));
            QVERIFY2(reason.contains(needed), qPrintable(reason));
        }
        QVERIFY(testing::shows(*bench.page, qPrintable(reason)));
    }

    void changesThatHelpTogetherAreMadeByOneButton() {
        const std::vector<plan::Fix> together = {{plan::FixKind::kLength, 512, 4100}, {plan::FixKind::kRank, 8, 4100}};
        ui::pages::FixesCard card;
        card.setProblem(QStringLiteral("Too large."), {}, {{plan::FixKind::kDevices, int64_t{48} << 30, 5000}},
                        together, false);
        card.show();
        QVERIFY(testing::shows(card, "None of these settings is enough alone"));
        QVERIFY(testing::shows(card, "Devices with 48.0\u00a0GiB"));
        QVERIFY(testing::buttonOf(card, "Apply") == nullptr); // what must be bought has no button
        std::vector<plan::Fix> wanted;
        connect(&card, &ui::pages::FixesCard::fixesWanted, this, [&](const auto& fixes) { wanted = fixes; });
        QTest::mouseClick(testing::buttonOf(card, "Apply all"), Qt::LeftButton);
        QCOMPARE(wanted.size(), together.size());
        QCOMPARE(wanted[1].kind, plan::FixKind::kRank);

        card.setProblem(QStringLiteral("Too large."), {}, {}, {}, false);
        QVERIFY(testing::shows(card, "choose a smaller model"));
    }
};

QTEST_MAIN(TestPlanFixes)
#include "tst_plan_fixes.moc"
