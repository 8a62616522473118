// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs, over run folders as a run leaves them.
#include "made_runs.h"
#include "runs/journal.h"
#include "runs/run_lock.h"
#include "ui/charts/curves_chart.h"
#include "ui/models/journal_text.h"
#include "ui/pages/runs/differences_table.h"
#include "ui/pages/runs/journal_view.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/widgets/sorted_header.h"

#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace roundpipe;
using namespace roundpipe::ui;

class TestRunsPage : public QObject {
    Q_OBJECT

private:
    static QString at(pages::RunsPage& page, int row, int column) {
        return page.table().model()->index(row, column).data().toString();
    }
    static int rowOf(pages::RunsPage& page, const char* name) {
        for (int row = 0; row < page.table().model()->rowCount(); ++row)
            if (at(page, row, pages::RunsModel::kName) == QLatin1String(name)) return row;
        return -1;
    }
    static void choose(pages::RunsPage& page, const char* name) {
        page.table().setCurrentIndex(page.table().model()->index(rowOf(page, name), pages::RunsModel::kName));
    }

private slots:
    void wordsFitInEveryThemeAndSize() {
        testing::wordsFitInEveryThemeAndSize<pages::RunsPage>([](pages::RunsPage& page, const auto&) {
            QTRY_COMPARE(page.table().model()->rowCount(), 6);
            for (const char* run : {"Sums and tools", "Sums and tools, slower", "rank 64"})
                page.table().model()->setData(
                    page.table().model()->index(rowOf(page, run), pages::RunsModel::kCompared), Qt::Checked,
                    Qt::CheckStateRole);
            QTRY_COMPARE(page.chart().graphCount(), 3);
        });
    }

