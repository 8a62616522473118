// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of all rows as bars, and the length limit as a line that can be dragged.
#pragma once

#include "session/workbench.h"
#include "ui/theme/theme_manager.h"

#include <QAbstractSlider>

namespace roundpipe::ui::pages {

// A slider over the lengths of LengthStatistics::choices: arrow keys go from one to the next, what each costs is exact.
class LengthHistogram : public QAbstractSlider {
    Q_OBJECT
public:
    explicit LengthHistogram(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setStatistics(session::LengthStatistics statistics);
    void setLimit(int64_t limit);          // the document's, which may be none of the choices; emits nothing
    void setOverLength(OverLength choice); // what happens to longer rows
    void setEmptyText(const QString& why); // where there are no lengths
    const QString& emptyText() const { return m_emptyText; }
    int64_t limit() const { return m_limit; }

    QSize sizeHint() const override { return {520, 210}; }
    QSize minimumSizeHint() const override { return {300, 170}; }

signals:
    void limitDragged(qint64 limit); // on the way
    void limitChosen(qint64 limit);  // and where it stays, also by keys

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void sliderChange(SliderChange change) override;

private:
    double wordsHeight() const;
    QRectF plot() const;
    QRectF barOf(const session::LengthBin& bin) const;
    double xOf(int64_t length) const; // on a logarithmic axis
    int choiceAt(double x) const;
    void takeValue();
    const session::LengthChoice* cost() const; // of the limit, where it is known
    QStringList words() const;                 // what the limit means, line by line
    void paintBars(QPainter& painter) const;
    void paintLimit(QPainter& painter) const;
    void paintNumbers(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintWords(QPainter& painter) const;

    const theme::ThemeManager& m_themes;
    session::LengthStatistics m_statistics;
    QString m_emptyText;
    int64_t m_limit = 0;
    int64_t m_shownLimit = 0; // the document's
    OverLength m_overLength = OverLength::kTruncate;
    bool m_isShowing = false; // the document's limit, so nobody chose it
};

} // namespace roundpipe::ui::pages
