// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a table that is walked row by row: the selection says where one is, no second frame around a cell.
#pragma once

#include <QStyledItemDelegate>

namespace roundpipe::ui::widgets {

class WholeRows : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
    }
};

} // namespace roundpipe::ui::widgets