    void listsTheLatestFirstAndBrokenOnesToo() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QCOMPARE(at(page, 0, pages::RunsModel::kName), QStringLiteral("new"));
        QCOMPARE(at(page, 0, pages::RunsModel::kSteps), QStringLiteral("6"));
        QCOMPARE(at(page, 0, pages::RunsModel::kState), QStringLiteral("Finished"));
        QCOMPARE(at(page, 1, pages::RunsModel::kName), QStringLiteral("c")); // its name can't be read
        QCOMPARE(at(page, 1, pages::RunsModel::kState), QStringLiteral("Damaged"));
        QVERIFY(page.table()
                    .model()
                    ->index(1, pages::RunsModel::kState)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QLatin1String("run.json")));
        QCOMPARE(page.status().text, QStringLiteral("3 run(s)"));
    }

    // By its journal, its lock and its heartbeat; status.json says of all of them that they train.
    void saysHowRunsStandWhateverTheirStatusSays() {
        testing::TestServices test;
        const auto made = [&](const char* name) {
            const std::filesystem::path folder = test.home.path() / "runs" / name;
            runs::makeRun(folder, {.name = name, .state = session::RunState::kTraining});
            runs::Journal(runs::RunFiles{folder}.journal()).add(runs::JournalEvent::kBegun, 0, "", "");
            return folder;
        };
        const std::filesystem::path ended = made("ended"), silent = made("silent"), alive = made("alive");
        made("killed");
        runs::Journal(runs::RunFiles{ended}.journal()).add(runs::JournalEvent::kEnded, 4, "failed", "No more disk.");
        const runs::RunLock first(silent), second(alive);
        const std::filesystem::path beat = runs::RunFiles{silent}.lock();
        std::filesystem::last_write_time(beat, std::filesystem::last_write_time(beat) - std::chrono::minutes(20));
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 4);
        const auto state = [&](const char* name) { return at(page, rowOf(page, name), pages::RunsModel::kState); };
        const auto detail = [&](const char* name) {
            const QModelIndex index = page.table().model()->index(rowOf(page, name), pages::RunsModel::kState);
            return index.data(Qt::AccessibleDescriptionRole).toString();
        };
        QCOMPARE(state("ended"), QStringLiteral("Failed"));
        QCOMPARE(detail("ended"), QStringLiteral("No more disk."));
        QCOMPARE(state("killed"), QStringLiteral("Interrupted"));
        QVERIFY2(detail("killed").contains(QLatin1String("after step 4")), qPrintable(detail("killed")));
        QCOMPARE(state("alive"), QStringLiteral("Running"));
        QVERIFY2(state("silent").startsWith(QStringLiteral("Running, no step for 20\u00a0min")),
                 qPrintable(state("silent")));
        QVERIFY2(state("silent").endsWith(QStringLiteral("\u00a0min")),
                 qPrintable(state("silent"))); // seconds say nothing
    }

    // A page that is closed while its question waits in the library's thread.
    void whoAsksAndGoesIsToldNothing() {
        testing::TestServices test;
        bool isTold = false, isOtherTold = false;
        std::binary_semaphore mayGo{0};
        auto asker = std::make_unique<QObject>();
        test.runLibrary.perform([&](runs::RunLibrary&) { mayGo.acquire(); }, *asker, [&] { isTold = true; });
        test.runLibrary.perform([](runs::RunLibrary&) {}, *this, [&] { isOtherTold = true; });
        asker.reset();
        mayGo.release();
        QTRY_VERIFY(isOtherTold);
        QVERIFY(!isTold);
    }

    // The queue waits for devices of runs that are in the list.
    void aRunOfThisWindowIsListedWhileItPrepares() {
        testing::TestServices test;
        const testing::DemoProject project(100'000);
        test.document.open(project.runFile());
        std::atomic<bool> mayTrain = false;
        test.run.setEngine(
            session::makeSimulatedEngine({.speed = 20, .lengths = [&](const session::RunSpec&, const std::stop_token&) {
                                              while (!mayTrain)
                                                  std::this_thread::sleep_for(std::chrono::milliseconds(5));
                                              return session::RunLengths{};
                                          }}));
        pages::RunsPage page(test.services());
        const std::filesystem::path folder = project.folder() / "elsewhere";
        runs::makeRun(folder, {.name = "elsewhere", .state = session::RunState::kPreparing});
        session::RunJob job{test.document.spec(), {}};
        job.spec.output.folder = folder.string();
        test.run.start(job);
        QTest::qWait(200);
        QVERIFY(!std::filesystem::exists(test.home.path() / "runs" / "elsewhere")); // it may be another's
        const runs::RunLock lock(folder);
        QTRY_VERIFY(std::filesystem::exists(test.home.path() / "runs" / "elsewhere"));
        QCOMPARE(test.run.snapshot().state, session::RunState::kPreparing);
        test.run.stop();
        mayTrain = true;
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 20'000);
    }

    void comparesWhatIsMarked() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.resize(1280, 800);
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QTRY_COMPARE(page.chart().graphCount(), 1); // of the current one
        page.table().setFocus();
        choose(page, "new");
        QTest::keyClick(&page.table(), Qt::Key_Space);
        choose(page, "old");
        QTest::keyClick(&page.table(), Qt::Key_Space);
        QTRY_COMPARE(page.chart().graphCount(), 2);
        QCOMPARE(page.chart().valuesAt(4).count(QLatin1Char('\n')), 1); // a line for each
        QCOMPARE(page.differences().numDifferent(), 1);
        QCOMPARE(page.differences().item(0, 0)->text(), QStringLiteral("Rank"));
        QCOMPARE(page.differences().item(0, 1)->text(), QStringLiteral("64"));
        QCOMPARE(page.differences().item(0, 2)->text(), QStringLiteral("16"));
        QVERIFY(page.differences().item(0, 2)->font().bold());
        QVERIFY(testing::shows(page, "settings are equal"));
        const double lastStep = page.chart().xAxis->range().upper;
        QTest::mouseClick(testing::buttonOf(page, "by tokens"), Qt::LeftButton);
        QVERIFY(page.chart().xAxis->range().upper > 10 * lastStep);
        QTest::mouseClick(testing::buttonOf(page, "log"), Qt::LeftButton);
        QCOMPARE(page.chart().yAxis->scaleType(), QCPAxis::stLogarithmic);
        choose(page, "old");
        page.table().setFocus();
        QTest::keyClick(&page.table(), Qt::Key_Space);
        QTRY_COMPARE(page.chart().graphCount(), 1);
    }

    // Long paths push nothing out of the table, and are whole in the tool tip; a heading stands over something.
    void differencesFitWhateverTheyAre() {
        pages::DifferencesTable table;
        table.resize(420, 400);
        table.show();
        table.compare({});
        QCOMPARE(table.rowCount(), 0);
        const auto detailsOf = [](const char* model) {
            auto details = std::make_shared<bridge::RunDetails>();
            details->run.name = "a run";
            details->spec.emplace();
            details->spec->model.path = model;
            return details;
        };
        const QString longPath = QStringLiteral("/models/that/were/downloaded/by/somebody/else/Qwen3-8B-Instruct");
        table.compare({detailsOf("/models/a"), detailsOf(qPrintable(longPath))});
        QCOMPARE(table.numDifferent(), 1);
        QCOMPARE(table.rowCount(), 1); // nothing came out of runs without a step, and no heading says so
        QCOMPARE(table.textElideMode(), Qt::ElideMiddle);
        QCOMPARE(table.item(0, 2)->toolTip(), longPath);
        int width = 0;
        for (int column = 0; column < table.columnCount(); ++column) {
            QVERIFY(table.columnWidth(column) >= 70);
            width += table.columnWidth(column);
        }
        QVERIFY2(width <= table.viewport()->width(), qPrintable(QString::number(width)));
        auto trained = detailsOf("/models/a");
        trained->run.steps = 3;
        trained->run.lastLoss = 0.5;
        table.compare({trained, detailsOf("/models/a")});
        QCOMPARE(table.rowCount(), 2); // the heading and the loss
        QCOMPARE(table.item(1, 1)->text(), QStringLiteral("0.500"));
    }

    void renamesAndNotesAreWrittenToTheFolder() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        const int row = rowOf(page, "old");
        page.table().model()->setData(page.table().model()->index(row, pages::RunsModel::kName),
                                      QStringLiteral("renamed"), Qt::EditRole);
        QTRY_VERIFY(rowOf(page, "renamed") >= 0);
        QCOMPARE(runs::specOf(test.home.path() / "runs" / "a").name, std::string("renamed"));
        choose(page, "renamed");
        QApplication::setActiveWindow(&page);
        page.note().setFocus();
        QTRY_VERIFY(page.note().hasFocus());
        QTest::keyClicks(&page.note(), QStringLiteral("not worth it"));
        choose(page, "new"); // at once, before the typing has rested
        QTRY_COMPARE(runs::readRun(test.home.path() / "runs" / "a").note, std::string("not worth it"));
        QCOMPARE(runs::readRun(test.home.path() / "runs" / "b").note, std::string());
        choose(page, "renamed");
        QTRY_COMPARE(page.note().toPlainText(), QStringLiteral("not worth it"));
    }

    void returnThatEndsARenamingOpensNothing() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QSignalSpy wanted(&page, &pages::Page::pageWanted);
        choose(page, "old");
        QApplication::setActiveWindow(&page);
        page.table().setFocus();
        QTRY_VERIFY(page.table().hasFocus());
        QTest::keyClick(&page.table(), Qt::Key_F2);
        auto* name = page.table().findChild<QLineEdit*>();
        QVERIFY(name != nullptr);
        QTest::keyClicks(name, QStringLiteral("renamed"));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_COMPARE(runs::specOf(test.home.path() / "runs" / "a").name, std::string("renamed"));
        QCOMPARE(wanted.size(), 0);
        QTRY_VERIFY(rowOf(page, "renamed") >= 0);
        choose(page, "renamed");
        page.table().setFocus();
        QTest::keyClick(&page.table(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
    }

    void deletesOnlyAfterItWasAsked() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        const auto answer = [&](const char* words) {
            QTest::mouseClick(testing::buttonOf(page, "Delete…"), Qt::LeftButton);
            auto* box = page.findChild<QMessageBox*>();
            QVERIFY(box != nullptr);
            QVERIFY(box->informativeText().contains(QLatin1String("KiB"))); // how much goes
            for (QAbstractButton* button : box->buttons())
                if (button->text().startsWith(QLatin1String(words))) return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL("no such button");
        };
        page.table().selectRow(rowOf(page, "old"));
        answer("Keep");
        QTest::qWait(100);
        QVERIFY(std::filesystem::exists(test.home.path() / "runs" / "a"));
        QTRY_VERIFY(page.findChild<QMessageBox*>() == nullptr);
        answer("Delete");
        QTRY_COMPARE(page.table().model()->rowCount(), 2);
        QVERIFY(!std::filesystem::exists(test.home.path() / "runs" / "a"));
    }

    void aPersonsFilesInARunAreNamedBeforeTheyGo() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        std::filesystem::create_directories(test.home.path() / "runs" / "a" / "papers");
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        for (const auto& [run, words] :
             {std::pair{"old", QLatin1String("a/papers, which no run has made, goes with it: move it elsewhere")},
              {"new", QLatin1String()}}) {
            page.table().selectRow(rowOf(page, run));
            QTest::mouseClick(testing::buttonOf(page, "Delete…"), Qt::LeftButton);
            auto* box = page.findChild<QMessageBox*>();
            QVERIFY(box != nullptr);
            QVERIFY2(box->informativeText().contains(words), qPrintable(box->informativeText()));
            QCOMPARE(box->informativeText().contains(QLatin1String("which no run has made")), !words.isEmpty());
            box->reject();
            QTRY_VERIFY(page.findChild<QMessageBox*>() == nullptr);
        }
    }

    void aQuestionOfManyRunsFitsTheScreen() {
        testing::TestServices test;
        for (int i = 0; i < 40; ++i)
            runs::makeRun(test.home.path() / "runs" / std::to_string(i), {.name = "run " + std::to_string(i)});
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 40);
        page.table().selectAll();
        QTest::mouseClick(testing::buttonOf(page, "Delete…"), Qt::LeftButton);
        auto* box = page.findChild<QMessageBox*>();
        QVERIFY(box != nullptr);
        QVERIFY2(box->height() < 500, qPrintable(QString::number(box->height())));
        QVERIFY(box->informativeText().contains(QLatin1String("and 28 others")));
        QCOMPARE(box->detailedText().count(QLatin1Char('\n')), 39); // all can be read
        box->reject();
        QTRY_VERIFY(page.findChild<QMessageBox*>() == nullptr);
        QCOMPARE(page.table().model()->rowCount(), 40);
    }

    void aRunUnderWayIsNotDeleted() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        const runs::RunLock lock(test.home.path() / "runs" / "a");
        QSignalSpy failed(&test.runLibrary, &bridge::RunLibraryController::failed);
        test.runLibrary.remove({runs::readRun(test.home.path() / "runs" / "a")});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains(QLatin1String("under way")));
        runs::makeRun(test.home.path() / "runs" / "d", {.name = "going on", .state = session::RunState::kTraining});
        const runs::RunLock goesOn(test.home.path() / "runs" / "d");
        pages::RunsPage page(test.services()); // and is not offered
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 4);
        choose(page, "going on");
        QVERIFY(!testing::buttonOf(page, "Delete…")->isEnabled());
        choose(page, "new");
        QVERIFY(testing::buttonOf(page, "Delete…")->isEnabled());
        QVERIFY(std::filesystem::exists(test.home.path() / "runs" / "a"));
    }

    // Until there is something to compare with.
    void oneRunIsNotCompared() {
        testing::TestServices test;
        pages::RunsPage page(test.services());
        page.show();
        QVERIFY(!testing::buttonOf(page, "Compare")->isEnabled());
        for (const char* name : {"one", "two"}) {
            runs::makeRun(test.home.path() / "runs" / name, {.name = name});
            test.runLibrary.refresh();
            QTRY_COMPARE(page.table().model()->rowCount(), name == std::string("one") ? 1 : 2);
            choose(page, name);
            QCOMPARE(testing::buttonOf(page, "Compare")->isEnabled(), name == std::string("two"));
        }
    }

    // What roundpipe runs journal prints, in words, and more of it while the run lives.
    void theJournalGrowsAndIsCopied() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        runs::makeRun(test.home.path() / "runs" / "d", {.name = "alive", .state = session::RunState::kTraining});
        const runs::RunLock lock(test.home.path() / "runs" / "d");
        runs::Journal journal(runs::RunFiles{test.home.path() / "runs" / "d"}.journal());
        journal.add(runs::JournalEvent::kBegun, 0, "", "roundpipe 1");
        pages::RunsPage page(test.services());
        page.resize(1200, 800);
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 4);
        choose(page, "alive");
        QVERIFY(testing::buttonOf(page, "Copy") == nullptr);
        QTest::mouseClick(testing::buttonOf(page, "Journal"), Qt::LeftButton);
        QTRY_VERIFY(page.journal().toPlainText().endsWith(QLatin1String("Begun: roundpipe 1")));
        const QString before = page.journal().toPlainText();
        journal.add(runs::JournalEvent::kCheckpoint, 4, "checkpoints/last", "");
        QTRY_VERIFY_WITH_TIMEOUT(
            page.journal().toPlainText().endsWith(QLatin1String("Step 4: checkpoint written, checkpoints/last")),
            10'000); // by itself
        QVERIFY(page.journal().toPlainText().startsWith(before));
        QSignalSpy noticed(&page, &pages::Page::noticed);
        QTest::mouseClick(testing::buttonOf(page, "Copy"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), page.journal().toPlainText());
        QCOMPARE(noticed.size(), 1);
        choose(page, "old");
        QTRY_COMPARE(page.journal().toPlainText(), QString());
        QVERIFY(!page.journal().placeholderText().isEmpty());
    }

    void eachEventOfAJournalHasWords() {
        using enum runs::JournalEvent;
        const auto words = [](runs::JournalEvent event, const char* what, const char* text) {
            return models::journalText(runs::JournalEntry{0, 0, event, 7, what, text});
        };
        QCOMPARE(words(kBegun, "", "roundpipe 1, from last"),
                 QStringLiteral("Goes on after step 7: roundpipe 1, from last"));
        QCOMPARE(words(kNotWritten, "checkpoints/last", "No space."),
                 QStringLiteral("Step 7: not written, checkpoints/last: No space."));
        QCOMPARE(words(kSkipped, "", "NaN"), QStringLiteral("Step 7 skipped: NaN"));
        QCOMPARE(words(kRemedy, "", "Rolled back."), QStringLiteral("Step 7: Rolled back."));
        QCOMPARE(words(kRefused, "", "Other rows."), QStringLiteral("Could not go on: Other rows."));
        QCOMPARE(words(kResult, "adapter", "3f2a"), QStringLiteral("Step 7: result written, adapter"));
        QCOMPARE(words(kEnded, "finished", ""), QStringLiteral("Finished after step 7"));
        QCOMPARE(words(kEnded, "stopped", ""), QStringLiteral("Stopped after step 7"));
        QCOMPARE(words(kEnded, "failed", "No disk."), QStringLiteral("Failed after step 7: No disk."));
        QCOMPARE(words(kEnded, "something new", ""), QStringLiteral("Ended after step 7"));
    }

    void aRunThatAnotherPageAsksForIsChosen() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.findChild<QLineEdit*>()->setText(QStringLiteral("new"));
        page.show();
        page.showField(QString::fromStdString((test.home.path() / "runs" / "a").string())); // before it is listed
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QCOMPARE(page.table().currentIndex().row(), rowOf(page, "old"));
    }

    // Before the titles over figures, behind the others: it lies over none, and no column is wider for it.
    void theArrowOfTheOrderStandsBesideItsTitle() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.resize(1280, 800);
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        auto* header = qobject_cast<widgets::SortedHeader*>(page.table().horizontalHeader());
        QVERIFY(header != nullptr);
        for (int column = 0; column < header->count(); ++column) {
            header->setSortIndicatorShown(false);
            const QImage plain = header->grab().toImage();
            header->setSortIndicatorShown(true);
            page.table().sortByColumn(column, Qt::AscendingOrder);
            const QImage sorted = header->grab().toImage();
            QCOMPARE(sorted.size(), plain.size());
            const QRect arrow = header->arrowOf(column);
            const int left = header->sectionViewportPosition(column);
            QVERIFY(arrow.left() > left && arrow.right() < left + header->sectionSize(column));
            QVERIFY(sorted.copy(arrow) != plain.copy(arrow));
            const QRect around = arrow.adjusted(-2, -6, 2, 6);
            const QColor ground = plain.pixelColor(around.topLeft());
            for (int y = around.top(); y <= around.bottom(); ++y)
                for (int x = around.left(); x <= around.right(); ++x)
                    QVERIFY2(plain.pixelColor(x, y) == ground, qPrintable(QString::number(column)));
        }
    }

    void filtersByAnyColumn() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        const auto numWith = [&](const QString& words) {
            page.findChild<QLineEdit*>()->setText(words);
            return page.table().model()->rowCount();
        };
        QCOMPARE(numWith(QStringLiteral("NEW")), 1);
        QCOMPARE(numWith(QStringLiteral("(")), 0);
        QString size = at(page, 0, pages::RunsModel::kSize); // as it is typed
        QVERIFY(numWith(size.replace(QChar(QChar::Nbsp), QLatin1Char(' '))) >= 1);
    }

    // From where, what is done again; or what is in the way.
    void anUnfinishedRunIsContinuedOrRefusedInWords() {
        testing::TestServices test;
        const testing::DemoProject project(8);
        const std::filesystem::path folder = test.home.path() / "runs" / "a";
        runs::makeRun(folder, {.name = "stopped", .numSteps = 4, .state = session::RunState::kStopped});
        session::RunSpec spec = project.spec();
        spec.name = "stopped";
        writeFileAtomically(spec.data.datasets.front().files.front(), "{}");
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        runs::RunStatus status = runs::readStatus(folder);
        status.totalSteps = 8;
        status.model = arch::outlineOf(arch::makeModelSpec(arch::readModelConfig(spec.model.path))).text();
        runs::writeStatus(status, folder);
        runs::appendAnswer({0, false, "Who?", "base"}, runs::RunFiles{folder}.answers());
        runs::makeRun(test.home.path() / "runs" / "b", {.name = "finished"});
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 2);
        choose(page, "finished");
        QVERIFY(!testing::buttonOf(page, "Continue…")->isEnabled());
        choose(page, "stopped");
        QVERIFY(testing::buttonOf(page, "Continue…")->isEnabled());
        const auto asked = [&]() -> QMessageBox* {
            testing::buttonOf(page, "Continue…")->click();
            const bool isThere = QTest::qWaitFor([&] { return page.findChild<QMessageBox*>() != nullptr; });
            return isThere ? page.findChild<QMessageBox*>() : nullptr;
        };
        const auto close = [&](QMessageBox* box, const char* button) {
            testing::buttonOf(*box, button)->click();
            QVERIFY(QTest::qWaitFor([&] { return page.findChild<QMessageBox*>() == nullptr; }));
        };
        QMessageBox* box = asked();
        QVERIFY(box->informativeText().contains(QLatin1String("no training engine")));
        close(box, "Close");

        struct Engine final : session::Engine { // that notes what it is started with
            explicit Engine(session::RunJob& given) : job(given) {}
            using session::Engine::start;
            void start(session::RunJob started) override { job = std::move(started); }
            void send(session::Command) override { over = true; }
            void wait() override {}
            session::Snapshot snapshot() const override { return {}; }
            std::vector<session::RunEvent> takeEvents() override {
                session::RunEvent end;
                end.state = session::RunState::kStopped;
                return over ? std::vector{end} : std::vector<session::RunEvent>();
            }
            void takeTrace(std::vector<trace::Record>&) override {}
            std::vector<trace::Record> openSlices() const override { return {}; }
            uint64_t numTraceRecordsDropped() const override { return 0; }
            session::RunJob& job;
            bool over = false;
        };
        session::RunJob job;
        test.run.setEngine(std::make_unique<Engine>(job));
        const std::filesystem::path config = project.folder() / "model" / "config.json";
        std::filesystem::rename(config, project.folder() / "config.json");
        box = asked();
        QVERIFY2(box->informativeText().contains(QLatin1String("config.json")), qPrintable(box->informativeText()));
        close(box, "Close");
        std::string other = readTextFile(project.folder() / "config.json");
        const std::size_t layers = other.find("\"num_hidden_layers\": ");
        other.replace(other.find_first_of("0123456789", layers), 1, "9");
        writeFileAtomically(config, other);
        box = asked();
        QVERIFY2(box->informativeText().contains(QLatin1String("is another one now")),
                 qPrintable(box->informativeText()));
        close(box, "Close");
        std::filesystem::rename(project.folder() / "config.json", config);
        const std::filesystem::path rows = spec.data.datasets.front().files.front();
        std::filesystem::rename(rows, project.folder() / "gone");
        box = asked();
        QVERIFY2(box->informativeText().contains(QString::fromStdString(rows.filename().string())),
                 qPrintable(box->informativeText()));
        close(box, "Close");
        std::filesystem::rename(project.folder() / "gone", rows);
        box = asked();
        QCOMPARE(box->text(), QStringLiteral("Continue after step 3 of 8?"));
        QVERIFY(box->informativeText().contains(QLatin1String("checkpoints/last")));
        QVERIFY(box->informativeText().contains(QLatin1String("up to step 4, is done again")));
        close(box, "Continue");
        QVERIFY(job.resume && test.run.isRunning());
        QCOMPARE(test.run.earlierSteps().size(), std::size_t{3});
        QCOMPARE(test.run.earlierSteps().back().step, int64_t{3});
        QCOMPARE(job.samplePrompts, std::vector<std::string>{"Who?"});
        QCOMPARE(job.spec.output.folder, std::filesystem::weakly_canonical(folder).string());
        test.run.stop();
        QVERIFY(!test.run.isRunning());
    }

    void opensARunInResults() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QSignalSpy wanted(&page, &pages::Page::pageWanted);
        choose(page, "new");
        QTest::mouseClick(testing::buttonOf(page, "Open"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("results"));
        QCOMPARE(wanted[0][1].toString(), QString::fromStdString((test.home.path() / "runs" / "b").string()));
    }
};

QTEST_MAIN(TestRunsPage)
#include "tst_runs_page.moc"
