// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/kind_legend.h"

#include <QEvent>
#include <QPainter>

#include <utility>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kSquare = 10;
constexpr int kTextAt = 14;
constexpr int kBetween = 12;
constexpr int kLegendLine = 20;

} // namespace

KindLegend::KindLegend(const theme::ThemeManager& themes, std::vector<trace::Kind> kinds,
                       std::vector<trace::IdleReason> reasons, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_kinds(std::move(kinds)), m_reasons(std::move(reasons)) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    setFixedHeight(kLegendLine); // until it is known how wide it is
}

QFont KindLegend::smallFont() const {
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.88);
    return small;
}

std::vector<KindLegend::Entry> KindLegend::entries() const {
    const theme::Theme& theme = m_themes.theme();
    std::vector<Entry> all;
    for (const trace::Kind kind : m_kinds)
        all.push_back({theme.kind(kind), theme::kindName(kind), {}});
    for (const trace::IdleReason reason : m_reasons)
        all.push_back({theme.hatch(reason), theme::idleName(reason), {}});
    const QFontMetrics metrics(smallFont());
    QPoint at;
    for (Entry& entry : all) {
        const int needed = kTextAt + metrics.horizontalAdvance(entry.name);
        if (at.x() > 0 && at.x() + needed > width()) at = {0, at.y() + kLegendLine};
        entry.at = at;
        at.rx() += needed + kBetween;
    }
    return all;
}

int KindLegend::numLines() const {
    const std::vector<Entry> all = entries();
    return all.empty() ? 0 : all.back().at.y() / kLegendLine + 1;
}

QSize KindLegend::sizeHint() const {
    return {700, kLegendLine * numLines()};
}

void KindLegend::takeHeight() {
    setFixedHeight(kLegendLine * numLines());
}

void KindLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    takeHeight();
}

void KindLegend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) takeHeight();
}

void KindLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(smallFont());
    painter.setPen(m_themes.theme().dim);
    for (const Entry& entry : entries()) {
        painter.fillRect(QRect(entry.at.x(), entry.at.y() + kLegendLine / 2 - 5, kSquare, kSquare), entry.brush);
        painter.drawText(QRect(entry.at.x() + kTextAt, entry.at.y(), width(), kLegendLine),
                         Qt::AlignVCenter | Qt::AlignLeft, entry.name);
    }
}

} // namespace roundpipe::ui::widgets
