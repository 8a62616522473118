// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where nothing is yet: what will be there, and the way to it.
#pragma once

#include "ui/theme/icon.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace roundpipe::ui::widgets {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(const theme::ThemeManager& themes, theme::Icon icon, const QString& title, const QString& words,
               QWidget* parent = nullptr);
    QPushButton* addButton(const QString& text, bool primary = false);

private:
    QHBoxLayout* m_buttons;
};

} // namespace roundpipe::ui::widgets
