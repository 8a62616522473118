// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/results/loss_picture.h"

#include "runs/compare.h"
#include "ui/charts/step_ticker.h"
#include "ui/theme/theme.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr QColor kGrid(0xd5, 0xda, 0xe1), kWords(0x56, 0x60, 0x70);

struct Area {
    QRectF frame; // of the picture
    QRectF data;  // what it shows; its top is the least value

    QPointF at(double x, double y) const {
        return {frame.left() + (x - data.left()) / data.width() * frame.width(),
                frame.bottom() - (y - data.top()) / data.height() * frame.height()};
    }
};

Area areaFor(const runs::Curve& loss, const runs::Curve& validation, QSize size) {
    std::vector<double> values = loss.y;
    values.insert(values.end(), validation.y.begin(), validation.y.end());
    const auto [low, high] = std::ranges::minmax(values);
    const double margin = std::max(0.06 * (high - low), 1e-3);
    return {QRectF(90, 20, size.width() - 130, size.height() - 80),
            QRectF(0, low - margin, std::max(loss.x.back(), 1.0), high - low + 2 * margin)};
}

QVector<double> ticksOf(QCPAxisTicker&& ticker, double low, double high) {
    QVector<double> ticks;
    ticker.generate(QCPRange(low, high), QLocale(), QLatin1Char('f'), 0, ticks, nullptr, nullptr);
    ticks.removeIf([&](double tick) { return tick < low || tick > high; }); // one lies beyond each end
    return ticks;
}

void drawGrid(QPainter& painter, const Area& area) {
    const auto line = [&](QPointF from, QPointF to) {
        painter.setPen(QPen(kGrid, 1));
        painter.drawLine(from, to);
        painter.setPen(kWords);
    };
    for (const double y : ticksOf(QCPAxisTicker(), area.data.top(), area.data.bottom())) {
        const QPointF left = area.at(0, y);
        line(left, area.at(area.data.right(), y));
        painter.drawText(QRectF(0, left.y() - 14, 80, 28), Qt::AlignRight | Qt::AlignVCenter,
                         translations::fixedText(y, 2));
    }
    for (const double x : ticksOf(charts::StepTicker(), 0, area.data.right())) {
        const QPointF bottom = area.at(x, area.data.top());
        line(bottom, bottom + QPointF(0, 6));
        painter.drawText(QRectF(bottom.x() - 60, bottom.y() + 8, 120, 28), Qt::AlignHCenter, QString::number(x));
    }
}

void drawCurve(QPainter& painter, const Area& area, const runs::Curve& curve, const QPen& pen) {
    QPolygonF line;
    for (std::size_t i = 0; i < curve.x.size(); ++i)
        line.append(area.at(curve.x[i], curve.y[i]));
    painter.setPen(pen);
    painter.drawPolyline(line);
}

} // namespace

QImage lossPicture(const std::vector<session::StepMetrics>& steps, QSize size) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    const runs::Curve loss = runs::curveOf(steps, runs::CurveValue::kLoss, runs::CurveAxis::kStep);
    const runs::Curve validation = runs::curveOf(steps, runs::CurveValue::kValidationLoss, runs::CurveAxis::kStep);
    if (loss.x.empty()) return image;
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = painter.font();
    font.setPixelSize(22);
    painter.setFont(font);
    const Area area = areaFor(loss, validation, size);
    drawGrid(painter, area);
    const QColor trained = theme::lightTheme().curve(theme::kTrainingCurve);
    const QColor validated = theme::lightTheme().curve(theme::kValidationCurve);
    QColor faint = trained;
    faint.setAlpha(90);
    drawCurve(painter, area, loss, QPen(faint, 1.5));
    drawCurve(painter, area, {loss.x, runs::smoothed(loss.y)}, QPen(trained, 3.5));
    drawCurve(painter, area, validation, QPen(validated, 3, Qt::DashLine));
    for (std::size_t i = 0; i < validation.x.size(); ++i)
        painter.drawEllipse(area.at(validation.x[i], validation.y[i]), 4, 4);
    const auto name = [&](int line, const QColor& colour, const QString& what) {
        painter.setPen(colour);
        painter.drawText(QRectF(area.frame.right() - 420, 24 + 30 * line, 410, 28), Qt::AlignRight, what);
    };
    name(0, trained, QCoreApplication::translate("Report", "loss, smoothed"));
    if (!validation.x.empty()) name(1, validated, QCoreApplication::translate("Report", "validation loss (dashed)"));
    return image;
}

} // namespace roundpipe::ui::pages
