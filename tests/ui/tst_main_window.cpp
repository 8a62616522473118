// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/foreign_run.h"
#include "runs/some_run.h"
#include "test_services.h"
#include "ui/help/page_view.h"
#include "ui/shell/drop_frame.h"
#include "ui/shell/help_menu.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_banner.h"
#include "ui/shell/navigation_rail.h"
#include "ui/shell/window_place.h"
#include "ui/widgets/answers_pane.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/toast.h"

#include <QAction>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <fstream>

using namespace roundpipe;
using testing::buttonOf;
using testing::shows;
using testing::textsOf;
using ui::shell::MainWindow;

class TestMainWindow : public QObject {
    Q_OBJECT

private:
    static QPushButton* startButton(const MainWindow& window) {
        return window.page(QStringLiteral("run"))->findChild<QPushButton*>(QStringLiteral("primary"));
    }
    static bool hasTitle(const MainWindow& window, const char* part) {
        return window.windowTitle().contains(QLatin1String(part));
    }

private slots:
    void opensWithoutAnEngine() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        QSignalSpy painted(&window, &MainWindow::firstPainted);
        window.show();
        QTRY_COMPARE_WITH_TIMEOUT(painted.size(), 1, 5'000);
        QVERIFY(!test.commands.start()->isEnabled());
        QVERIFY(startButton(window)->text().contains(QLatin1String("Loading")));
        QVERIFY(hasTitle(window, "Test run"));
    }

    void opensWithSettingsThatCannotBeReadOrMakeNoSense() {
        testing::TestServices test;
        writeFileAtomically(test.home.path() / "other.ini", std::string(4096, '\0'));
        ui::preferences::Preferences broken(test.home.path() / "other.ini");
        for (const char* key : {"window/place", "window/maximized", "window/theme", "settings/expert",
                                "settings/presets", "projects/recent", "models/folders"})
            broken.set(QLatin1String(key), QStringLiteral("@Rect(nonsense)"));
        MainWindow window({test.document,
                           test.run,
                           test.workbench,
                           test.plan,
                           test.themes,
                           broken,
                           test.commands,
                           test.runLibrary,
                           test.demo,
                           [] { return session::makePlanner(); },
                           {}});
        window.show();
        QVERIFY(shows(window, "other.broken.ini"));
        QVERIFY(window.screen()->availableGeometry().contains(window.geometry()));
    }

