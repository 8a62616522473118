// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline_fixtures.h"
#include "ui/timeline/painting/tip_place.h"
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
using testing::picture;
using testing::pipelineStore;
using testing::rowRect;
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

    void shiftDragMeasuresARange() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.navigation().fit();
        const auto& view = plot.scene().view;
        const int64_t from = view.timeAt(200);
        const int64_t to = view.timeAt(600);
        QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier, {600, 100});
        QTest::mouseMove(&plot, {400, 100});
        QTest::mouseMove(&plot, {200, 100});
        QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier, {200, 100});
        QVERIFY(plot.selection().has_value());
        QVERIFY(std::abs(plot.selection()->beginNs - from) <= view.spanNs() / 500);
        QVERIFY(std::abs(plot.selection()->endNs - to) <= view.spanNs() / 500);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!plot.selection().has_value());
    }

    // At an edge it would be read as the length of something that is there.
    void theLengthOfARangeIsNotSaidWhereTheRangeIsOutOfSight() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        const QRect ruler(0, 0, plot.width(), TimelinePlot::rulerHeight());
        const auto saysIt = [&] { return testing::pixelsOf(picture(plot), ruler, m_themes.theme().accent) > 200; };
        plot.select(1000 * kMs, 1400 * kMs);
        plot.navigation().showRange(800 * kMs, 1600 * kMs);
        QVERIFY(saysIt());
        plot.navigation().showRange(2000 * kMs, 2800 * kMs);
        QVERIFY(!saysIt());
    }

    void aClickPinsASliceAndLightsItsMicrobatch() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const QColor before = picture(plot).pixelColor(shown.middleOf(store, 0, 1, 0));
        QSignalSpy pinned(&plot, &TimelinePlot::pinnedChanged);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, shown.middleOf(store, 0, 0, 0));
        QCOMPARE(pinned.size(), 1);
        QVERIFY(plot.pinned().has_value());
        QCOMPARE(plot.pinned()->slice.microbatch, MicrobatchId(0));
        QCOMPARE(plot.pinned()->flow.slices.size(), 3U + 2U + 2U); // three stages, two packets
        QVERIFY(!plot.navigation().isFollowing());
        QVERIFY(plot.accessibleDescription().contains(QStringLiteral("microbatch 0")));
        const QImage lit = picture(plot);
        QVERIFY(lit.pixelColor(shown.middleOf(store, 0, 1, 0)) != before); // another microbatch recedes
        const QPoint inLit = shown.middleOf(store, 0, 0, 2) + QPoint(0, 14);
        QCOMPARE(lit.pixelColor(inLit), m_themes.theme().kind(trace::Kind::kBackward));
        QTest::keyClick(&plot, Qt::Key_BracketRight);
        QCOMPARE(plot.pinned()->slice.slot, 1);
        QTest::keyClick(&plot, Qt::Key_BracketRight);
        QCOMPARE(plot.pinned()->slice.slot, 2);
        QTest::keyClick(&plot, Qt::Key_BracketLeft);
        QCOMPARE(plot.pinned()->slice.slot, 1);
        QTest::keyClick(&plot, Qt::Key_Period); // the next of its lane
        QTRY_COMPARE(plot.pinned()->slice.microbatch, MicrobatchId(1));
        QTest::keyClick(&plot, Qt::Key_F);
        QVERIFY(plot.scene().view.spanNs() < 2 * (plot.pinned()->slice.endNs - plot.pinned()->slice.startNs));
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(!plot.pinned());
    }

    // Beside the mouse as long as no lit arrow runs there.
    void aTipLeavesLitArrowsFree() {
        using ui::timeline::tipPlace;
        const QRect lanes(0, 40, 800, 300), screen(-200, -200, 1200, 800);
        const QPoint mouse(400, 200);
        const QSize tip(150, 90);
        const auto line = [](QPointF from, QPointF to) {
            QPainterPath path(from);
            path.lineTo(to);
            return path;
        };
        QVERIFY(QRect(mouse, lanes.bottomRight()).contains(QRect(tipPlace(mouse, tip, lanes, screen, {}), tip)));
        std::vector<QPainterPath> arrows{line({405, 250}, {790, 250})};
        const QRect left(tipPlace(mouse, tip, lanes, screen, arrows), tip);
        QVERIFY(left.right() < mouse.x() && left.top() > mouse.y());
        arrows.push_back(line({395, 250}, {10, 250}));
        const QRect above(tipPlace(mouse, tip, lanes, screen, arrows), tip);
        QVERIFY(above.left() > mouse.x() && above.bottom() < mouse.y());
        arrows.push_back(line({405, 150}, {790, 150}));
        QVERIFY(QRect(tipPlace(mouse, tip, lanes, screen, arrows), tip).right() < mouse.x());
        arrows.push_back(line({395, 150}, {10, 150}));
        QVERIFY(tipPlace(mouse, tip, lanes, screen, arrows).y() > lanes.bottom()); // over none of the lanes
        const QRect low(0, -200, 800, 560);                                        // a screen that ends below the lanes
        QVERIFY(tipPlace(mouse, tip, lanes, low, arrows).y() + tip.height() < lanes.top());
        QVERIFY(tipPlace(QPoint(790, 200), tip, lanes, low, {}).x() < 790);
    }

    void theTipOfAHoveredSliceLiesOverNoLitArrow() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        QTest::mouseClick(&plot, Qt::LeftButton, {}, shown.middleOf(store, 0, 0, 0));
        const std::vector<QPainterPath> arrows = plot.litArrows();
        QCOMPARE(arrows.size(), 2U);
        plot.hover(shown.middleOf(store, 0, 1, 0));
        const auto* tip = plot.findChild<ui::timeline::SliceTip*>();
        QVERIFY(tip->isVisible());
        for (const QPainterPath& arrow : arrows)
            QVERIFY(!arrow.intersects(QRectF(plot.mapFromGlobal(tip->pos()), tip->size())));
    }

    // Where the mouse goes, and never beyond what it speaks of.
    void theTipGoesWithTheMouse() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        const auto* tip = plot.findChild<ui::timeline::SliceTip*>();
        const auto hover = [&](int microbatch) { plot.hover(shown.middleOf(store, 0, microbatch, 0)); };
        hover(0);
        QVERIFY(tip->isVisible());
        const QPoint before = tip->pos();
        hover(1);
        QVERIFY(tip->isVisible());
        QVERIFY(tip->x() > before.x());
        QVERIFY(tip->width() > 60 && tip->height() > 60); // as large as its words
        plot.hover({5, 5});                               // the ruler
        QVERIFY(!tip->isVisible());
        hover(0);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&plot, &leave);
        QVERIFY(!tip->isVisible());
        hover(0);
        QTest::mousePress(&plot, Qt::LeftButton, {}, shown.middleOf(store, 0, 0, 0));
        QVERIFY(!tip->isVisible());
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, shown.middleOf(store, 0, 0, 0));
        QVERIFY(tip->isVisible());
        plot.hide();
        QVERIFY(!tip->isVisible());
    }

    void doubleClickInARangeZoomsToIt() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        shown.select(200, 600);
        const auto range = *plot.selection();
        const QPoint inside(400, 100);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, inside); // the first half of a double click
        QVERIFY(plot.selection().has_value());
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, inside);
        const auto& view = plot.scene().view;
        QVERIFY(view.beginNs() <= range.beginNs && view.endNs() >= range.endNs);
        QVERIFY(view.spanNs() < 2 * (range.endNs - range.beginNs));
        QTest::keyClick(&plot, Qt::Key_Backspace);
        QVERIFY(plot.scene().view.spanNs() > 4 * (range.endNs - range.beginNs) / 2);
    }

    void edgesOfARangeCanBeDragged() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.navigation().fit();
        shown.select(200, 600);
        const int64_t end = plot.selection()->endNs;
        QTest::mousePress(&plot, Qt::LeftButton, {}, {201, 150});
        QTest::mouseMove(&plot, {260, 150});
        QTest::mouseMove(&plot, {300, 150});
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, {300, 150});
        QCOMPARE(plot.selection()->endNs, end);
        QVERIFY(std::abs(plot.scene().view.xAt(plot.selection()->beginNs) - 300) <= 1);
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

    void whatIsUnderTheMouseIsLookedAtAgainAsDataArrives() {
        trace::LaneStore store = storeWith(100);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        const QPoint where(300, rowRect(plot, LaneId(0)).center().y());
        QTest::mouseMove(&plot, where);
        QVERIFY(plot.hovered() != nullptr);
        const int64_t before = plot.hovered()->startNs;
        trace::LaneStore more = storeWith(400);
        plot.setStore(&more);
        plot.dataArrived();
        QVERIFY(plot.hovered() == nullptr || plot.hovered()->startNs != before);
    }

    void movingTheMousePaintsOnlyWhatItMoves() {
        const trace::LaneStore store = storeWith(100);
        Shown shown(m_themes, store);
        picture(shown.plot);
        class Painted : public QObject { // how many pixels have been painted again
        public:
            int64_t pixels = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                if (event->type() != QEvent::Paint) return false;
                for (const QRect& rect : static_cast<QPaintEvent*>(event)->region())
                    pixels += int64_t{rect.width()} * rect.height();
                return false;
            }
        } painted;
        QTest::mouseMove(&shown.plot, {300, 100});
        QTest::qWait(50); // what was to be painted at first has been
        QSignalSpy replots(&shown.plot, &QCustomPlot::afterReplot);
        shown.plot.installEventFilter(&painted);
        QTest::mouseMove(&shown.plot, {340, 100});
        QTRY_VERIFY(painted.pixels > 0);
        QTest::qWait(50);
        QCOMPARE(replots.count(), 0);
        QVERIFY2(painted.pixels < shown.plot.width() * shown.plot.height() / 4,
                 qPrintable(QString::number(painted.pixels)));
        shown.plot.removeEventFilter(&painted);
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
