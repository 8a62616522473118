// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_manager.h"

#include <QApplication>
#include <QStyleFactory>

namespace roundpipe::ui::theme {

ThemeManager::ThemeManager(QApplication& application)
    : m_application(application)
    , m_systemIsDark(application.palette().color(QPalette::Window).lightness() < 128)
    , m_theme(&lightTheme()) {
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion"))); // looks the same on every desktop
    choose(Choice::kSystem);
}

void ThemeManager::choose(Choice choice) {
    m_choice = choice;
    const bool dark = choice == Choice::kDark || (choice == Choice::kSystem && m_systemIsDark);
    m_theme = dark ? &darkTheme() : &lightTheme();
    m_application.setPalette(paletteOf(*m_theme));
    m_application.setStyleSheet(styleSheetOf(*m_theme));
    emit changed();
}

} // namespace roundpipe::ui::theme
