// SPDX-License-Identifier: GPL-3.0-or-later
// Each key and gesture that no other test needs on its way: those of the lanes, the ruler, the devices' names and the
// overview.
#include "timeline_fixtures.h"
#include "ui/timeline/panels/lane_header.h"
#include "ui/timeline/panels/minimap.h"
#include "ui/timeline/panels/shortcuts.h"

#include <QSignalSpy>

#include <cmath>

using namespace roundpipe;
using testing::kMs;
using testing::pipelineStore;
using testing::storeWith;
using testing::wheel;
using ui::timeline::LaneHeader;
using ui::timeline::Minimap;
using ui::timeline::TimelinePlot;
using ui::timeline::TimelineView;
using Shown = testing::ShownPlot;

class TestTimelineKeys : public QObject {
    Q_OBJECT

private:
    ui::theme::ThemeManager m_themes{*qApp};

    static bool isInTheMiddle(const TimelinePlot& plot, int64_t timeNs) {
        return std::abs(plot.scene().view.xAt(timeNs) - plot.width() / 2.0) <= 1;
    }
    static void turn(Minimap& map, int x, int notches) {
        const QPointF where(x, 10);
        QWheelEvent event(where, map.mapToGlobal(where), {}, {0, 120 * notches}, Qt::NoButton, {}, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&map, &event);
    }

    // A view on show with some devices.
    struct ShownView {
        ShownView(const ui::theme::ThemeManager& themes, const trace::LaneStore& store, int height = 500)
            : view(themes) {
            view.resize(1300, height);
            view.plot().setStore(&store);
            view.show();
            view.plot().dataArrived();
            view.plot().navigation().fit();
        }
        const ui::timeline::LaneGroup& group(std::size_t index) { return view.plot().scene().layout.groups.at(index); }
        template <class Widget>
        Widget& find() {
            return *view.template findChild<Widget*>();
        }
        TimelineView view;
    };

private slots:
    void initTestCase() { testing::useMotionStyle(); } // nothing glides

