// SPDX-License-Identifier: GPL-3.0-or-later
// The window while a run is under way, and when it has ended.
#include "main_window_parts.h"
#include "runs/some_run.h"
#include "shown_exporter.h"
#include "test_services.h"
#include "ui/shell/message_banner.h"
#include "ui/widgets/answers_pane.h"
#include "ui/widgets/toast.h"

#include <QAction>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>

using namespace roundpipe;
using testing::buttonOf;
using testing::hasTitle;
using testing::shows;
using testing::startButton;
using testing::textsOf;
using ui::shell::MainWindow;

namespace {

// The question that is open; null: there is none.
QMessageBox* question(const MainWindow& window) {
    return window.findChild<QMessageBox*>();
}

void answer(const MainWindow& window, const char* button) {
    QTest::mouseClick(buttonOf(*question(window), button), Qt::LeftButton);
}

// One that goes on until it is stopped.
void beginExport(testing::TestServices& test) {
    test.exports.setExporter(std::make_unique<testing::ShownExporter>());
    test.exports.begin({test.home.path() / "runs" / "some"});
}

} // namespace

class TestWindowAndRun : public QObject {
    Q_OBJECT

private slots:
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
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 3, 10'000);
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

    // As the last minute of a log, however long: the cause stands above it, its end is on show, and the page has its
    // room.
    void aLongMessageLeavesThePageItsRoom() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.resize(1280, 800);
        window.show();
        QString message = QStringLiteral("The process has ended.\nThe last minute of its log:");
        for (int line = 1; line <= 50; ++line)
            message += QStringLiteral("\nline %1, as long as those of a log are").arg(line);
        emit test.run.failed(message + QLatin1Char('\n'), QStringLiteral("Continue."));
        auto* banner = window.findChild<ui::shell::MessageBanner*>();
        QTRY_VERIFY(banner->isVisible() && shows(*banner, "Continue."));
        QVERIFY(textsOf(*banner).contains(QStringLiteral("The process has ended.")));
        const auto* lines = banner->findChild<QPlainTextEdit*>();
        QVERIFY(lines->isVisible() &&
                lines->toPlainText().endsWith(QLatin1String("line 50, as long as those of a log are")));
        QTRY_COMPARE(lines->verticalScrollBar()->value(), lines->verticalScrollBar()->maximum());
        QVERIFY2(banner->height() < 300, qPrintable(QString::number(banner->height())));
        emit test.run.failed(QStringLiteral("In a line."), {});
        QVERIFY(!lines->isVisible());
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

    // Neither buttons nor legends nor menus, in the smallest window too.
    void aQuietMessageCoversNothing() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.resize(1100, 700);
        window.show();
        auto* toast = window.findChild<ui::widgets::Toast*>();
        for (const char* id : {"model", "settings", "run", "runs"}) {
            window.showPage(QString::fromLatin1(id));
            toast->say(
                QStringLiteral("This run is simulated for 4 × RTX 4090, PCIe 4.0 x8 and shown 10 times as fast as the "
                               "planner predicts: nothing is trained, losses and answers are made up, nothing is "
                               "saved."),
                QStringLiteral("See the results"));
            QTRY_VERIFY(toast->isVisible());
            const auto placeOf = [&](const QWidget& widget) {
                return QRect(widget.mapTo(&window, QPoint()), widget.size());
            };
            const QRect covered = placeOf(*toast);
            QVERIFY(window.rect().contains(covered));
            const QMenuBar& menus = *window.menuBar();
            QVERIFY(covered.left() > menus.actionGeometry(menus.actions().back()).right());
            for (const QWidget* widget : window.centralWidget()->findChildren<QWidget*>()) {
                const bool isLayout = widget->findChild<QWidget*>() != nullptr;
                if (isLayout || !widget->isVisible()) continue;
                const bool isFree = !(covered & placeOf(*widget)).isValid() || widget->visibleRegion().isEmpty();
                QVERIFY2(isFree, widget->metaObject()->className());
            }
        }
    }

    // The window gets its size, its look and the names of its menus later.
    void whatIsSaidEarlyLiesBesideTheMenusAllTheSame() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.resize(500, 400);
        auto* toast = window.findChild<ui::widgets::Toast*>();
        toast->say(QStringLiteral("A sentence of some length, about what is good to know and asks for nothing."));
        window.resize(1100, 700);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QMenuBar& menus = *window.menuBar();
        QVERIFY(toast->isVisible() && toast->x() > menus.actionGeometry(menus.actions().back()).right());
        QVERIFY(toast->geometry().right() > window.width() - 20);
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
        QVERIFY(!window.close());
        QVERIFY(!window.close()); // however often
        QCOMPARE(window.findChildren<QMessageBox*>().size(), 1);
        answer(window, "Keep training");
        QTRY_VERIFY(question(window) == nullptr);
        QVERIFY(test.run.isRunning() && window.isVisible());
        QVERIFY(!window.close());
        answer(window, "Stop, save and close");
        QTRY_VERIFY(question(window) == nullptr);
        window.close(); // it waits for the step
        QVERIFY(question(window) == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10'000);
        QVERIFY(!test.run.isRunning());
    }

    // Both want all of the memory.
    void noRunStartsDuringAnExport() {
        testing::TestServices test;
        MainWindow window(test.services());
        test.document.openCopy(test.demo);
        window.show();
        test.useSimulatedEngine(5);
        beginExport(test);
        const auto* toast = window.findChild<ui::widgets::Toast*>();
        test.commands.start()->trigger();
        QVERIFY(!test.run.isRunning());
        QVERIFY(shows(*toast, "An export is being made: a run can start when it has ended."));
        QCOMPARE(test.commands.start()->toolTip(),
                 QStringLiteral("An export is being made: a run can start when it has ended."));
        test.commands.startAnyway();
        QVERIFY(!test.run.isRunning());
        QTest::mouseClick(buttonOf(*toast, "Stop the export"), Qt::LeftButton);
        QTRY_VERIFY(test.exports.underWay() == nullptr);
        test.commands.startAnyway();
        QVERIFY(test.run.isRunning());
        test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
    }

    void closingDuringAnExportAsksOnce() {
        testing::TestServices test;
        MainWindow window(test.services());
        window.show();
        beginExport(test);
        QVERIFY(!window.close());
        answer(window, "Go on exporting");
        QTRY_VERIFY(question(window) == nullptr);
        QVERIFY(test.exports.underWay() != nullptr && window.isVisible());
        QVERIFY(!window.close());
        answer(window, "Stop it and close");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10'000);
        QVERIFY(test.exports.underWay() == nullptr);
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
        QVERIFY(!window.close());
        QCOMPARE(question(window)->text(), QStringLiteral("The run is paused."));
        QCOMPARE(question(window)->informativeText(), QStringLiteral("It is simulated: nothing of it is kept."));
        answer(window, "Stop and close");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 10'000);
    }
};

QTEST_MAIN(TestWindowAndRun)
#include "tst_window_and_run.moc"
