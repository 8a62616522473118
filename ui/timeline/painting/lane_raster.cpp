// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/lane_raster.h"

#include <algorithm>
#include <cstring>

namespace roundpipe::ui::timeline {

// As a painter rounds it.
int LaneRaster::pixelAt(double position) const {
    return qRound(position * m_ratio);
}

void LaneRaster::begin(const QPainter& painter, const QRect& area) {
    m_image = dynamic_cast<QImage*>(painter.device());
    m_line.clear();
    m_ground.clear();
    m_area = {};
    if (m_image == nullptr || m_image->format() != QImage::Format_RGB32) return;
    m_ratio = m_image->devicePixelRatio();
    const QPoint topLeft(pixelAt(area.left()), pixelAt(area.top()));
    const QPoint end(pixelAt(area.left() + area.width()), pixelAt(area.top() + area.height()));
    m_area = QRect(topLeft, end - QPoint(1, 1)).intersected(m_image->rect());
    m_line.resize(static_cast<std::size_t>(m_area.width()));
    m_ground.resize(m_line.size());
    if (m_area.isEmpty()) return;
    const auto* pixels = reinterpret_cast<const QRgb*>(m_image->constScanLine(m_area.top())) + m_area.left();
    std::copy_n(pixels, m_ground.size(), m_ground.begin());
}

void LaneRaster::tintGround(const QColor& tint) {
    if (m_ground.empty()) return;
    const int bytes = width() * static_cast<int>(sizeof(QRgb));
    QImage ground(reinterpret_cast<uchar*>(m_ground.data()), width(), 1, bytes, QImage::Format_RGB32);
    QPainter(&ground).fillRect(ground.rect(), tint);
}

void LaneRaster::moveTo(const QRect& place) {
    m_top = pixelAt(place.top());
    m_bottom = pixelAt(place.top() + place.height());
}

void LaneRaster::fill(QRgb colour, double left, double right) {
    const int from = std::clamp(pixelAt(left) - m_area.left(), 0, width());
    const int to = std::clamp(pixelAt(right) - m_area.left(), 0, width());
    std::fill(m_line.begin() + from, m_line.begin() + std::max(from, to), colour);
}

void LaneRaster::write(int y) {
    const int row = m_top + y;
    if (row < m_area.top() || row > m_area.bottom()) return;
    auto* pixels = reinterpret_cast<QRgb*>(m_image->scanLine(row)) + m_area.left();
    std::memcpy(pixels, m_line.data(), m_line.size() * sizeof(QRgb));
}

void LaneRaster::writeAll() {
    for (int y = 0; y < height(); ++y)
        write(y);
}

} // namespace roundpipe::ui::timeline
