#include "ui/timeline/overlay.h"

#include "ui/timeline/time_axis.h"

#include <algorithm>

namespace roundpipe::ui::timeline {

Overlay::Overlay(QCustomPlot* plot, const QString& layer, const Scene& scene, const Pointer& pointer,
                 const theme::ThemeManager& themes)
    : QCPLayerable(plot, layer), m_scene(scene), m_pointer(pointer), m_themes(themes) {}

QRect Overlay::clipRect() const {
    return parentPlot()->axisRect()->rect();
}

void Overlay::draw(QCPPainter* painter) {
    const QRect area = clipRect();
    if (m_pointer.selection) drawSelection(painter, area);
    if (m_pointer.lane && m_pointer.slice) drawHovered(painter, area);
    if (m_pointer.x) {
        painter->setPen(QPen(m_themes.theme().dim, 1, Qt::DotLine));
        const int x = area.left() + *m_pointer.x;
        painter->drawLine(QPoint(x, area.top()), QPoint(x, area.bottom()));
    }
}

void Overlay::drawSelection(QCPPainter* painter, const QRect& area) const {
    const theme::Theme& theme = m_themes.theme();
    const auto xAt = [&](int64_t timeNs) {
        return area.left() + static_cast<int>(std::clamp(m_scene.view.xAt(timeNs), -4.0, area.width() + 4.0));
    };
    const TimeRange& range = *m_pointer.selection;
    const QRect rect(QPoint(xAt(range.beginNs), area.top()), QPoint(xAt(range.endNs), area.bottom()));
    QColor fill = theme.accent;
    fill.setAlpha(36);
    painter->fillRect(rect, fill);
    painter->setPen(theme.accent);
    painter->drawLine(rect.topLeft(), rect.bottomLeft());
    painter->drawLine(rect.topRight(), rect.bottomRight());
    const QString text = QStringLiteral("ΔT ") + QString::fromStdString(durationText(range.endNs - range.beginNs));
    painter->setFont(parentPlot()->font());
    QRect label = painter->fontMetrics().boundingRect(text).adjusted(-6, -2, 6, 3);
    label.moveCenter(QPoint(rect.center().x(), area.top() + label.height() / 2 + 2));
    painter->fillRect(label, theme.accent);
    painter->setPen(theme.onAccent);
    painter->drawText(label, Qt::AlignCenter, text);
}

void Overlay::drawHovered(QCPPainter* painter, const QRect& area) const {
    const trace::SliceList& slices = m_scene.store->slices(*m_pointer.lane);
    if (*m_pointer.slice >= slices.size()) return;
    const trace::Record& slice = slices[*m_pointer.slice];
    for (const LaneGroup& group : m_scene.layout.groups)
        for (const LaneRow& row : group.rows) {
            if (row.lane != *m_pointer.lane) continue;
            const double left = std::clamp(m_scene.view.xAt(slice.startNs), -4.0, area.width() + 4.0);
            const double right = std::clamp(m_scene.view.xAt(slice.endNs), left + 2, area.width() + 8.0);
            painter->setPen(QPen(m_themes.theme().text, 1));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(QRect(area.left() + static_cast<int>(left), area.top() + row.top - m_scene.scroll,
                                    static_cast<int>(right - left), row.height - 1));
        }
}

} // namespace roundpipe::ui::timeline
