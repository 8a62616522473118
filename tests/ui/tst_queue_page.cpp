// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in the window: what waits, how it is trained, and what came of it.
#include "base/error.h"
#include "made_runs.h"
#include "queue/run_queue.h"
#include "runs/run_lock.h"
#include "ui/pages/queue/grid_dialog.h"
#include "ui/pages/queue/queue_page.h"
#include "ui/pages/queue/results_card.h"

#include <QAction>
#include <QComboBox>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <array>
#include <future>

using namespace roundpipe;
using namespace roundpipe::ui;
using pages::LineModel;
using pages::LineRow;

namespace {

queue::QueuedRun named(const std::string& name, const std::vector<std::string>& devices = {"cuda:0"}) {
    queue::QueuedRun run;
    run.spec.name = name;
    run.spec.model.path = "/models/Qwen3-8B";
    run.spec.engine.devices = devices;
    return run;
}

} // namespace

// A page over a line that other programs may change, too.
struct QueueBench : testing::TestServices {
    QueueBench() {
        page = std::make_unique<pages::QueuePage>(services());
        page->resize(1200, 800);
    }
    void showPage() {
        page->show();
        page->activateWindow();
        if (!QTest::qWaitForWindowActive(page.get())) throw Error(ErrorKind::kIo, "waited in vain for the window");
    }
    QAbstractItemModel& model() { return *page->table().model(); }
    QString at(int row, int column) { return model().index(row, column).data().toString(); }
    int rowOf(const char* name) {
        for (int row = 0; row < model().rowCount(); ++row)
            if (at(row, LineModel::kName) == QLatin1String(name)) return row;
        return -1;
    }
    void choose(const char* name) {
        page->table().setCurrentIndex(model().index(rowOf(name), LineModel::kName));
        page->table().setFocus();
    }
    // "a b c", as the command line would list them.
    std::string waiting() const {
        std::string names;
        for (const queue::QueuedRun& next : line.waiting())
            names += (names.empty() ? "" : " ") + next.spec.name;
        return names;
    }
    // A run that has left the line and left a folder.
    std::filesystem::path begin(const std::string& name, const std::string& grid = {},
                                session::RunState state = session::RunState::kFinished) {
        queue::QueuedRun made = named(name);
        made.sweep = grid;
        const std::filesystem::path folder = home.path() / "runs" / name;
        made.spec.output.folder = folder.string();
        line.add({made});
        line.take([&](const queue::QueuedRun& next) { return next.spec.name == name; });
        runs::makeRun(folder, {.name = name, .state = state});
        made.spec.output.folder.clear();
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(made.spec));
        return folder;
    }

    queue::RunQueue line{home.path() / "queue"};
    std::unique_ptr<pages::QueuePage> page;
};

class TestQueuePage : public QObject {
    Q_OBJECT

private slots:
    void anEmptyQueueExplainsItselfAndTakesTheProject() {
        QueueBench bench;
        const testing::DemoProject project(5);
        bench.document.open(project.runFile());
        bench.showPage();
        QVERIFY(testing::shows(*bench.page, "Nothing waits"));
        QCOMPARE(bench.page->status().text, QStringLiteral("nothing waits"));
        QVERIFY(!testing::buttonOf(*bench.page, "Start")->isEnabled());
        bench.page->findChildren<QPushButton*>();
        testing::buttonOf(*bench.page, "Add the project")->click();
        QTRY_COMPARE(bench.model().rowCount(), 2); // its devices, and it
        QCOMPARE(bench.at(0, 0), QStringLiteral("On processor · 1 wait(s)"));
        QCOMPARE(bench.at(1, LineModel::kName), QStringLiteral("Test run"));
        QCOMPARE(bench.at(1, LineModel::kModel), QStringLiteral("model"));
        QCOMPARE(bench.at(1, LineModel::kRows), QStringLiteral("train.jsonl"));
        QCOMPARE(bench.at(1, LineModel::kSettings), QStringLiteral("Steps 5"));
        QCOMPARE(bench.line.waiting().front().prompts.size(), 2U);
        QCOMPARE(bench.page->status().text, QStringLiteral("1 wait(s)"));
    }