    void leadsToTheSetUpUntilThereIsAnEngine() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        const auto action = [&]() -> QAction* {
            for (QAction* one : window.findChildren<QAction*>())
                if (one->text() == QStringLiteral("Set up the training engine…")) return one;
            return nullptr;
        };
        QVERIFY(action() != nullptr && !action()->isVisible());
        int numAsked = 0;
        window.engineNotSetUp([&] { ++numAsked; });
        QVERIFY(shows(window, "The training engine is not set up yet."));
        buttonOf(window, "Set up…")->click();
        QCOMPARE(numAsked, 1);
        QVERIFY(action()->isVisible()); // the line above the page is gone, this stays
        action()->trigger();
        QCOMPARE(numAsked, 2);
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Set up training…"));
        test.commands.start()->trigger(); // whoever wants to train is led there, too
        QCOMPARE(numAsked, 3);
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("engine"), false);
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Start"));
        QVERIFY(!action()->isVisible());
        QVERIFY(!shows(window, "not set up"));
    }

    void startsAndStopsTheSimulatedDemo() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        QVERIFY(hasTitle(window, "simulated"));
        window.showPage(QStringLiteral("run"));
        QVERIFY(test.commands.start()->isEnabled());
        QTest::mouseClick(startButton(window), Qt::LeftButton);
        QVERIFY(test.run.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 3, 10'000);
        QVERIFY(!test.commands.start()->isEnabled());
        QVERIFY(shows(window, "tokens/s"));
        QVERIFY(shows(window, "nothing is trained"));
        const auto* toast =
            window.findChild<ui::widgets::Toast*>(); // does not hide what the status bar says of the run
        QVERIFY(toast->isVisible());
        QVERIFY(toast->mapTo(&window, toast->rect().bottomLeft()).y() < window.statusBar()->y());
        QVERIFY(!startButton(window)->isVisible()); // nor what means nothing before and after
        QVERIFY(buttonOf(window, "Pause") != nullptr && buttonOf(window, "Stop…") != nullptr);
        test.commands.stop()->trigger();
        QVERIFY(!test.commands.stop()->isEnabled() || !test.run.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
        QTRY_VERIFY(test.commands.start()->isEnabled());
        QVERIFY(shows(window, "Stopped"));
        QVERIFY(shows(window, "Test run was stopped. Loss"));
        QVERIFY(startButton(window)->isVisible() && buttonOf(window, "Pause") == nullptr);
        QVERIFY(!shows(window, "left"));              // no remaining time after the end
        QVERIFY(!shows(window, "writing the trace")); // nor what it did last
    }

    void pausesAndResumes() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 2, 10'000);
        test.commands.pause()->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(test.run.snapshot().state, session::RunState::kPaused, 10'000);
        QCOMPARE(test.commands.pause()->text(), QStringLiteral("Resume"));
        QVERIFY(shows(window, "Paused"));
        test.commands.sample()->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(test.run.snapshot().state, session::RunState::kAnswering, 10'000);
        QCOMPARE(test.commands.pause()->text(), QStringLiteral("Resume")); // the pause is still on
        QTRY_COMPARE_WITH_TIMEOUT(test.run.snapshot().state, session::RunState::kPaused, 10'000);
        const int64_t step = test.run.snapshot().step;
        test.commands.pause()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step > step, 10'000);
        QCOMPARE(test.commands.pause()->text(), QStringLiteral("Pause"));
        test.commands.discard()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
    }

    // The run that was started stays on show, whatever is opened meanwhile.
    void anotherProjectLeavesTheRunAsItIs() {
        const testing::DemoProject project(100'000);
        const testing::DemoProject other(5);
        writeFileAtomically(other.runFile(), R"({"name": "Other", "model": {"path": "model"}})");
        writeFileAtomically(other.folder() / "data" / "prompts.json", R"(["Another?"])");
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        const auto* pane = window.page(QStringLiteral("run"))->findChild<ui::widgets::AnswersPane*>();
        QTRY_COMPARE_WITH_TIMEOUT(textsOf(*pane).filter(QStringLiteral("What the base model answers")).size(), 2,
                                  10'000);
        test.document.open(other.runFile());
        QVERIFY(hasTitle(window, "Other"));
        QCOMPARE(textsOf(*pane).filter(QStringLiteral("What the base model answers")).size(), 2);
        QVERIFY(!shows(*pane, "Another?"));
        QCOMPARE(test.run.job().spec.name, std::string("Test run"));
        const auto* run = window.page(QStringLiteral("run")); // says whose it is
        QVERIFY(shows(*run, "Run of the project “Test run”"));
        QVERIFY(run->status().text.startsWith(QLatin1String("Test run: ")));
        QVERIFY(shows(*window.page(QStringLiteral("settings")), "planned when the run under way has ended"));
        QVERIFY(shows(*window.page(QStringLiteral("plan")), "planned when the run under way has ended"));
        test.commands.stop()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
        QVERIFY(shows(*run, "Run of the project “Test run”"));
        QCOMPARE(window.page(QStringLiteral("results"))->status().text, QStringLiteral("none yet"));
        window.showPage(QStringLiteral("run")); // it was not looked at while it ran
        QVERIFY(!shows(*run, "What slows the run stands here"));
        test.document.open(other.runFile()); // now it goes
        QCOMPARE(run->status().text, QStringLiteral("not started"));
        QVERIFY(!shows(*run, "Test run"));
    }

    void aNewProjectKeepsNothingOfTheOneBefore() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(50);
        window.engineLoaded(QStringLiteral("engine"), true);
        const auto statusOf = [&](const char* id) { return window.page(QLatin1String(id))->status().text; };
        window.showPage(QStringLiteral("settings"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "32: "), 20'000); // what twice the rank would do
        QTRY_VERIFY_WITH_TIMEOUT(statusOf("plan").startsWith(QLatin1String("fits")), 20'000);
        test.run.start({test.document.spec(), test.document.prompts()}); // whatever its rows lack
        QTRY_COMPARE_WITH_TIMEOUT(statusOf("run"), QStringLiteral("Finished"), 20'000);
        QVERIFY(!test.run.store().empty());

        test.document.create();
        QCOMPARE(window.currentPage(), QStringLiteral("model"));
        QCOMPARE(statusOf("run"), QStringLiteral("not started"));
        QCOMPARE(statusOf("results"), QStringLiteral("none yet"));
        QCOMPARE(statusOf("plan"), QStringLiteral("no plan yet"));
        QVERIFY(test.run.store().empty());
        QVERIFY(test.run.job().spec.name.empty());
        for (const char* id : {"run", "results", "plan", "settings"})
            for (const char* gone : {"Finished", "Test run", "32: ", "RTX 4090", "validation 0"})
                QVERIFY2(!shows(*window.page(QLatin1String(id)), gone), gone);
        QVERIFY(!shows(*window.statusBar(), "Finished"));
        QVERIFY(!buttonOf(*window.page(QStringLiteral("run")), "Continue…"));
    }

    void aProjectThatHasRunsShowsWhatCameOut() {
        const testing::DemoProject project(5);
        writeFileAtomically(project.folder() / "data" / "train.jsonl", R"({"prompt": "a", "completion": "b"})");
        runs::makeRun(project.folder() / "out", {.name = "Test run"});
        const testing::DemoProject other(5); // has none
        writeFileAtomically(other.folder() / "data" / "train.jsonl", R"({"prompt": "a", "completion": "b"})");
        testing::TestServices test;
        test.plan.setRig("2x4090,ram=64");
        MainWindow window(test.services());
        window.show();
        test.document.open(project.runFile());
        QTRY_COMPARE_WITH_TIMEOUT(window.currentPage(), QStringLiteral("results"), 10'000);
        QTRY_VERIFY(shows(*window.page(QStringLiteral("results")), "Finished"));
        test.document.open(other.runFile());
        QCOMPARE(window.currentPage(), QStringLiteral("plan"));
        QCOMPARE(window.page(QStringLiteral("results"))->status().text, QStringLiteral("none yet"));
        test.document.open(project.runFile());
        window.showPage(QStringLiteral("data")); // who has gone elsewhere is not called back
        QTRY_VERIFY(shows(*window.page(QStringLiteral("results")), "Finished"));
        QCOMPARE(window.currentPage(), QStringLiteral("data"));
    }

    void savingSaysWhere() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        test.document.open(project.runFile());
        test.document.set(session::fieldByKey("lora.rank"), int64_t{48});
        const auto actions = window.findChildren<QAction*>();
        const auto save = std::ranges::find_if(
            actions, [](const QAction* action) { return action->shortcut() == QKeySequence(QKeySequence::Save); });
        QVERIFY(save != actions.end());
        (*save)->trigger();
        QCOMPARE(session::readRunSpec(project.runFile()).lora.rank, int64_t{48});
        QVERIFY(shows(window, "Saved in "));

        test.document.create(); // has no file: it asks where
        bool asked = false;
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            asked = dialog != nullptr;
            if (!asked) return;
            dialog->setDirectory(QString::fromStdString(project.folder().string()));
            dialog->selectFile(QStringLiteral("fresh"));
            static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
        });
        (*save)->trigger();
        QVERIFY(asked);
        QVERIFY(std::filesystem::exists(project.folder() / "fresh.json"));
        QCOMPARE(test.document.name(), QStringLiteral("fresh"));
    }

    void returnPressesTheButtonThatHasTheFocus() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QApplication::setActiveWindow(&window);
        QPushButton* train = testing::buttonOf(*window.page(QStringLiteral("start")), "Train Polly");
        train->setFocus();
        QTest::keyClick(train, Qt::Key_Return);
        QCOMPARE(test.document.name(), QStringLiteral("Polly the parrot"));
        QCOMPARE(window.currentPage(), QStringLiteral("run"));
    }

    // Else a link that nobody chose would be framed, and Return would follow it.
    void aPageThatOneIsLedToHasNotTheFocus() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QApplication::setActiveWindow(&window);
        QPushButton* look = testing::buttonOf(*window.page(QStringLiteral("start")), "Look at the project first");
        look->setFocus();
        look->click();
        QCOMPARE(window.currentPage(), QStringLiteral("settings"));
        QVERIFY(window.focusWidget() != nullptr);
        QVERIFY(!window.page(QStringLiteral("settings"))->isAncestorOf(window.focusWidget()));
    }

    void showsAnswersBeforeAndAfter() {
        const testing::DemoProject project(2);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(20);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
        const auto* pane = window.page(QStringLiteral("run"))->findChild<ui::widgets::AnswersPane*>();
        QVERIFY(pane != nullptr);
        QCOMPARE(textsOf(*pane).filter(QStringLiteral("What the base model answers")).size(), 2);
        QCOMPARE(textsOf(*pane).filter(QStringLiteral("What the tuned model")).size(), 2);
    }

    void errorsAreShownWithAdviceAndTheWindowGoesOn() {
        const testing::DemoProject project(5);
        std::filesystem::remove(project.folder() / "model" / "config.json");
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(1);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "config.json"), 5'000);
        QTRY_VERIFY(test.commands.start()->isEnabled());
        QVERIFY(shows(window, "Failed"));
    }

    void aBrokenRunFileIsShownNotThrown() {
        const testing::DemoProject project(5);
        writeFileAtomically(project.runFile(), R"({"lora": {"rnk": 3}})");
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.openFiles({QString::fromStdString(project.runFile().string())});
        QVERIFY(shows(window, "rnk"));
        QVERIFY(hasTitle(window, "Untitled"));
    }

    // What the run or the project says holds everywhere.
    void whatAPageSaysGoesWhenOneLeavesIt() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.showPage(QStringLiteral("runs"));
        emit window.page(QStringLiteral("runs"))->failed(QStringLiteral("It is under way."), {});
        QVERIFY(shows(window, "It is under way."));
        window.showPage(QStringLiteral("data"));
        QVERIFY(!shows(window, "It is under way."));
        emit test.document.failed(QStringLiteral("The disk is full."), {});
        window.showPage(QStringLiteral("runs"));
        QVERIFY(shows(window, "The disk is full."));
    }

    // It would go on unseen, when a quiet message has gone.
    void whatIsNotWrittenForNowStaysOnShow() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        session::RunEvent warning;
        warning.kind = session::RunEvent::Kind::kWarning;
        warning.coded = {session::RunText(session::RunTextCode::kCurvesNotWritten)};
        emit test.run.warned(warning);
        QVERIFY(window.findChild<ui::shell::MessageBanner*>()->isVisible());
        QVERIFY(!window.findChild<ui::widgets::Toast*>()->isVisible());
        warning.coded = {session::RunText(session::RunTextCode::kNoValidationRows)};
        emit test.run.warned(warning);
        QVERIFY(window.findChild<ui::widgets::Toast*>()->isVisible());
    }

    void anotherLanguageIsOfferedAtOnce() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        QSignalSpy wanted(&window, &MainWindow::restartWanted);
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text() == QStringLiteral("Deutsch")) action->trigger();
        QPushButton* again = buttonOf(window, "Start it anew");
        QVERIFY(again != nullptr);
        again->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(test.preferences.value(QStringLiteral("window/language")).toString(), QStringLiteral("de"));
    }

    void aMissingEngineIsExplainedAndTheSimulatedOneOffered() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        bool accepted = false;
        window.engineFailed(QStringLiteral("libtorch_cpu.so: cannot open"), [&] { accepted = true; });
        QVERIFY(shows(window, "libtorch_cpu.so"));
        QVERIFY(startButton(window)->text().contains(QLatin1String("No engine")));
        QTest::mouseClick(buttonOf(window, "Use the simulated engine"), Qt::LeftButton);
        QVERIFY(accepted);
    }

    void exportsTheTraceWithoutBlocking() {
        const testing::DemoProject project(4);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(20);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
        const std::filesystem::path file = project.folder() / "trace.json";
        window.exportTimelineTo(QString::fromStdString(file.string()));
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "Trace written"), 10'000);
        QVERIFY(std::filesystem::file_size(file) > 10'000);
        window.exportTimelineTo(QStringLiteral("/nowhere/at/all/trace.json"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(window, "not written"), 10'000);
    }

    // What the Studio holds beside the engine, in builds with and without one.
    void opensADatasetBeforeThereIsAnEngine() {
        testing::TestServices test;
        const MainWindow window(test.services());
        session::RunSpec spec = session::readRunSpec(testing::sourceFolder() / "resources" / "demo" / "run.json");
        spec.data.cache = false;
        test.workbench.open(spec);
        QTRY_COMPARE_WITH_TIMEOUT(test.workbench.status().state, session::WorkbenchState::kReady, 20'000);
        QVERIFY(test.workbench.status().report->refusal.empty());
        QVERIFY(test.workbench.status().report->numTrained > 1'000);
    }

    void takesWhatIsDroppedAnywhere() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        const auto* frame = window.findChild<ui::shell::DropFrame*>();
        // As the desktop gives it: to the native window, which looks for who takes it at that place.
        const auto dropOn = [&](const QWidget& place, const std::filesystem::path& path) {
            QMimeData mime;
            mime.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
            const QPoint at = place.mapTo(&window, place.rect().center());
            QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(window.windowHandle(), &enter);
            QVERIFY(frame->isVisible()); // what is dragged may be dropped anywhere
            QDropEvent event(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(window.windowHandle(), &event);
            QVERIFY(!frame->isVisible());
        };
        const auto drop = [&](const std::filesystem::path& path) { dropOn(*window.page(window.currentPage()), path); };
        const QWidget* place = window.page(QStringLiteral("start"))->findChild<QWidget*>(QStringLiteral("drop"));
        const std::filesystem::path rows = test.demo.parent_path() / "data" / "instructions.jsonl";
        dropOn(*place, rows);
        QCOMPARE(test.document.spec().data.datasets.front().files, std::vector<std::string>{rows.string()});
        QVERIFY(!place->property("over").toBool());
        window.showPage(QStringLiteral("settings"));
        const auto* find = window.page(QStringLiteral("settings"))->findChild<QLineEdit*>();
        dropOn(*find, rows);
        QVERIFY2(find->text().isEmpty(), "a file is no text for an input");
        const std::filesystem::path model = test.demo.parent_path() / "model";
        drop(model);
        QTRY_COMPARE_WITH_TIMEOUT(test.document.spec().model.path, model.string(), 20'000); // once it is read
        drop(project.runFile());
        QCOMPARE(test.document.name(), QStringLiteral("Test run"));
        QCOMPARE(test.preferences.recentProjects().first(), QString::fromStdString(project.runFile().string()));
    }

    void opensRunsOfOtherProgramsAndSaysWhatTheyHaveBesides() {
        testing::TestServices test;
        const std::filesystem::path file = test.home.path() / "sft.yaml", broken = test.home.path() / "broken.yml";
        std::ofstream(file) << "model_name_or_path: org/model\nlora_rank: 24\ntemplate: qwen3\n";
        std::ofstream(broken) << "a: b\n";
        ui::pages::Services services = test.services();
        services.readForeignRun = foreign::readForeignRun;
        MainWindow window(services);
        window.show();
        window.openFiles({QString::fromStdString(broken.string())});
        QVERIFY(shows(window, "no run of LLaMA-Factory, Axolotl or Unsloth"));
        QCOMPARE(test.document.spec().lora.rank, session::RunSpec().lora.rank);
        window.openFiles({QString::fromStdString(file.string())});
        QCOMPARE(test.document.spec().lora.rank, int64_t{24});
        QVERIFY(test.document.file().empty()); // the YAML is never written
        auto* dialog = window.findChild<QDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        const auto* list = dialog->findChild<QTreeWidget*>();
        QCOMPARE(list->findItems(QStringLiteral("template"), Qt::MatchExactly).size(), 1);
        QVERIFY(list->findItems(QStringLiteral("lora_rank"), Qt::MatchExactly).isEmpty());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }

    // Closing during a run asks once; keeping is what Escape means.
    void closingDuringARunAsksOnce() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(5);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 10'000);
        int numAsked = 0;
        const auto answerWith = [&](const char* button) {
            QTimer::singleShot(0, &window, [&numAsked, button] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                ++numAsked;
                QTest::mouseClick(buttonOf(*box, button), Qt::LeftButton);
            });
        };
        answerWith("Keep training");
        QVERIFY(!window.close());
        QVERIFY(test.run.isRunning() && window.isVisible());
        answerWith("Stop, save and close");
        window.close();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10'000);
        QVERIFY(!test.run.isRunning());
        QCOMPARE(numAsked, 2);
    }

    // It promises nothing that a simulated run does not do, and says what state it is in.
    void closingDuringASimulatedPauseSaysSo() {
        const testing::DemoProject project(100'000);
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        test.useSimulatedEngine(50);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 10'000);
        test.run.pause();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().state == session::RunState::kPaused, 10'000);
        QString said;
        QTimer::singleShot(0, &window, [&said] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            said = box->text() + box->informativeText();
            QTest::mouseClick(buttonOf(*box, "Stop and close"), Qt::LeftButton);
        });
        window.close();
        QCOMPARE(said, QStringLiteral("The run is paused.It is simulated: nothing of it is kept."));
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10'000);
    }

    void onceItIsSetUpTheEngineIsLoaded() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.engineNotSetUp([] {});
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Set up training…"));
        window.engineIsLoading();
        QCOMPARE(test.commands.start()->text(), QStringLiteral("Loading engine…"));
        QVERIFY(!shows(window, "The training engine is not set up yet."));
    }

    void aPageIsSearchedFromTheRail() { // where Ctrl and a number leave the focus
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.showPage(QStringLiteral("settings"));
        auto* rail = window.findChild<ui::shell::NavigationRail*>();
        rail->setFocus();
        QWidget* focused = QApplication::focusWidget();
        QVERIFY(focused == rail || rail->isAncestorOf(focused));
        QTest::keyClick(focused, Qt::Key_F, Qt::ControlModifier);
        const auto* find = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(find != nullptr);
        QCOMPARE(find->accessibleName(), QStringLiteral("Find a setting"));
    }

    void f1LeadsToWhatTheManualSaysOfWhereOneIs() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto* menu = window.findChild<ui::shell::HelpMenu*>();
        const auto placeOfHelp = [&] {
            const auto* view = menu->window()->findChild<ui::help::PageView*>();
            return menu->window()->place() + QLatin1Char('#') + view->document()->findBlock(view->topPosition()).text();
        };
        const auto pressF1 = [&] {
            window.activateWindow();
            if (!QTest::qWaitForWindowActive(&window)) return;
            QTest::keyClick(&window, Qt::Key_F1);
        };
        QCOMPARE(menu->window(), nullptr); // read when it is wanted
        const ui::help::Manual manual(test.services().manual);
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const QString place = ui::widgets::helpPlaceOf(widget);
            const ui::help::ManualPage* page = manual.page(place.section(QLatin1Char('#'), 0, 0));
            const QString anchor = ui::help::anchorOf(place.section(QLatin1Char('#'), 1));
            const auto isIt = [&](const ui::help::ManualSection& section) { return section.anchor == anchor; };
            QVERIFY2(place.isEmpty() ||
                         (page != nullptr && (anchor.isEmpty() || std::ranges::any_of(page->sections, isIt))),
                     qPrintable(place));
        }
        for (const char* id : {"start", "model", "data", "settings", "plan", "run", "results", "runs"}) {
            window.showPage(QLatin1String(id));
            if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
            pressF1();
            QCOMPARE(placeOfHelp().toLower(), QStringLiteral("studio-pages.md#") + QLatin1String(id));
        }
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.showPage(QStringLiteral("settings"), QStringLiteral("lora.alpha"));
        pressF1();
        QCOMPARE(placeOfHelp(), QStringLiteral("settings.md#lora.alpha"));
        QToolButton* help = nullptr;
        for (QToolButton* button : window.findChildren<QToolButton*>(QStringLiteral("help")))
            if (button->accessibleName().contains(QLatin1String("Weight decay"))) help = button;
        QVERIFY(help != nullptr);
        QTRY_VERIFY(help->height() > 0); // expert's rows have their place
        QTest::mouseClick(help, Qt::LeftButton);
        QCOMPARE(placeOfHelp(), QStringLiteral("settings.md#optimizer.weight_decay"));
        window.close();
        QVERIFY(!menu->window()->isVisible());
    }

    void aMissingManualIsSaid() {
        testing::TestServices test;
        ui::pages::Services services = test.services();
        services.manual = test.home.path() / "nowhere";
        MainWindow window(services);
        window.show();
        window.findChild<ui::shell::HelpMenu*>()->open(QStringLiteral("README.md"));
        QVERIFY(shows(window, "manual was not found"));
    }

    void staysOnTheScreenAndRemembersItsPlace() {
        using ui::shell::clampedTo;
        const QRect screen(0, 0, 1280, 800);
        QCOMPARE(clampedTo(screen, QRect(100, 50, 1600, 1000)), screen);
        QCOMPARE(clampedTo(screen, QRect(1000, 700, 600, 400)), QRect(680, 400, 600, 400));
        QCOMPARE(clampedTo(screen, QRect(-50, -50, 600, 400)), QRect(0, 0, 600, 400));
        testing::TestServices test;
        {
            MainWindow window(test.services());
            window.setGeometry(10, 60, 1000, 700);
            window.show();
            window.close();
        }
        const QRect available = QGuiApplication::primaryScreen()->availableGeometry();
        MainWindow again(test.services());
        QVERIFY(available.contains(again.geometry()));
        QCOMPARE(again.geometry(), clampedTo(available.adjusted(0, 36, 0, 0), QRect(10, 60, 1000, 700)));
    }

    void themesSwitchWhileARunIsOnShow() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        test.themes.choose(ui::theme::Choice::kDark);
        const QColor dark = window.grab().toImage().pixelColor(window.width() - 8, 300);
        test.themes.choose(ui::theme::Choice::kLight);
        const QColor light = window.grab().toImage().pixelColor(window.width() - 8, 300);
        QVERIFY(dark.lightness() < 60);
        QVERIFY(light.lightness() > 200);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
