// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe-studio: the window opens at once; the engine is loaded behind it.
#include "base/user_folders.h"
#include "data/rows/append_row.h"
#include "data/workbench/local_workbench.h"
#include "engine_library.h"
#include "event_loop_watchdog.h"
#include "first_start.h"
#include "foreign/foreign_run.h"
#include "hosted/hosted_engine.h"
#include "hub/local_hub.h"
#include "options.h"
#include "resources.h"
#include "screenshot.h"
#include "session/count_rows.h"
#include "session/simulated/simulated_engine.h"
#include "termination.h"
#include "ui/desktop/notification.h"
#include "ui/desktop/queue_attendant.h"
#include "ui/desktop/run_attendant.h"
#include "ui/shell/main_window.h"
#include "ui/translations/language.h"

#include <QAction>
#include <QApplication>
#include <QProcess>

#include <atomic>

using namespace roundpipe;
using ui::theme::Choice;
using ui::translations::Language;

#ifdef ROUNDPIPE_HAS_ENGINE
constexpr bool kHasEngine = true;
#else
constexpr bool kHasEngine = false;
#endif

namespace {

constexpr int kLookMs = 1'000; // a picture of the end shows what has come to rest

// The same program with the same project, in another process.
void startAnew(ui::document::Document& document, bool simulates) {
    QStringList arguments;
    if (simulates && kHasEngine) arguments += QStringLiteral("--simulate");
    if (!document.file().empty() && document.save()) arguments += QString::fromStdString(document.file().string());
    QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments);
}

} // namespace

