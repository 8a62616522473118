// SPDX-License-Identifier: GPL-3.0-or-later
// What is under the mouse, pinned by it or measured with it.
#include "timeline_fixtures.h"
#include "ui/timeline/painting/tip_place.h"

#include <QSignalSpy>

#include <cmath>

using namespace roundpipe;
using testing::kMs;
using testing::picture;
using testing::pipelineStore;
using testing::rowRect;
using testing::storeWith;
using ui::timeline::TimelinePlot;
using Shown = testing::ShownPlot;

class TestTimelineSelection : public QObject {
    Q_OBJECT

private:
    ui::theme::ThemeManager m_themes{*qApp};

private slots:
    void initTestCase() { testing::useMotionStyle().durationMs = 0; }

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
        const int64_t spanNs = plot.scene().view.spanNs();
        QTest::keyClick(&plot, Qt::Key_F); // into the middle, and then as large as it can be
        QCOMPARE(plot.scene().view.spanNs(), spanNs);
        const int64_t middleNs = (plot.pinned()->slice.startNs + plot.pinned()->slice.endNs) / 2;
        QVERIFY(std::abs(plot.scene().view.xAt(middleNs) - plot.width() / 2.0) <= 1);
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
};

QTEST_MAIN(TestTimelineSelection)
#include "tst_timeline_selection.moc"
