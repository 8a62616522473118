#include "base/units.h"
#include "test_services.h"
#include "ui/charts/curves_chart.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/run_history.h"
#include "ui/models/finding_text.h"
#include "ui/pages/run/chart_card.h"
#include "ui/pages/run/findings_pane.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/run_tiles.h"
#include "ui/pages/run/samples_pane.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/tile_row.h"

#include <QAction>
#include <QComboBox>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace roundpipe;
using testing::buttonOf;
using testing::shows;
using testing::textsOf;
using ui::charts::Quantity;
using ui::pages::RunPage;

namespace {

session::MachineStatus machineOf(std::optional<int64_t> celsius) {
    session::MachineStatus machine;
    machine.devices.resize(2);
    machine.devices[0].usedBytes = 3 * kGiB;
    machine.devices[1].gpu.emplace();
    machine.devices[1].gpu->temperatureCelsius = celsius;
    machine.host.processBytes = kGiB;
    return machine;
}

session::StepMetrics stepOf(int64_t step, double loss) {
    session::StepMetrics metrics;
    metrics.step = step;
    metrics.loss = loss;
    metrics.learningRate = 7.5e-5;
    metrics.gradNorm = 0.5;
    metrics.tokens = 100;
    metrics.seconds = 0.5;
    return metrics;
}

} // namespace

class TestRunPage : public QObject {
    Q_OBJECT

private:
    // A page of its own, with a run of the simulated engine that has done some steps.
    struct Running {
        explicit Running(int maxSteps, double speed = 5, int64_t reached = 2)
            : project(maxSteps), page(test.services()) {
            test.document.open(project.runFile());
            page.resize(1100, 640);
            page.show();
            test.useSimulatedEngine(speed);
            test.commands.start()->trigger();
            [&] { QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= reached, 20'000); }();
        }
        ~Running() { test.commands.discard()->trigger(); }

        testing::DemoProject project;
        testing::TestServices test;
        RunPage page;
    };
    // What the next question gets for an answer.
    static void answerWith(RunPage& page, const char* button) {
        QTimer::singleShot(0, &page, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            QTest::mouseClick(buttonOf(*box, button), Qt::LeftButton);
        });
    }

private slots:
    void readingsThatAreAbsentAreNoZeros() {
        ui::charts::RunHistory history;
        history.add(0, machineOf(std::nullopt));
        history.add(1, machineOf(61));
        history.add(1.2, machineOf(99)); // less than a second later
        QCOMPARE(history.numMoments(), std::size_t(2));
        const auto heat = history.curves(Quantity::kTemperature);
        QCOMPARE(heat.size(), std::size_t(1));
        QCOMPARE(heat[0].name, QStringLiteral("1"));
        QCOMPARE(heat[0].x, std::vector<double>{1});
        QCOMPARE(heat[0].y, std::vector<double>{61});
        QVERIFY(history.curves(Quantity::kPower).empty());
        QCOMPARE(history.curves(Quantity::kDeviceMemory).at(0).y.front(), 3.0);
        QVERIFY(ui::charts::whyNothingIsKnown(Quantity::kPower).contains(QLatin1String("No device")));
        history.clear();
        QVERIFY(history.curves(Quantity::kTemperature).empty());
    }

