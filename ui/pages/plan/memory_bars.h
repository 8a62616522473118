// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan takes of every memory, as bars with their parts: each GPU, page-locked and host memory, the disk.
#pragma once

#include "session/planning/disk_use.h"
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
        QString dependsOn = {}; // in words, where there is something to say
    };
    struct Bar {
        QString name;
        std::vector<Part> parts;
        int64_t needed = 0;
        int64_t available = 0; // 0: not known
        int64_t spared = 0;    // of what is needed, what goes where there is no room
        bool fits() const { return available == 0 || needed - spared <= available; }
    };

    explicit MemoryBars(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setAnswer(const session::PlanAnswer* answer, const session::DiskUse& disk); // null: no bars
    const std::vector<Bar>& bars() const { return m_bars; }
    const Bar* fullest() const; // for what there is; null: there are none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {260, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    struct Legend {
        std::vector<QRectF> places; // of m_legend
        int numLines = 1;
    };
    void addDevice(const session::PlanAnswer& answer, std::size_t device);
    void addHost(const session::PlanAnswer& answer);
    void addDisk(const session::DiskUse& disk, int64_t available);
    void chooseLegend();
    int numLines() const; // of bars
    int line() const;
    QFont legendFont() const;
    Legend legend() const;
    int legendHeight() const;
    void paintBar(QPainter& painter, const Bar& bar, double top) const;
    void paintLegend(QPainter& painter, double top) const;

    std::vector<Bar> m_bars;
    std::vector<Part> m_legend; // each part that can be seen, once
};

} // namespace roundpipe::ui::pages
