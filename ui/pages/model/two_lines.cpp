// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/model/two_lines.h"

#include "ui/widgets/pill.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kMargin = 4;
constexpr int kAfterNumber = 16; // the column before is aligned to its right

// As many lines as there is room for, the last one elided.
void drawWrapped(QPainter& painter, const QRect& place, const QString& text) {
    const QFontMetrics metrics = painter.fontMetrics();
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    int top = place.top();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(place.width());
        const bool isLast = top + 2 * metrics.height() > place.bottom() + 1;
        const QString words = isLast ? metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, place.width())
                                     : text.mid(line.textStart(), line.textLength());
        painter.drawText(QRect(place.left(), top, place.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         words);
        top += metrics.height();
        if (isLast) break;
    }
    layout.endLayout();
}

QColor colourOf(widgets::Tone tone, const theme::Theme& theme) {
    switch (tone) {
    case widgets::Tone::kGood:
        return theme.good;
    case widgets::Tone::kWarning:
        return theme.warning;
    case widgets::Tone::kBad:
        return theme.bad;
    case widgets::Tone::kNeutral:
        break;
    }
    return theme.text;
}

} // namespace

void TwoLines::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    option.text.clear();
    option.state &= ~QStyle::State_HasFocus; // the whole row is marked, its first cell needs no frame
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
    const theme::Theme& theme = m_themes.theme();
    const QString text = index.data(Qt::DisplayRole).toString(); // the option's has other line breaks
    const qsizetype end = text.indexOf(QLatin1Char('\n'));
    const QString first = text.left(end < 0 ? text.size() : end);
    QString rest = end < 0 ? QString() : text.mid(end + 1);
    rest.replace(QLatin1String("/s"), QStringLiteral("/\u2060s")); // a line may not end within "tokens/s"
    const int line = option.fontMetrics.height();
    const int left = index.column() == 0 ? kMargin : kAfterNumber;
    const int numLines = rest.isEmpty() ? 1
                                        : std::min(3, 1 +
                                                          (option.fontMetrics.horizontalAdvance(rest) - 1) /
                                                              std::max(1, option.rect.width() - left - kMargin) +
                                                          1);
    QRect place = option.rect.adjusted(left, 0, -kMargin, 0);
    place.setTop(option.rect.center().y() - numLines * line / 2);
    place.setHeight(numLines * line + 1);
    painter->save();
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    painter->setFont(bold);
    painter->setPen(colourOf(static_cast<widgets::Tone>(index.data(kToneRole).toInt()), theme));
    painter->drawText(QRect(place.left(), place.top(), place.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(bold).elidedText(first, Qt::ElideRight, place.width()));
    painter->setFont(option.font);
    painter->setPen(theme.dim);
    if (!rest.isEmpty()) drawWrapped(*painter, place.adjusted(0, line, 0, 0), rest);
    painter->restore();
}

} // namespace roundpipe::ui::pages