    void aLongHistoryKeepsItsWholeLength() {
        ui::charts::RunHistory history;
        for (int second = 0; second < 30'000; ++second)
            history.add(second, machineOf(50));
        QVERIFY(history.numMoments() < 7'200);
        const auto heat = history.curves(Quantity::kTemperature);
        QCOMPARE(heat[0].x.front(), 0.0);
        QVERIFY(heat[0].x.back() > 29'980);
    }

    void stepsAreCountedInTokensASecond() {
        ui::charts::RunHistory history;
        history.add(stepOf(1, 2));
        history.add(stepOf(2, 2));
        const auto speed = history.curves(Quantity::kTokensPerSecond);
        QCOMPARE(speed.at(0).y, (std::vector<double>{200, 200}));
        QCOMPARE(history.curves(Quantity::kGradientNorm).at(0).x, (std::vector<double>{1, 2}));
    }

    // A few steps of many are a curve, not a stroke at the left edge; the axis grows by doubling, up to the whole run.
    void theLossChartGrowsWithTheRun() {
        testing::TestServices test;
        ui::charts::LossChart chart(test.themes);
        chart.setTotalSteps(400);
        QVERIFY(chart.xAxis->range().upper >= 400);
        const auto endAt = [&](int64_t step) {
            chart.add(stepOf(step, 2.0));
            return std::lround(chart.xAxis->range().upper / 1.01);
        };
        QCOMPARE(endAt(10), 13L);
        QCOMPARE(endAt(40), 50L);
        QCOMPARE(endAt(201), 400L);
        QCOMPARE(endAt(400), 400L);
    }

    // A learning rate of 7.5e-5 stands there as such, not as 8e-5, and there is no half of a step.
    void ticksOfTheLossChartAreNotRounded() {
        testing::TestServices test;
        ui::charts::LossChart chart(test.themes);
        chart.resize(500, 240);
        QVERIFY(!chart.yAxis->tickLabels() && !chart.yAxis2->tickLabels()); // there is nothing to read off
        chart.setTotalSteps(10);
        for (int step = 1; step <= 4; ++step)
            chart.add(stepOf(step, 2.0));
        QVERIFY(chart.yAxis->tickLabels() && chart.yAxis2->tickLabels());
        for (double most : {1e-4, 9e-5, 2.2e-3}) {
            chart.yAxis2->setRange(0, most);
            chart.replot();
            const QVector<QString> labels = chart.yAxis2->tickVectorLabels();
            QVERIFY(labels.size() >= 2);
            for (int i = 0; i < labels.size(); ++i)
                QVERIFY2(std::abs(labels[i].toDouble() - chart.yAxis2->tickVector()[i]) < 1e-6 * most,
                         qPrintable(labels[i]));
        }
        for (double tick : chart.xAxis->tickVector())
            QCOMPARE(tick, std::round(tick));
    }

    void theLossChartLeadsToAStep() {
        testing::TestServices test;
        ui::charts::LossChart chart(test.themes);
        chart.resize(500, 240);
        for (int step = 1; step <= 20; ++step)
            chart.add(stepOf(step, step == 7 ? 9.0 : 2.0));
        chart.addValidation(7, 1.5);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QVERIFY(chart.valuesAt(7).contains(QLatin1String("loss 9")));
        QVERIFY(chart.valuesAt(7).contains(QLatin1String("validation 1.5")));
        QVERIFY(chart.valuesAt(7).contains(QLatin1String("7.5e-05")));
        QVERIFY(chart.valuesAt(21).isEmpty());
        QSignalSpy chosen(&chart, &ui::charts::LossChart::stepChosen);
        chart.replot();
        const QPoint spike(static_cast<int>(chart.xAxis->coordToPixel(7.2)), chart.axisRect()->rect().center().y());
        QTest::mouseMove(&chart, spike);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, spike);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toLongLong(), 7);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chosen[1][0].toLongLong(), 9);
        QVERIFY(chart.accessibleDescription().startsWith(QLatin1String("Step 9: loss 2")));
    }

    void everyChartCanBeChosenAndIsRemembered() {
        Running running(100'000);
        auto* card = running.page.findChild<ui::pages::ChartCard*>();
        auto* choice = card->findChild<QComboBox*>();
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            emit choice->activated(i);
            QCoreApplication::processEvents();
        }
        QCOMPARE(card->quantity(), std::optional(Quantity::kMemoryClock));
        const RunPage again(running.test.services());
        QCOMPARE(again.findChild<ui::pages::ChartCard*>()->quantity(), std::optional(Quantity::kMemoryClock));
    }

