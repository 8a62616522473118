#include "ui/timeline/lane_painter.h"

#include "ui/timeline/slice_text.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

// Busy columns are solid, nearly idle ones still visible.
QRgb blend(const QColor& colour, const QColor& background, double share) {
    const double weight = 0.3 + 0.7 * std::clamp(share, 0.0, 1.0);
    const auto mix = [weight](int a, int b) { return static_cast<int>(std::lround(weight * a + (1 - weight) * b)); };
    return qRgb(mix(colour.red(), background.red()), mix(colour.green(), background.green()),
                mix(colour.blue(), background.blue()));
}

} // namespace

LanePainter::LanePainter(QCPAxis* keyAxis, QCPAxis* valueAxis, const Scene& scene, const theme::ThemeManager& themes)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_scene(scene), m_themes(themes) {
    setAntialiased(false);
    setSelectable(QCP::stNone);
    removeFromLegend();
}

QCPRange LanePainter::getKeyRange(bool& found, QCP::SignDomain) const {
    found = false; // the viewport is the only authority over the range
    return {};
}

QCPRange LanePainter::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

void LanePainter::draw(QCPPainter* painter) {
    if (m_scene.store == nullptr) return;
    const QRect area = mKeyAxis->axisRect()->rect();
    const theme::Theme& theme = m_themes.theme();
    const double ratio = painter->device()->devicePixelRatioF();
    const int numColumns = static_cast<int>(std::lround(m_scene.view.width() * ratio));
    QColor track = theme.text; // a tint, so that the grid below shows through
    track.setAlpha(10);
    painter->setPen(Qt::NoPen);
    for (const LaneGroup& group : m_scene.layout.groups)
        for (const LaneRow& row : group.rows) {
            const QRect place(area.left(), area.top() + row.top - m_scene.scroll, area.width(), row.height);
            if (place.bottom() < area.top() || place.top() > area.bottom()) continue;
            painter->fillRect(place, track);
            if (row.role == trace::LaneRole::kMemory) {
                drawCounter(painter, row, place);
                continue;
            }
            buildLaneGeometry(*m_scene.store, row.lane, m_scene.view, numColumns, m_geometry);
            if (m_geometry.folded)
                drawColumns(painter, place);
            else
                drawBars(painter, row, place);
        }
}

void LanePainter::drawBars(QCPPainter* painter, const LaneRow& row, const QRect& place) const {
    const theme::Theme& theme = m_themes.theme();
    const trace::SliceList& slices = m_scene.store->slices(row.lane);
    const bool labelled = row.height >= 13;
    QFont font = mParentPlot->font();
    font.setPixelSize(std::clamp(row.height - 5, 9, 12));
    painter->setFont(font);
    const int characterWidth = QFontMetrics(font).horizontalAdvance(QLatin1Char('0'));
    for (const LaneBar& bar : m_geometry.bars) {
        const trace::Record& slice = slices[bar.slice];
        const QColor fill = theme.kind(slice.kind);
        const int gap = bar.right - bar.left > 4 ? 1 : 0;
        QRect rect(place.left() + bar.left, place.top(), bar.right - bar.left - gap, place.height());
        if (slice.kind == trace::Kind::kWait) rect.adjust(0, rect.height() * 2 / 5, 0, -rect.height() * 2 / 5);
        painter->fillRect(rect, fill);
        if (!labelled || slice.kind == trace::Kind::kWait) continue;
        const QRect visible = rect.intersected(place);
        const QString label = sliceLabel(slice, visible.width(), characterWidth);
        if (label.isEmpty()) continue;
        painter->setPen(theme.onColour(fill));
        painter->drawText(visible, Qt::AlignCenter | Qt::TextSingleLine, label);
        painter->setPen(Qt::NoPen);
    }
}

void LanePainter::drawColumns(QCPPainter* painter, const QRect& place) {
    const theme::Theme& theme = m_themes.theme();
    const auto width = static_cast<int>(m_geometry.columns.size());
    if (m_strip.width() != width) m_strip = QImage(width, 1, QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(m_strip.scanLine(0));
    const double columnNs = static_cast<double>(m_scene.view.spanNs()) / width;
    for (int x = 0; x < width; ++x) {
        const trace::Summary& column = m_geometry.columns[static_cast<std::size_t>(x)];
        const bool work = column.longestNs >= 0;
        pixels[x] = !column.used ? theme.raised.rgb()
                                 : blend(theme.kind(column.kind), theme.raised, work ? column.busyNs / columnNs : 0.2);
    }
    painter->drawImage(place, m_strip);
}

// What is in use, as a staircase whose top is the most that was ever in use.
void LanePainter::drawCounter(QCPPainter* painter, const LaneRow& row, const QRect& place) const {
    const trace::SliceList& counts = m_scene.store->slices(row.lane);
    int64_t most = 1;
    for (std::size_t i = 0; i < counts.size(); ++i)
        most = std::max(most, counts[i].bytes);
    QColor fill = m_themes.theme().kind(trace::Kind::kMemory);
    fill.setAlpha(110);
    const std::size_t first = counts.firstStartingFrom(m_scene.view.beginNs());
    for (std::size_t i = first > 0 ? first - 1 : 0; i < counts.size(); ++i) {
        const int64_t untilNs = i + 1 < counts.size() ? counts[i + 1].startNs : m_scene.store->endNs();
        const double left = std::max(0.0, m_scene.view.xAt(counts[i].startNs));
        const double right = std::min<double>(place.width(), m_scene.view.xAt(untilNs));
        if (left > place.width()) break;
        const double height = place.height() * static_cast<double>(counts[i].bytes) / static_cast<double>(most);
        if (right > left)
            painter->fillRect(QRectF(place.left() + left, place.bottom() + 1 - height, right - left, height), fill);
    }
}

} // namespace roundpipe::ui::timeline