    // By the command beside Start, on whatever page; what is missing is said as for Start.
    void addToTheQueueWaitsWithTheSettingsOfTheMoment() {
        QueueBench bench;
        const testing::DemoProject project(5);
        bench.document.open(project.runFile());
        QSignalSpy noticed(bench.page.get(), &pages::Page::noticed);
        bench.commands.enqueue()->trigger();
        QTRY_COMPARE(noticed.size(), 1);
        QVERIFY(noticed.front().front().toString().contains(QLatin1String("added to the queue")));
        bench.document.set(session::fieldByKey("lora.rank"), int64_t{64});
        bench.commands.enqueue()->trigger();
        QTRY_COMPARE(bench.line.waiting().size(), 2U);
        QCOMPARE(bench.line.waiting().front().spec.lora.rank, 16);
        QCOMPARE(bench.line.waiting().back().spec.lora.rank, 64);
        QVERIFY(!bench.line.waiting().front().spec.output.folder.empty()); // the project names it
        QVERIFY(bench.line.waiting().back().spec.output.folder.empty());   // two can't be written there
        bench.commands.setMissing({{"Choose a model folder", "model", "model.path"}});
        QSignalSpy missing(&bench.commands, &pages::RunCommands::missingMet);
        bench.commands.enqueue()->trigger();
        QCOMPARE(missing.size(), 1);
        QTest::qWait(100);
        QCOMPARE(bench.line.waiting().size(), 2U);
    }

    // The read under way has looked before it was there, and its folder, which nobody watches then, too.
    void whatIsAddedWhileTheLineIsReadIsSeen() {
        QueueBench bench;
        QTRY_VERIFY(bench.queue.isRead());
        bench.queue.refresh();
        std::promise<void> hasLooked;
        bench.runLibrary.perform([&](runs::RunLibrary&) { hasLooked.set_value(); }, bench.queue, [] {});
        hasLooked.get_future().wait();
        bench.line.add({named("a")});
        bench.queue.refresh();
        QTRY_COMPARE(bench.page->status().text, QStringLiteral("1 wait(s)"));
    }

