// SPDX-License-Identifier: GPL-3.0-or-later
// One memory's bar in words: what takes how much of it, and what it depends on.
#pragma once

#include "ui/pages/plan/memory_bars.h"

namespace roundpipe::ui::pages {

class MemoryParts : public PlanPicture {
    Q_OBJECT
public:
    explicit MemoryParts(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setBar(const MemoryBars::Bar* bar); // null: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintPart(QPainter& painter, const MemoryBars::Part& part, const QRectF& place) const;
    int numLines() const; // parts, and what is missing below them

    MemoryBars::Bar m_bar;
};

} // namespace roundpipe::ui::pages
