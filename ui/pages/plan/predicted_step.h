// SPDX-License-Identifier: GPL-3.0-or-later
// What the devices will do in a step, as the planner predicts it: a row for each, computing above, weights below.
#pragma once

#include "session/planning/plan_answer.h"
#include "ui/pages/plan/plan_picture.h"

#include <memory>
#include <vector>

namespace roundpipe::ui::pages {

// Left and right walk over the stages in the order in which they run, Escape ends that.
class PredictedStep : public PlanPicture {
    Q_OBJECT
public:
    explicit PredictedStep(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    static std::vector<trace::Kind> kindsShown();                      // for a legend
    void setAnswer(std::shared_ptr<const session::PlanAnswer> answer); // null, or without a timeline: nothing
    void setLit(StageId stage); // its slices, the others recede; invalid: none is lit
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

signals:
    void stageHovered(roundpipe::StageId stage); // by mouse or keys; invalid: none any more

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    int numRows() const; // devices, and the optimizer
    int usualRow() const;
    int rowHeight() const;
    double xOf(int64_t ns) const;
    const trace::Record* recordAt(const QPoint& position) const; // computing; null: none
    void hover(StageId stage);
    void light(StageId stage); // by keys
    void describe();           // for screen readers: the stage that is lit, else the step
    void paintRuler(QPainter& painter) const;
    void paintRecord(QPainter& painter, const trace::Record& record) const;

    std::shared_ptr<const session::PlanAnswer> m_answer;
    int64_t m_fromNs = 0;
    int64_t m_toNs = 1;
    StageId m_hovered, m_lit;
};

} // namespace roundpipe::ui::pages
