// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sorted_header.h"

#include <QPainter>
#include <QPolygonF>
#include <QStyleOptionHeader>

namespace roundpipe::ui::widgets {
namespace {

constexpr int kWidth = 8; // of the arrow
constexpr int kHeight = 5;
constexpr int kGap = 5;     // to the title
constexpr int kPadding = 3; // of a title, as the style sheet has it

} // namespace

SortedHeader::SortedHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setHighlightSections(false);
    setSectionsClickable(true);
}

void SortedHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const {
    QHeaderView::initStyleOptionForIndex(option, section);
    option->sortIndicator = QStyleOptionHeader::None;
}

QSize SortedHeader::sectionSizeFromContents(int section) const {
    const QSize size = QHeaderView::sectionSizeFromContents(section);
    // The style has kept a place of its own for the one that is sorted by.
    const int title = fontMetrics().horizontalAdvance(model()->headerData(section, orientation()).toString());
    return {title + 2 * kPadding + kGap + kWidth, size.height()};
}

QRect SortedHeader::arrowOf(int section) const {
    const QString text = model()->headerData(section, orientation()).toString();
    const auto alignment = model()->headerData(section, orientation(), Qt::TextAlignmentRole).value<Qt::Alignment>();
    const int title = kPadding + fontMetrics().horizontalAdvance(text) + kGap;
    const int left = sectionViewportPosition(section);
    const bool isOverFigures = alignment.testFlag(Qt::AlignRight);
    const int x = isOverFigures ? left + sectionSize(section) - title - kWidth : left + title;
    return {x, (height() - kHeight) / 2, kWidth, kHeight};
}

void SortedHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
    painter->save(); // the style leaves its own pen behind
    QHeaderView::paintSection(painter, rect, section);
    painter->restore();
    if (!isSortIndicatorShown() || sortIndicatorSection() != section) return;
    const QRectF arrow = arrowOf(section);
    const bool isUp = sortIndicatorOrder() == Qt::DescendingOrder; // as desktops have it
    const double base = isUp ? arrow.bottom() : arrow.top();
    const double tip = isUp ? arrow.top() : arrow.bottom();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(palette().color(QPalette::PlaceholderText)); // as its title
    painter->drawPolygon(QPolygonF({{arrow.left(), base}, {arrow.right(), base}, {arrow.center().x(), tip}}));
    painter->restore();
}

} // namespace roundpipe::ui::widgets
