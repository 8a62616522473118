// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a cell of two or three lines: the first one stands out, the others are dim.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QStyledItemDelegate>

namespace roundpipe::ui::pages {

class TwoLines : public QStyledItemDelegate {
    Q_OBJECT
public:
    // A widgets::Tone as a number: what the first line says.
    static constexpr int kToneRole = Qt::UserRole + 20;

    TwoLines(const theme::ThemeManager& themes, QObject* parent) : QStyledItemDelegate(parent), m_themes(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::pages
