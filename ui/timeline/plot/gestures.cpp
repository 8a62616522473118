// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/plot/gestures.h"

#include "ui/timeline/plot/timeline_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kClickPixels = 4; // less is a click, more is a drag
constexpr double kZoomANotch = 1.5;
constexpr double kZoomAKey = 0.6;
constexpr double kPanAKey = 0.15;  // of the view
constexpr int kWheelPauseMs = 700; // turns of the wheel after a longer pause are a new zoom
constexpr int kFastWheelMs = 150;  // notches that follow one another faster reach further each time
constexpr double kPaceANotch = 1.25;
constexpr double kMostPace = 3;

} // namespace

void GestureReader::wheel(QWheelEvent* event) {
    event->accept();
    const QPoint degrees = event->pixelDelta().isNull() ? event->angleDelta() / 8 : event->pixelDelta() / 2;
    if (event->modifiers() & Qt::AltModifier) { // Qt turns the wheel sideways under Alt
        emit m_plot.scrollRequested(-(degrees.x() + degrees.y()) * 3);
        return;
    }
    const bool sideways = (event->modifiers() & Qt::ShiftModifier) || std::abs(degrees.x()) > std::abs(degrees.y());
    const bool zooms = m_gestures == Gestures::kZoomAndPan || (event->modifiers() & Qt::ControlModifier) ||
                       event->position().y() < TimelinePlot::rulerHeight();
    if (sideways)
        m_plot.navigation().panBy(-(degrees.x() + degrees.y()) * 4.0);
    else if (zooms)
        zoomWheel(event->position().x(), degrees.y() / 15.0);
    else
        return emit m_plot.scrollRequested(-degrees.y() * 3);
    m_plot.hover(event->position().toPoint());
}

// A wheel that is turned on and on reaches further with each notch: from an hour to a microsecond in one go.
void GestureReader::zoomWheel(double x, double notches) {
    const int64_t sinceMs = m_sinceWheel.isValid() ? m_sinceWheel.elapsed() : kWheelPauseMs + 1;
    if (sinceMs > kWheelPauseMs) m_plot.navigation().remember();
    const bool goesOn = sinceMs < kFastWheelMs && (notches > 0) == (m_wheelPace > 0);
    m_wheelPace = std::copysign(goesOn ? std::min(kMostPace, std::abs(m_wheelPace) * kPaceANotch) : 1.0, notches);
    m_sinceWheel.start();
    m_plot.navigation().zoomAbout(x, std::pow(kZoomANotch, -notches * std::abs(m_wheelPace)));
}

void GestureReader::press(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    const bool left = event->button() == Qt::LeftButton;
    m_anchorNs = left ? farEdgeAt(event->pos().x()) : std::nullopt;
    const bool plainSelects = m_gestures == Gestures::kScrollAndSelect;
    const bool shifted = event->modifiers() & Qt::ShiftModifier;
    const bool select =
        left && (m_anchorNs || shifted != plainSelects || event->pos().y() < TimelinePlot::rulerHeight());
    m_drag = select ? Drag::kSelect : Drag::kPan;
    m_dragStart = event->globalPosition().toPoint();
    m_dragLastX = m_dragStart.x();
    m_pressX = event->pos().x();
    m_plot.hideTip();
}

void GestureReader::move(QMouseEvent* event) {
    const QPoint global = event->globalPosition().toPoint();
    const bool moved = (global - m_dragStart).manhattanLength() >= kClickPixels;
    const Viewport& view = m_plot.scene().view;
    if (m_drag == Drag::kPan && moved) {
        m_plot.setCursor(Qt::ClosedHandCursor);
        m_plot.navigation().panBy(m_dragLastX - global.x());
        m_dragLastX = global.x();
    } else if (m_drag == Drag::kSelect && moved) {
        m_plot.navigation().setFollow(Follow::kPaused);
        if (!m_anchorNs) m_anchorNs = view.timeAt(m_pressX); // not earlier: a followed view moves
        const int64_t hereNs = view.timeAt(event->pos().x());
        m_plot.select(std::min(*m_anchorNs, hereNs), std::max(*m_anchorNs, hereNs));
    }
    if (m_drag != Drag::kNone) return;
    if (farEdgeAt(event->pos().x()))
        m_plot.setCursor(Qt::SizeHorCursor);
    else
        m_plot.unsetCursor();
    m_plot.hover(event->pos());
}

