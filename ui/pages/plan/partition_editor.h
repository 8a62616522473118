// SPDX-License-Identifier: GPL-3.0-or-later
// How the layers are cut: forward stages above, fused and backward stages below the layers that they mirror. A layer is
// as wide as its time is long, a stage is filled as high as its weights are large. Cuts are moved by mouse and keys.
#pragma once

#include "session/planning/plan_answer.h"
#include "ui/pages/plan/cuts.h"
#include "ui/pages/plan/plan_picture.h"

#include <memory>
#include <optional>

namespace roundpipe::ui::pages {

// Tab goes from cut to cut, left and right move the one that has the focus by a layer, Home asks for the computed cuts.
// Up and down go over to the stages, on which all arrows then walk until Escape or the next cut.
class PartitionEditor : public PlanPicture {
    Q_OBJECT
public:
    explicit PartitionEditor(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setAnswer(std::shared_ptr<const session::PlanAnswer> answer); // null: nothing to cut
    void setLit(StageId stage);                                        // the others recede; invalid: none is lit
    const plan::Plan& shown() const { return m_plan; }
    std::optional<Cut> chosenCut() const;                 // that has the focus or is dragged
    StageId chosenStage() const { return m_chosenStage; } // by keys; invalid: none is
    double xOf(int32_t layer) const;                      // the layer's left edge
    QRectF rectOf(const plan::Stage& stage) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {420, 150}; }

signals:
    void cutMoved(const roundpipe::plan::Plan& plan, bool continues); // goes on with the move before
    void computedWanted();
    void stageHovered(roundpipe::StageId stage); // by mouse or keys; invalid: none any more

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override; // tool tips

private:
    double row() const;
    void setPlan(plan::Plan plan);
    void moveChosen(int32_t layer, bool continues);
    std::optional<std::size_t> cutAt(const QPointF& position) const;
    int32_t layerAt(double x) const; // the nearest edge
    void paintStage(QPainter& painter, const plan::Stage& stage) const;
    void paintLayers(QPainter& painter) const;
    void paintCut(QPainter& painter, const Cut& cut, bool isChosen) const;
    QString textOf(const plan::Stage& stage) const;
    double secondsOf(const plan::Stage& stage) const;
    int64_t bytesOf(const plan::Stage& stage) const;
    void hover(StageId stage);
    bool walk(int key); // over the stages; false: it is no key for that
    StageId stageBeside(int key) const;
    void chooseStage(StageId stage);

    std::shared_ptr<const session::PlanAnswer> m_answer;
    plan::Plan m_plan; // the answer's, or as it was moved since
    std::vector<plan::Stage> m_stages;
    std::vector<Cut> m_cuts;
    std::vector<double> m_edges; // [layer + 1]: 0 … 1
    int64_t m_mostBytes = 0;     // of a stage
    std::optional<std::size_t> m_chosen, m_hovered;
    bool m_dragging = false;
    StageId m_hoveredStage, m_lit, m_chosenStage;
};

} // namespace roundpipe::ui::pages
