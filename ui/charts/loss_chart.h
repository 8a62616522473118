// SPDX-License-Identifier: GPL-3.0-or-later
// Loss, validation loss and learning rate over the steps of a run.
#pragma once

#include "session/engine.h"
#include "ui/theme/theme_manager.h"

#include <qcustomplot.h>

#include <optional>

namespace roundpipe::ui::charts {

class LossChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit LossChart(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void clear();
    void setTotalSteps(int64_t totalSteps); // the width of the axis; 0: as far as there are steps
    void setLogarithmic(bool logarithmic);  // the loss's axis
    void add(const session::StepMetrics& metrics);
    void addValidation(int64_t step, double loss); // that was asked for
    QString valuesAt(int64_t step) const;          // in words; empty where there is none
    QSize sizeHint() const override { return {420, 220}; }

signals:
    void stepChosen(qint64 step); // by a click, or Enter at the cursor that the arrow keys move

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void fitAxes();
    std::optional<int64_t> nearestStep(double key) const;
    void pointAt(std::optional<int64_t> step);

    const theme::ThemeManager& m_themes;
    QCPGraph* m_loss;
    QCPGraph* m_smooth;
    QCPGraph* m_validation;
    QCPGraph* m_learningRate;
    QCPItemStraightLine* m_cursor;       // owned by the plot
    std::optional<int64_t> m_cursorStep; // where it stands
    int64_t m_totalSteps = 0;
    double m_average = 0; // exponential, corrected for its start
    double m_weight = 0;
};

} // namespace roundpipe::ui::charts
