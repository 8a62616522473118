#include "trace/lane_store.h"
#include "ui/timeline/timeline_plot.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace roundpipe;
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

} // namespace

class TestTimelinePlot : public QObject {
    Q_OBJECT

private:
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
            const QRect row = rowRect(plot, lane.id);
            const QColor background = m_themes.theme().raised;
            const int shown = row.width() * row.height() - pixelsOf(image, row, background);
            QVERIFY2(shown > row.width() * row.height() / 2, qPrintable(QString::fromStdString(lane.name)));
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
            QElapsedTimer timer;
            timer.start();
            plot.replot(QCustomPlot::rpImmediateRefresh);
            times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        }
        std::sort(times.begin(), times.end());
        qInfo("1 M slices on 12 lanes, 1920x800: median %.1f ms, worst %.1f ms", times[4], times[8]);
        QVERIFY2(times[4] < 100, "no operation may hold the GUI's thread for 100 ms");
    }
};

QTEST_MAIN(TestTimelinePlot)
#include "tst_timeline_plot.moc"
