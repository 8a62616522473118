// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline will look like: one step of a small model on four devices, simulated; on eight
// where there is room for them.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <vector>

namespace roundpipe::ui::pages {

// As high as there is room for, within limits; a decoration without a name for screen readers.
class DemoPicture : public QWidget {
    Q_OBJECT
public:
    explicit DemoPicture(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    static std::vector<trace::Kind> kindsShown(); // for a legend
    // What it would like to have makes no page scroll: it grows where there is room.
    QSize sizeHint() const override { return {420, kLeastHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr int kLeastHeight = 68;
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::pages