    void wAndSZoomAboutTheMiddle() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const int64_t spanNs = plot.scene().view.spanNs();
        const int64_t middleNs = plot.scene().view.timeAt(plot.width() / 2.0);
        QTest::keyClick(&plot, Qt::Key_W);
        const int64_t nearer = plot.scene().view.spanNs();
        QVERIFY(nearer < spanNs);
        QVERIFY(isInTheMiddle(plot, middleNs));
        QTest::keyClick(&plot, Qt::Key_S);
        QVERIFY(std::abs(plot.scene().view.spanNs() - spanNs) < spanNs / 100);
        QVERIFY(isInTheMiddle(plot, middleNs));
    }

    void arrowsMoveInTime() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().showRange(1'000 * kMs, 2'000 * kMs);
        for (const auto& [later, earlier] : {std::pair(Qt::Key_Right, Qt::Key_Left), std::pair(Qt::Key_D, Qt::Key_A)}) {
            const int64_t begin = plot.scene().view.beginNs();
            QTest::keyClick(&plot, later);
            QVERIFY(plot.scene().view.beginNs() > begin);
            QCOMPARE(plot.scene().view.spanNs(), 1'000 * kMs);
            QTest::keyClick(&plot, earlier);
            QVERIFY(std::abs(plot.scene().view.beginNs() - begin) < 2 * kMs);
        }
    }

    void altLeftGoesBackLikeBackspace() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        for (const bool byAlt : {true, false}) {
            plot.navigation().showRange(1'000 * kMs, 2'000 * kMs);
            plot.navigation().zoomTo(1'500 * kMs, 1'600 * kMs);
            QVERIFY(plot.scene().view.spanNs() < 200 * kMs);
            if (byAlt)
                QTest::keyClick(&plot, Qt::Key_Left, Qt::AltModifier);
            else
                QTest::keyClick(&plot, Qt::Key_Backspace);
            QCOMPARE(plot.scene().view.beginNs(), 1'000 * kMs);
            QCOMPARE(plot.scene().view.spanNs(), 1'000 * kMs);
        }
    }

    void commaGoesToTheSliceBefore() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        plot.pinNext(ui::timeline::SliceFilter("backward m1"), true);
        QTRY_VERIFY(plot.pinned().has_value());
        const trace::Record first = plot.pinned()->slice;
        QTest::keyClick(&plot, Qt::Key_Comma);
        QTRY_VERIFY(plot.pinned()->slice.startNs < first.startNs);
        QCOMPARE(plot.pinned()->slice.lane, first.lane);
        QTest::keyClick(&plot, Qt::Key_Period);
        QTRY_COMPARE(plot.pinned()->slice.startNs, first.startNs);
    }

    void enterZoomsAndFBringsIntoTheMiddleFirst() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const int64_t wholeNs = plot.scene().view.spanNs();
        shown.select(200, 300);
        const auto range = *plot.selection();
        const int64_t middleNs = (range.beginNs + range.endNs) / 2;
        QTest::keyClick(&plot, Qt::Key_F);
        QCOMPARE(plot.scene().view.spanNs(), wholeNs);
        QVERIFY(isInTheMiddle(plot, middleNs));
        QTest::keyClick(&plot, Qt::Key_F);
        const int64_t nearNs = plot.scene().view.spanNs();
        QVERIFY(nearNs < wholeNs / 4);
        QVERIFY(isInTheMiddle(plot, middleNs));
        QTest::keyClick(&plot, Qt::Key_Backspace);
        QCOMPARE(plot.scene().view.spanNs(), wholeNs);
        QTest::keyClick(&plot, Qt::Key_Return); // at once
        QCOMPARE(plot.scene().view.spanNs(), nearNs);
    }

    void altWheelScrollsAndShiftWheelMoves() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().showRange(1'000 * kMs, 2'000 * kMs);
        QSignalSpy scrolled(&plot, &TimelinePlot::scrollRequested);
        wheel(plot, {500, 150}, -1, Qt::AltModifier);
        QCOMPARE(scrolled.size(), 1);
        QVERIFY(scrolled.front().front().toInt() > 0);
        QCOMPARE(plot.scene().view.beginNs(), 1'000 * kMs);
        wheel(plot, {500, 150}, -1, Qt::ShiftModifier);
        QVERIFY(plot.scene().view.beginNs() > 1'000 * kMs);
        QCOMPARE(plot.scene().view.spanNs(), 1'000 * kMs);
        QCOMPARE(scrolled.size(), 1);
    }

    void aDragOnTheRulerMeasures() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().showRange(1'000 * kMs, 2'000 * kMs);
        QTest::mousePress(&plot, Qt::LeftButton, {}, {200, 10});
        QTest::mouseMove(&plot, {300, 10});
        QTest::mouseMove(&plot, {400, 10});
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, {400, 10});
        QVERIFY(plot.selection().has_value());
        QVERIFY(std::abs(plot.scene().view.xAt(plot.selection()->beginNs) - 200) <= 1);
        QVERIFY(std::abs(plot.scene().view.xAt(plot.selection()->endNs) - 400) <= 1);
        QCOMPARE(plot.scene().view.beginNs(), 1'000 * kMs);
    }

    void aDoubleClickOnASliceZoomsToIt() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const QPoint where = shown.middleOf(store, 5, 0, 0);
        QTest::mouseMove(&plot, where);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, where);
        const auto& view = plot.scene().view;
        QVERIFY2(view.spanNs() < 40 * kMs, qPrintable(QString::number(view.spanNs())));
        QVERIFY(view.beginNs() <= 1'000 * kMs && view.endNs() >= 1'020 * kMs); // of the sixth step's first slice
    }

    void theOverviewMovesByDragAndZoomsAtTheCursor() {
        const trace::LaneStore store = pipelineStore();
        ShownView shown(m_themes, store);
        auto& map = shown.find<Minimap>();
        QVERIFY(map.isVisible());
        const auto& view = shown.view.plot().scene().view;
        const auto middleNs = [&] { return view.beginNs() + view.spanNs() / 2; };
        const int64_t lastsNs = store.endNs() - store.beginNs();
        const auto under = [&](int x) { return store.beginNs() + lastsNs * x / map.width(); };
        shown.view.plot().navigation().showRange(0, 400 * kMs);
        QTest::mousePress(&map, Qt::LeftButton, {}, {map.width() / 2, 10});
        QVERIFY(std::abs(middleNs() - under(map.width() / 2)) < 5 * kMs);
        QMouseEvent move(QEvent::MouseMove, QPointF(map.width() / 4.0, 10), map.mapToGlobal(QPointF(0, 0)),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&map, &move);
        QVERIFY(std::abs(middleNs() - under(map.width() / 4)) < 5 * kMs);
        QTest::mouseRelease(&map, Qt::LeftButton, {}, {map.width() / 4, 10});

        shown.view.plot().navigation().fit();
        const int cursor = map.width() / 5;
        const double before = view.xAt(under(cursor));
        const int64_t spanNs = view.spanNs();
        for (const int notches : {2, -1}) {
            turn(map, cursor, notches);
            QVERIFY(std::abs(view.xAt(under(cursor)) - before) <= 1);
        }
        QVERIFY(view.spanNs() < spanNs);
        shown.view.plot().navigation().showRange(0, 200 * kMs);
        turn(map, map.width() * 3 / 4, 1); // what is not on show comes there
        QVERIFY(std::abs(middleNs() - under(map.width() * 3 / 4)) < 5 * kMs);
        QVERIFY(view.spanNs() < 200 * kMs);
    }

    void devicesAreFoldedAndKeptOnTopByKeys() {
        const trace::LaneStore store = pipelineStore();
        ShownView shown(m_themes, store);
        TimelinePlot& plot = shown.view.plot();
        auto& header = shown.find<LaneHeader>();
        plot.setFocus();
        QTRY_VERIFY(plot.hasFocus() || !shown.view.isActiveWindow());
        QCOMPARE(shown.group(0).device, DeviceId(0));
        const bool wasFolded = shown.group(1).collapsed;
        QTest::keyClick(&plot, Qt::Key_Down); // the first one is shown
        QTRY_VERIFY(header.hasFocus());
        QVERIFY2(header.accessibleDescription().startsWith(QLatin1String("cpu:0")),
                 qPrintable(header.accessibleDescription()));
        QTest::keyClick(&header, Qt::Key_Down);
        QVERIFY(header.accessibleDescription().startsWith(QLatin1String("cpu:1")));
        QTest::keyClick(&header, Qt::Key_Space);
        QCOMPARE(shown.group(1).collapsed, !wasFolded);
        QVERIFY(
            header.accessibleDescription().contains(wasFolded ? QLatin1String("unfolded") : QLatin1String("folded")));
        QTest::keyClick(&header, Qt::Key_Space);
        QCOMPARE(shown.group(1).collapsed, wasFolded);
        QTest::keyClick(&header, Qt::Key_T);
        QCOMPARE(shown.group(0).device, DeviceId(1));
        QVERIFY(shown.group(0).pinned);
        QVERIFY(header.accessibleDescription().endsWith(QLatin1String("kept on top")));
        QTest::keyClick(&header, Qt::Key_T);
        QCOMPARE(shown.group(0).device, DeviceId(0));
        QTest::keyClick(&header, Qt::Key_Down); // the host, which stays where it is
        QTest::keyClick(&header, Qt::Key_Down);
        QTest::keyClick(&header, Qt::Key_T);
        QVERIFY(!shown.group(2).device.valid() && !shown.group(2).pinned);
        const int64_t spanNs = plot.scene().view.spanNs();
        QTest::keyClick(&header, Qt::Key_W); // the lanes' keys work here, too
        QVERIFY(plot.scene().view.spanNs() < spanNs);
        QTest::keyClick(&header, Qt::Key_Escape);
        QTRY_VERIFY(plot.hasFocus());
    }

    // Each is on the sheet, whichever habit was chosen.
    void theSheetHasEveryKey() {
        for (const auto gestures : {ui::timeline::Gestures::kZoomAndPan, ui::timeline::Gestures::kScrollAndSelect}) {
            QString keys;
            for (const ui::timeline::Shortcut& shortcut : ui::timeline::shortcuts(gestures))
                keys += shortcut.keys + QLatin1Char('\n');
            for (const char* key : {"W",          "S",
                                    "A, D, ←, →", "Shift+wheel",
                                    "Alt+wheel",  "Double click, Enter",
                                    "F, F F",     "Backspace, Alt+←",
                                    "0, Home",    "End",
                                    "L",          ". and ,",
                                    "N, Shift+N", "] and [",
                                    "/",          "M",
                                    "P",          "↑ and ↓",
                                    "Space or T", "Esc",
                                    "?"})
                QVERIFY2(keys.contains(QString::fromUtf8(key)), key);
        }
    }
};

QTEST_MAIN(TestTimelineKeys)
#include "tst_timeline_keys.moc"
