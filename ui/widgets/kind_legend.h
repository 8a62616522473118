// SPDX-License-Identifier: GPL-3.0-or-later
// Which colour means which kind of work, in as many lines as it takes.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <vector>

namespace roundpipe::ui::widgets {

class KindLegend : public QWidget {
    Q_OBJECT
public:
    // Of `kinds`, in this order, and then of why a device may wait.
    KindLegend(const theme::ThemeManager& themes, std::vector<trace::Kind> kinds,
               std::vector<trace::IdleReason> reasons = {}, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    int numLines() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QBrush brush;
        QString name;
        QPoint at; // its upper left corner
    };
    std::vector<Entry> entries() const;
    QFont smallFont() const;
    void takeHeight();

    const theme::ThemeManager& m_themes;
    std::vector<trace::Kind> m_kinds;
    std::vector<trace::IdleReason> m_reasons;
};

} // namespace roundpipe::ui::widgets
