// SPDX-License-Identifier: GPL-3.0-or-later
// What shows, while files are dragged over the window, that they may be dropped anywhere on it.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

namespace roundpipe::ui::shell {

// Lies over all of its parent, and is nothing to the mouse.
class DropFrame : public QWidget {
    Q_OBJECT
public:
    DropFrame(const theme::ThemeManager& themes, QWidget* parent);
    void appear();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // follows the parent's size

private:
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::shell
