// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan takes of every memory, as bars with their parts: each GPU, page-locked and host memory, the disk.
#pragma once

#include "session/planning/plan_answer.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <vector>

namespace roundpipe::ui::pages {

class MemoryBars : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name;
        QColor colour;
        int64_t bytes = 0;
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
    void setRoom(double room);                         // for higher rows, from 0 to 1
    void setDimmed(bool dimmed);
    const std::vector<Bar>& bars() const { return m_bars; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    int line() const;
    void paintBar(QPainter& painter, const Bar& bar, double top) const;
    void paintLegend(QPainter& painter, double top) const;

    const theme::ThemeManager& m_themes;
    std::vector<Bar> m_bars;
    bool m_dimmed = false;
    double m_room = 0;
};

} // namespace roundpipe::ui::pages
