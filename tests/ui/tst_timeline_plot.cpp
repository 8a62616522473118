#include "../plan/small_rig.h"
#include "plan/simulate/dispatch_simulation.h"
#include "ui/timeline/lane_filter.h"
#include "ui/timeline/lane_header.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/pin_panel.h"
#include "ui/timeline/range_panel.h"
#include "ui/timeline/shortcuts.h"
#include "ui/timeline/timeline_view.h"

#include <QLineEdit>
#include <QMenu>
#include <QProxyStyle>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace roundpipe;
using ui::timeline::Follow;
using ui::timeline::TimelinePlot;

namespace {

constexpr int64_t kMs = 1'000'000;

// `count` slices of 8 ms every 10 ms on each lane of two devices.
trace::LaneStore storeWith(int count) {
    trace::LaneStore store(trace::makeLanes({"cpu:0", "cpu:1"}), 0);
    std::vector<trace::Record> records;
    for (int i = 0; i < count; ++i)
        for (const trace::Lane& lane : store.lanes()) {
            trace::Record record;
            record.lane = lane.id;
            record.kind = lane.role == trace::LaneRole::kCompute ? trace::Kind::kBackward : trace::Kind::kUploadWeights;
            record.startNs = i * 10 * kMs;
            record.endNs = record.startNs + 8 * kMs;
            record.stage = StageId(1);
            record.microbatch = MicrobatchId(i % 4);
            records.push_back(record);
        }
    store.append(records);
    return store;
}

// Ten steps of three slots on two devices, two microbatches: forward, forward, backward, with their packets.
trace::LaneStore pipelineStore() {
    trace::LaneStore store(trace::makeLanes({"cpu:0", "cpu:1"}), 0);
    std::vector<trace::Record> records;
    const auto add = [&](trace::Kind kind, LaneId lane, int32_t step, int32_t slot, int m, int layer, int64_t from,
                         int64_t to) {
        trace::Record r;
        r.kind = kind;
        r.lane = lane;
        r.step = step;
        r.slot = slot;
        r.stage = StageId(slot);
        r.microbatch = MicrobatchId(m);
        r.layer = LayerId(layer);
        r.isGradient = layer == 4;
        r.startNs = r.queuedNs = from * kMs;
        r.endNs = to * kMs;
        records.push_back(r);
    };
    using trace::Kind;
    using trace::LaneRole;
    for (int32_t step = 0; step < 10; ++step) {
        const int64_t at = step * 200;
        for (int32_t slot = 0; slot < 3; ++slot)
            for (int m = 0; m < 2; ++m) {
                const int64_t from = at + slot * 55 + m * 25;
                const DeviceId device(slot % 2);
                if (slot > 0)
                    add(Kind::kUploadActivation, laneOf(device, LaneRole::kActivationsUp), step, slot, m,
                        slot == 1 ? 2 : 4, from - 8, from);
                add(slot == 2 ? Kind::kBackward : Kind::kForward, laneOf(device, LaneRole::kCompute), step, slot, m, -1,
                    from, from + 20);
                if (slot < 2)
                    add(Kind::kDownloadActivation, laneOf(device, LaneRole::kActivationsDown), step, slot, m,
                        slot == 0 ? 2 : 4, from + 20, from + 25);
            }
        add(Kind::kStep, hostLane(2, LaneRole::kSession), step, -1, -1, -1, at, at + 195);
    }
    store.append(records);
    return store;
}

// Four devices, one of them behind a slow link, as the planner simulates them.
trace::LaneStore simulatedStore(int32_t numSteps) {
    using namespace plan;
    const std::vector<LayerTimes> layers(17, {0.010, 0.010, 0.022});
    Costs costs = plan::testing::costsOf(layers, 4);
    costs.packetBytes = 60 << 20;
    costs.optimizerSeconds = 0.05;
    costs.firstTrainable = 1;
    for (geometry::LayerSizes& layer : costs.layers) {
        layer.baseUp = 380 << 20;
        layer.adapterUp = 10 << 20;
        layer.gradientsDown = 20 << 20;
    }
    Rig rig = plan::testing::equalRig(4, 25e9);
    rig.links[2].upBytesPerSecond = 9e9;
    Plan cut;
    cut.numLayers = 17;
    for (int32_t l = 0; l < 15; l += 3)
        cut.forward.push_back({l, l + 3});
    cut.fused = {15, 17};
    for (int32_t l = 15; l > 1; l -= 2)
        cut.backward.push_back({std::max(1, l - 2), l});
    for (int32_t d = 0; d < 4; ++d)
        cut.deviceTable.push_back(DeviceId(d));
    DispatchOptions options;
    options.numSteps = numSteps;
    options.firstMeasured = 0;
    options.keepsRecords = true;
    std::vector<trace::Record> records = simulateDispatch(cut, costs, rig, {6, 1, false}, options).records;
    std::vector<trace::Record> steps(static_cast<std::size_t>(numSteps));
    for (const trace::Record& r : records) {
        if (!isCompute(r.kind) && r.kind != trace::Kind::kOptimizer) continue;
        trace::Record& step = steps[static_cast<std::size_t>(r.step)];
        if (step.endNs == 0) step.startNs = r.startNs;
        step.endNs = std::max(step.endNs, r.endNs);
        step.startNs = std::min(step.startNs, r.startNs);
        step.kind = trace::Kind::kStep;
        step.step = r.step;
        step.lane = trace::hostLane(4, trace::LaneRole::kSession);
    }
    for (int32_t d = 0; d < 5; ++d)
        for (int i = 0; i < 40; ++i) {
            trace::Record memory;
            memory.kind = trace::Kind::kMemory;
            memory.lane = d < 4 ? trace::laneOf(DeviceId(d), trace::LaneRole::kMemory)
                                : trace::hostLane(4, trace::LaneRole::kMemory);
            memory.startNs = memory.endNs = i * 150 * kMs;
            memory.bytes = int64_t{12 + i % 5} << 28;
            steps.push_back(memory);
        }
    trace::LaneStore store(trace::makeLanes({"cuda:0 NVIDIA GeForce RTX 4090", "cuda:1 NVIDIA GeForce RTX 4090",
                                             "cuda:2 NVIDIA GeForce RTX 4090", "cuda:3 NVIDIA GeForce RTX 4090"}),
                           0);
    store.append(records);
    store.append(steps);
    return store;
}

int pixelsOf(const QImage& image, const QRect& area, const QColor& colour) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == colour;
    return count;
}

