// SPDX-License-Identifier: GPL-3.0-or-later
// The Help menu: F1 leads to what the manual says of where one is, and whatever asks for help by QWhatsThisClickedEvent
// gets it.
#pragma once

#include "ui/help/help_window.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>

class QMainWindow;

namespace roundpipe::ui::shell {

class HelpMenu : public QObject {
    Q_OBJECT
public:
    // `manual`: its folder, which may be missing. `placeOfPage`: for when nothing with the focus has a place.
    HelpMenu(QMainWindow& window, std::filesystem::path manual, theme::ThemeManager& themes,
             std::function<QString()> placeOfPage);
    ~HelpMenu() override;

    void open(const QString& place);                          // as help::HelpWindow::open
    help::HelpWindow* window() const { return m_help.get(); } // null: it has not been opened
    void close();

signals:
    void failed(const QString& message, const QString& advice);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::filesystem::path m_manual;
    theme::ThemeManager& m_themes;
    std::function<QString()> m_placeOfPage;
    std::unique_ptr<help::HelpWindow> m_help;
};

} // namespace roundpipe::ui::shell