    void whatACommandLineChangesIsSeen() {
        QueueBench bench;
        bench.line.add({named("a")});
        bench.queue.refresh();
        QTRY_COMPARE(bench.page->status().text, QStringLiteral("1 wait(s)"));
        bench.line.add({named("b")}); // nobody says so here
        QTRY_COMPARE(bench.page->status().text, QStringLiteral("2 wait(s)"));
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 3);
        bench.line.remove({1});
        QTRY_COMPARE(bench.model().rowCount(), 2);
        QCOMPARE(bench.at(1, LineModel::kNumber), QStringLiteral("2"));
    }

    void runsStandBelowTheDevicesThatTheyWaitFor() {
        QueueBench bench;
        queue::QueuedRun other = named("other", {"cuda:2"});
        other.expectedSeconds = 3600;
        bench.line.add({named("a", {"cuda:0"}), other, named("b", {"cuda:0", "cuda:1"})});
        const std::filesystem::path folder = bench.begin("now", {}, session::RunState::kTraining);
        const runs::RunLock lock(folder);
        bench.showPage();
        // The page may have read the line in between.
        QTRY_VERIFY(bench.model().rowCount() == 6 && bench.at(0, 0) == QStringLiteral("On GPU 0, GPU 1 · 2 wait(s)"));
        QCOMPARE(bench.at(1, 0), QStringLiteral("now"));
        QCOMPARE(bench.at(1, LineModel::kState), QStringLiteral("Step 4 of 4"));
        QCOMPARE(bench.at(2, 0), QStringLiteral("a"));
        QCOMPARE(bench.at(3, 0), QStringLiteral("b"));
        QCOMPARE(bench.at(4, 0), QStringLiteral("On GPU 2 · 1 wait(s) · about 1\u00a0h\u00a000\u00a0min"));
        QCOMPARE(bench.at(5, 0), QStringLiteral("other"));
        QCOMPARE(bench.page->status().mark, pages::PageStatus::Mark::kRunning);
        bench.choose("now");
        QVERIFY(testing::buttonOf(*bench.page, "Watch") != nullptr);
        bench.page->table().setCurrentIndex(bench.model().index(1, 0));
        QTest::keyClick(&bench.page->table(), Qt::Key_Down);
        QTest::keyClick(&bench.page->table(), Qt::Key_Down);
        QTest::keyClick(&bench.page->table(), Qt::Key_Down);
        QCOMPARE(bench.page->table().currentIndex().row(), 5); // over the heading
    }

    void keysMoveARunWithinItsLine() {
        QueueBench bench;
        bench.line.add({named("a"), named("x", {"cpu"}), named("b"), named("c")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 6);
        const auto press = [&](const char* run, Qt::Key key, const std::string& order) {
            bench.choose(run);
            QTest::keyClick(&bench.page->table(), key, Qt::AltModifier);
            QTRY_VERIFY2(bench.waiting() == order, bench.waiting().c_str());
            QTRY_COMPARE(bench.at(bench.page->table().currentIndex().row(), 0), QLatin1String(run)); // it stays chosen
        };
        bench.choose("c");
        for (int i = 0; i < 2; ++i) // faster than anything is written
            QTest::keyClick(&bench.page->table(), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(bench.waiting(), std::string("c a x b"));
        press("c", Qt::Key_Down, "a c x b");
        press("a", Qt::Key_Down, "c a x b");
        press("b", Qt::Key_Home, "b c a x");
        press("b", Qt::Key_End, "c a b x");
        press("x", Qt::Key_Up, "c a b x"); // alone in its line
        press("b", Qt::Key_Down, "c a b x");
    }

    void aRunIsDraggedToItsPlace() {
        QueueBench bench;
        bench.line.add({named("a"), named("x", {"cpu"}), named("b"), named("c")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 6);
        const auto drag = [&](const char* run, int before) {
            const std::unique_ptr<QMimeData> data(bench.model().mimeData({bench.model().index(bench.rowOf(run), 0)}));
            return bench.model().canDropMimeData(data.get(), Qt::MoveAction, before, 0, {}) &&
                   !bench.model().dropMimeData(data.get(), Qt::MoveAction, before, 0, {});
        };
        QVERIFY((bench.model().flags(bench.model().index(1, 0)) & Qt::ItemIsDragEnabled) != 0);
        QVERIFY(drag("c", 1)); // below the heading
        QTRY_COMPARE(bench.waiting(), std::string("c a x b"));
        QTRY_COMPARE(bench.rowOf("c"), 1);
        QVERIFY(drag("c", 4)); // behind the last of its line
        QTRY_COMPARE(bench.waiting(), std::string("a x b c"));
        QVERIFY(!drag("a", 0)); // above the heading
        QVERIFY(bench.page->table().dragDropMode() == QAbstractItemView::InternalMove);
    }

    void whatIsTakenOutCanBeBroughtBack() {
        QueueBench bench;
        bench.line.add({named("a"), named("b"), named("c")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 4);
        std::function<void()> undo;
        connect(bench.page.get(), &pages::Page::noticed, this,
                [&](const QString&, const QString&, const std::function<void()>& action) { undo = action; });
        bench.choose("a");
        QTest::keyClick(&bench.page->table(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&bench.page->table(), Qt::Key_Delete);
        QTRY_COMPARE(bench.waiting(), std::string("c"));
        QTRY_COMPARE(bench.model().rowCount(), 2);
        QVERIFY(undo);
        undo();
        QTRY_COMPARE(bench.waiting(), std::string("c a b"));
        bench.choose("c");
        testing::buttonOf(*bench.page, "Remove")->click();
        QTRY_COMPARE(bench.waiting(), std::string("a b"));
    }

    void whatCannotBeReadIsShownWithItsWordsAndTheOthersGoOn() {
        QueueBench bench;
        bench.line.add({named("later"), named("good")});
        const std::filesystem::path file = bench.home.path() / "queue" / "queue.json";
        std::string text = readTextFile(file, 1 << 20);
        writeFileAtomically(file, text.replace(text.find("\"seed\""), 6, "\"gate\""));
        bench.queue.setTrainer({"/bin/true"});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 4);
        QCOMPARE(bench.at(1, LineModel::kName), QStringLiteral("good"));
        bench.choose("good");
        QCOMPARE(bench.at(2, 0), QStringLiteral("Not readable by this version · 1 wait(s)"));
        QCOMPARE(bench.at(3, LineModel::kName), QStringLiteral("later"));
        QCOMPARE(bench.at(3, LineModel::kState), QStringLiteral("Can't be read"));
        QVERIFY(!testing::shows(*bench.page, "gate"));
        QVERIFY(bench.at(3, LineModel::kSettings).contains(QLatin1String("gate")));
        bench.choose("later");
        QTRY_VERIFY(testing::shows(*bench.page, "Run 1 of the queue: "));
        QVERIFY(testing::shows(*bench.page, "gate"));
        QVERIFY(testing::buttonOf(*bench.page, "Start")->isEnabled());
        std::function<void()> undo;
        connect(bench.page.get(), &pages::Page::noticed, this,
                [&](const QString&, const QString&, const std::function<void()>& action) { undo = action; });
        testing::buttonOf(*bench.page, "Remove")->click();
        QTRY_COMPARE(bench.waiting(), std::string("good"));
        undo();
        QTRY_COMPARE(bench.waiting(), std::string("good later"));
        QVERIFY(readTextFile(file, 1 << 20).find("\"gate\"") != std::string::npos); // all of it
        bench.choose("good");
        testing::buttonOf(*bench.page, "Remove")->click();
        QTRY_COMPARE(bench.waiting(), std::string("later"));
        QTRY_VERIFY(!testing::buttonOf(*bench.page, "Start")->isEnabled()); // nothing would begin
    }

    void namesAreOneLineEach() {
        QueueBench bench;
        bench.begin("of\nmany\r\nlines\x1b[31m", "a\ngrid");
        bench.line.add({named("two\nlines\t\x07")});
        bench.showPage();
        const auto shown = [](const QTableView& table, int row) {
            const QModelIndex cell = table.model()->index(row, 0);
            return static_cast<QStyledItemDelegate*>(table.itemDelegate())->displayText(cell.data(), QLocale());
        };
        QTRY_COMPARE(shown(bench.page->table(), 1), QStringLiteral("two lines  ")); // it was read in between
        QTRY_COMPARE(shown(bench.page->results().table(), 0), QStringLiteral("of many  lines [31m"));
        QCOMPARE(bench.page->results().grids().itemText(1), QStringLiteral("a grid"));
        bench.page->results().grids().setCurrentIndex(1);
        QCOMPARE(bench.page->results().table().model()->rowCount(), 1);
    }

    // A key that was meant for the table, or for Start, would add the project.
    void theFocusStaysWhereItAddsNothing() {
        QueueBench bench;
        bench.line.add({named("last")});
        bench.queue.setTrainer({"/bin/true"});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 2);
        bench.choose("last");
        bench.line.take([](const queue::QueuedRun&) { return true; });
        bench.line.noteEnds(std::array<int64_t, 1>{1}); // it had no folder
        QTRY_VERIFY(!bench.page->table().isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&bench.page->results().table()));
        bench.line.add({named("next")});
        QTRY_VERIFY(bench.page->table().isVisible());
        testing::buttonOf(*bench.page, "Start")->setFocus();
        bench.line.remove({2});
        QTRY_VERIFY(!testing::buttonOf(*bench.page, "Start")->isEnabled());
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&bench.page->results().table()));
    }

    void aRunWithoutAFolderYetIsStarting() {
        QueueBench bench;
        bench.line.add({named("now", {"cuda:3"})});
        const runs::RunLock trainer = bench.line.lockForTraining();
        bench.line.take([](const queue::QueuedRun&) { return true; });
        bench.showPage();
        QTRY_COMPARE(bench.at(0, 0), QStringLiteral("On GPU 3 · nothing waits")); // it was read in between
        QCOMPARE(bench.at(1, LineModel::kState), QStringLiteral("Starting"));
        QAbstractItemModel& results = *bench.page->results().table().model();
        QCOMPARE(results.index(0, pages::ResultsModel::kState).data().toString(), QStringLiteral("Starting"));
        bench.choose("now");
        QVERIFY(!testing::buttonOf(*bench.page, "Watch")->isEnabled());
        bench.line.noteEnds(std::array<int64_t, 1>{1});
        QTRY_COMPARE(results.index(0, pages::ResultsModel::kState).data().toString(), QStringLiteral("Deleted"));
    }

    // Two on one device slow each other down, or run out of its memory.
    void startAsksBeforeItTrainsBesideTheQueue() {
        QueueBench bench;
        const testing::DemoProject project(100'000);
        bench.document.open(project.runFile()); // on the processor
        bench.useSimulatedEngine(20);
        const std::filesystem::path folder = bench.begin("other", {}, session::RunState::kTraining);
        const auto lock = std::make_unique<runs::RunLock>(folder);
        bench.queue.setTrainer({"/bin/true"});
        bench.showPage();
        const auto box = [&] { return bench.page->findChild<QMessageBox*>(); };
        bench.commands.start()->trigger();
        QTRY_VERIFY(bench.run.isRunning()); // it has a GPU
        QVERIFY(box() == nullptr);
        bench.run.stop();
        QTRY_VERIFY(!bench.run.isRunning());
        session::RunSpec spec = runs::specOf(folder);
        spec.engine.devices = {"cpu"};
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        bench.commands.start()->trigger();
        QTRY_VERIFY(box() != nullptr);
        QVERIFY(!bench.run.isRunning());
        QCOMPARE(box()->text(), QStringLiteral("The queue trains other on the same devices."));
        testing::buttonOf(*box(), "Add to the queue")->click();
        QTRY_COMPARE(bench.line.waiting().size(), 1U);
        QVERIFY(!bench.run.isRunning());
        QTRY_VERIFY(box() == nullptr);
        bench.commands.start()->trigger();
        QTRY_VERIFY(box() != nullptr);
        testing::buttonOf(*box(), "Start anyway")->click();
        QTRY_VERIFY(bench.run.isRunning());
        bench.run.stop();
        QTRY_VERIFY(!bench.run.isRunning());
    }

    void choicesStandInTheQueue() {
        QueueBench bench;
        bench.line.add({named("a")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 2);
        testing::buttonOf(*bench.page, "pause")->click();
        QTRY_VERIFY(bench.line.contents().choices.afterError == queue::AfterError::kPause);
        testing::buttonOf(*bench.page, "sleep")->click();
        QTRY_VERIFY(bench.line.contents().choices.whenDone == queue::WhenDone::kSleep);
        bench.line.choose([](queue::QueueChoices& choices) { choices = {}; }); // in a terminal
        QTRY_VERIFY(testing::buttonOf(*bench.page, "stay awake")->isChecked());
        QTRY_VERIFY(testing::buttonOf(*bench.page, "go on")->isChecked());
    }

    void withoutAnEngineItWaitsAndSaysWhy() {
        QueueBench bench;
        bench.line.add({named("a")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 2);
        QPushButton* start = testing::buttonOf(*bench.page, "Start");
        QVERIFY(!start->isEnabled());
        QVERIFY(testing::shows(*bench.page, "Without the training engine"));
        bench.queue.setTrainer({"/bin/true"});
        QVERIFY(start->isEnabled());
        QVERIFY(testing::shows(*bench.page, "before you press Start"));
    }

    // By the program beside the window; what it trains is watched as a run of this window.
    void startTrainsTheLineAndWatchShowsIt() {
        QueueBench bench;
        const testing::DemoProject project(5'000);
        const std::filesystem::path out = project.folder() / "out";
        queue::QueuedRun run;
        run.spec = project.spec();
        run.spec.output.folder = out.string();
        bench.line.add({run, named("next", {"cpu"})});
        runs::makeRun(out, {.name = "Test run", .state = session::RunState::kTraining});
        writeFileAtomically(runs::RunFiles{out}.spec(), session::toJson(run.spec));
        runs::linkRun(out, bench.home.path() / "runs");
        bench.queue.setTrainer({SIMULATED_QUEUE, (bench.home.path() / "queue").string(), SIMULATED_HOST, out.string()});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 3);
        testing::buttonOf(*bench.page, "Start")->click();
        QTRY_VERIFY_WITH_TIMEOUT(bench.queue.view().isTrained, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(bench.waiting(), std::string("next"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(testing::buttonOf(*bench.page, "Pause") != nullptr, 10'000);
        QVERIFY(testing::shows(*bench.page, "without this window"));
        QTRY_COMPARE_WITH_TIMEOUT(bench.at(1, LineModel::kName), QStringLiteral("Test run"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(runs::RunFiles{out}.socket()), 20'000);
        testing::buttonOf(*bench.page, "Pause")->click();
        QTRY_VERIFY(bench.line.contents().choices.isPaused);
        QTRY_VERIFY(testing::buttonOf(*bench.page, "Start") != nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(bench.at(0, 0), QStringLiteral("On processor · 1 wait(s)"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.queue.view().isUnderWay(), 10'000);
        QSignalSpy wanted(bench.page.get(), &pages::Page::pageWanted);
        bench.choose("Test run");
        QTest::keyClick(&bench.page->table(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(bench.run.isRunning() && !wanted.isEmpty(), 20'000);
        QCOMPARE(wanted.front().front().toString(), QStringLiteral("run"));
        bench.run.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.run.isRunning(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.queue.view().isTrained, 20'000); // it pauses, and nothing is under way
        QCOMPARE(bench.waiting(), std::string("next"));
    }

    void aTrainerThatEndsAtOnceIsSaidWithItsWords() {
        QueueBench bench;
        bench.line.add({named("a")});
        bench.queue.setTrainer({SIMULATED_QUEUE, (bench.home.path() / "queue").string(), "refuses"});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 2);
        QSignalSpy failed(bench.page.get(), &pages::Page::failed);
        testing::buttonOf(*bench.page, "Start")->click();
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
        QVERIFY(failed.front()[0].toString().contains(QLatin1String("not trained")));
        QVERIFY(failed.front()[1].toString().contains(QLatin1String("the driver is gone")));
    }

    void aPauseAfterAnErrorNamesIt() {
        QueueBench bench;
        bench.line.choose([](queue::QueueChoices& choices) { choices.afterError = queue::AfterError::kPause; });
        bench.line.add({named("bad"), named("next")});
        bench.line.take([](const queue::QueuedRun&) { return true; });
        bench.line.noteFailure(1, "There is no model.", "Move it back.");
        bench.showPage();
        QTRY_VERIFY(testing::shows(*bench.page, "bad has failed"));
        QVERIFY(testing::shows(*bench.page, "Paused"));
        QTableView& results = bench.page->results().table();
        QCOMPARE(results.model()->rowCount(), 1);
        QCOMPARE(results.model()->index(0, pages::ResultsModel::kName).data().toString(), QStringLiteral("bad"));
        QCOMPARE(results.model()->index(0, pages::ResultsModel::kState).data().toString(), QStringLiteral("Failed"));
        QVERIFY(testing::shows(bench.page->results(), "There is no model.\nMove it back."));
        QVERIFY(!testing::buttonOf(*bench.page, "Show in Runs")->isEnabled()); // it has no folder
    }

    void resultsAreSortedChosenByGridAndLeadToRuns() {
        QueueBench bench;
        const auto withLoss = [&](const char* name, const char* grid, double validation) {
            const std::filesystem::path folder = bench.begin(name, grid);
            session::StepMetrics metrics;
            metrics.step = 1;
            metrics.loss = validation;
            metrics.validationLoss = validation;
            metrics.tokens = 100;
            metrics.seconds = 1;
            writeFileAtomically(runs::RunFiles{folder}.metrics(), runs::toJsonLine(metrics));
        };
        withLoss("worse", "first", 0.9);
        withLoss("best", "first", 0.3);
        withLoss("another", "second", 0.1);
        bench.showPage();
        pages::ResultsCard& card = bench.page->results();
        QTableView& results = card.table();
        const auto name = [&](int row) { return results.model()->index(row, 0).data().toString(); };
        QTRY_COMPARE(name(0), QStringLiteral("another")); // once its losses are read, too
        QCOMPARE(results.model()->rowCount(), 3);
        QCOMPARE(card.grids().count(), 3);
        QCOMPARE(card.grids().itemText(1), QStringLiteral("second")); // the newest
        card.grids().setCurrentIndex(2);
        QCOMPARE(results.model()->rowCount(), 2);
        QCOMPARE(name(0), QStringLiteral("best"));
        QCOMPARE(name(1), QStringLiteral("worse"));
        results.sortByColumn(pages::ResultsModel::kName, Qt::DescendingOrder);
        QCOMPARE(name(0), QStringLiteral("worse"));
        results.selectRow(0);
        results.setFocus();
        QSignalSpy wanted(bench.page.get(), &pages::Page::pageWanted);
        QTest::keyClick(&results, Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.front()[0].toString(), QStringLiteral("runs"));
        QCOMPARE(wanted.front()[1].toString(), QString::fromStdString((bench.home.path() / "runs" / "worse").string()));
        bench.queue.refresh(); // what was chosen stays
        QTest::qWait(300);
        QCOMPARE(results.model()->rowCount(), 2);
        QCOMPARE(name(results.currentIndex().row()), QStringLiteral("worse"));
    }

    void aDamagedQueueIsNamedOnceAndMendedItIsRead() {
        QueueBench bench;
        bench.line.add({named("a")});
        bench.showPage();
        QTRY_COMPARE(bench.model().rowCount(), 2);
        QSignalSpy failed(bench.page.get(), &pages::Page::failed);
        const std::filesystem::path file = bench.home.path() / "queue" / "queue.json";
        const std::string whole = readTextFile(file, 1 << 20);
        writeFileAtomically(file, "{");
        QTRY_VERIFY(testing::shows(*bench.page, "queue.json' is damaged"));
        QCOMPARE(bench.model().rowCount(), 2); // what was read before stays
        QTest::qWait(2'000);
        QCOMPARE(failed.size(), 0);
        writeFileAtomically(file, whole);
        QTRY_VERIFY(!testing::shows(*bench.page, "is damaged"));
    }

    void ofADamagedQueueNothingElseIsSaid() {
        QueueBench bench;
        std::filesystem::create_directories(bench.home.path() / "queue");
        writeFileAtomically(bench.home.path() / "queue" / "queue.json", "{");
        bench.showPage();
        QTRY_VERIFY(testing::shows(*bench.page, "queue.json' is damaged"));
        QVERIFY(!testing::shows(*bench.page, "Nothing waits"));
        QCOMPARE(bench.page->status().text, QStringLiteral("can't be read"));
    }
};

QTEST_MAIN(TestQueuePage)
#include "tst_queue_page.moc"
