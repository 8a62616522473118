// SPDX-License-Identifier: GPL-3.0-or-later
// What wheel, mouse and keys do to a timeline.
#pragma once

#include "ui/timeline/geometry/time_range.h"

#include <QElapsedTimer>
#include <QPoint>

#include <cstdint>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace roundpipe::ui::timeline {

class TimelinePlot;

// What the plain wheel and a plain drag do; with Shift a drag does the other thing.
enum class Gestures {
    kZoomAndPan,     // the wheel zooms about the cursor, dragging pans
    kScrollAndSelect // the wheel scrolls the lanes, dragging selects a range
};

// Ctrl+wheel, and the wheel on the ruler: zoom about the cursor. Shift+wheel and sideways wheel: pan. A drag on the
// ruler: select a range; its edges can be dragged. Middle drag: pan. Click: pin the slice, with its microbatch. Double
// click: zoom to the selection it lies in, else to the slice. Keys: shortcuts.h lists them.
class GestureReader {
public:
    explicit GestureReader(TimelinePlot& plot) : m_plot(plot) {}
    void choose(Gestures gestures) { m_gestures = gestures; }
    Gestures chosen() const { return m_gestures; }
    bool isDragging() const { return m_drag != Drag::kNone; }

    void wheel(QWheelEvent* event);
    void press(QMouseEvent* event);
    void move(QMouseEvent* event);
    void release(QMouseEvent* event);
    void doubleClick(QMouseEvent* event);
    bool key(QKeyEvent* event); // false: it means nothing here

private:
    enum class Drag { kNone, kPan, kSelect };
    void zoomWheel(double x, double notches);
    std::optional<int64_t> farEdgeAt(int x) const; // of the selection whose other edge is under the mouse
    bool isInSelection(int x) const;

    TimelinePlot& m_plot;
    Gestures m_gestures = Gestures::kZoomAndPan;
    QElapsedTimer m_sinceWheel;
    double m_wheelPace = 1; // grows while the wheel turns fast; its sign is the direction
    Drag m_drag = Drag::kNone;
    QPoint m_dragStart; // global, so that what moves under the mouse doesn't feed back
    int m_dragLastX = 0;
    int m_pressX = 0;                  // in the plot
    std::optional<int64_t> m_anchorNs; // where the range being selected began
};

} // namespace roundpipe::ui::timeline
