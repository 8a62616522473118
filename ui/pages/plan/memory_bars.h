// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan takes of every memory, as bars with their parts: each GPU, page-locked and host memory, the disk.
#pragma once

#include "session/planning/plan_answer.h"
#include "ui/pages/plan/plan_picture.h"

#include <vector>

namespace roundpipe::ui::pages {

class MemoryBars : public PlanPicture {
    Q_OBJECT
public:
    struct Part {
        QString name;
        QColor colour;
        int64_t bytes = 0;
        QString dependsOn = {}; // in words, where it is a device's
    };
    struct Bar {
        QString name;
        std::vector<Part> parts;
        int64_t needed = 0;
        int64_t available = 0; // 0: not known
        bool fits() const { return available == 0 || needed <= available; }
    };

    explicit MemoryBars(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setAnswer(const session::PlanAnswer* answer); // null: no bars
    const std::vector<Bar>& bars() const { return m_bars; }
    const Bar* fullest() const; // for what there is; null: there are none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    struct Legend { // what the parts of the first bar are
        std::vector<QRectF> places;
        int numLines = 1;
    };
    int numLines() const; // of bars
    int line() const;
    QFont legendFont() const;
    Legend legendOf(const Bar& bar) const;
    int legendHeight() const;
    void paintBar(QPainter& painter, const Bar& bar, double top) const;
    void paintLegend(QPainter& painter, double top) const;

    std::vector<Bar> m_bars;
};

} // namespace roundpipe::ui::pages
