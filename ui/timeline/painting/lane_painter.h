// SPDX-License-Identifier: GPL-3.0-or-later
// Paints all lanes: the one plottable of the timeline.
#pragma once

#include "trace/store/lane_store.h"
#include "ui/theme/theme_manager.h"
#include "ui/timeline/geometry/lane_geometry.h"
#include "ui/timeline/geometry/lane_layout.h"
#include "ui/timeline/geometry/planned_steps.h"
#include "ui/timeline/painting/lane_raster.h"

#include <qcustomplot.h>

#include <algorithm>
#include <array>

namespace roundpipe::ui::timeline {

// What is painted; owned by the plot and read by its layers. Positions are relative to the axis rectangle.
struct Scene {
    const trace::LaneStore* store = nullptr;
    LaneLayout layout;
    Viewport view;
    int scroll = 0;                  // pixels that the lanes are moved up
    std::vector<trace::Record> open; // begun and not ended: their ends mean nothing
    int64_t openUntilNs = 0;         // when that was looked at last; 0: nothing has been open
    int64_t newestNs() const { return std::max(store->endNs(), openUntilNs); }
    bool live = true;      // the store still grows
    bool isEmpty() const { // and nothing will come
        return store->empty() && !live;
    }
    const PlannedSteps* planned = nullptr;     // null: none is to be seen
    std::vector<StepOnShow> steps;             // to show it beside
    int stripHeight(const LaneRow& row) const; // what it takes of a lane's lower edge
};

class LanePainter : public QCPAbstractPlottable {
    Q_OBJECT
public:
    LanePainter(QCPAxis* keyAxis, QCPAxis* valueAxis, const Scene& scene, const theme::ThemeManager& themes);

    bool isComplete() const { return m_complete; } // false: paint again soon, slices are coming from a disk

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; } // the plot hit-tests itself
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    void drawBars(QCPPainter* painter, const LaneRow& row, const QRect& place);
    void drawColumns(const QRect& place);
    void drawWait(QCPPainter* painter, const QRect& place, const trace::Record& wait, int originX) const;
    void drawNow(QCPPainter* painter, const QRect& area) const;
    void drawOpen(QCPPainter* painter, const LaneRow& row, const QRect& place) const;
    void drawPlanned(QCPPainter* painter, const LaneRow& row, const QRect& place) const;
    void drawCounter(const LaneRow& row, const QRect& place);
    void drawStrip();

    const Scene& m_scene;
    const theme::ThemeManager& m_themes;
    bool m_complete = true;
    LaneGeometry m_geometry; // of the lane being painted; kept for its buffers
    LaneRaster m_raster;
    std::array<QRgb, trace::kNumKinds> m_kinds{};
    std::vector<QRgb> m_columnColours; // of the strip that is painted next
    std::vector<int> m_columnTops;     // in pixels of the screen, below the lane's top
    std::vector<int> m_firstAt;        // by top: a column that has it; -1: none
    std::vector<int> m_nextAt;         // by column: another one of its top; -1: no more
    std::vector<int64_t> m_columnBytes;
};

} // namespace roundpipe::ui::timeline
