// SPDX-License-Identifier: GPL-3.0-or-later
#include "first_start.h"

#include "resources.h"

namespace roundpipe::studio {
namespace {

QString putOffKey() {
    return QStringLiteral("setup/putOff");
}

} // namespace

FirstStart::FirstStart(ui::shell::MainWindow& window, ui::preferences::Preferences& preferences,
                       std::function<void()> loadEngine, std::function<void()> useSimulated)
    : m_window(window)
    , m_preferences(preferences)
    , m_loadEngine(std::move(loadEngine))
    , m_useSimulated(std::move(useSimulated)) {}

bool FirstStart::isNeeded() const {
    return isInstalled() && !ui::setup::isSetUp(packagingFolder());
}

void FirstStart::begin() {
    m_window.engineNotSetUp([this] { ask(); });
    if (!m_preferences.value(putOffKey()).toBool()) ask();
}

void FirstStart::ask() {
    using ui::setup::SetUpDialog;
    if (m_dialog == nullptr) {
        m_dialog = new SetUpDialog(packagingFolder(), &m_window);
        connect(m_dialog, &SetUpDialog::ready, this, m_loadEngine);
        connect(m_dialog, &SetUpDialog::simulationWanted, this, m_useSimulated);
        connect(m_dialog, &SetUpDialog::putOff, this, [this] { m_preferences.set(putOffKey(), true); });
    }
    m_dialog->show();
    m_dialog->raise();
}

} // namespace roundpipe::studio
