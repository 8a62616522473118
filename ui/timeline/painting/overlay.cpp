// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/overlay.h"

#include "ui/timeline/geometry/microbatch_way.h"
#include "ui/timeline/geometry/time_axis.h"
#include "ui/timeline/painting/slice_text.h"
#include "ui/timeline/painting/step_band.h"
#include "ui/translations/number_text.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {

void Overlay::paint(QCPPainter* painter) const {
    const QRect area = this->area();
    const theme::Theme& theme = m_themes.theme();
    painter->setClipRect(area);
    if (m_pointer.pinned) drawPinned(painter, area);
    drawBookmarks(painter, area);
    if (m_pointer.selection) drawSelection(painter, area);
    if (const QRect hovered = hoveredPlace(area); !hovered.isEmpty()) {
        painter->setPen(QPen(theme.text, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(hovered.adjusted(0, 0, 0, -1));
    }
    painter->setClipRect(m_plot.rect());
    if (m_pointer.selection) drawDuration(painter, area);
    painter->setBrush(Qt::NoBrush);
    if (m_pointer.x) drawCursor(painter);
    if (m_plot.hasFocus()) {
        painter->setPen(QPen(theme.accent, 2));
        painter->drawRect(m_plot.rect().adjusted(1, 1, -1, -1));
    }
}

QString Overlay::cursorText() const {
    const Viewport& view = m_scene.view;
    return translations::localText(
        momentText(view.timeAt(*m_pointer.x) - m_scene.store->originNs(), view.nsPerPixel()));
}

QRect Overlay::cursorTag() const {
    const QRect area = this->area();
    QRect tag(0, 0, QFontMetrics(m_plot.font()).horizontalAdvance(cursorText()) + 12, StepBand::height());
    tag.moveLeft(std::clamp(area.left() + *m_pointer.x - tag.width() / 2, area.left(),
                            std::max(area.left(), area.right() + 1 - tag.width())));
    return tag;
}

// A line through all lanes and the ruler, with its time on top.
void Overlay::drawCursor(QCPPainter* painter) const {
    const theme::Theme& theme = m_themes.theme();
    painter->setPen(QPen(theme.dim, 1, Qt::DotLine));
    const int x = area().left() + *m_pointer.x;
    const QRect tag = cursorTag();
    painter->drawLine(QPoint(x, tag.bottom()), QPoint(x, area().bottom()));
    painter->fillRect(tag, theme.text);
    painter->setPen(theme.card);
    painter->setFont(m_plot.font());
    painter->drawText(tag, Qt::AlignCenter | Qt::TextSingleLine, cursorText());
}

int Overlay::xAt(int64_t timeNs, const QRect& area) const {
    return area.left() + static_cast<int>(std::clamp(m_scene.view.xAt(timeNs), -4.0, area.width() + 4.0));
}

void Overlay::drawSelection(QCPPainter* painter, const QRect& area) const {
    const theme::Theme& theme = m_themes.theme();
    const TimeRange& range = *m_pointer.selection;
    const QRect rect(QPoint(xAt(range.beginNs, area), area.top()), QPoint(xAt(range.endNs, area), area.bottom()));
    QColor fill = theme.accent;
    fill.setAlpha(36);
    painter->fillRect(rect, fill);
    painter->setPen(theme.accent);
    painter->drawLine(rect.topLeft(), rect.bottomLeft());
    painter->drawLine(rect.topRight(), rect.bottomRight());
    for (const int x : {rect.left(), rect.right()}) // what the mouse can take
        painter->fillRect(QRect(x - 2, rect.center().y() - 12, 5, 24), theme.accent);
}

// In the ruler, where it hides no slice. A time mark that it would cut goes as a whole.
void Overlay::drawDuration(QCPPainter* painter, const QRect& area) const {
    const theme::Theme& theme = m_themes.theme();
    const TimeRange& range = *m_pointer.selection;
    if (range.endNs <= m_scene.view.beginNs() || range.beginNs >= m_scene.view.endNs()) return; // out of sight
    const QString text = QStringLiteral("ΔT ") + durationShown(range.endNs - range.beginNs);
    painter->setFont(m_plot.font());
    QRect label = painter->fontMetrics().boundingRect(text).adjusted(-6, -2, 6, 3);
    label.moveCenter(QPoint((xAt(range.beginNs, area) + xAt(range.endNs, area)) / 2, 0));
    label.moveBottom(area.top() - 2);
    label.moveLeft(std::clamp(label.left(), area.left(), std::max(area.left(), area.right() - label.width())));
    for (int i = 0; i < m_plot.xAxis2->tickVector().size(); ++i)
        if (const QRect mark = timeMark(i, area); mark.intersects(label)) painter->fillRect(mark, theme.card);
    painter->fillRect(label, theme.accent);
    painter->setPen(theme.onAccent);
    painter->drawText(label, Qt::AlignCenter, text);
}

QRect Overlay::timeMark(int number, const QRect& area) const {
    const QCPAxis& ruler = *m_plot.xAxis2;
    const int width = QFontMetrics(ruler.tickLabelFont()).horizontalAdvance(ruler.tickVectorLabels()[number]) + 4;
    const int middle = static_cast<int>(ruler.coordToPixel(ruler.tickVector()[number]));
    return {middle - width / 2, StepBand::height(), width, area.top() - StepBand::height()};
}

QRect Overlay::placeOf(const trace::Record& slice, const QRect& area) const {
    const LaneRow* row = m_scene.layout.rowOf(slice.lane);
    if (row == nullptr) return {};
    const double left = std::clamp(m_scene.view.xAt(slice.startNs), -4.0, area.width() + 4.0);
    const double right = std::clamp(m_scene.view.xAt(slice.endNs), left + 2, area.width() + 8.0);
    return {area.left() + static_cast<int>(left), area.top() + row->top - m_scene.scroll,
            static_cast<int>(right - left), row->height - m_scene.stripHeight(*row)};
}

QRect Overlay::hoveredPlace(const QRect& area) const {
    if (!m_pointer.lane || !m_pointer.slice) return {};
    const trace::SliceList& slices = m_scene.store->slices(*m_pointer.lane);
    return *m_pointer.slice < slices.size() ? placeOf(slices[*m_pointer.slice], area) : QRect();
}

QRegion Overlay::underPointer() const {
    const QRect area = this->area();
    QRegion region;
    if (m_pointer.x) {
        region += QRect(area.left() + *m_pointer.x - 1, 0, 3, m_plot.height());
        region += cursorTag();
    }
    if (const QRect hovered = hoveredPlace(area); !hovered.isEmpty()) region += hovered.adjusted(-1, -1, 2, 2);
    return region;
}

// The rest of the lanes recedes behind a veil; the microbatch stays in its colours, with arrows from slice to slice.
void Overlay::drawPinned(QCPPainter* painter, const QRect& area) const {
    const theme::Theme& theme = m_themes.theme();
    const Pinned& pinned = *m_pointer.pinned;
    QColor veil = theme.card;
    veil.setAlpha(165);
    if (!pinned.flow.slices.empty()) painter->fillRect(area, veil);
    QFont font = m_plot.font();
    font.setPixelSize(11);
    painter->setFont(font);
    const int digit = painter->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (const trace::Record& slice : pinned.flow.slices) {
        const QRect place = placeOf(slice, area);
        if (place.isEmpty() || !place.intersects(area)) continue;
        const QColor fill = theme.kind(slice.kind);
        painter->fillRect(place, fill);
        if (!isCompute(slice.kind)) continue;
        painter->setPen(QPen(theme.text, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(place.adjusted(0, 0, -1, -1));
        const QRect visible = place.intersected(area);
        painter->setPen(theme.onColour(fill));
        painter->drawText(visible, Qt::AlignCenter | Qt::TextSingleLine, sliceLabel(slice, visible.width(), digit));
    }
    drawArrows(painter);
    const QRect chosen = placeOf(pinned.slice, area);
    painter->setPen(QPen(theme.accent, 2));
    painter->setBrush(Qt::NoBrush);
    if (!chosen.isEmpty()) painter->drawRect(chosen);
}

std::vector<QPainterPath> Overlay::arrows() const {
    std::vector<QPainterPath> paths;
    if (!m_pointer.pinned) return paths;
    const trace::MicrobatchFlow& flow = m_pointer.pinned->flow;
    for (const auto& [fromSlice, toSlice] : stageLinksOf(flow)) {
        const QRect from = placeOf(flow.slices[fromSlice], area()), to = placeOf(flow.slices[toSlice], area());
        if (from.isEmpty() || to.isEmpty()) continue;
        const bool down = to.top() > from.top();
        const bool sameLane = to.top() == from.top();
        const QPointF begin(from.right() - 1, down || sameLane ? from.bottom() + 1 : from.top() - 1);
        const QPointF end(to.left() + 2, down ? to.top() - 1 : to.bottom() + 2);
        const double bend = sameLane ? 22 : (end.y() - begin.y()) / 2;
        QPainterPath path(begin);
        path.cubicTo(begin + QPointF(0, bend), end + QPointF(0, sameLane ? bend : -bend), end);
        paths.push_back(path);
    }
    return paths;
}

void Overlay::drawArrows(QCPPainter* painter) const {
    painter->setAntialiasing(true);
    painter->setPen(QPen(m_themes.theme().text, 1.2));
    painter->setBrush(Qt::NoBrush);
    for (const QPainterPath& path : arrows()) {
        painter->drawPath(path);
        const QPointF end = path.currentPosition();
        const bool comesFromAbove = path.elementAt(path.elementCount() - 2).y < end.y();
        QPainterPath head(end);
        head.lineTo(end + QPointF(-3.5, comesFromAbove ? -6 : 6));
        head.lineTo(end + QPointF(3.5, comesFromAbove ? -6 : 6));
        painter->fillPath(head, painter->pen().color());
    }
    painter->setAntialiasing(false);
}

void Overlay::drawBookmarks(QCPPainter* painter, const QRect& area) const {
    const theme::Theme& theme = m_themes.theme();
    for (const int64_t timeNs : m_pointer.bookmarks) {
        const double x = m_scene.view.xAt(timeNs);
        if (x < 0 || x > area.width()) continue;
        const int at = area.left() + static_cast<int>(x);
        painter->setPen(QPen(theme.accent, 1, Qt::DashLine));
        painter->drawLine(QPoint(at, area.top()), QPoint(at, area.bottom()));
        QPainterPath diamond(QPointF(at, area.top()));
        diamond.lineTo(at + 5, area.top() + 5);
        diamond.lineTo(at, area.top() + 10);
        diamond.lineTo(at - 5, area.top() + 5);
        painter->fillPath(diamond, theme.accent);
    }
}

} // namespace roundpipe::ui::timeline
