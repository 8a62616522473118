// What the timeline will look like: one step of a small model on four devices, simulated.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

namespace roundpipe::ui::pages {

// Drawn once a size; a decoration without a name for screen readers.
class DemoPicture : public QWidget {
    Q_OBJECT
public:
    explicit DemoPicture(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {420, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::pages
