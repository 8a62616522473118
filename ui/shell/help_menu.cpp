// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_menu.h"

#include "base/error.h"
#include "ui/widgets/help_place.h"

#include <QApplication>
#include <QDesktopServices>
#include <QMainWindow>
#include <QMenuBar>
#include <QWhatsThisClickedEvent>

namespace roundpipe::ui::shell {

HelpMenu::HelpMenu(QMainWindow& window, std::filesystem::path manual, theme::ThemeManager& themes,
                   std::function<QString()> placeOfPage)
    : QObject(&window), m_manual(std::move(manual)), m_themes(themes), m_placeOfPage(std::move(placeOfPage)) {
    QMenu* menu = window.menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("Help on this"), QKeySequence::HelpContents, this, [this] {
        const QString place = widgets::helpPlaceOf(QApplication::focusWidget());
        open(place.isEmpty() ? m_placeOfPage() : place);
    });
    menu->addSeparator();
    const auto add = [&](const QString& text, const char* place) {
        menu->addAction(text, this, [this, place] { open(QLatin1String(place)); });
    };
    add(tr("The manual"), "README.md");
    add(tr("Quick start"), "quick-start.md");
    add(tr("All settings"), "settings.md");
    add(tr("What is new in %1").arg(QStringLiteral(ROUNDPIPE_VERSION)), "changelog.md");
    window.installEventFilter(this);
}

HelpMenu::~HelpMenu() = default;

void HelpMenu::open(const QString& place) {
    if (m_help == nullptr) {
        try {
            m_help = std::make_unique<help::HelpWindow>(m_manual, m_themes);
        } catch (const Error& error) {
            return emit failed(tr("The manual was not found: %1").arg(QString::fromStdString(error.message())),
                               QString::fromStdString(error.advice()));
        }
        connect(m_help.get(), &help::HelpWindow::externalLinkChosen, this,
                [](const QUrl& url) { QDesktopServices::openUrl(url); });
    }
    m_help->open(place);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

void HelpMenu::close() {
    if (m_help != nullptr) m_help->close();
}

bool HelpMenu::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::WhatsThisClicked) return QObject::eventFilter(watched, event);
    open(static_cast<QWhatsThisClickedEvent*>(event)->href());
    event->accept();
    return true;
}

} // namespace roundpipe::ui::shell