// A click pins the slice under it; beside all slices, and outside of the selection, it clears what is chosen.
void GestureReader::release(QMouseEvent* event) {
    const bool clicked = (event->globalPosition().toPoint() - m_dragStart).manhattanLength() < kClickPixels;
    const bool wasPressed = m_drag != Drag::kNone;
    m_drag = Drag::kNone;
    m_plot.unsetCursor();
    m_plot.hover(event->pos());
    if (!wasPressed || !clicked || event->button() != Qt::LeftButton) return;
    if (const trace::Record* slice = m_plot.hovered()) {
        m_plot.pin(trace::Record(*slice));
    } else if (!isInSelection(event->pos().x())) {
        m_plot.unpin();
        m_plot.clearSelection();
    }
}

void GestureReader::doubleClick(QMouseEvent* event) {
    m_drag = Drag::kNone;
    if (event->button() != Qt::LeftButton) return;
    if (isInSelection(event->pos().x()))
        m_plot.navigation().zoomTo(m_plot.selection()->beginNs, m_plot.selection()->endNs);
    else if (const trace::Record* slice = m_plot.hovered())
        m_plot.navigation().zoomTo(slice->startNs, slice->endNs);
}

bool GestureReader::key(QKeyEvent* event) {
    const auto& pinned = m_plot.pinned();
    const LaneId pinnedLane = pinned ? pinned->slice.lane : LaneId();
    switch (event->key()) {
    case Qt::Key_W:
        m_plot.navigation().zoomBy(kZoomAKey);
        return true;
    case Qt::Key_S:
        m_plot.navigation().zoomBy(1 / kZoomAKey);
        return true;
    case Qt::Key_A:
    case Qt::Key_D:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        if (event->key() == Qt::Key_Left && (event->modifiers() & Qt::AltModifier)) {
            m_plot.navigation().zoomBack();
            return true;
        }
        const bool later = event->key() == Qt::Key_D || event->key() == Qt::Key_Right;
        m_plot.navigation().panBy((later ? kPanAKey : -kPanAKey) * m_plot.width());
        return true;
    }
    case Qt::Key_0:
    case Qt::Key_Home:
        m_plot.navigation().fit();
        return true;
    case Qt::Key_L:
        m_plot.navigation().setFollowing(true);
        return true;
    case Qt::Key_End:
        m_plot.navigation().setFollow(Follow::kNewestSteps);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        emit m_plot.deviceRequested(event->key() == Qt::Key_Up ? -1 : 1);
        return true;
    case Qt::Key_F:
        m_plot.centreOnChosen();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        m_plot.zoomToChosen();
        return true;
    case Qt::Key_Backspace:
        m_plot.navigation().zoomBack();
        return true;
    case Qt::Key_Period:
    case Qt::Key_Comma:
        m_plot.pinNext(SliceFilter({}), event->key() == Qt::Key_Period, pinnedLane);
        return true;
    case Qt::Key_BracketRight:
    case Qt::Key_BracketLeft:
        m_plot.pinAlongFlow(event->key() == Qt::Key_BracketRight);
        return true;
    case Qt::Key_N: // of the same kind
        if (pinned)
            m_plot.pinNext(SliceFilter(trace::toString(pinned->slice.kind)), !(event->modifiers() & Qt::ShiftModifier),
                           pinnedLane);
        return true;
    case Qt::Key_M:
        m_plot.toggleBookmark();
        return true;
    case Qt::Key_P:
        m_plot.setPlanShown(!m_plot.isPlanShown());
        return true;
    case Qt::Key_Slash:
        emit m_plot.searchRequested();
        return true;
    case Qt::Key_Question:
        emit m_plot.helpRequested();
        return true;
    case Qt::Key_Escape:
        if (pinned)
            m_plot.unpin();
        else
            m_plot.clearSelection();
        return true;
    default:
        return false;
    }
}

std::optional<int64_t> GestureReader::farEdgeAt(int x) const {
    const auto range = m_plot.selection();
    if (!range) return std::nullopt;
    const Viewport& view = m_plot.scene().view;
    if (std::abs(view.xAt(range->endNs) - x) <= TimelinePlot::kHandlePixels) return range->beginNs;
    if (std::abs(view.xAt(range->beginNs) - x) <= TimelinePlot::kHandlePixels) return range->endNs;
    return std::nullopt;
}

bool GestureReader::isInSelection(int x) const {
    const auto range = m_plot.selection();
    return range && range->contains(m_plot.scene().view.timeAt(x));
}

} // namespace roundpipe::ui::timeline
