// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline_fixtures.h"
#include "ui/timeline/painting/step_band.h"
#include "ui/timeline/panels/minimap.h"
#include "ui/timeline/panels/range_panel.h"
#include "ui/widgets/kind_legend.h"

#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

using namespace roundpipe;
using testing::kMs;
using testing::picture;
using testing::pipelineStore;
using testing::pixelsOf;
using testing::rowRect;
using testing::storeWith;
using ui::timeline::Follow;
using ui::timeline::TimelinePlot;
using Shown = testing::ShownPlot;

class TestTimelinePlot : public QObject {
    Q_OBJECT

private:
    ui::theme::ThemeManager m_themes{*qApp};
    testing::MotionStyle* m_motion = nullptr;

private slots:
    void initTestCase() { m_motion = &testing::useMotionStyle(); }
    void init() { m_motion->durationMs = 0; }

    // Both near, where slices are bars, and far, where they are folded.
    void everyLaneShowsItsColour_data() {
        QTest::addColumn<int>("slices");
        QTest::newRow("bars") << 20;
        QTest::newRow("folded") << 20'000;
    }
    void everyLaneShowsItsColour() {
        QFETCH(int, slices);
        const trace::LaneStore store = storeWith(slices);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.navigation().fit();
        const QImage image = picture(plot);
        for (const trace::Lane& lane : store.lanes()) {
            if (lane.role == trace::LaneRole::kSession || lane.role == trace::LaneRole::kMemory) continue;
            const QRect row = rowRect(plot, lane.id);
            const trace::Kind kind = store.slices(lane.id)[0].kind;
            const int shown = pixelsOf(image, row, m_themes.theme().kind(kind));
            QVERIFY2(shown > row.width() * row.height() / 3, qPrintable(QString::fromStdString(lane.name)));
        }
    }

    void anEmptyStoreIsPaintedToo() {
        TimelinePlot plot(m_themes);
        plot.resize(600, 300);
        plot.show();
        QVERIFY(!picture(plot).isNull());
    }

    // What the tag of a chosen range would cut is not left half.
    void theTagOfARangeLeavesNoHalfTimeMark() {
        const trace::LaneStore store = storeWith(100);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.navigation().fit();
        const QRect ruler(0, ui::timeline::StepBand::height(), 1000,
                          TimelinePlot::rulerHeight() - ui::timeline::StepBand::height() - 1);
        const auto numInkedIn = [&](int left, int right) {
            const QRect place(left, ruler.top(), right - left, ruler.height());
            return place.width() * place.height() - pixelsOf(picture(plot), place, m_themes.theme().card);
        };
        picture(plot); // the ruler's marks are made when it is painted
        const double mark = plot.xAxis2->tickVector()[3];
        const int middle = static_cast<int>(plot.xAxis2->coordToPixel(mark));
        QVERIFY(numInkedIn(middle - 30, middle) > 0);
        const ui::timeline::Viewport& view = plot.scene().view;
        plot.select(view.timeAt(middle + 40), view.timeAt(middle + 50)); // its tag begins within the mark
        QVERIFY(numInkedIn(middle + 35, middle + 55) > 0);
        QCOMPARE(numInkedIn(middle - 30, middle), 0);
    }

    // Of a run that failed before its first step: a sentence, and no marks of a time in which nothing was.
    void whereNothingWasRecordedASentenceStandsInPlaceOfTimeMarks() {
        TimelinePlot plot(m_themes);
        plot.setLive(false);
        plot.resize(600, 300);
        plot.show();
        const QImage bare = picture(plot);
        const QRect ruler(2, 2, bare.width() - 4, TimelinePlot::rulerHeight() - 4);
        for (int y = ruler.top(); y <= ruler.bottom(); ++y)
            for (int x = ruler.left(); x <= ruler.right(); ++x)
                QCOMPARE(bare.pixelColor(x, y), bare.pixelColor(ruler.topLeft()));
        plot.setEmptyText(QStringLiteral("Nothing was recorded."));
        QVERIFY(picture(plot) != bare);
        plot.setLive(true); // it waits for its first slice
        const QImage waiting = picture(plot);
        QVERIFY(waiting != bare && waiting.copy(ruler) != bare.copy(ruler));
    }

