// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/memory_parts.h"

#include "ui/translations/number_text.h"

#include <QPainter>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kPartLine = 28;
constexpr int kPartTile = 11;
constexpr int kBeforeName = 20;
constexpr int kGap = 14;

} // namespace

MemoryParts::MemoryParts(const theme::ThemeManager& themes, QWidget* parent) : PlanPicture(themes, parent) {
    setAccessibleName(tr("What takes the memory"));
}

void MemoryParts::setBar(const MemoryBars::Bar* bar) {
    m_bar = bar != nullptr ? *bar : MemoryBars::Bar();
    std::erase_if(m_bar.parts, [](const MemoryBars::Part& part) { return part.bytes == 0; });
    std::ranges::stable_sort(m_bar.parts, std::ranges::greater(), &MemoryBars::Part::bytes);
    QStringList words;
    for (const MemoryBars::Part& part : m_bar.parts)
        words.append(tr("%1: %2").arg(part.name, translations::bytesText(part.bytes)));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int MemoryParts::numLines() const {
    return std::max(static_cast<int>(m_bar.parts.size()) + (m_bar.fits() ? 0 : 1), 1);
}

QSize MemoryParts::sizeHint() const {
    return {460, numLines() * roomyRow(kPartLine)};
}

// Name, what it depends on and bytes: of the words in the middle as many as there is room for.
void MemoryParts::paintPart(QPainter& painter, const MemoryBars::Part& part, const QRectF& place) const {
    const QFontMetrics metrics = painter.fontMetrics();
    int nameWidth = 0, numberWidth = 0;
    for (const MemoryBars::Part& one : m_bar.parts) {
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(one.name));
        numberWidth = std::max(numberWidth, metrics.horizontalAdvance(translations::bytesText(one.bytes)));
    }
    const QRectF name = place.adjusted(kBeforeName, 0, 0, 0);
    painter.fillRect(QRectF(place.left(), place.center().y() - kPartTile / 2.0, kPartTile, kPartTile), part.colour);
    painter.setPen(colours().text);
    painter.drawText(name, Qt::AlignVCenter, part.name);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight, translations::bytesText(part.bytes));
    const QRectF middle = name.adjusted(nameWidth + kGap, 0, -numberWidth - kGap, 0);
    painter.setPen(colours().dim);
    painter.drawText(middle, Qt::AlignVCenter,
                     metrics.elidedText(part.dependsOn, Qt::ElideRight, static_cast<int>(middle.width())));
}

void MemoryParts::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setOpacity(opacity());
    const int line = filledRow(kPartLine, numLines(), 0);
    QRectF place(0, 0, width(), line);
    for (const MemoryBars::Part& part : m_bar.parts) {
        paintPart(painter, part, place);
        place.translate(0, line);
    }
    if (m_bar.fits()) return;
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(colours().bad);
    painter.drawText(place.adjusted(kBeforeName, 0, 0, 0), Qt::AlignVCenter, tr("more than there is"));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight,
                     translations::bytesText(m_bar.needed - m_bar.spared - m_bar.available));
}

} // namespace roundpipe::ui::pages
