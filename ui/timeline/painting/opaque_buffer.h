// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot's layers are painted into, without transparency: QCustomPlot's own buffers are cleared, filled and
// blended for each frame, which costs more than painting a million slices.
#pragma once

#include "ui/theme/theme_manager.h"

#include <qcustomplot.h>

#include <QImage>

namespace roundpipe::ui::timeline {

class OpaqueBuffer : public QCPAbstractPaintBuffer {
public:
    OpaqueBuffer(const QSize& size, double devicePixelRatio, const theme::ThemeManager& themes);

    QCPPainter* startPainting() override { return new QCPPainter(&m_image); } // the plot deletes it
    void draw(QCPPainter* painter) const override { painter->drawImage(0, 0, m_image); }
    void clear(const QColor&) override { m_image.fill(m_themes.theme().card); } // the ground of the plot

protected:
    void reallocateBuffer() override;

private:
    const theme::ThemeManager& m_themes;
    QImage m_image;
};

} // namespace roundpipe::ui::timeline
