// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is not expected to fit is started only by who insists.
#include "plan/rig/rig_file.h"
#include "shown_plan_page.h"
#include "ui/models/plan_text.h"

#include <QAction>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;

class TestPlanStart : public QObject {
    Q_OBJECT

private slots:
    // Start says what is missing, offers what would help, and starts only where one insists.
    void aRunThatDoesNotFitIsStartedOnlyOnDemand() {
        testing::ShownPlanPage bench(36, "this",
                                     [](const auto&, const auto&) { return plan::loadRig("1x4090,ram=64"); });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(bench.page->missing().empty());
        bench.document.change(QStringLiteral("longer"), [](session::RunSpec& spec) {
            spec.data.maxLength = 16'384;
            spec.batch.microbatchSize = 8;
        });
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QCOMPARE(bench.page->missing().size(), std::size_t{1});
        const ui::pages::Missing missing = bench.page->missing().front();
        QVERIFY(missing.isEstimate);
        QVERIFY2(missing.text.startsWith(QLatin1String("Does not fit: ")) &&
                     missing.text.endsWith(QLatin1String(" more")),
                 qPrintable(missing.text));

        bench.document.change(QStringLiteral("rows"), [&](session::RunSpec& spec) {
            spec.data.datasets.front().files = {(bench.demo.parent_path() / "data" / "instructions.jsonl").string()};
        });
        bench.useSimulatedEngine(1);
        QCOMPARE(testing::buttonOf(*bench.page, "Start")->objectName(), QStringLiteral("primary"));
        bench.commands.setMissing(bench.page->missing()); // as the window does
        QCOMPARE(bench.commands.start()->text(), QStringLiteral("Start anyway…"));
        QCOMPARE(testing::buttonOf(*bench.page, "Start anyway…")->objectName(), QString()); // a risk leads nobody on
        QCOMPARE(bench.commands.start()->toolTip(), missing.text);
        const auto answer = [&](const QString& with) {
            bench.commands.start()->trigger();
            auto* box = bench.page->findChild<QMessageBox*>();
            QVERIFY(box != nullptr && !bench.run.isRunning());
            for (QAbstractButton* button : box->buttons())
                if (button->text().simplified() == with) return button->click(); // long ones have two lines
            QFAIL("there is no such button");
        };
        QSignalSpy wanted(bench.page.get(), &ui::pages::Page::pageWanted);
        answer(QStringLiteral("Look at the plan"));
        QCOMPARE(wanted.size(), 1);
        QVERIFY(!bench.run.isRunning());
        QTRY_VERIFY(bench.page->findChild<QMessageBox*>() == nullptr);
        answer(QStringLiteral("Start anyway"));
        QVERIFY(bench.run.isRunning());
        bench.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.run.isRunning(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QTRY_VERIFY(bench.page->findChild<QMessageBox*>() == nullptr);
        answer(ui::models::changeText(bench.plan.answer()->fixes.front()));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(bench.page->missing().empty());
        QVERIFY(!bench.run.isRunning());
    }

    void theQuestionBeforeTheStartFollowsThePlan() {
        testing::ShownPlanPage bench(36, "this",
                                     [](const auto&, const auto&) { return plan::loadRig("1x4090,ram=64"); });
        const auto useLength = [&](int64_t length, int64_t size) {
            bench.document.change(QStringLiteral("longer"), [=](session::RunSpec& spec) {
                spec.data.maxLength = length;
                spec.batch.microbatchSize = size;
                spec.data.datasets.front().files = {"rows.jsonl"};
            });
        };
        useLength(16'384, 8);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled() && !bench.plan.answer()->problem.empty(), 120'000);
        bench.useSimulatedEngine(1);
        bench.commands.setMissing(bench.page->missing());
        bench.commands.start()->trigger();
        const auto* box = bench.page->findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        const QString first = box->text();
        useLength(32'768, 8);
        QVERIFY(box->informativeText().contains(QLatin1String("worked out anew")));
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY2(box->text() != first && !box->text().isEmpty(), qPrintable(box->text()));
        QVERIFY(box->informativeText().contains(QLatin1String("for want of memory")));
        useLength(1024, 1);
        QTRY_COMPARE_WITH_TIMEOUT(box->text(), QStringLiteral("It fits now."), 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QPushButton* start = testing::buttonOf(*box, "Start");
        QVERIFY(start != nullptr && testing::buttonOf(*box, "Start anyway") == nullptr);
        bench.commands.setMissing({});
        start->click();
        QVERIFY(bench.run.isRunning());
        bench.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.run.isRunning(), 60'000);
    }

    void whatAnotherRigLacksKeepsNothingFromStarting() {
        testing::ShownPlanPage bench(36, "1x4090,ram=16");
        QTRY_VERIFY_WITH_TIMEOUT(bench.isSettled(), 120'000);
        QVERIFY(!bench.plan.answer()->problem.empty());
        QVERIFY(bench.page->missing().empty());
    }
};

QTEST_MAIN(TestPlanStart)
#include "tst_plan_start.moc"