    // The busy share is the height: 8 of every 10 ms.
    void aFoldedLaneIsAsHighAsItIsBusy() {
        const trace::LaneStore store = storeWith(20'000);
        Shown shown(m_themes, store);
        shown.plot.navigation().fit();
        const QImage image = picture(shown.plot);
        const QRect row = rowRect(shown.plot, LaneId(0));
        const QColor colour = m_themes.theme().kind(trace::Kind::kBackward);
        const int high = pixelsOf(image, {500, row.top(), 1, row.height()}, colour);
        QVERIFY2(std::abs(high - 0.8 * row.height()) <= 2, qPrintable(QString::number(high)));
        QCOMPARE(image.pixelColor(500, row.bottom()), colour);
    }

    // Its time on top, and the same moment in the overview.
    void theCursorIsSeenEverywhere() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.setStill();
        view.resize(1300, 500);
        view.plot().setStore(&store);
        view.show();
        auto* map = view.findChild<ui::timeline::Minimap*>();
        const auto inMap = [&] {
            const double share = static_cast<double>(*view.plot().cursorNs() - store.beginNs()) /
                                 static_cast<double>(store.endNs() - store.beginNs());
            return map->grab().toImage().pixelColor(static_cast<int>(share * map->width()), 3);
        };
        QTest::mouseMove(&view.plot(), {200, 100});
        QTRY_VERIFY(view.plot().cursorNs().has_value());
        QCOMPARE(*view.plot().cursorNs(), view.plot().scene().view.timeAt(200));
        QCOMPARE(inMap(), m_themes.theme().text);
        const QRect ruler(0, 0, view.plot().width(), 17);
        QVERIFY(pixelsOf(picture(view.plot()), ruler, m_themes.theme().text) > 200);
        view.plot().showCursor({});
        QVERIFY(!view.plot().cursorNs());
        QVERIFY(pixelsOf(picture(view.plot()), ruler, m_themes.theme().text) < 200);
    }

