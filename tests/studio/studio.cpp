// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio.h"

#include "base/error.h"
#include "data/workbench/local_workbench.h"
#include "foreign/foreign_run.h"
#include "plan/rig/rig_file.h"
#include "session/count_rows.h"
#include "session/simulated/simulated_engine.h"
#include "shown_hub.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace roundpipe::testing {

namespace {

constexpr const char* kMachine = "4x4090,ram=256";

// As if it were this machine.
plan::Rig machine(const std::vector<std::string>&, const std::stop_token&) {
    return plan::loadRig(kMachine);
}

ui::pages::Services asInstalled(ui::pages::Services services) {
    services.makeHub = makeShownHub;
    services.readForeignRun = foreign::readForeignRun;
    return services;
}

} // namespace

std::unique_ptr<session::Engine> simulatedEngine(double speed, const std::string& machine) {
    return session::makeSimulatedEngine({.speed = speed,
                                         .automatic = machine,
                                         .lengths = [](const session::RunSpec& spec, const std::stop_token& stop) {
                                             return session::countRows(*data::makeLocalWorkbench(), spec, stop);
                                         }});
}

Studio::Studio(QSize size, double speed) : m_services(machine), m_window(asInstalled(m_services.services())) {
    m_services.run.setEngine(simulatedEngine(speed, kMachine));
    m_window.engineLoaded(QStringLiteral("simulated engine"), true);
    showWindow(size);
}

Studio::Studio(QSize size, std::unique_ptr<session::Engine> engine, session::RigProbe probe)
    : m_services(std::move(probe)), m_window(m_services.services()) {
    m_services.run.setEngine(std::move(engine));
    m_window.engineLoaded(QStringLiteral("LibTorch engine"), false);
    showWindow(size);
}

void Studio::showWindow(QSize size) {
    m_window.setGeometry({QPoint(), size}); // where the whole of it is on the screen
    m_window.show();
    m_window.activateWindow();
    waitFor("the window", [&] { return m_window.isActiveWindow(); });
    m_watchdog = studio::watchdogIfAsked();
}

ui::pages::Page& Studio::page(const char* id) {
    const QString name = QString::fromLatin1(id);
    auto* entry = m_window.findChild<QAbstractButton*>(QStringLiteral("rail-") + name);
    if (entry == nullptr) throw invalidInput(std::string("the rail has no page '") + id + "'");
    QTest::mouseClick(entry, Qt::LeftButton);
    waitFor("all of the page", [&] { return !m_window.page(name)->prepare(); });
    return *m_window.page(name);
}

// Whether it says so in the window's language: the text is its own or of something that it stands in.
static bool says(const QAbstractButton& button, const char* english) {
    for (const QObject* object = &button; object != nullptr; object = object->parent())
        if (button.text() == QCoreApplication::translate(object->metaObject()->className(), english)) return true;
    return false;
}

void Studio::click(const char* text) {
    for (QAbstractButton* button : m_window.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || !button->isEnabled() || !says(*button, text)) continue;
        QTest::mouseClick(button, Qt::LeftButton);
        return;
    }
    throw invalidInput(std::string("no button '") + text + "' is on show");
}

void Studio::command(const char* text) {
    const QString wanted = QCoreApplication::translate(m_window.metaObject()->className(), text);
    for (QAction* action : m_window.findChildren<QAction*>())
        if (action->text() == wanted && action->isEnabled()) return action->trigger();
    throw invalidInput(std::string("no menu has a command '") + text + "'");
}

void Studio::type(const char* name, const QString& text) {
    for (QWidget* box : m_window.findChildren<QWidget*>()) {
        if (!box->isVisible() || box->accessibleName() != QString::fromUtf8(name)) continue;
        if (!box->inherits("QLineEdit") && !box->inherits("QAbstractSpinBox")) continue;
        auto* line = box->inherits("QLineEdit") ? static_cast<QLineEdit*>(box) : box->findChild<QLineEdit*>();
        QTest::mouseClick(line, Qt::LeftButton);
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        text.isEmpty() ? QTest::keyClick(line, Qt::Key_Delete) : QTest::keyClicks(line, text);
        QTest::qWait(50); // until what it changes stands in its place
        return;
    }
    throw invalidInput(std::string("no box '") + name + "' is on show");
}

void Studio::chooseFile(const char* button, const std::filesystem::path& path) {
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &m_window, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        look.stop();
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(QString::fromStdString(path.string()));
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
        if (dialog->isVisible()) dialog->reject(); // such a file it does not take
    });
    look.start(20);
    click(button);
}

void Studio::waitFor(const char* what, const std::function<bool()>& isSo, double seconds) {
    if (!QTest::qWaitFor(isSo, static_cast<int>(1e3 * seconds)))
        throw Error(ErrorKind::kIo, std::string("waited in vain for ") + what);
}

QWidget& Studio::front() {
    for (QWidget* window : QApplication::topLevelWidgets())
        if (window != &m_window && window->isVisible() && window->windowType() == Qt::Window) return *window;
    return m_window;
}

void Studio::endRun() {
    if (!m_services.run.isRunning()) return;
    m_services.commands.discard()->trigger();
    waitFor("the run's end", [&] { return !m_services.run.isRunning(); });
}

void Studio::settle() {
    QTest::qWait(250); // changes are taken together before anything is asked
    waitFor(
        "the plan", [&] { return !m_services.plan.isOld() && !m_services.plan.isWorking(); }, 60);
    waitFor(
        "the data",
        [&] {
            const auto state = m_services.workbench.status().state;
            return state != session::WorkbenchState::kOpening && state != session::WorkbenchState::kReading;
        },
        60);
    QTest::qWait(150);
}

} // namespace roundpipe::testing
