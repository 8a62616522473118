// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a table whose columns are as wide as what they hold: neighbours stand apart, and each is one line.
#pragma once

#include "ui/widgets/one_line.h"
#include "ui/widgets/whole_rows.h"

namespace roundpipe::ui::widgets {

class RoomyItems final : public WholeRows {
public:
    using WholeRows::WholeRows;
    QString displayText(const QVariant& value, const QLocale& locale) const override {
        return inOneLine(QStyledItemDelegate::displayText(value, locale));
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int kApart = 14;
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kApart, 0);
    }
};

} // namespace roundpipe::ui::widgets
