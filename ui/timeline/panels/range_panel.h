// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the selected range, or of what is on show: the bubble, how busy each device was and why not, each kind of
// work and each stage.
#pragma once

#include "trace/analysis/statistics.h"
#include "ui/theme/theme_manager.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <array>
#include <vector>

namespace roundpipe::ui::timeline {

class RangePanel : public QWidget {
    Q_OBJECT
public:
    explicit RangePanel(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void set(trace::RangeStatistics statistics, bool selected);
    void setCounting(bool counting); // what is shown is of an earlier range; set() has the new one
    void setFollowing(bool follows); // what is on show moves on with the run
    const trace::RangeStatistics& statistics() const { return m_statistics; }
    QString stepsText() const; // "steps 3–5"; empty where there are none, or while they pass by
    QString summary() const;   // "GPU 0 is 78 % busy, waits for weights 18 % (slot 3). …"

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr std::size_t kNumCells = 5;
    struct Line {
        QColor tile; // of none: the line is a table's head
        std::array<QString, kNumCells> cells;
    };
    using Lines = std::vector<Line>;

    int drawDevices(QPainter& painter, int y) const;
    void drawTables(QPainter& painter, int y) const;
    Lines kindLines() const;
    Lines stageLines() const;
    std::size_t numStagesShown() const;
    QString whyText(const trace::IdleStatistics& idle) const;
    double bubbleShare() const; // mean over the devices
    QString bubbleText() const;
    int bottom() const;

    const theme::ThemeManager& m_themes;
    trace::RangeStatistics m_statistics;
    bool m_selected = false;
    bool m_counting = false;
    bool m_follows = false;
};

} // namespace roundpipe::ui::timeline