void wheel(TimelinePlot& plot, QPoint where, int notches, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(where, plot.mapToGlobal(where), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&plot, &event);
}

// As systems set it whose users want no motion; and as others have it.
class MotionStyle : public QProxyStyle {
public:
    int durationMs = 0;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override {
        return hint == SH_Widget_Animation_Duration ? durationMs
                                                    : QProxyStyle::styleHint(hint, option, widget, returned);
    }
};

MotionStyle* motion = nullptr; // the application's style

} // namespace

class TestTimelinePlot : public QObject {
    Q_OBJECT

private:
    // A plot on show, as large as a test wants it.
    struct Shown {
        Shown(const ui::theme::ThemeManager& themes, const trace::LaneStore& store) : plot(themes) {
            plot.resize(1000, 400);
            plot.setStore(&store);
            plot.show();
            plot.dataArrived();
        }
        void select(int from, int to) {
            QTest::mousePress(&plot, Qt::LeftButton, Qt::ShiftModifier, {from, 100});
            QTest::mouseMove(&plot, {(from + to) / 2, 100});
            QTest::mouseMove(&plot, {to, 100});
            QTest::mouseRelease(&plot, Qt::LeftButton, Qt::ShiftModifier, {to, 100});
        }
        // Of a compute slice of pipelineStore().
        QPoint middleOf(const trace::LaneStore& store, int32_t step, int microbatch, int32_t slot) const {
            const LaneId lane = trace::laneOf(DeviceId(slot % 2), trace::LaneRole::kCompute);
            for (std::size_t i = 0; i < store.slices(lane).size(); ++i) {
                const trace::Record& slice = store.slices(lane)[i];
                if (slice.step != step || slice.microbatch.value != microbatch || slice.slot != slot) continue;
                const auto* row = plot.scene().layout.rowOf(lane);
                return {static_cast<int>(plot.scene().view.xAt((slice.startNs + slice.endNs) / 2)),
                        TimelinePlot::rulerHeight() + row->top + row->height / 2};
            }
            return {};
        }
        TimelinePlot plot;
    };

    ui::theme::ThemeManager m_themes{*qApp};

    QImage picture(TimelinePlot& plot) {
        plot.replot(QCustomPlot::rpImmediateRefresh);
        return plot.grab().toImage();
    }
    QRect rowRect(const TimelinePlot& plot, LaneId lane) const {
        for (const auto& group : plot.scene().layout.groups)
            for (const auto& row : group.rows)
                if (row.lane == lane) return {0, TimelinePlot::rulerHeight() + row.top, plot.width(), row.height};
        return {};
    }

private slots:
    void initTestCase() {
        motion = new MotionStyle;
        QApplication::setStyle(motion);
    }
    void init() { motion->durationMs = 0; }

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
        plot.fit();
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

