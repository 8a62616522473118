// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/partition_strip.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kLabelWidth = 74; // row names at the left
constexpr int kRowHeight = 26;
constexpr int kRowGap = 4;
constexpr int kTile = 16;           // of a device's numeral
constexpr double kNumberWidth = 26; // that a layer's number needs

trace::Kind kindOf(plan::StageKind kind) {
    switch (kind) {
    case plan::StageKind::kForward:
        return trace::Kind::kForward;
    case plan::StageKind::kFused:
        return trace::Kind::kFused;
    case plan::StageKind::kBackward:
        break;
    }
    return trace::Kind::kBackward;
}

} // namespace

PartitionStrip::PartitionStrip(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    setAccessibleName(tr("Layer partition"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PartitionStrip::setPlan(std::shared_ptr<const session::RunPlan> plan) {
    m_plan = std::move(plan);
    m_stages = m_plan ? m_plan->plan.stages() : std::vector<plan::Stage>{};
    update();
}

QRectF PartitionStrip::cellsOf(const plan::LayerRange& layers) const {
    const double cell = static_cast<double>(width() - kLabelWidth) / m_plan->plan.numLayers;
    return {kLabelWidth + cell * layers.begin, 0.0, cell * layers.size(), static_cast<double>(kRowHeight)};
}

int PartitionStrip::layerAt(int x) const {
    if (!m_plan || x < kLabelWidth || x >= width()) return -1;
    return (x - kLabelWidth) * m_plan->plan.numLayers / (width() - kLabelWidth);
}

void PartitionStrip::paintStage(QPainter& painter, const plan::Stage& stage) const {
    const theme::Theme& theme = m_themes.theme();
    const QColor fill = theme.kind(kindOf(stage.kind));
    QRectF rect = cellsOf(stage.layers).adjusted(1, 0, -1, 0);
    if (stage.kind != plan::StageKind::kForward) rect.translate(0, kRowHeight + kRowGap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);

    QColor line = theme.onColour(fill);
    line.setAlpha(70);
    painter.setPen(line);
    for (int32_t layer = stage.layers.begin + 1; layer < stage.layers.end; ++layer) {
        const int x = static_cast<int>(cellsOf({layer, layer + 1}).left());
        painter.drawLine(x, static_cast<int>(rect.top()) + 4, x, static_cast<int>(rect.bottom()) - 4);
    }
    const QString shortText = QStringLiteral("S%1").arg(stage.id.value);
    const QString text = shortText + QStringLiteral(" · ") +
                         (stage.kind == plan::StageKind::kForward ? tr("forward")
                          : stage.kind == plan::StageKind::kFused ? tr("fused")
                                                                  : tr("backward"));
    const QFontMetrics metrics = painter.fontMetrics();
    const double left = rect.left();
    if (rect.width() >= metrics.horizontalAdvance(shortText) + 2 * kTile) {
        const QRectF tile(left + 4, rect.center().y() - kTile / 2.0, kTile, kTile);
        painter.fillRect(tile, theme.text);
        painter.setPen(theme.card);
        painter.drawText(tile, Qt::AlignCenter, models::deviceMark(m_plan->plan, stage));
        rect.setLeft(tile.right());
    }
    painter.setPen(theme.onColour(fill));
    const bool fits = metrics.horizontalAdvance(text) + 10 < rect.width();
    if (fits || metrics.horizontalAdvance(shortText) + 4 < rect.width())
        painter.drawText(rect, Qt::AlignCenter, fits ? text : shortText);
}

void PartitionStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = m_themes.theme();
    painter.setPen(theme.dim);
    if (!m_plan) {
        painter.drawText(rect(), Qt::AlignCenter, tr("Shown as soon as a run has read the model."));
        return;
    }
    painter.drawText(QRect(0, 0, kLabelWidth, kRowHeight), Qt::AlignVCenter, tr("Forward"));
    painter.drawText(QRect(0, kRowHeight + kRowGap, kLabelWidth, kRowHeight), Qt::AlignVCenter, tr("Backward"));
    for (const plan::Stage& stage : m_stages)
        paintStage(painter, stage);

    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter.setFont(small);
    painter.setPen(theme.dim);
    const int top = 2 * kRowHeight + kRowGap + 2;
    painter.drawText(QRect(0, top, kLabelWidth, 18), Qt::AlignVCenter, tr("Layer"));
    const double cellWidth = cellsOf({0, 1}).width();
    const int32_t every =
        cellWidth >= kNumberWidth ? 1 : static_cast<int32_t>(std::ceil(kNumberWidth / cellWidth / 5)) * 5;
    for (int32_t layer = 0; layer < m_plan->plan.numLayers; layer += every) {
        const QRectF cell = cellsOf({layer, layer + 1});
        const QRectF place(cell.left(), top, cell.width(), 18);
        const QString name = models::layerText(layer, m_plan->plan.numLayers);
        const QFontMetrics metrics = painter.fontMetrics();
        if (metrics.horizontalAdvance(name) + 4 < cell.width())
            painter.drawText(place, Qt::AlignCenter, name);
        else
            painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, QString::number(layer));
    }
}

bool PartitionStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int layer = layerAt(help->pos().x());
    if (layer < 0) {
        QToolTip::hideText();
        return true;
    }
    QString text =
        models::layerText(layer, m_plan->plan.numLayers) + QLatin1Char('\n') +
        tr("%1 of weights").arg(translations::bytesText(m_plan->layerBytes[static_cast<std::size_t>(layer)]));
    for (const plan::Stage& stage : m_stages)
        if (stage.layers.contains(LayerId(layer)))
            text += QStringLiteral("\nS%1 · %2").arg(stage.id.value).arg(models::deviceText(*m_plan, stage));
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace roundpipe::ui::widgets
