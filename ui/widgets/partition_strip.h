// SPDX-License-Identifier: GPL-3.0-or-later
// How the layers are cut: every layer a cell, forward stages above, fused and backward stages below.
#pragma once

#include "session/engine.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <memory>

namespace roundpipe::ui::widgets {

// Coloured by what a stage does; a numeral says which device takes it in the first step.
class PartitionStrip : public QWidget {
    Q_OBJECT
public:
    explicit PartitionStrip(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const session::RunPlan> plan); // null: an empty strip
    QSize sizeHint() const override { return {600, 76}; }
    QSize minimumSizeHint() const override { return {200, 76}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    QRectF cellsOf(const plan::LayerRange& layers) const; // in the top row
    void paintStage(QPainter& painter, const plan::Stage& stage) const;
    int layerAt(int x) const; // -1: none

    const theme::ThemeManager& m_themes;
    std::shared_ptr<const session::RunPlan> m_plan;
    std::vector<plan::Stage> m_stages;
};

} // namespace roundpipe::ui::widgets
