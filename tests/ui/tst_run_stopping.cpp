// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is stopped, and one that goes on.
#include "running_page.h"
#include "shown_exporter.h"
#include "ui/charts/curves_chart.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/run_history.h"
#include "ui/pages/run/chart_card.h"

#include <QMessageBox>
#include <QTest>

using namespace roundpipe;
using testing::buttonOf;
using testing::RunningPage;
using ui::pages::RunPage;

class TestRunStopping : public QObject {
    Q_OBJECT

    // The question that is open; null: there is none.
    static QMessageBox* question(const RunPage& page) { return page.findChild<QMessageBox*>(); }

private slots:
    void stopAsksAndCanBeTakenBack() {
        RunningPage running(100'000);
        QPushButton* stop = buttonOf(running.page, "Stop…");
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_VERIFY(question(running.page) != nullptr);
        QVERIFY(running.test.run.snapshot().state != session::RunState::kStopping);
        QTest::mouseClick(buttonOf(*question(running.page), "Keep training"), Qt::LeftButton);
        QTRY_VERIFY(question(running.page) == nullptr);
        QVERIFY(running.test.run.isRunning());
        QVERIFY(running.test.run.snapshot().state != session::RunState::kStopping);
        QTest::mouseClick(stop, Qt::LeftButton);
        QTest::mouseClick(buttonOf(*question(running.page), "Stop and save"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        QCOMPARE(running.test.run.snapshot().state, session::RunState::kStopped);
    }

    void escapeKeepsTraining() {
        RunningPage running(100'000);
        QTest::mouseClick(buttonOf(running.page, "Stop…"), Qt::LeftButton);
        QTest::keyClick(question(running.page), Qt::Key_Escape);
        QTRY_VERIFY(question(running.page) == nullptr);
        QVERIFY(running.test.run.isRunning());
        QVERIFY(running.test.run.snapshot().state != session::RunState::kStopping);
    }

    void aRunThatEndsTakesTheQuestionWithIt() {
        RunningPage running(6);
        QTest::mouseClick(buttonOf(running.page, "Stop…"), Qt::LeftButton);
        QVERIFY(question(running.page) != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(question(running.page) == nullptr, 10'000);
        QCOMPARE(running.test.run.snapshot().state, session::RunState::kFinished);
    }

    // What is there now stands where it belongs before the window has time to lay it out.
    void commandsAreWholeAtOnceWhenARunStops() {
        RunningPage running(100'000, 200, 3);
        QStringList cut;
        connect(&running.test.run, &ui::bridge::RunController::stateChanged, &running.page, [&] {
            for (const QPushButton* button : running.page.findChildren<QPushButton*>())
                if (button->isVisible() && button->width() < button->sizeHint().width()) cut += button->text();
        });
        running.test.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        QVERIFY(buttonOf(running.page, "Continue…") != nullptr);
        QCOMPARE(cut.join(u';'), QString());
    }

    void aStoppedRunGoesOnFromItsCheckpoint() {
        constexpr int64_t kSteps = 400; // a busy machine does forty while it is asked to stop
        RunningPage running(kSteps, 200, 3);
        running.test.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        const int64_t stoppedAt = running.test.run.snapshot().step;
        QVERIFY(stoppedAt >= 3 && stoppedAt < kSteps);
        QPushButton* button = buttonOf(running.page, "Continue…");
        QVERIFY(button != nullptr);
        const auto leads = [&](const char* words) {
            return buttonOf(running.page, words)->objectName() == QLatin1String("primary");
        };
        QVERIFY(leads("Continue…") && !leads("Start")); // which would begin anew
        button->click();
        const auto* box = running.page.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QCOMPARE(box->text(), QStringLiteral("Continue after step %1 of %2?").arg(stoppedAt).arg(kSteps));
        buttonOf(*box, "Continue")->click();
        QVERIFY(running.test.run.isRunning());
        QVERIFY(running.test.run.job().resume);
        QVERIFY(buttonOf(running.page, "Continue…") == nullptr);
        std::vector<int64_t> steps;
        connect(&running.test.run, &ui::bridge::RunController::stepDone, &running.page,
                [&](const session::StepMetrics& metrics) { steps.push_back(metrics.step); });
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 30'000);
        QCOMPARE(running.test.run.snapshot().state, session::RunState::kFinished);
        QCOMPARE(steps.front(), stoppedAt + 1);
        // The curve is that of the whole run.
        const auto* chart = running.page.findChild<ui::charts::LossChart*>();
        QVERIFY(chart->valuesAt(1).contains(QLatin1String("loss")));
        QVERIFY(chart->valuesAt(stoppedAt).contains(QLatin1String("loss")));
        QVERIFY(chart->valuesAt(kSteps).contains(QLatin1String("loss")));
        QCOMPARE(steps.back(), kSteps);
        // What no file keeps says from where it is.
        auto* card = running.page.findChildren<ui::pages::ChartCard*>()[1];
        card->choose(ui::charts::Quantity::kDeviceMemory);
        const auto* curves = card->findChild<ui::charts::CurvesChart*>();
        QVERIFY2(curves->xAxis->label().contains(QStringLiteral("after step %1 ").arg(stoppedAt)),
                 qPrintable(curves->xAxis->label()));
        card->choose(ui::charts::Quantity::kTokensPerSecond);
        QVERIFY(!curves->xAxis->label().contains(QLatin1String("after")));
        QVERIFY(buttonOf(running.page, "Continue…") == nullptr); // it is at its end
    }

    void aRunWaitsForAnExportBeforeItGoesOn() {
        RunningPage running(100'000, 200, 3);
        running.test.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        running.test.exports.setExporter(std::make_unique<testing::ShownExporter>());
        running.test.exports.begin({running.test.home.path()});
        buttonOf(running.page, "Continue…")->click();
        const auto* box = running.page.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QVERIFY(box->informativeText().startsWith(QLatin1String("An export is being made.")));
        QVERIFY(buttonOf(*box, "Continue") == nullptr);
    }

    void aDiscardedRunHasNothingToGoOnFrom() {
        RunningPage running(100'000, 200, 3);
        running.test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        QVERIFY(buttonOf(running.page, "Continue…") == nullptr);
    }
};

QTEST_MAIN(TestRunStopping)
#include "tst_run_stopping.moc"
