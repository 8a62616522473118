// The timeline's legend: which colour means which kind of work.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

namespace roundpipe::ui::timeline {

class KindLegend : public QWidget {
    Q_OBJECT
public:
    explicit KindLegend(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return {0, 20}; }
    QSize sizeHint() const override { return {700, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
