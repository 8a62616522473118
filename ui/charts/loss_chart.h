// Loss, validation loss and learning rate over the steps of a run.
#pragma once

#include "session/engine.h"
#include "ui/theme/theme_manager.h"

#include <qcustomplot.h>

namespace roundpipe::ui::charts {

class LossChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit LossChart(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void clear();
    void setTotalSteps(int64_t totalSteps); // the width of the axis; 0: as far as there are steps
    void setLogarithmic(bool logarithmic);  // the loss's axis
    void add(const session::StepMetrics& metrics);
    QSize sizeHint() const override { return {420, 220}; }

private:
    void applyTheme();
    void fitAxes();

    const theme::ThemeManager& m_themes;
    QCPGraph* m_loss;
    QCPGraph* m_smooth;
    QCPGraph* m_validation;
    QCPGraph* m_learningRate;
    int64_t m_totalSteps = 0;
    double m_average = 0; // exponential, corrected for its start
    double m_weight = 0;
};

} // namespace roundpipe::ui::charts
