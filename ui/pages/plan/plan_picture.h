// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures of a plan have in common: they are in the theme's colours, have higher rows where the window is
// higher than they need, and are dimmed where they are of settings that are no longer these.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

namespace roundpipe::ui::pages {

class PlanPicture : public QWidget {
    Q_OBJECT
public:
    void setRoom(double room); // from 0, where there is none to spare, to 1
    void setDimmed(bool dimmed);
    bool isDimmed() const { return m_dimmed; }

protected:
    PlanPicture(const theme::ThemeManager& themes, QWidget* parent);
    const theme::Theme& colours() const { return m_themes.theme(); }
    int roomyRow(int usual) const; // of a row that is `usual` pixels high
    // As it is painted, of `count` of them beside what takes `beside` pixels: they fill what the picture was given.
    int filledRow(int usual, int count, int beside) const;
    double opacity() const; // of all that is painted

private:
    const theme::ThemeManager& m_themes;
    double m_room = 0;
    bool m_dimmed = false;
};

} // namespace roundpipe::ui::pages
