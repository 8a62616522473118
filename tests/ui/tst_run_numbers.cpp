// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's numbers look like: histories, the loss chart, tiles.
#include "base/units.h"
#include "test_services.h"
#include "ui/charts/curves_chart.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/run_history.h"
#include "ui/pages/run/run_tiles.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/tile_row.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace roundpipe;
using testing::textsOf;
using ui::charts::Quantity;

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

class TestRunNumbers : public QObject {
    Q_OBJECT

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
        QVERIFY(ui::charts::whyNothingIsKnown(Quantity::kPower, false).contains(QLatin1String("No device")));
        history.clear();
        QVERIFY(history.curves(Quantity::kTemperature).empty());
    }

    void nothingBeginsOnceTheRunHasEnded() {
        for (const Quantity quantity : {Quantity::kDeviceMemory, Quantity::kTokensPerSecond}) {
            QVERIFY(ui::charts::whyNothingIsKnown(quantity, false).startsWith(QLatin1String("Begins")));
            QVERIFY(ui::charts::whyNothingIsKnown(quantity, true).startsWith(QLatin1String("The run ended before")));
        }
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
        session::StepMetrics skipped = stepOf(3, 2); // of fp16
        skipped.gradNorm = std::numeric_limits<double>::infinity();
        history.add(skipped);
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
            return std::lround(chart.xAxis->range().upper / 1.03);
        };
        QCOMPARE(endAt(10), 13L);
        QCOMPARE(endAt(40), 50L);
        QCOMPARE(endAt(201), 400L);
        QCOMPARE(endAt(400), 400L);
    }

    // Half a disc or half a diamond at the border would look like a fault.
    void aPointAtTheEndOfAChartIsWhole() {
        testing::TestServices test;
        ui::charts::CurvesChart curves(test.themes);
        ui::charts::LossChart loss(test.themes);
        for (QCustomPlot* chart : {static_cast<QCustomPlot*>(&curves), static_cast<QCustomPlot*>(&loss)}) {
            chart->resize(300, 220);
            chart->show();
        }
        curves.setCurves({{QStringLiteral("training"), {1, 100, 200}, {3, 2, 1}},
                          {QStringLiteral("validation"), {200}, {1.1}},
                          {QStringLiteral("at first"), {0}, {2}}},
                         QStringLiteral("step"), false);
        loss.setTotalSteps(200);
        loss.add(stepOf(200, 1.0));
        loss.addValidation(200, 1.1);
        for (QCustomPlot* chart : {static_cast<QCustomPlot*>(&curves), static_cast<QCustomPlot*>(&loss)}) {
            chart->replot();
            const QRect area = chart->axisRect()->rect();
            QVERIFY2(chart->xAxis->coordToPixel(200) + 4 <= area.right(), chart->metaObject()->className());
        }
        QVERIFY(curves.xAxis->coordToPixel(0) - 4 >= curves.axisRect()->left());
    }

    // A window that is busy paints what was set before it comes to what it was asked to lay out.
    void aTileIsLaidOutBeforeTheWindowHasTime() {
        auto* loss = new ui::widgets::StatTile(QStringLiteral("Loss"));
        auto* speed = new ui::widgets::StatTile(QStringLiteral("Speed"));
        ui::widgets::TileRow row({{loss, 1}, {speed, 1}});
        row.resize(600, 60);
        row.show();
        QTest::qWait(50);
        loss->set(QStringLiteral("0.612"), QStringLiteral("gradient 1.04"));
        speed->set(QStringLiteral("12.3 k"), QStringLiteral("tokens/s"));
        for (const ui::widgets::StatTile* tile : {loss, speed})
            for (const QLabel* label : tile->findChildren<QLabel*>()) {
                QVERIFY2(label->width() >= label->fontMetrics().horizontalAdvance(label->text()),
                         qPrintable(label->text()));
                QVERIFY(tile->rect().contains(label->geometry()));
            }
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
        QVERIFY(chart.valuesAt(7).contains(QLatin1String("0.000075")));
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

    void tilesSayNothingOfRemainingTimeOnceItStops() {
        ui::pages::RunTiles tiles;
        session::Snapshot now;
        now.state = session::RunState::kTraining;
        now.step = 3;
        now.totalSteps = 10;
        now.last = stepOf(3, 0.4);
        now.remainingSeconds = 95;
        tiles.show(now, std::nullopt, 0);
        QVERIFY(!textsOf(tiles).filter(QStringLiteral("1\u00a0min\u00a035\u00a0s")).isEmpty());
        now.state = session::RunState::kPaused;
        now.isPaused = true;
        tiles.show(now, 0.5, 50);
        const auto names = [&] {
            QStringList all;
            for (const auto* tile : tiles.findChildren<ui::widgets::StatTile*>())
                all += tile->accessibleName();
            return all;
        };
        QVERIFY(names().contains(QStringLiteral("Remaining 1\u00a0min\u00a035\u00a0s after the pause")));
        QVERIFY(names().contains(QStringLiteral("Loss 0.400 validation 0.500")));
        for (const session::RunState state : {session::RunState::kStopping, session::RunState::kFinished,
                                              session::RunState::kStopped, session::RunState::kFailed}) {
            now.state = state;
            now.remainingSeconds.reset();
            now.elapsedSeconds = 60;
            tiles.show(now, 0.5, 50);
            QVERIFY(textsOf(tiles).filter(QStringLiteral("until")).isEmpty());
            QVERIFY(textsOf(tiles).filter(QStringLiteral("35\u00a0s")).isEmpty());
            if (session::isOver(state)) // as Results and Runs have it: of its steps, with nothing before and between
                QVERIFY(!textsOf(tiles).filter(QStringLiteral(" after 50\u00a0s")).isEmpty());
        }
        now.state = session::RunState::kPreparing;
        now.totalSteps = 0;
        now.activities = {session::Activity(session::ActivityCode::kReadingWeights, "1 GiB", "2 GiB")};
        tiles.show(now, std::nullopt, 0);
        QVERIFY(names().contains(QStringLiteral("Step – reading weights: 1\u00a0GiB of 2\u00a0GiB")));
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
        tiles.show(now, std::nullopt, 0);
        QCoreApplication::processEvents();
        now.step = now.totalSteps = 100'000;
        now.epoch = 12.25;
        now.last = stepOf(100'000, 12.3456);
        now.tokensPerSecond = 123'456;
        now.remainingSeconds = 12 * 86'400 + 23 * 3'600;
        now.remainingErrorSeconds = 3'000;
        now.machine = machineOf(61);
        now.machine.devices[1].gpu->powerWatts = 8 * 575;
        tiles.show(now, 12.3456, 0);
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
};

QTEST_MAIN(TestRunNumbers)
#include "tst_run_numbers.moc"
