// SPDX-License-Identifier: GPL-3.0-or-later
// Stores and plots that the tests of the timeline share.
#pragma once

#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QProxyStyle>
#include <QTest>

#include <vector>

namespace roundpipe::testing {

inline constexpr int64_t kMs = 1'000'000;

// `count` slices of 8 ms every 10 ms on each lane of two devices.
inline trace::LaneStore storeWith(int count) {
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
inline trace::LaneStore pipelineStore() {
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

inline int pixelsOf(const QImage& image, const QRect& area, const QColor& colour) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == colour;
    return count;
}

inline void wheel(ui::timeline::TimelinePlot& plot, QPoint where, int notches, Qt::KeyboardModifiers modifiers = {}) {
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

// The application's style from here on, which owns it.
inline MotionStyle& useMotionStyle() {
    auto* style = new MotionStyle;
    QApplication::setStyle(style);
    return *style;
}

// A plot on show, as large as a test wants it.
struct ShownPlot {
    ShownPlot(const ui::theme::ThemeManager& themes, const trace::LaneStore& store) : plot(themes) {
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
                    ui::timeline::TimelinePlot::rulerHeight() + row->top + row->height / 2};
        }
        return {};
    }
    ui::timeline::TimelinePlot plot;
};

inline QImage picture(ui::timeline::TimelinePlot& plot) {
    plot.replot(QCustomPlot::rpImmediateRefresh);
    return plot.grab().toImage();
}
inline QRect rowRect(const ui::timeline::TimelinePlot& plot, LaneId lane) {
    for (const auto& group : plot.scene().layout.groups)
        for (const auto& row : group.rows)
            if (row.lane == lane)
                return {0, ui::timeline::TimelinePlot::rulerHeight() + row.top, plot.width(), row.height};
    return {};
}

} // namespace roundpipe::testing
