// SPDX-License-Identifier: GPL-3.0-or-later
// A step under other schedules beside this plan's: busy and idle, the bubble, the fullest GPU.
#pragma once

#include "session/planning/plan_answer.h"
#include "ui/pages/plan/plan_picture.h"

#include <vector>

namespace roundpipe::ui::pages {

class ScheduleBars : public PlanPicture {
    Q_OBJECT
public:
    struct Row {
        QString name;
        double seconds = 0; // a step; 0: it cannot run, or is ours and does not fit
        double bubble = 0;
        int64_t bytes = 0; // of the fullest device
        QString how;       // "8 stages bound to their devices"
        QString problem;   // why it cannot run, or would not fit
        bool isOurs = false;
    };

    explicit ScheduleBars(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setAnswer(const session::PlanAnswer* answer);
    const std::vector<Row>& rows() const { return m_rows; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {360, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    int line() const;
    std::vector<Row> m_rows;
};

} // namespace roundpipe::ui::pages
