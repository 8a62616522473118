// SPDX-License-Identifier: GPL-3.0-or-later
// Ways through a trace: wheel, drags and keys, following, search and which lanes are shown.
#include "timeline_fixtures.h"
#include "ui/timeline/panels/lane_filter.h"
#include "ui/timeline/panels/lane_header.h"
#include "ui/timeline/panels/minimap.h"
#include "ui/timeline/panels/pin_panel.h"
#include "ui/timeline/panels/range_panel.h"
#include "ui/timeline/panels/shortcuts.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace roundpipe;
using testing::kMs;
using testing::pipelineStore;
using testing::storeWith;
using testing::wheel;
using ui::timeline::Follow;
using ui::timeline::TimelinePlot;
using Shown = testing::ShownPlot;

class TestTimelineGestures : public QObject {
    Q_OBJECT

private:
    ui::theme::ThemeManager m_themes{*qApp};
    testing::MotionStyle* m_motion = nullptr;

private slots:
    void initTestCase() { m_motion = &testing::useMotionStyle(); }
    void init() { m_motion->durationMs = 0; }

    void wheelKeepsTheTimeUnderTheCursor() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.navigation().fit();
        for (const int x : {100, 500, 930}) {
            const int64_t before = plot.scene().view.timeAt(x);
            wheel(plot, {x, 100}, 3);
            QVERIFY(std::abs(plot.scene().view.xAt(before) - x) <= 1.0);
        }
        QVERIFY(!plot.navigation().isFollowing());
    }

    void draggingPansAndPausesTheViewOnly() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        QVERIFY(plot.navigation().isFollowing());
        QSignalSpy following(&plot.navigation(), &ui::timeline::Navigation::followingChanged);
        const int64_t before = plot.scene().view.timeAt(300);
        QTest::mousePress(&plot, Qt::LeftButton, {}, {300, 100});
        QTest::mouseMove(&plot, {350, 100});
        QTest::mouseMove(&plot, {420, 100});
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, {420, 100});
        QCOMPARE(following.size(), 1);
        QVERIFY(std::abs(plot.scene().view.xAt(before) - 420) <= 2.0);
        plot.navigation().setFollowing(true);
        QVERIFY(plot.scene().view.endNs() >= store.endNs());
    }

    void followingHasThreeStatesAndAWayBack() {
        trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        QCOMPARE(plot.navigation().follow(), Follow::kNewestSteps);
        wheel(plot, {500, 150}, 1);
        QCOMPARE(plot.navigation().follow(), Follow::kFixedRange);
        QVERIFY(plot.scene().view.endNs() >= store.endNs());
        QTest::keyClick(&plot, Qt::Key_A);
        QCOMPARE(plot.navigation().follow(), Follow::kPaused);
        QTest::keyClick(&plot, Qt::Key_L);
        QCOMPARE(plot.navigation().follow(), Follow::kFixedRange);
        wheel(plot, {500, 150}, 30); // far in
        QTest::keyClick(&plot, Qt::Key_A);
        QVERIFY(plot.navigation().behindNs() > 0);
        QTest::keyClick(&plot, Qt::Key_L);
        QCOMPARE(plot.navigation().follow(), Follow::kNewestSteps); // at 10 µs it would only race
        wheel(plot, {500, 150}, 30);
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(plot.navigation().follow(), Follow::kNewestSteps);
        for (int tick = 0; tick < 80; ++tick)
            plot.dataArrived();
        QVERIFY(plot.scene().view.spanNs() > kMs * 100);
    }

    void followingComesToRestAtTheLastWholeStep() {
        trace::LaneStore store = pipelineStore(); // ten steps of 195 ms, one every 200
        const int64_t lastEndNs = store.endNs();
        trace::Record answer;
        answer.kind = trace::Kind::kAnswer;
        answer.lane = hostLane(2, trace::LaneRole::kSession);
        answer.startNs = lastEndNs;
        answer.endNs = lastEndNs + 3'000 * kMs;
        store.append(std::vector<trace::Record>{answer});
        for (const Follow follow : {Follow::kNewestSteps, Follow::kFixedRange}) {
            Shown shown(m_themes, store);
            TimelinePlot& plot = shown.plot;
            const auto& view = plot.scene().view;
            plot.navigation().setFollow(follow);
            QVERIFY(view.beginNs() > lastEndNs); // as it was while the model answered
            const int64_t spanNs = view.spanNs();
            plot.setLive(false);
            plot.navigation().runEnded();
            const auto endsWithTheLastStep = [&] {
                return view.endNs() >= lastEndNs && view.endNs() - lastEndNs < view.spanNs() / 20;
            };
            QTRY_VERIFY(endsWithTheLastStep());
            QCOMPARE(plot.navigation().follow(), Follow::kPaused);
            QCOMPARE(view.spanNs(), follow == Follow::kFixedRange ? spanNs : 3 * 195 * kMs);
            QTest::keyClick(&plot, Qt::Key_Home);
            QTRY_VERIFY(view.endNs() > answer.endNs);
            QTest::keyClick(&plot, Qt::Key_End);
            QVERIFY(endsWithTheLastStep() && std::abs(view.spanNs() - 3 * 195 * kMs) < 2);
            const int64_t underMouse = view.timeAt(300); // nothing moves any more: that stays in place
            wheel(plot, {300, 150}, 1);
            QTRY_VERIFY(view.spanNs() < 500 * kMs);
            QVERIFY(std::abs(view.xAt(underMouse) - 300) < 2);
        }
    }

    void keysFindBookmarkAndHelp() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        QSignalSpy search(&plot, &TimelinePlot::searchRequested);
        QSignalSpy help(&plot, &TimelinePlot::helpRequested);
        QTest::keyClick(&plot, Qt::Key_Slash);
        QTest::keyClick(&plot, Qt::Key_Question);
        QCOMPARE(search.size(), 1);
        QCOMPARE(help.size(), 1);
        plot.pinNext(ui::timeline::SliceFilter("backward m1"), true);
        QTRY_VERIFY(plot.pinned().has_value());
        QCOMPARE(plot.pinned()->slice.kind, trace::Kind::kBackward);
        QCOMPARE(plot.pinned()->slice.microbatch, MicrobatchId(1));
        const int64_t first = plot.pinned()->slice.startNs;
        QTest::keyClick(&plot, Qt::Key_N);
        QTRY_VERIFY(plot.pinned()->slice.startNs > first);
        QTest::keyClick(&plot, Qt::Key_N, Qt::ShiftModifier);
        QTRY_COMPARE(plot.pinned()->slice.startNs, first);
        QTest::keyClick(&plot, Qt::Key_M);
        QCOMPARE(plot.bookmarks().size(), 1U);
        QTest::keyClick(&plot, Qt::Key_M);
        QVERIFY(plot.bookmarks().empty());
    }

    void viewSearchesSaysHowFarBehindAndFoldsLanes() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 500);
        view.plot().setStore(&store);
        view.show();
        view.plot().dataArrived();
        auto* search = view.findChild<QLineEdit*>();
        QTest::keyClick(&view.plot(), Qt::Key_Slash);
        QTRY_VERIFY(search->hasFocus() || !view.isActiveWindow());
        search->setText(QStringLiteral("nonsense"));
        QTest::keyClick(search, Qt::Key_Return);
        const auto says = [&](const char* words) {
            return std::ranges::any_of(view.findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->isVisibleTo(&view) && label->text() == QLatin1String(words);
            });
        };
        QTRY_VERIFY(says("no match")); // neither later nor earlier
        search->setText(QStringLiteral("forward S1"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(view.plot().pinned().has_value());
        QCOMPARE(view.plot().pinned()->slice.stage, StageId(1));
        auto* panel = view.findChild<ui::timeline::PinPanel*>();
        QVERIFY(panel->isVisible());
        QVERIFY2(panel->plainText().contains(QStringLiteral("3 stage(s) on 2 device(s)")),
                 qPrintable(panel->plainText()));
        view.plot().unpin();
        view.plot().navigation().showAround(store.beginNs() + 200 * kMs);
        view.plot().navigation().zoomBy(0.2);
        const auto saysBehind = [&] {
            return std::ranges::any_of(view.findChildren<QToolButton*>(), [](const QToolButton* button) {
                return button->isVisible() && button->text().contains(QStringLiteral("behind"));
            });
        };
        view.plot().setFocus();
        QTRY_VERIFY(saysBehind());
        QTest::keyClick(&view.plot(), Qt::Key_Slash);
        QTRY_VERIFY2(!saysBehind(), "what is searched for has the room");
        QTest::keyClick(search, Qt::Key_Escape);
        QTRY_VERIFY(saysBehind());
        auto* numbers = view.findChild<ui::timeline::RangePanel*>();
        QVERIFY(numbers->isVisible());
        view.resize(850, 500); // the lanes have the room until something is chosen
        QTRY_VERIFY(!numbers->isVisible());
        view.plot().pinNext(ui::timeline::SliceFilter("forward"), true);
        QTRY_VERIFY(panel->isVisible());
        view.plot().unpin();
        view.resize(1300, 500);
        QTRY_VERIFY(numbers->isVisible());
        QTRY_VERIFY2(numbers->summary().contains(QStringLiteral("busy")), qPrintable(numbers->summary()));
        auto* header = view.findChild<ui::timeline::LaneHeader*>();
        const int before = view.plot().scene().layout.groups[0].height;
        const int top = TimelinePlot::rulerHeight() + view.plot().scene().layout.groups[0].top;
        QTest::mouseClick(header, Qt::LeftButton, {}, {100, top + 5});
        QVERIFY(view.plot().scene().layout.groups[0].collapsed);
        QVERIFY(view.plot().scene().layout.groups[0].height < before);
        auto* map = view.findChild<ui::timeline::Minimap*>();
        QTest::mouseClick(map, Qt::LeftButton, {}, {map->width() - 5, 10});
        const auto& shownNow = view.plot().scene().view;
        QVERIFY(shownNow.endNs() >= store.endNs() - (store.endNs() - store.beginNs()) / 10);
        QTRY_VERIFY(view.statistics().firstStep >= 0);
    }

    // The other habit: the plain wheel scrolls, a plain drag selects.
    void gesturesCanScrollAndSelect() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        plot.setGestures(ui::timeline::Gestures::kScrollAndSelect);
        const int64_t span = plot.scene().view.spanNs();
        QSignalSpy scrolled(&plot, &TimelinePlot::scrollRequested);
        wheel(plot, {500, 150}, -1);
        QCOMPARE(scrolled.size(), 1);
        QVERIFY(scrolled.front().front().toInt() > 0);
        QCOMPARE(plot.scene().view.spanNs(), span);
        const int64_t before = plot.scene().view.timeAt(500);
        wheel(plot, {500, 150}, 2, Qt::ControlModifier);
        QVERIFY(plot.scene().view.spanNs() < span);
        QVERIFY(std::abs(plot.scene().view.xAt(before) - 500) <= 1.0);
        const int64_t zoomed = plot.scene().view.spanNs();
        wheel(plot, {500, 10}, 1); // on the ruler
        QVERIFY(plot.scene().view.spanNs() < zoomed);
        QCOMPARE(scrolled.size(), 1);

        const auto drag = [&](Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
            QTest::mousePress(&plot, button, modifiers, {300, 100});
            QTest::mouseMove(&plot, {350, 100});
            QTest::mouseMove(&plot, {420, 100});
            QTest::mouseRelease(&plot, button, modifiers, {420, 100});
        };
        const int64_t begin = plot.scene().view.beginNs();
        drag(Qt::LeftButton, {});
        QVERIFY(plot.selection().has_value());
        QCOMPARE(plot.scene().view.beginNs(), begin);
        plot.clearSelection();
        drag(Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(!plot.selection().has_value());
        QVERIFY(plot.scene().view.beginNs() < begin);
        const int64_t moved = plot.scene().view.beginNs();
        drag(Qt::MiddleButton, {});
        QVERIFY(plot.scene().view.beginNs() < moved);
        using ui::timeline::Gestures;
        QVERIFY(ui::timeline::shortcuts(Gestures::kZoomAndPan)[0].keys !=
                ui::timeline::shortcuts(Gestures::kScrollAndSelect)[0].keys);
    }

    // From 38 s to 10 µs took 83 notches.
    void aWheelThatTurnsOnReachesFar() {
        const trace::LaneStore store = storeWith(3'800);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const int64_t before = plot.scene().view.timeAt(400);
        int notches = 0;
        for (; plot.scene().view.spanNs() > 10'000 && notches < 100; ++notches)
            wheel(plot, {400, 100}, 1);
        QVERIFY2(notches <= 20, qPrintable(QString::number(notches)));
        QVERIFY(std::abs(plot.scene().view.xAt(before) - 400) <= 1.0);
        wheel(plot, {400, 100}, -1); // the other way begins slowly again
        QVERIFY(plot.scene().view.spanNs() < 16'000);
    }

    void zoomsGlideUnlessTheSystemWantsNoMotion() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        m_motion->durationMs = 200;
        const int64_t span = plot.scene().view.spanNs();
        const int64_t before = plot.scene().view.timeAt(300);
        wheel(plot, {300, 100}, 1);
        wheel(plot, {300, 100}, 1); // from where the first one leads to
        QVERIFY(plot.scene().view.spanNs() > span * 9 / 10);
        bool keptItsPlace = true;
        const auto share = [&] { return static_cast<double>(plot.scene().view.spanNs()) / static_cast<double>(span); };
        connect(&plot, &TimelinePlot::viewChanged, &plot,
                [&] { keptItsPlace = keptItsPlace && std::abs(plot.scene().view.xAt(before) - 300) <= 1.0; });
        QTRY_VERIFY(share() < 0.42); // a notch, and one that was fast
        QVERIFY(keptItsPlace);
        QTest::keyClick(&plot, Qt::Key_0);
        QTest::keyClick(&plot, Qt::Key_D); // panning waits for nothing
        QVERIFY(plot.scene().view.spanNs() >= span * 99 / 100);
    }

    void lanesCanBeFiltered() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 500);
        view.plot().setStore(&store);
        view.show();
        auto* filter = view.findChild<ui::timeline::LaneFilter*>();
        const auto choose = [&](const char* name) {
            emit filter->menu()->aboutToShow();
            for (QAction* action : filter->menu()->actions())
                if (action->text() == QLatin1String(name)) return action->trigger();
            QFAIL(name);
        };
        const auto rowOf = [&](int device, trace::LaneRole role) {
            return view.plot().scene().layout.rowOf(trace::laneOf(DeviceId(device), role));
        };
        choose("memory");
        QVERIFY(rowOf(0, trace::LaneRole::kMemory) == nullptr);
        QVERIFY(rowOf(1, trace::LaneRole::kCompute) != nullptr);
        choose("Worker 1");
        QVERIFY(rowOf(1, trace::LaneRole::kCompute) == nullptr);
        QVERIFY(rowOf(0, trace::LaneRole::kCompute) != nullptr);
        QVERIFY2(filter->text().contains(QLatin1String("of 14")), qPrintable(filter->text()));
        choose("compute"); // the device keeps its name without its first lane
        QCOMPARE(view.plot().scene().layout.groups[0].name, std::string("cpu:0"));
        choose("All lanes");
        QVERIFY(rowOf(1, trace::LaneRole::kMemory) != nullptr);
        QCOMPARE(filter->text(), QStringLiteral("Lanes"));
    }
};

QTEST_MAIN(TestTimelineGestures)
#include "tst_timeline_gestures.moc"
