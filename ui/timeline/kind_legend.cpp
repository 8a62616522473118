#include "ui/timeline/kind_legend.h"

#include <QPainter>

namespace roundpipe::ui::timeline {

KindLegend::KindLegend(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void KindLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.88);
    painter.setFont(small);
    const theme::Theme& theme = m_themes.theme();
    int x = 0;
    const auto entry = [&](const QBrush& brush, const QString& name) {
        const int advance = painter.fontMetrics().horizontalAdvance(name);
        if (x + 14 + advance > width()) return; // the range panel names every kind as well
        painter.fillRect(QRect(x, height() / 2 - 5, 10, 10), brush);
        painter.setPen(theme.dim);
        painter.drawText(QRect(x + 14, 0, advance + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, name);
        x += 14 + advance + 12;
    };
    for (int k = 0; k < trace::kNumKinds; ++k)
        if (isWork(static_cast<trace::Kind>(k)))
            entry(theme.kind(static_cast<trace::Kind>(k)), theme::kindName(static_cast<trace::Kind>(k)));
    entry(theme.hatch(trace::IdleReason::kWeights), tr("waits for weights"));
    entry(theme.hatch(trace::IdleReason::kPacket), tr("other waits"));
}

} // namespace roundpipe::ui::timeline
