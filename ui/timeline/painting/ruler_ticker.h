// SPDX-License-Identifier: GPL-3.0-or-later
// The ruler's marks. The axis counts seconds since the store's origin, which doubles carry exactly enough.
#pragma once

#include "ui/timeline/painting/lane_painter.h"

#include <qcustomplot.h>

namespace roundpipe::ui::timeline {

class RulerTicker : public QCPAxisTicker {
public:
    explicit RulerTicker(const Scene& scene) : m_scene(scene) {}
    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override;

private:
    const Scene& m_scene;
};

} // namespace roundpipe::ui::timeline