    void findingsSayWhoWaitsForWhat() {
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}, {"cuda:1", true, 0}, {"cpu:0", false, 0}};
        session::RunFinding finding;
        finding.device = 1;
        finding.reason = trace::IdleReason::kWeights;
        finding.share = 0.176;
        finding.lanes = 4;
        finding.lanesOfOthers = 16;
        finding.value = 3.0 * kGiB;
        finding.usual = 13.0 * kGiB;
        const auto text = ui::models::findingText(finding, plan);
        QCOMPARE(text.headline, QStringLiteral("GPU 1 waits 18 % of the step for weights"));
        QVERIFY(text.detail.startsWith(QLatin1String("Its slot runs at x4, others at x16: 3")));
        QCOMPARE(text.page, QStringLiteral("plan"));
        finding.numDevices = 3;
        QCOMPARE(ui::models::findingText(finding, plan).headline,
                 QStringLiteral("3 devices wait for weights, GPU 1 longest: 18 % of the step"));
        QCOMPARE(ui::models::deviceName(plan, 2), QStringLiteral("Worker 2"));
        QCOMPARE(ui::models::allIsWellText({{}, 5, 0.97}),
                 QStringLiteral("Nothing to mend: devices are busy 97 % of the time."));
    }

    void findingsSayWhatIsSlowerThanPlanned() {
        session::RunFinding finding;
        finding.code = session::RunFinding::Code::kSlowerThanPlanned;
        finding.value = 1.5;
        finding.usual = 0.9;
        QCOMPARE(ui::models::findingText(finding, {}).headline,
                 QStringLiteral("A step takes 1.5 s instead of the planned 0.9 s"));
        finding.stage = StageId(3);
        finding.kind = trace::Kind::kBackward;
        QCOMPARE(ui::models::findingText(finding, {}).headline,
                 QStringLiteral("S3 backward: 1.5 s a step instead of the planned 0.9 s"));
    }

    void everyFindingHasWords() {
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}};
        for (int code = 0; code <= static_cast<int>(session::RunFinding::Code::kSlowerThanPlanned); ++code)
            for (int reason = 1; reason < trace::kNumIdleReasons; ++reason) {
                session::RunFinding finding;
                finding.code = static_cast<session::RunFinding::Code>(code);
                finding.reason = static_cast<trace::IdleReason>(reason);
                finding.device = 0;
                const auto text = ui::models::findingText(finding, plan);
                QVERIFY(!text.headline.isEmpty() && !text.detail.isEmpty());
                QVERIFY(!(text.headline + text.detail).contains(u'%' + QStringLiteral("1")));
            }
    }

    void aFindingLeadsToItsEvidence() {
        testing::TestServices test;
        ui::pages::FindingsPane pane(test.themes);
        pane.show();
        session::RunPlan plan;
        plan.devices = {{"cuda:0", true, 0}};
        session::RunFindings found;
        found.numSteps = 3;
        found.busyShare = 0.8;
        found.all.resize(1);
        found.all[0].device = 0;
        found.all[0].reason = trace::IdleReason::kHost;
        found.all[0].share = 0.2;
        found.all[0].isSerious = true;
        found.all[0].beginNs = 1'000;
        found.all[0].endNs = 5'000;
        pane.setFindings(found, plan);
        QVERIFY(shows(pane, "GPU 0 waits 20 % of the step for the host"));
        QSignalSpy wanted(&pane, &ui::pages::FindingsPane::evidenceWanted);
        QTest::mouseClick(buttonOf(pane, "Show"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toLongLong(), 1'000);
        QCOMPARE(wanted[0][1].toLongLong(), 5'000);
        found.all.clear();
        found.busyShare = 0.97;
        pane.setFindings(found, plan);
        QVERIFY(!shows(pane, "waits"));
        QVERIFY(shows(pane, "97 %"));
        QVERIFY(buttonOf(pane, "Show") == nullptr);
    }

    void findingsOfARunThatIsUnderWay() {
        Running running(100'000, 5, 6);
        const auto* pane = running.page.findChild<ui::pages::FindingsPane*>();
        QTRY_VERIFY_WITH_TIMEOUT(!shows(*pane, "after its first steps"), 10'000);
    }

    void answersAreKeptByStep() {
        ui::pages::SamplesPane pane;
        pane.show();
        pane.setPrompts({QStringLiteral("Who?"), QStringLiteral("What?")});
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("base"), false, 0);
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at ten"), true, 10);
        auto* steps = pane.findChild<QComboBox*>();
        QVERIFY(!steps->isVisible()); // nothing to choose
        QVERIFY(shows(pane, "base") && shows(pane, "at ten"));
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at twenty"), true, 20);
        QVERIFY(steps->isVisible());
        QVERIFY(shows(pane, "base") && shows(pane, "at twenty") && !shows(pane, "at ten"));
        steps->setCurrentIndex(1);
        QVERIFY(shows(pane, "at ten") && !shows(pane, "at twenty"));
        pane.addAnswer(QStringLiteral("Who?"), QStringLiteral("at thirty"), true, 30);
        QVERIFY(shows(pane, "at ten")); // what was chosen stays
        pane.setPrompts({});
        QVERIFY(!steps->isVisible());
    }

    void sampleNowAddsAnswers() {
        Running running(100'000);
        running.test.commands.sample()->trigger();
        auto* steps = running.page.findChild<ui::pages::SamplesPane*>()->findChild<QComboBox*>();
        QTRY_VERIFY_WITH_TIMEOUT(steps->count() == 1, 10'000);
        const QString first = steps->itemText(0);
        QTRY_VERIFY_WITH_TIMEOUT(running.test.run.snapshot().state == session::RunState::kTraining, 10'000);
        running.test.commands.sample()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(steps->count() == 2, 10'000);
        QVERIFY(steps->itemText(1) == first);
    }

    void aStoppedRunGoesOnFromItsCheckpoint() {
        constexpr int64_t kSteps = 400; // a busy machine does forty while it is asked to stop
        Running running(kSteps, 200, 3);
        running.test.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        const int64_t stoppedAt = running.test.run.snapshot().step;
        QVERIFY(stoppedAt >= 3 && stoppedAt < kSteps);
        QPushButton* button = buttonOf(running.page, "Continue…");
        QVERIFY(button != nullptr);
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

    void aDiscardedRunHasNothingToGoOnFrom() {
        Running running(100'000, 200, 3);
        running.test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        QVERIFY(buttonOf(running.page, "Continue…") == nullptr);
    }

    void stopAsksAndCanBeTakenBack() {
        Running running(100'000);
        QPushButton* stop = buttonOf(running.page, "Stop…");
        answerWith(running.page, "Keep training");
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(running.test.run.isRunning());
        QVERIFY(running.test.run.snapshot().state != session::RunState::kStopping);
        answerWith(running.page, "Stop and save");
        QTest::mouseClick(stop, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!running.test.run.isRunning(), 10'000);
        QCOMPARE(running.test.run.snapshot().state, session::RunState::kStopped);
    }

    void aRunThatEndsTakesTheQuestionWithIt() {
        Running running(6);
        bool asked = false;
        QTimer::singleShot(0, &running.page, [&] { asked = QApplication::activeModalWidget() != nullptr; });
        QTest::mouseClick(buttonOf(running.page, "Stop…"), Qt::LeftButton); // returns when the run has ended
        QVERIFY(asked);
        QCOMPARE(running.test.run.snapshot().state, session::RunState::kFinished);
    }

    void tilesSayNothingOfRemainingTimeOnceItStops() {
        ui::pages::RunTiles tiles;
        session::Snapshot now;
        now.state = session::RunState::kTraining;
        now.step = 3;
        now.totalSteps = 10;
        now.last = stepOf(3, 0.4);
        now.remainingSeconds = 95;
        tiles.show(now, std::nullopt);
        QVERIFY(!textsOf(tiles).filter(QStringLiteral("1 min 35 s")).isEmpty());
        now.state = session::RunState::kPaused;
        tiles.show(now, 0.5);
        const auto names = [&] {
            QStringList all;
            for (const auto* tile : tiles.findChildren<ui::widgets::StatTile*>())
                all += tile->accessibleName();
            return all;
        };
        QVERIFY(names().contains(QStringLiteral("Remaining 1 min 35 s after the pause")));
        QVERIFY(names().contains(QStringLiteral("Loss 0.400 validation 0.500")));
        for (const session::RunState state : {session::RunState::kStopping, session::RunState::kFinished,
                                              session::RunState::kStopped, session::RunState::kFailed}) {
            now.state = state;
            now.remainingSeconds.reset();
            now.elapsedSeconds = 60;
            tiles.show(now, 0.5);
            QVERIFY(textsOf(tiles).filter(QStringLiteral("until")).isEmpty());
            QVERIFY(textsOf(tiles).filter(QStringLiteral("35 s")).isEmpty());
        }
        now.state = session::RunState::kPreparing;
        now.totalSteps = 0;
        now.activities = {session::Activity(session::ActivityCode::kReadingWeights, "1 GiB", "2 GiB")};
        tiles.show(now, std::nullopt);
        QVERIFY(names().contains(QStringLiteral("Step – reading weights: 1 GiB of 2 GiB")));
    }

    // As wide as they are in the smallest window, beside the rail: the longest numbers are whole, and details give way.
    // Shares of the width are kept as long as each has what it needs; a row that has room for all shows all.
    void tilesGiveWayToOneThatNeedsMore() {
        auto* brief = new ui::widgets::StatTile(QStringLiteral("Rows"));
        auto* wordy = new ui::widgets::StatTile(QStringLiteral("Split"));
        QWidget page;
        ui::widgets::TileRow row({{brief, 1}, {wordy, 1}}, &page);
        page.resize(1000, 100);
        page.show();
        brief->set(QStringLiteral("4"), QStringLiteral("of 5"));
        wordy->set(QStringLiteral("1,270"), QStringLiteral("are trained, 110 are there to validate"));
        const auto shows = [](const ui::widgets::StatTile& tile, const char* detail) {
            return testing::textsOf(tile).contains(QLatin1String(detail));
        };
        row.resize(brief->fullWidth() + wordy->fullWidth() + 20, row.sizeHint().height());
        QTRY_VERIFY(shows(*wordy, "are trained, 110 are there to validate") && shows(*brief, "of 5"));
        QVERIFY(wordy->width() > 2 * brief->width());
        row.resize(2 * wordy->fullWidth() + 20, row.height());
        QTRY_VERIFY(std::abs(wordy->width() - brief->width()) <= 1);
        row.resize(wordy->fullWidth(), row.height()); // too little for all of it
        QTRY_VERIFY(!shows(*wordy, "are trained, 110 are there to validate"));
        QVERIFY(shows(*wordy, "1,270"));
        QVERIFY(wordy->geometry().right() < row.width());
    }

    void numbersOfARunAreNeverCutOff() {
        testing::TestServices test; // for its theme
        QLocale::setDefault(QLocale(QLocale::German));
        ui::pages::RunTiles tiles;
        tiles.setFixedWidth(844);
        tiles.setVisible(true);
        session::Snapshot now;
        now.state = session::RunState::kTraining;
        now.step = 9;
        now.totalSteps = 400;
        now.last = stepOf(9, 1.5);
        tiles.show(now, std::nullopt);
        QCoreApplication::processEvents();
        now.step = now.totalSteps = 100'000;
        now.epoch = 12.25;
        now.last = stepOf(100'000, 12.3456);
        now.tokensPerSecond = 123'456;
        now.remainingSeconds = 12 * 86'400 + 23 * 3'600;
        now.remainingErrorSeconds = 3'000;
        now.machine = machineOf(61);
        now.machine.devices[1].gpu->powerWatts = 8 * 575;
        tiles.show(now, 12.3456);
        QCoreApplication::processEvents();
        const auto values = tiles.findChildren<QLabel*>(QStringLiteral("value"));
        QCOMPARE(values.size(), 5);
        QCOMPARE(values[0]->text(), QStringLiteral("100.000 / 100.000"));
        QCOMPARE(values[1]->text(), QStringLiteral("12,346"));
        for (const QLabel* value : values) {
            QVERIFY2(value->width() >= value->sizeHint().width(), qPrintable(value->text()));
            QVERIFY(value->mapTo(&tiles, value->rect().topRight()).x() < tiles.width());
        }
        QLocale::setDefault(QLocale::c());
        QCOMPARE(tiles.width(), 844);
        QVERIFY2(tiles.minimumSizeHint().width() <= 844, qPrintable(QString::number(tiles.minimumSizeHint().width())));
    }

    void aSpikeOfTheLossIsFoundOnTheTimeline() {
        Running running(100'000, 5, 5);
        running.page.showStepOnTimeline(3);
        const auto& view = running.page.timelineView().plot().scene().view;
        const auto& store = running.test.run.store();
        const auto& session = store.slices(store.lanes().back().id);
        const trace::Record* step = nullptr;
        for (std::size_t i = 0; i < session.size(); ++i)
            if (session[i].kind == trace::Kind::kStep && session[i].step == 2) step = &session[i];
        QVERIFY(step != nullptr);
        const int64_t spanNs = step->endNs - step->startNs;
        const trace::Record wanted = *step;                                            // the store grows meanwhile
        QTRY_VERIFY(view.beginNs() <= wanted.startNs && wanted.endNs <= view.endNs()); // zooms may glide
        QTRY_VERIFY(view.spanNs() < 2 * spanNs);
        QVERIFY(!running.page.timelineView().plot().navigation().isFollowing());
    }

    void foldedThePageIsTheTimelines() {
        Running running(100'000);
        auto& timeline = running.page.timelineView();
        QCoreApplication::processEvents();
        const int before = timeline.height();
        QVERIFY2(before > 0.42 * running.page.height(), qPrintable(QString::number(before)));
        QTest::keyClick(&running.page, Qt::Key_F11);
        QVERIFY(running.page.isFolded());
        QTRY_VERIFY(timeline.height() > before + 150);
        QVERIFY(!running.page.findChild<ui::pages::RunTiles*>()->isVisible());
        QTest::keyClick(&running.page, Qt::Key_F11);
        QTRY_VERIFY(std::abs(timeline.height() - before) <= 1); // a splitter rounds
    }

    void aLowWindowLeavesTheTimelineItsRoom() {
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1000, 540);
        page.show();
        QVERIFY(!page.findChild<ui::pages::FindingsPane*>()->isVisible());
        QVERIFY(page.timelineView().height() > 250);
        page.resize(1000, 700);
        QTRY_VERIFY(page.findChild<ui::pages::FindingsPane*>()->isVisible());
    }

    void keysReachTheTimelineAtOnce() {
        testing::TestServices test;
        RunPage page(test.services());
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&page.timelineView().plot()));
    }

    void tabGoesAsOneReads() {
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1200, 800);
        page.show();
        std::vector<QWidget*> chain;
        for (QWidget* next = page.nextInFocusChain(); next != &page; next = next->nextInFocusChain())
            chain.push_back(next);
        const auto placeOf = [&](QWidget* widget) { return std::ranges::find(chain, widget) - chain.begin(); };
        QPushButton* start = page.findChild<QPushButton*>(QStringLiteral("primary"));
        auto* choice = page.findChild<ui::pages::ChartCard*>()->findChild<QComboBox*>();
        auto* tabs = page.findChild<QTabWidget*>();
        auto* plot = &page.timelineView().plot();
        QVERIFY(placeOf(start) < placeOf(choice));
        QVERIFY(placeOf(choice) < placeOf(tabs));
        QVERIFY(placeOf(tabs) < placeOf(plot));
        QVERIFY(placeOf(plot) < std::ssize(chain));
    }

    // Before anything has run: a step as it is predicted, which gives way to the run's own trace.
    void beforeTheFirstStepThePredictionIsOnShow() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        RunPage page(test.services());
        page.resize(1200, 800);
        page.show();
        auto& plot = page.timelineView().plot();
        QVERIFY(plot.scene().store->empty());
        test.plan.setRig("2x4090");
        test.document.open(project.runFile());
        test.document.change(QStringLiteral("devices"), [](session::RunSpec& spec) { spec.engine.devices = {"auto"}; });
        QTRY_VERIFY_WITH_TIMEOUT(!plot.scene().store->empty() && !test.plan.isOld(), 20'000);
        QVERIFY(plot.graphicsEffect() != nullptr);
        page.resize(1000, 700); // it is seen whole in any size
        const auto seesAll = [&] {
            const auto& view = plot.scene().view;
            const trace::LaneStore& store = *plot.scene().store;
            return view.beginNs() <= store.beginNs() && store.endNs() <= view.endNs();
        };
        QTRY_VERIFY(seesAll());
        QVERIFY(shows(page, "Predicted step") && shows(page, "as predicted for 2 x"));
        test.run.setEngine(session::makeSimulatedEngine({.speed = 5, .automatic = "2x4090"}));
        QVERIFY(!plot.hasPlanned());
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 20'000);
        const plan::Plan& foreseen = test.plan.answer()->choice.plan;
        const plan::Plan& ran = test.run.plan()->plan;
        const bool asPlanned = foreseen.forward == ran.forward && foreseen.fused == ran.fused &&
                               foreseen.backward == ran.backward && foreseen.deviceTable == ran.deviceTable;
        QTRY_COMPARE(plot.hasPlanned(), asPlanned); // then it can be held against its plan
        QCOMPARE(plot.scene().store, &test.run.store());
        QVERIFY(plot.graphicsEffect() == nullptr);
        QVERIFY(!shows(page, "Predicted step") && !shows(page, "as predicted"));
        test.commands.discard()->trigger();
    }

    void messagesAreKept() {
        Running running(100'000);
        running.test.run.validateNow();
        const auto* log = running.page.findChild<QPlainTextEdit*>();
        QTRY_VERIFY_WITH_TIMEOUT(log->toPlainText().contains(QLatin1String("validation loss")), 10'000);
        QVERIFY(log->toPlainText().contains(QLatin1String("simulated")));
    }
};

QTEST_MAIN(TestRunPage)
#include "tst_run_page.moc"
