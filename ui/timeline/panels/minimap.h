// SPDX-License-Identifier: GPL-3.0-or-later
// The whole run in a strip: how busy the devices were, where the view is, bookmarks. A click or a drag moves the view,
// the wheel zooms it about the time under the mouse.
#pragma once

#include "ui/timeline/plot/timeline_plot.h"

#include <QWidget>

namespace roundpipe::ui::timeline {

class Minimap : public QWidget {
    Q_OBJECT
public:
    Minimap(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {600, 22}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { moveTo(event->pos().x()); }
    void mouseMoveEvent(QMouseEvent* event) override { moveTo(event->pos().x()); }
    void wheelEvent(QWheelEvent* event) override;

private:
    void moveTo(int x);
    double xAt(int64_t timeNs) const;
    int64_t timeAt(double x) const;
    int cursorX() const; // of the time under the plot's mouse; -1: there is none
    void fold();

    TimelinePlot& m_plot;
    const theme::ThemeManager& m_themes;
    int m_cursorX = -1;         // as it was painted
    std::vector<double> m_busy; // by column: mean share of the devices
    int64_t m_foldedEndNs = -1; // of the store, when m_busy was made
};

} // namespace roundpipe::ui::timeline
