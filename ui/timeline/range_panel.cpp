#include "ui/timeline/range_panel.h"

#include "base/units.h"
#include "ui/timeline/time_axis.h"

#include <QPainter>

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kPanelWidth = 252;
constexpr int kLine = 17;
constexpr int kTop = 26; // below the headline

QString bytesText(double bytes) {
    return QString::fromStdString(formatBytes(static_cast<int64_t>(bytes)));
}

} // namespace

RangePanel::RangePanel(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setFixedWidth(kPanelWidth);
    setAccessibleName(tr("Statistics of the range"));
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void RangePanel::set(trace::RangeStatistics statistics, bool selected) {
    m_statistics = std::move(statistics);
    m_selected = selected;
    const auto lines = static_cast<int>(2 * m_statistics.devices.size() + m_statistics.kinds.size() + 1);
    setMinimumHeight(kTop + lines * kLine + 4); // the view around it scrolls
    update();
}

void RangePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = m_themes.theme();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(m_selected ? theme.accent : theme.text);
    const QString span = QString::fromStdString(durationText(m_statistics.durationNs()));
    painter.drawText(QRect(0, 0, width(), 22), Qt::AlignVCenter,
                     (m_selected ? tr("Selected  ΔT %1") : tr("On show  %1")).arg(span));
    painter.setFont(font());
    painter.setPen(theme.dim);
    if (m_statistics.firstStep >= 0) {
        const QString steps = m_statistics.firstStep == m_statistics.lastStep
                                  ? tr("step %1").arg(m_statistics.firstStep + 1)
                                  : tr("steps %1–%2").arg(m_statistics.firstStep + 1).arg(m_statistics.lastStep + 1);
        painter.drawText(QRect(0, 0, width(), 22), Qt::AlignVCenter | Qt::AlignRight, steps);
    }
    drawKinds(painter, drawDevices(painter, kTop));
}

int RangePanel::drawDevices(QPainter& painter, int y) const {
    const theme::Theme& theme = m_themes.theme();
    for (const trace::DeviceStatistics& device : m_statistics.devices) {
        const QRect line(0, y, width(), kLine);
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(QString::fromStdString(device.name), Qt::ElideRight, 64));
        const QRect bar(70, y + 5, width() - 70 - 78, 8);
        painter.fillRect(bar, theme.raised);
        painter.fillRect(
            QRect(bar.topLeft(),
                  QSize(static_cast<int>(bar.width() * std::clamp(device.busyShare, 0.0, 1.0)), bar.height())),
            theme.device(device.device.value));
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight,
                         tr("%1 % busy").arg(device.busyShare * 100, 0, 'f', 0));
        y += kLine;
        painter.setPen(theme.dim);
        painter.drawText(QRect(70, y - 3, width() - 70, kLine), Qt::AlignVCenter | Qt::AlignLeft,
                         tr("↑ %1   ↓ %2").arg(bytesText(device.bytesUp), bytesText(device.bytesDown)));
        y += kLine;
    }
    return y + 4;
}

void RangePanel::drawKinds(QPainter& painter, int y) const {
    const theme::Theme& theme = m_themes.theme();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    painter.setFont(small);
    painter.setPen(theme.dim);
    const auto cell = [&](int right, int cellWidth, const QString& text) {
        painter.drawText(QRect(right - cellWidth, y, cellWidth, kLine), Qt::AlignVCenter | Qt::AlignRight, text);
    };
    if (m_statistics.kinds.empty()) return;
    cell(150, 40, tr("count"));
    cell(200, 50, tr("mean"));
    cell(width(), 50, tr("total"));
    y += kLine;
    for (const trace::KindStatistics& kind : m_statistics.kinds) {
        if (kind.kind == trace::Kind::kStep) continue;
        painter.fillRect(QRect(0, y + 5, 8, 8), theme.kind(kind.kind));
        painter.setPen(theme.text);
        painter.drawText(QRect(14, y, 110, kLine), Qt::AlignVCenter | Qt::AlignLeft, theme::kindName(kind.kind));
        painter.setPen(theme.dim);
        cell(150, 40, QString::number(kind.count));
        cell(200, 60, QString::fromStdString(durationText(static_cast<int64_t>(kind.meanNs()))));
        cell(width(), 60, QString::fromStdString(durationText(kind.totalNs)));
        y += kLine;
    }
}

} // namespace roundpipe::ui::timeline