int main(int argc, char** argv) {
    const studio::Options options = studio::parseOptions(argc, argv);
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("roundpipe-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ROUNDPIPE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.roundpipe.Studio"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/org.roundpipe.Studio.svg")));

    const auto watchdog = studio::watchdogIfAsked();
    ui::preferences::Preferences preferences(userConfigFolder() / "studio.ini");
    const auto remembered = [&](const char* key) {
        return preferences.value(QLatin1String(key)).toString().toStdString();
    };
    const auto language = fromSpelling<Language>(remembered("window/language")).value_or(Language::kSystem);
    ui::translations::use(options.language.value_or(language), application);
    ui::theme::ThemeManager themes(application);
    themes.choose(options.theme.value_or(fromSpelling<Choice>(remembered("window/theme")).value_or(Choice::kSystem)));
    ui::document::Document document(userDataFolder() / "projects");
    ui::bridge::RunController controller;
    ui::bridge::WorkbenchController workbench(data::makeLocalWorkbench());
    studio::EngineLibrary library;
    const bool simulates = options.simulate || !kHasEngine;
    // One measurement for all planners; where the engine is simulated, so is the machine.
    std::atomic<bool> isSimulated = simulates;
    const session::SimulatedRig described{.automatic = options.rig};
    const session::RigProbe probe = session::rememberingProbe(
        [&, measure = library.rigProbe()](const std::vector<std::string>& devices, const std::stop_token& stop) {
            if (!isSimulated) return measure(devices, stop);
            session::EngineSection engine;
            engine.devices = devices;
            return session::simulatedRigOf(engine, described);
        });
    const auto makePlanner = [&probe] { return session::makePlanner(probe); };
    ui::bridge::PlannerController planner(makePlanner());
    ui::bridge::ExportController exports;
    ui::bridge::ChatController chat;
    ui::bridge::RunLibraryController runLibrary(runs::runsFolder(), runs::runsIndex());
    ui::bridge::QueueController queue(runLibrary, userDataFolder() / "queue");
    ui::pages::RunCommands commands(document, controller, exports, chat, queue);
    ui::pages::ProjectPlan plan(document, workbench, controller, planner);
    // A widget is polished anew with every parent that it gets, which takes longer than all the rest of the start: the
    // theme's sheet comes when all of them stand.
    const QString sheet = application.styleSheet();
    application.setStyleSheet({});
    ui::shell::MainWindow window({document, controller, workbench, plan, themes, preferences, commands, runLibrary,
                                  queue, exports, chat, options.demo, makePlanner, studio::resourceFolder() / "manual",
                                  [] { return hub::makeLocalHub(); }, foreign::readForeignRun,
                                  data::appendMessagesRow});
    application.setStyleSheet(sheet);
    const ui::desktop::RunAttendant attendant(controller, QDBusConnection::systemBus(), ui::desktop::desktopBus(),
                                              [&window] { return window.isActiveWindow(); });
    const ui::desktop::QueueAttendant queueAttendant(queue, QDBusConnection::systemBus());
    if (options.windowSize) window.resize(*options.windowSize);
    const bool opened = options.runFile.empty() || document.open(options.runFile);
    if (options.runFile.empty() && options.autostart) document.openCopy(options.demo);

    const auto exitIfAsked = [&](int status) {
        if (options.exitWhenDone && !controller.isRunning())
            QTimer::singleShot(options.screenshot ? kLookMs : 0, &application,
                               [status] { QCoreApplication::exit(status); });
    };
    const auto startIfAsked = [&] {
        if (!opened) exitIfAsked(1);
        if (options.autostart) commands.start()->trigger();
    };
    const auto useSimulated = [&] {
        isSimulated = true;
        session::SimulatedRig rig = described;
        rig.lengths = [](const session::RunSpec& spec, const std::stop_token& stop) {
            return session::countRows(*data::makeLocalWorkbench(), spec, stop);
        };
        controller.setEngine(session::makeSimulatedEngine(std::move(rig)));
        plan.setRig(plan.rig()); // that is known only now
        window.engineLoaded({}, true);
        startIfAsked();
    };
    QObject::connect(&library, &studio::EngineLibrary::loaded, &window, [&] {
        controller.setEngine(std::make_unique<hosted::HostedEngine>(studio::hostCommand()));
        queue.setTrainer(studio::queueCommand());
        exports.setExporter(library.takeExporter());
        chat.setOpener(library.chatOpener());
        window.engineLoaded(QObject::tr("LibTorch engine"), false);
        startIfAsked();
    });
    QObject::connect(&library, &studio::EngineLibrary::failed, &window,
                     [&](const QString& why) { window.engineFailed(why, useSimulated); });
    const auto loadEngine = [&] {
        window.engineIsLoading();
        library.load(studio::findEngineLibrary());
    };
    studio::FirstStart firstStart(window, preferences, loadEngine, useSimulated);
    QObject::connect(&window, &ui::shell::MainWindow::firstPainted, &window, [&] {
        if (options.exitWhenPainted) return QCoreApplication::quit();
        if (simulates) return useSimulated();
        if (!firstStart.isNeeded()) return loadEngine();
        firstStart.begin();
        exitIfAsked(1);
    });

    QObject::connect(&controller, &ui::bridge::RunController::stateChanged, &application,
                     [&](session::RunState state) { exitIfAsked(state == session::RunState::kFailed ? 1 : 0); });
    // What fails before a run begins: a spec that is wrong, an engine that can't be loaded.
    QObject::connect(&controller, &ui::bridge::RunController::failed, &application, [&] { exitIfAsked(1); });
    QObject::connect(&library, &studio::EngineLibrary::failed, &application, [&] { exitIfAsked(1); });
    const studio::Termination termination([&] {
        if (!controller.isRunning()) return QCoreApplication::quit();
        QObject::connect(&controller, &ui::bridge::RunController::stateChanged, &application,
                         [](session::RunState state) {
                             if (session::isOver(state)) QCoreApplication::quit();
                         });
        controller.stop();
    });
    if (options.screenshot) studio::takeScreenshotLater(window, *options.screenshot, options.screenshotAfterSeconds);
    window.show();
    for (const QString& trace : options.traces)
        window.openTrace(trace);
    bool restarts = false;
    QObject::connect(&window, &ui::shell::MainWindow::restartWanted, &window, [&] {
        restarts = window.close();
        if (restarts) QCoreApplication::quit(); // whatever other windows there are
    });
    const int status = QApplication::exec();
    if (restarts) startAnew(document, simulates);
    return status;
}