    void wheelKeepsTheTimeUnderTheCursor() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.fit();
        for (const int x : {100, 500, 930}) {
            const int64_t before = plot.scene().view.timeAt(x);
            wheel(plot, {x, 100}, 3);
            QVERIFY(std::abs(plot.scene().view.xAt(before) - x) <= 1.0);
        }
        QVERIFY(!plot.isFollowing());
    }

    void draggingPansAndPausesTheViewOnly() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        QVERIFY(plot.isFollowing());
        QSignalSpy following(&plot, &TimelinePlot::followingChanged);
        const int64_t before = plot.scene().view.timeAt(300);
        QTest::mousePress(&plot, Qt::LeftButton, {}, {300, 100});
        QTest::mouseMove(&plot, {350, 100});
        QTest::mouseMove(&plot, {420, 100});
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, {420, 100});
        QCOMPARE(following.size(), 1);
        QVERIFY(std::abs(plot.scene().view.xAt(before) - 420) <= 2.0);
        plot.setFollowing(true);
        QVERIFY(plot.scene().view.endNs() >= store.endNs());
    }

    void shiftDragMeasuresARange() {
        const trace::LaneStore store = storeWith(500);
        TimelinePlot plot(m_themes);
        plot.resize(1000, 400);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.fit();
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

    // The busy share is the height: 8 of every 10 ms.
    void aFoldedLaneIsAsHighAsItIsBusy() {
        const trace::LaneStore store = storeWith(20'000);
        Shown shown(m_themes, store);
        shown.plot.fit();
        const QImage image = picture(shown.plot);
        const QRect row = rowRect(shown.plot, LaneId(0));
        const QColor colour = m_themes.theme().kind(trace::Kind::kBackward);
        const int high = pixelsOf(image, {500, row.top(), 1, row.height()}, colour);
        QVERIFY2(std::abs(high - 0.8 * row.height()) <= 2, qPrintable(QString::number(high)));
        QCOMPARE(image.pixelColor(500, row.bottom()), colour);
    }

    void aClickPinsASliceAndLightsItsMicrobatch() {
        const trace::LaneStore store = pipelineStore();
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.fit();
        const QColor before = picture(plot).pixelColor(shown.middleOf(store, 0, 1, 0));
        QSignalSpy pinned(&plot, &TimelinePlot::pinnedChanged);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, shown.middleOf(store, 0, 0, 0));
        QCOMPARE(pinned.size(), 1);
        QVERIFY(plot.pinned().has_value());
        QCOMPARE(plot.pinned()->slice.microbatch, MicrobatchId(0));
        QCOMPARE(plot.pinned()->flow.slices.size(), 3U + 2U + 2U); // three stages, two packets
        QVERIFY(!plot.isFollowing());
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

    void doubleClickInARangeZoomsToIt() {
        const trace::LaneStore store = storeWith(500);
        Shown shown(m_themes, store);
        TimelinePlot& plot = shown.plot;
        plot.fit();
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
        plot.fit();
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
        QCOMPARE(plot.follow(), Follow::kNewestSteps);
        wheel(plot, {500, 150}, 1);
        QCOMPARE(plot.follow(), Follow::kFixedRange);
        QVERIFY(plot.scene().view.endNs() >= store.endNs());
        QTest::keyClick(&plot, Qt::Key_A);
        QCOMPARE(plot.follow(), Follow::kPaused);
        QTest::keyClick(&plot, Qt::Key_L);
        QCOMPARE(plot.follow(), Follow::kFixedRange);
        wheel(plot, {500, 150}, 30); // far in
        QTest::keyClick(&plot, Qt::Key_A);
        QVERIFY(plot.behindNs() > 0);
        QTest::keyClick(&plot, Qt::Key_L);
        QCOMPARE(plot.follow(), Follow::kNewestSteps); // at 10 µs it would only race
        wheel(plot, {500, 150}, 30);
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(plot.follow(), Follow::kNewestSteps);
        for (int tick = 0; tick < 80; ++tick)
            plot.dataArrived();
        QVERIFY(plot.scene().view.spanNs() > kMs * 100);
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
        plot.fit();
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
        search->setText(QStringLiteral("forward S1"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(view.plot().pinned().has_value());
        QCOMPARE(view.plot().pinned()->slice.stage, StageId(1));
        auto* panel = view.findChild<ui::timeline::PinPanel*>();
        QVERIFY(panel->isVisible());
        QVERIFY2(panel->plainText().contains(QStringLiteral("3 stages on 2 devices")), qPrintable(panel->plainText()));
        view.plot().unpin();
        view.plot().showAround(store.beginNs() + 200 * kMs);
        view.plot().zoomBy(0.2);
        QTRY_VERIFY(std::ranges::any_of(view.findChildren<QToolButton*>(), [](const QToolButton* button) {
            return button->isVisible() && button->text().contains(QStringLiteral("behind"));
        }));
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
        plot.fit();
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
        plot.fit();
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
        plot.fit();
        motion->durationMs = 200;
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
        choose("cpu:1");
        QVERIFY(rowOf(1, trace::LaneRole::kCompute) == nullptr);
        QVERIFY(rowOf(0, trace::LaneRole::kCompute) != nullptr);
        QVERIFY2(filter->text().contains(QLatin1String("of 14")), qPrintable(filter->text()));
        choose("compute"); // the device keeps its name without its first lane
        QCOMPARE(view.plot().scene().layout.groups[0].name, std::string("cpu:0"));
        choose("All lanes");
        QVERIFY(rowOf(1, trace::LaneRole::kMemory) != nullptr);
        QCOMPARE(filter->text(), QStringLiteral("Lanes"));
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
            plot.fit();
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
        plot.setStill();
        plot.setFollowing(true); // there is nothing to follow
        QVERIFY(!plot.isFollowing());
    }

    void thePanelTellsBubbleAndStages() {
        const trace::LaneStore store = pipelineStore();
        ui::timeline::TimelineView view(m_themes);
        view.resize(1300, 600);
        view.plot().setStore(&store);
        view.show();
        view.plot().fit();
        view.updateStatistics();
        const auto* panel = view.findChild<ui::timeline::RangePanel*>();
        QTRY_COMPARE(panel->statistics().stages.size(), 3U);
        QVERIFY(panel->statistics().stages[0].p95Ns >= panel->statistics().stages[0].p50Ns);
        QVERIFY2(panel->summary().contains(QLatin1String("bubble")), qPrintable(panel->summary()));
    }

    // By hand: ROUNDPIPE_PICTURES=folder writes what to look at.
    void pictures() {
        const QString folder = qEnvironmentVariable("ROUNDPIPE_PICTURES");
        if (folder.isEmpty()) QSKIP("ROUNDPIPE_PICTURES names no folder");
        const trace::LaneStore store = simulatedStore(12);
        for (const auto choice : {ui::theme::Choice::kLight, ui::theme::Choice::kDark}) {
            m_themes.choose(choice);
            const QString suffix = m_themes.theme().dark ? QStringLiteral("-dark.png") : QStringLiteral(".png");
            ui::timeline::TimelineView view(m_themes);
            view.resize(1220, 560);
            view.plot().setStore(&store);
            view.show();
            view.plot().dataArrived();
            const auto save = [&](const char* name) {
                QTest::qWait(350);
                view.grab().save(folder + QLatin1Char('/') + QLatin1String(name) + suffix);
            };
            save("newest");
            view.plot().fit();
            save("fit");
            view.plot().pinNext(ui::timeline::SliceFilter("fused m3 step 6"), true);
            QTRY_VERIFY(view.plot().pinned().has_value());
            const trace::Record pinned = view.plot().pinned()->slice;
            view.plot().zoomTo(pinned.startNs - 600 * kMs, pinned.endNs + 700 * kMs);
            save("pinned");
            view.plot().unpin();
            view.plot().zoomTo(pinned.startNs - 250 * kMs, pinned.endNs + 250 * kMs);
            QTest::mousePress(&view.plot(), Qt::LeftButton, Qt::ShiftModifier, {200, 100});
            QTest::mouseMove(&view.plot(), {300, 100});
            QTest::mouseMove(&view.plot(), {500, 100});
            QTest::mouseRelease(&view.plot(), Qt::LeftButton, Qt::ShiftModifier, {500, 100});
            save("range");
        }
    }

    void aMillionSlicesRepaintQuickly() {
        const trace::LaneStore store = storeWith(1'000'000 / 12);
        TimelinePlot plot(m_themes);
        plot.resize(1920, 800);
        plot.setStore(&store);
        plot.show();
        plot.dataArrived();
        plot.fit();
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
