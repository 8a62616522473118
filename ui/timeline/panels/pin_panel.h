// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the pinned slice, and its microbatch's way from stage to stage with what it waited for.
#pragma once

#include "ui/timeline/plot/timeline_plot.h"

class QLabel;

namespace roundpipe::ui::timeline {

class PinPanel : public QWidget {
    Q_OBJECT
public:
    explicit PinPanel(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    QString plainText() const; // what it says, for readers of the screen and tests

private:
    void show();
    QString headText(const Pinned& pinned) const;
    QString wayText(const Pinned& pinned) const;

    TimelinePlot& m_plot;
    const theme::ThemeManager& m_themes;
    QLabel* m_head;
    QLabel* m_way;
};

} // namespace roundpipe::ui::timeline