    void thePlanLiesBelowTheLanes() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        QSignalSpy changed(&plot, &TimelinePlot::planChanged);
        std::vector<trace::Record> planned(2); // the first device evaluates all the time: nothing else has that colour
        planned[0].lane = hostLane(2, trace::LaneRole::kSession);
        planned[0].kind = trace::Kind::kStep;
        planned[1].lane = laneOf(DeviceId(0), trace::LaneRole::kCompute);
        planned[1].kind = trace::Kind::kEvaluate;
        for (trace::Record& record : planned) {
            record.step = 1;
            record.slot = 0; // which the run, too, has on its first device
            record.startNs = 0;
            record.endNs = 150 * kMs;
        }
        plot.setPlanned(std::make_shared<ui::timeline::PlannedSteps>(store.lanes(), planned, 0, 1));
        plot.navigation().zoomTo(200 * kMs, 600 * kMs);
        const QColor colour = m_themes.theme().kind(trace::Kind::kEvaluate);
        const QRect lane = rowRect(plot, LaneId(0));
        const auto strip = [&] {
            return pixelsOf(picture(plot), lane.adjusted(0, lane.height() * 3 / 4, 0, 0), colour);
        };
        QVERIFY(strip() > 1000);
        QCOMPARE(pixelsOf(picture(plot), rowRect(plot, LaneId(1)), colour), 0);
        QTest::keyClick(&plot, Qt::Key_P);
        QVERIFY(!plot.isPlanShown());
        QCOMPARE(strip(), 0);
        QTest::keyClick(&plot, Qt::Key_P);
        plot.navigation().fit();
        QCOMPARE(strip() > 0, 10 * 60 <= plot.width());
        const trace::LaneStore other = storeWith(10);
        plot.setStore(&other);
        QVERIFY(!plot.hasPlanned());
        QCOMPARE(changed.count(), 4);
    }

    void aSliceGrowsBeforeItHasEnded() {
        trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
        trace::Record done;
        done.lane = LaneId(0);
        done.kind = trace::Kind::kForward;
        done.endNs = 100 * kMs;
        store.append({&done, 1});
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        trace::Record open = done;
        open.kind = trace::Kind::kBackward;
        open.startNs = 110 * kMs;
        open.endNs = 0;
        const QColor colour = m_themes.theme().kind(trace::Kind::kBackward);
        const auto nsOf = [&] { // what is painted in its plain colour: the first half
            plot.navigation().showRange(0, 600 * kMs);
            const QRect line(0, rowRect(plot, LaneId(0)).top() + 1, plot.width(), 1);
            return pixelsOf(picture(plot), line, colour) * plot.scene().view.nsPerPixel();
        };
        QCOMPARE(nsOf(), 0.0);
        plot.setOpen({open}, 200 * kMs);
        plot.dataArrived();
        const double before = nsOf();
        QVERIFY(before > 30 * kMs);
        plot.setOpen({open}, 400 * kMs);
        plot.dataArrived();
        QVERIFY2(nsOf() > 2 * before, "it has grown");
        open.endNs = 410 * kMs;
        store.append({&open, 1});
        plot.dataArrived();
        const double whole = nsOf();
        QVERIFY2(whole > 4 * before, "it is painted whole when it has ended");
        plot.setOpen({}, 420 * kMs);
        QCOMPARE(nsOf(), whole);
        plot.navigation().setFollow(Follow::kFixedRange); // the view goes on with what is open, and never back
        open.startNs = 411 * kMs;
        plot.setOpen({open}, 900 * kMs);
        plot.dataArrived();
        const int64_t edge = plot.scene().view.endNs();
        QVERIFY(edge >= 900 * kMs);
        plot.setOpen({}, 910 * kMs);
        plot.dataArrived();
        QCOMPARE(plot.scene().view.endNs(), edge);
    }

    // Between steps the ruler says what the time goes into, while it goes on: from the first answers on.
    void theRulerShowsWhatGoesOnBetweenSteps() {
        trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
        trace::Record done;
        done.lane = LaneId(0);
        done.kind = trace::Kind::kForward;
        done.endNs = 400 * kMs;
        store.append({&done, 1});
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        const auto colourAt = [&](int64_t ns) {
            plot.navigation().showRange(0, 600 * kMs);
            const QImage image = picture(plot);
            return image.pixelColor(plot.axisRect()->left() + static_cast<int>(plot.scene().view.xAt(ns)), 2);
        };
        const QColor nothing = colourAt(120 * kMs);
        trace::Record answer;
        answer.lane = trace::hostLane(1, trace::LaneRole::kSession);
        answer.kind = trace::Kind::kAnswer;
        answer.startNs = 100 * kMs;
        plot.setOpen({answer}, 400 * kMs);
        const QColor answering = colourAt(120 * kMs);
        QVERIFY(answering != nothing);
        QCOMPARE(colourAt(80 * kMs), nothing);
        trace::Record step = answer; // behind a step it is the answer still
        step.kind = trace::Kind::kStep;
        step.step = 0;
        step.startNs = 0;
        step.endNs = 100 * kMs;
        store.append({&step, 1});
        plot.dataArrived();
        QCOMPARE(colourAt(120 * kMs), answering);
        plot.setOpen({}, 410 * kMs);
        plot.dataArrived();
        QVERIFY2(colourAt(120 * kMs) != answering, "then it is the next step");
    }

    // What is newest is not whole: the edge is soft, and the step under way fades.
    void theNewestEdgeIsSoftWhileTheRunGoesOn() {
        trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
        std::vector<trace::Record> records(2);
        records[0].lane = LaneId(0);
        records[0].kind = trace::Kind::kBackward;
        records[0].endNs = 1000 * kMs;
        records[1].lane = trace::hostLane(1, trace::LaneRole::kSession);
        records[1].kind = trace::Kind::kStep;
        records[1].step = 0;
        records[1].endNs = 500 * kMs;
        store.append(records);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        const auto colours = [&] {
            plot.navigation().fit();
            const QImage image = picture(plot);
            const auto row = rowRect(plot, LaneId(0));
            const int now = static_cast<int>(plot.scene().view.xAt(store.endNs()));
            const int open = static_cast<int>(plot.scene().view.xAt(700 * kMs));
            return std::pair(image.pixelColor(now - 4, row.center().y()), image.pixelColor(open, 3));
        };
        const auto live = colours();
        plot.setLive(false);
        const auto still = colours();
        QCOMPARE(still.first, m_themes.theme().kind(trace::Kind::kBackward));
        QVERIFY(live.first != still.first);
        QVERIFY(live.second != still.second);
        plot.navigation().setStill();
        plot.navigation().setFollowing(true); // there is nothing to follow
        QVERIFY(!plot.navigation().isFollowing());
    }

    void thePanelTellsBubbleAndStages() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 600);
        view.plot().setStore(&store);
        view.show();
        view.plot().navigation().fit();
        view.updateStatistics();
        const auto* panel = view.findChild<ui::timeline::RangePanel*>();
        QTRY_COMPARE(panel->statistics().stages.size(), 3U);
        QVERIFY(panel->statistics().stages[0].p95Ns >= panel->statistics().stages[0].p50Ns);
        QVERIFY2(panel->summary().contains(QLatin1String("bubble")), qPrintable(panel->summary()));
    }

    // What is answered or paused is no bubble.
    void thePanelTellsNoBubbleBetweenSteps() {
        trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
        std::vector<trace::Record> records(2);
        records[0].lane = LaneId(0);
        records[1].lane = trace::hostLane(1, trace::LaneRole::kSession);
        for (trace::Record& record : records) {
            record.kind = trace::Kind::kAnswer;
            record.endNs = 900 * kMs;
        }
        records[0].endNs = 1000 * kMs; // of the next answer, which has not ended
        store.append(records);
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 600);
        view.plot().setStore(&store);
        view.show();
        view.plot().navigation().fit();
        view.updateStatistics();
        const auto* panel = view.findChild<ui::timeline::RangePanel*>();
        QTRY_COMPARE(panel->statistics().devices.size(), 1U);
        QVERIFY2(panel->summary().startsWith(QLatin1String("no steps: answer")), qPrintable(panel->summary()));
    }

    // An answer has no record before it ends, and the view has moved on from the last one.
    void thePanelTellsWhatGoesOnWhileAnswersAreMade() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 600);
        view.plot().setStore(&store);
        view.show();
        view.plot().dataArrived();
        std::vector<trace::Record> open(2);
        open[0].lane = LaneId(0);
        open[1].lane =
            trace::hostLane(static_cast<int>(trace::deviceNamesOf(store.lanes()).size()), trace::LaneRole::kSession);
        for (trace::Record& record : open) {
            record.kind = trace::Kind::kAnswer;
            record.startNs = store.endNs();
        }
        view.plot().setOpen(open, store.endNs() + 60'000 * kMs);
        view.plot().dataArrived();
        QVERIFY(view.plot().scene().view.beginNs() > store.endNs());
        view.updateStatistics();
        const auto* panel = view.findChild<ui::timeline::RangePanel*>();
        QTRY_VERIFY2(panel->summary().startsWith(QLatin1String("no steps: answer")), qPrintable(panel->summary()));
        const trace::RangeStatistics& on = panel->statistics();
        QCOMPARE(on.endNs, store.endNs() + 60'000 * kMs);
        QVERIFY(on.durationNs() > 0);
        QCOMPARE(on.devices[0].busyShare, 1.0);
    }

    // They would be those of a moment ago.
    void thePanelNamesNoStepsWhileTheyPassBy() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 600);
        view.plot().setStore(&store);
        view.show();
        const auto* panel = view.findChild<ui::timeline::RangePanel*>();
        view.plot().dataArrived();
        QVERIFY(view.plot().navigation().isFollowing());
        view.updateStatistics();
        QTRY_VERIFY(panel->statistics().lastStep >= 0);
        QCOMPARE(panel->stepsText(), QString());
        view.plot().navigation().setFollow(Follow::kPaused);
        QVERIFY(panel->stepsText().startsWith(QLatin1String("steps ")));
        view.plot().navigation().setFollow(Follow::kNewestSteps);
        QCOMPARE(panel->stepsText(), QString());
        view.plot().setLive(false); // the run is over
        view.plot().navigation().fit();
        view.updateStatistics();
        QTRY_COMPARE(panel->stepsText(), QStringLiteral("steps 1–10"));
    }

    void theLegendNamesEveryKindHoweverNarrow() {
        ui::timeline::TimelineView view(m_themes);
        auto& legend = *view.findChild<ui::widgets::KindLegend*>();
        legend.setParent(nullptr);
        const std::unique_ptr<QWidget> owned(&legend);
        legend.resize(3000, 20);
        legend.show();
        QCOMPARE(legend.numLines(), 1);
        legend.resize(420, legend.height());
        QTRY_VERIFY(legend.numLines() > 2);
        QCOMPARE(legend.height(), legend.sizeHint().height());
        const QImage narrow = legend.grab().toImage();
        const auto holds = [&](const QColor& wanted) {
            for (int y = 0; y < narrow.height(); ++y)
                for (int x = 0; x < narrow.width(); ++x)
                    if (narrow.pixelColor(x, y) == wanted) return true;
            return false;
        };
        for (int k = 0; k < trace::kNumKinds; ++k)
            if (const auto kind = static_cast<trace::Kind>(k); isWork(kind))
                QVERIFY2(holds(m_themes.theme().kind(kind)), qPrintable(ui::theme::kindName(kind)));
        for (int r = 1; r < trace::kNumIdleReasons; ++r)
            QVERIFY(holds(m_themes.theme().idle(static_cast<trace::IdleReason>(r))));
    }

    void aMillionSlicesRepaintQuickly() {
        const trace::LaneStore store = storeWith(1'000'000 / 12);
        TimelinePlot plot(m_themes);
        plot.resize(1920, 800);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.navigation().fit();
        picture(plot);
        std::vector<double> times;
        for (int i = 0; i < 9; ++i) {
            const std::clock_t begin = std::clock(); // of the processor, so that a busy machine measures the same
            plot.replot(QCustomPlot::rpImmediateRefresh);
            times.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        }
        std::sort(times.begin(), times.end());
        qInfo("1 M slices on 12 lanes, 1920x800: median %.1f ms, worst %.1f ms", times[4], times[8]);
        QVERIFY2(times[4] < 100, "no operation may hold the GUI's thread for 100 ms");
    }
};

QTEST_MAIN(TestTimelinePlot)
#include "tst_timeline_plot.moc"
