// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a table whose columns are as wide as what they hold: neighbours stand apart.
#pragma once

#include <QStyledItemDelegate>

namespace roundpipe::ui::widgets {

class RoomyItems final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kApart = 14;
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kApart, 0);
    }
};

} // namespace roundpipe::ui::widgets
