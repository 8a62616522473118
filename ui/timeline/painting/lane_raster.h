// SPDX-License-Identifier: GPL-3.0-or-later
// A lane as lines of pixels, written straight into the image that is painted on: blocks of one height are the same line
// over and over, so that ten thousand of them cost one line and a copy of it for each row. A painter takes several
// times as long.
#pragma once

#include <QImage>
#include <QPainter>

#include <span>
#include <vector>

namespace roundpipe::ui::timeline {

class LaneRaster {
public:
    // Lanes that follow lie in `area`, of what `painter` paints on: a QImage of 32 bits without transparency, which
    // must stay as long as they are written; on anything else the width is 0. Whatever lies in the area must be the
    // same in each of its lines.
    void begin(const QPainter& painter, const QRect& area);
    void tintGround(const QColor& tint); // what takeGround() gives from here on

    // One after the other, each of whole pixels of the screen; what of it lies outside of the area is not written.
    void moveTo(const QRect& place);
    int width() const { return static_cast<int>(m_line.size()); }
    int height() const { return m_bottom - m_top; }

    std::span<QRgb> line() { return m_line; }          // from the area's left to its right
    void takeGround() { m_line = m_ground; }           // the line is what lies below the lanes
    void fill(QRgb colour, double left, double right); // of the line; in the painter's coordinates
    void write(int y);                                 // the line, `y` below the lane's top
    void writeAll();                                   // the line, over the whole height

private:
    int pixelAt(double position) const;

    QImage* m_image = nullptr;
    QRect m_area; // in pixels of the image
    double m_ratio = 1;
    int m_top = 0, m_bottom = 0; // of the lane, in pixels of the image
    std::vector<QRgb> m_ground, m_line;
};

} // namespace roundpipe::ui::timeline
