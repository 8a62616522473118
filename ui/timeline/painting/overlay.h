// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the lanes: cursor line, hovered slice, selected range, bookmarks, and the pinned slice with its
// microbatch. Painted over the finished lanes, so that moving the mouse does not paint these again.
#pragma once

#include "trace/analysis/flow.h"
#include "ui/timeline/geometry/time_range.h"
#include "ui/timeline/painting/lane_painter.h"

#include <QPainterPath>

#include <optional>
#include <vector>

namespace roundpipe::ui::timeline {

// A slice that was clicked, and its microbatch's way through the stages (empty where it belongs to none).
struct Pinned {
    trace::Record slice;
    trace::MicrobatchFlow flow;
};

struct Pointer {
    std::optional<int> x;             // of the cursor line, relative to the axis rectangle
    std::optional<LaneId> lane;       // of the hovered slice
    std::optional<std::size_t> slice; // index in that lane
    std::optional<TimeRange> selection;
    std::optional<Pinned> pinned;
    std::vector<int64_t> bookmarks;
};

class Overlay {
public:
    Overlay(const QCustomPlot& plot, const Scene& scene, const Pointer& pointer, const theme::ThemeManager& themes)
        : m_plot(plot), m_scene(scene), m_pointer(pointer), m_themes(themes) {}
    void paint(QCPPainter* painter) const;
    QRegion underPointer() const; // what moves with the mouse: the cursor line and the hovered slice
    // From slice to slice of the pinned microbatch, without their heads; the end is where the path ends.
    std::vector<QPainterPath> arrows() const;

private:
    QRect area() const { return m_plot.axisRect()->rect(); }
    QString cursorText() const; // the time under the mouse
    QRect cursorTag() const;
    void drawCursor(QCPPainter* painter) const;
    void drawSelection(QCPPainter* painter, const QRect& area) const;
    void drawDuration(QCPPainter* painter, const QRect& area) const;
    QRect timeMark(int number, const QRect& area) const; // its words in the ruler
    int xAt(int64_t timeNs, const QRect& area) const;    // a little outside at most
    QRect hoveredPlace(const QRect& area) const;         // empty where no slice is under the mouse
    void drawPinned(QCPPainter* painter, const QRect& area) const;
    void drawArrows(QCPPainter* painter) const;
    void drawBookmarks(QCPPainter* painter, const QRect& area) const;
    QRect placeOf(const trace::Record& slice, const QRect& area) const; // empty where its lane is not shown

    const QCustomPlot& m_plot;
    const Scene& m_scene;
    const Pointer& m_pointer;
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
