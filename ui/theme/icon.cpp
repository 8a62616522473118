// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"

#include <QPainter>
#include <QPainterPath>
#include <QString>
#include <QStringList>

#include <array>

namespace roundpipe::ui::theme {
namespace {

// On a grid of 20: M x y begins a line, L x y goes on, Z closes it, O x y rx ry is an ellipse, F fills all of it.
constexpr std::array<const char*, 19> kDrawings = {
    "M 3 9.5 L 10 3.5 L 17 9.5 M 5 8.5 L 5 16.5 L 15 16.5 L 15 8.5 M 8.5 16.5 L 8.5 12 L 11.5 12 L 11.5 16.5",
    "M 4 3.5 L 16 3.5 L 16 6.5 L 4 6.5 Z M 4 8.5 L 16 8.5 L 16 11.5 L 4 11.5 Z M 4 13.5 L 16 13.5 L 16 16.5 L 4 16.5 Z",
    "O 10 5 6 2.2 M 4 5 L 4 15 L 6 16.6 L 10 17.2 L 14 16.6 L 16 15 L 16 5 M 4 10 L 6 11.6 L 10 12.2 L 14 11.6 L 16 10",
    "M 3 6 L 9 6 M 13 6 L 17 6 O 11 6 2 2 M 3 14 L 5 14 M 9 14 L 17 14 O 7 14 2 2",
    "M 3 3.5 L 9 3.5 L 9 7 L 3 7 Z M 7 8.5 L 13 8.5 L 13 12 L 7 12 Z M 11 13.5 L 17 13.5 L 17 17 L 11 17 Z",
    "M 2.5 10.5 L 6 10.5 L 8.5 4 L 12 16.5 L 14.5 10.5 L 17.5 10.5",
    "M 4.5 3 L 12 3 L 15.5 6.5 L 15.5 17 L 4.5 17 Z M 7 11.5 L 9.2 13.8 L 13 9.2",
    "M 3 4 L 3 16.5 L 17 16.5 M 5.5 13 L 9 8.5 L 12 11 L 16.5 5",
    "M 4.5 10.5 L 8.5 14.5 L 15.5 6",
    "M 10 3 L 17.5 16.5 L 2.5 16.5 Z M 10 8 L 10 12 M 10 14 L 10 14.3",
    "O 10 10 7 7 M 7.5 7.5 L 12.5 12.5 M 12.5 7.5 L 7.5 12.5",
    "F O 10 10 4 4",
    "M 10 3 L 10 13 M 6 9 L 10 13 L 14 9 M 3 14 L 3 17 L 17 17 L 17 14",
    "M 3 5 L 8 5 L 9.5 7 L 17 7 L 17 16 L 3 16 Z",
    "M 5.5 5.5 L 14.5 14.5 M 14.5 5.5 L 5.5 14.5",
    "M 4 4 L 4 8.5 L 8.5 8.5 M 4 8.5 L 6.5 5.6 L 10 4.5 L 13.5 5.6 L 15.5 9 L 15 12.8 L 12 15.6 L 8 15.6 L 5.4 13.6",
    "M 11 9 L 16.5 3.5 M 12 3.5 L 16.5 3.5 L 16.5 8 M 9 11 L 3.5 16.5 M 3.5 12 L 3.5 16.5 L 8 16.5",
    "M 3 4 L 17 4 L 17 13 L 10 13 L 6 16.5 L 6 13 L 3 13 Z",
    "M 3 4.5 L 11 4.5 M 3 10 L 11 10 M 3 15.5 L 11 15.5 M 15 4 L 15 16 M 12.6 13.4 L 15 16 L 17.4 13.4",
};

} // namespace

QPixmap pixmapOf(Icon icon, const QColor& colour, int size, double pixelRatio) {
    QPixmap pixmap(QSize(size, size) * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / 20.0, size / 20.0);
    painter.setPen(QPen(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QStringList words = QString::fromLatin1(kDrawings[static_cast<std::size_t>(icon)]).split(QLatin1Char(' '));
    QPainterPath path;
    for (qsizetype i = 0; i < words.size();) {
        const QChar command = words[i++].front();
        const auto next = [&] { return words[i++].toDouble(); };
        const auto point = [&] {
            const double x = next();
            return QPointF(x, next());
        };
        if (command == QLatin1Char('M')) path.moveTo(point());
        if (command == QLatin1Char('L')) path.lineTo(point());
        if (command == QLatin1Char('Z')) path.closeSubpath();
        if (command == QLatin1Char('F')) painter.setBrush(colour);
        if (command == QLatin1Char('O')) {
            const QPointF centre = point();
            const QPointF radius = point();
            path.addEllipse(centre, radius.x(), radius.y());
        }
    }
    painter.drawPath(path);
    return pixmap;
}

QIcon iconOf(Icon icon, const QColor& colour) {
    QIcon result;
    for (const double ratio : {1.0, 2.0})
        result.addPixmap(pixmapOf(icon, colour, 20, ratio));
    return result;
}

} // namespace roundpipe::ui::theme
