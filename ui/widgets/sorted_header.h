// SPDX-License-Identifier: GPL-3.0-or-later
// The titles of a table that is sorted by a click on one of them.
#pragma once

#include <QHeaderView>

namespace roundpipe::ui::widgets {

// Its arrow stands beside the title: before those over figures, which end where their figures do, behind the others.
// Every column has room for it, so that none becomes wider when it is sorted by.
class SortedHeader final : public QHeaderView {
    Q_OBJECT
public:
    explicit SortedHeader(QWidget* parent = nullptr);
    QRect arrowOf(int section) const; // in the viewport, wherever the table is sorted by it

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override; // without the style's arrow
};

} // namespace roundpipe::ui::widgets
