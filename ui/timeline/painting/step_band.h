// SPDX-License-Identifier: GPL-3.0-or-later
// The run's steps as a band above the time axis: its true ruler. Between them stand validations, answers and
// pauses.
#pragma once

#include "ui/timeline/painting/lane_painter.h"

namespace roundpipe::ui::timeline {

class StepBand : public QCPLayerable {
    Q_OBJECT
public:
    StepBand(QCustomPlot* plot, const QString& layer, const Scene& scene, const theme::ThemeManager& themes);
    static int height() { return 17; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawColumns(QCPPainter* painter, const std::vector<trace::Summary>& columns) const;
    void drawUnderWay(QCPPainter* painter, LaneId lane, const trace::SliceList& slices) const;
    void drawFading(QCPPainter* painter, int64_t startNs, trace::Kind kind, const QString& name) const;
    void drawSlice(QCPPainter* painter, const QRect& place, const trace::Record& slice) const;

    const Scene& m_scene;
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
