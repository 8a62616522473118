// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of several runs over each other, told apart by colour, by the style of their lines and by names at their ends.
#pragma once

#include "ui/theme/theme_manager.h"

#include <qcustomplot.h>

#include <vector>

namespace roundpipe::ui::charts {

struct NamedCurve {
    QString name;
    std::vector<double> x, y;
};

// A line as curve `index` is drawn, for tables: after the first theme::kNumCurves thin and grey.
QPixmap lineSample(int index, const theme::Theme& theme, double pixelRatio);

class CurvesChart : public QCustomPlot {
    Q_OBJECT
public:
    explicit CurvesChart(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    // Keys and values in words; keys that are times are shown as such.
    void setCurves(std::vector<NamedCurve> curves, const QString& xLabel, bool xIsSeconds);
    void setLogarithmic(bool logarithmic);
    void setFromZero(bool fromZero);        // the values' axis, where it is linear
    void setEmptyText(const QString& text); // where there is no curve
    QString valuesAt(double x) const;       // of every curve, a line each; empty where there is none
    QSize sizeHint() const override { return {480, 260}; }

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void applyTheme();
    void rebuild();
    void fitAxes();
    bool hasDiscAt(double x) const;
    void placeNames();
    QString keyText(double x) const;

    const theme::ThemeManager& m_themes;
    std::vector<NamedCurve> m_curves;
    QString m_xLabel;
    bool m_xIsSeconds = false;
    std::vector<QCPItemText*> m_names; // owned by the plot
    QCPItemStraightLine* m_cursor;     // "
    QCPItemText* m_empty;              // "
    bool m_fromZero = false;
};

} // namespace roundpipe::ui::charts
