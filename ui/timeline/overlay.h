// What moves with the mouse: cursor line, hovered slice, selected range. On its own layer, so that moving the mouse
// does not paint the lanes again.
#pragma once

#include "ui/timeline/lane_painter.h"

#include <optional>

namespace roundpipe::ui::timeline {

struct TimeRange {
    int64_t beginNs = 0;
    int64_t endNs = 0;
};

struct Pointer {
    std::optional<int> x;             // of the cursor line, relative to the axis rectangle
    std::optional<LaneId> lane;       // of the hovered slice
    std::optional<std::size_t> slice; // index in that lane
    std::optional<TimeRange> selection;
};

class Overlay : public QCPLayerable {
    Q_OBJECT
public:
    Overlay(QCustomPlot* plot, const QString& layer, const Scene& scene, const Pointer& pointer,
            const theme::ThemeManager& themes);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawSelection(QCPPainter* painter, const QRect& area) const;
    void drawHovered(QCPPainter* painter, const QRect& area) const;

    const Scene& m_scene;
    const Pointer& m_pointer;
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
