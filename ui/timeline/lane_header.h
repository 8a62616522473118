// The names of devices and lanes, at the left of the plot and aligned with its rows.
#pragma once

#include "ui/theme/theme_manager.h"
#include "ui/timeline/lane_painter.h"

#include <QWidget>

namespace roundpipe::ui::timeline {

class LaneHeader : public QWidget {
    Q_OBJECT
public:
    LaneHeader(const Scene& scene, int rulerHeight, const theme::ThemeManager& themes, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Scene& m_scene;
    int m_rulerHeight;
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
