// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and Results, over run folders as a run leaves them.
#include "arch/model_config.h"
#include "arch/model_outline.h"
#include "runs/answers_file.h"
#include "runs/run_lock.h"
#include "runs/some_run.h"
#include "test_services.h"
#include "ui/charts/curves_chart.h"
#include "ui/pages/results/next_steps.h"
#include "ui/pages/results/results_page.h"
#include "ui/pages/runs/differences_table.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/widgets/answers_pane.h"

#include <QLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>

using namespace roundpipe;
using namespace roundpipe::ui;

class TestStoredRuns : public QObject {
    Q_OBJECT

private:
    // Three runs: "old" with rank 16, "new" with 64, "broken" without settings.
    static void makeThree(const testing::TestServices& test) {
        const std::filesystem::path folder = test.home.path() / "runs";
        runs::makeRun(folder / "a", {.name = "old", .startedAt = 1'000});
        runs::makeRun(folder / "b", {.name = "new", .startedAt = 3'000, .numSteps = 6});
        session::RunSpec spec = runs::specOf(folder / "b");
        spec.lora.rank = 64;
        writeFileAtomically(runs::RunFiles{folder / "b"}.spec(), session::toJson(spec));
        runs::makeRun(folder / "c", {.name = "broken", .startedAt = 2'000});
        writeFileAtomically(runs::RunFiles{folder / "c"}.spec(), "{");
        for (const bool tuned : {false, true})
            runs::appendAnswer({tuned ? 6 : 0, tuned, "Who are <you>?", tuned ? "Polly & co" : "a model"},
                               runs::RunFiles{folder / "b"}.answers());
    }
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

    // Runs as people make them, the latest an hour old.
    static void makeMany(const testing::TestServices& test) {
        struct Made {
            const char *folder, *name;
            int hoursAgo, numSteps, rank;
            double rate, floor;
            session::RunState state;
        };
        using enum session::RunState;
        const Made all[] = {{"7", "Sums and tools", 1, 195, 16, 2e-4, 0.39, kFinished},
                            {"6", "Sums and tools, slower", 4, 195, 16, 1e-4, 0.43, kFinished},
                            {"5", "rank 64", 26, 195, 64, 2e-4, 0.37, kFinished},
                            {"4", "lr 5e-4", 30, 88, 16, 5e-4, 0.52, kStopped},
                            {"3", "q and v only", 75, 195, 16, 2e-4, 0.48, kTraining},
                            {"1", "first try", 120, 12, 8, 2e-4, 0.9, kFailed}};
        for (const Made& made : all) {
            const std::filesystem::path folder = test.home.path() / "runs" / made.folder;
            runs::makeRun(folder, {.name = made.name,
                                   .startedAt = QDateTime::currentSecsSinceEpoch() - qint64{3600} * made.hoursAgo,
                                   .numSteps = made.numSteps,
                                   .state = made.state});
            session::RunSpec spec = runs::specOf(folder);
            spec.lora.rank = made.rank;
            spec.lora.alpha = 2.0 * made.rank;
            spec.optimizer.learningRate = made.rate;
            writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
            std::string lines;
            for (int step = 1; step <= made.numSteps; ++step) {
                session::StepMetrics metrics;
                metrics.step = step;
                metrics.loss = made.floor + std::exp(-step * made.rate * 200) + 0.03 * std::sin(step * 1.7 + made.rank);
                if (step % 20 == 0 || step == made.numSteps) metrics.validationLoss = metrics.loss + 0.03;
                metrics.learningRate = made.rate;
                metrics.gradNorm = 0.7;
                metrics.tokens = 24'800 + step * 7;
                metrics.seconds = 3.3;
                lines += runs::toJsonLine(metrics);
            }
            writeFileAtomically(runs::RunFiles{folder}.metrics(), lines);
            const char* conversations[][3] = {
                {"Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. How "
                 "many clips did Natalia sell altogether in April and May?",
                 "To find the total, let's break it down step by step. In April: 48 clips. In May, half as many: 48 ÷ "
                 "2 "
                 "= 24 clips. In total, 48 + 24 = 72. Natalia sold 72 clips altogether.",
                 "Natalia sold 48/2 = <<48/2=24>>24 clips in May.\nNatalia sold 48+24 = <<48+24=72>>72 clips "
                 "altogether.\n#### 72"},
                {"Weng earns $12 an hour for babysitting. Yesterday, she just did 50 minutes of babysitting. How much "
                 "did she earn?",
                 "Weng's hourly rate is $12. Since 50 minutes is 50/60 of an hour, she earned 12 × 5/6 = $10.",
                 "Weng earns 12/60 = $<<12/60=0.2>>0.2 per minute.\nWorking 50 minutes, she earned "
                 "$<<0.2*50=10>>10.\n#### 10"},
                {"Write a definition of \"photoshop\".",
                 "Photoshop (verb, informal): to alter a digital image with editing software, often so that it shows "
                 "what was not there.",
                 "Photoshop is a software application developed by Adobe that enables users to manipulate digital "
                 "images."}};
            for (const auto& [prompt, before, after] : conversations) {
                runs::appendAnswer({0, false, prompt, before}, runs::RunFiles{folder}.answers());
                runs::appendAnswer({made.numSteps, true, prompt, after}, runs::RunFiles{folder}.answers());
            }
        }
        runs::RunLibrary::setNote(runs::readRun(test.home.path() / "runs" / "5"),
                                  "Four times the rank for 0.004. Not worth it.");
    }
    // Labels and buttons whose words don't fit, by their words. Those that give way by design have a tool tip.
    static QStringList clippedIn(const QWidget& page) {
        QStringList clipped;
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->isVisibleTo(&page) && !label->wordWrap() && label->toolTip().isEmpty() &&
                label->pixmap().isNull() && label->width() < label->sizeHint().width() - 1)
                clipped.append(label->text());
        for (const QPushButton* button : page.findChildren<QPushButton*>())
            if (button->isVisibleTo(&page) && button->width() < button->sizeHint().width() - 1)
                clipped.append(button->text());
        return clipped;
    }

private slots:
    void wordsFitInEveryThemeAndSize() {
        testing::TestServices test;
        makeMany(test);
        for (const theme::Choice colours : {theme::Choice::kLight, theme::Choice::kDark})
            for (const QSize size : {QSize(1040, 640), QSize(1072, 768), QSize(1712, 1048)}) { // beside the rail
                test.themes.choose(colours);
                const QString name = QStringLiteral("%1-%2").arg(QLatin1String(spellingOf(colours))).arg(size.width());
                pages::RunsPage page(test.services());
                page.resize(size);
                page.show();
                QTRY_COMPARE(page.table().model()->rowCount(), 6);
                for (const char* run : {"Sums and tools", "Sums and tools, slower", "rank 64"})
                    page.table().model()->setData(
                        page.table().model()->index(rowOf(page, run), pages::RunsModel::kCompared), Qt::Checked,
                        Qt::CheckStateRole);
                QTRY_COMPARE(page.chart().graphCount(), 3);
                QTest::qWait(50);
                QCOMPARE(clippedIn(page), QStringList());

                pages::ResultsPage results(test.services());
                results.resize(size);
                results.show();
                results.showField(QString::fromStdString((test.home.path() / "runs" / "7").string()));
                QTRY_VERIFY(testing::shows(results, "Natalia"));
                QTest::qWait(50);
                QCOMPARE(clippedIn(results), QStringList());
            }
    }

    void listsTheLatestFirstAndBrokenOnesToo() {
        testing::TestServices test;
        makeThree(test);
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

    void comparesWhatIsMarked() {
        testing::TestServices test;
        makeThree(test);
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
        makeThree(test);
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
        makeThree(test);
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
        makeThree(test);
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

    void aRunUnderWayIsNotDeleted() {
        testing::TestServices test;
        makeThree(test);
        const runs::RunLock lock(test.home.path() / "runs" / "a");
        QSignalSpy failed(&test.runLibrary, &bridge::RunLibraryController::failed);
        test.runLibrary.remove({runs::readRun(test.home.path() / "runs" / "a")});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains(QLatin1String("under way")));
        QVERIFY(std::filesystem::exists(test.home.path() / "runs" / "a"));
    }

    void filtersByAnyColumn() {
        testing::TestServices test;
        makeThree(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        page.findChild<QLineEdit*>()->setText(QStringLiteral("NEW"));
        QCOMPARE(page.table().model()->rowCount(), 1);
    }

    void opensARunInResults() {
        testing::TestServices test;
        makeThree(test);
        pages::RunsPage page(test.services());
        page.show();
        QTRY_COMPARE(page.table().model()->rowCount(), 3);
        QSignalSpy wanted(&page, &pages::Page::pageWanted);
        choose(page, "new");
        QTest::mouseClick(testing::buttonOf(page, "Open"), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("results"));

        pages::ResultsPage results(test.services());
        results.resize(1280, 800);
        results.show();
        QVERIFY(testing::shows(results, "No results yet"));
        results.showField(wanted[0][1].toString());
        QTRY_VERIFY(testing::shows(results, "Polly & co"));
        QVERIFY(testing::shows(results, "a model"));
        QVERIFY(testing::shows(results, "Who are <you>?"));
        const auto* loss = results.findChild<ui::charts::CurvesChart*>();
        QVERIFY(loss->isVisible() && loss->valuesAt(2).contains(QLatin1String("training")));
        QTRY_VERIFY(testing::shows(results, "Checkpoint to continue from")); // its row is laid out a moment later
        QVERIFY(testing::shows(results, "step 5 · validation 2.000"));
        QCOMPARE(results.status().mark, pages::PageStatus::Mark::kDone);
    }

    // Answers take no more than they need, their curves what is left; in a small window answers scroll.
    void curvesHaveWhatAnswersLeave() {
        testing::TestServices test;
        makeThree(test);
        pages::ResultsPage page(test.services());
        page.resize(1664, 980);
        page.show();
        page.showField(QString::fromStdString((test.home.path() / "runs" / "b").string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        const auto* answers = page.findChild<ui::widgets::AnswersPane*>();
        const auto* chart = page.findChild<ui::charts::CurvesChart*>();
        const auto contentHeight = [&] {
            return answers->widget()->layout()->heightForWidth(answers->viewport()->width());
        };
        QTRY_VERIFY(std::abs(answers->height() - contentHeight()) <= 2);
        QVERIFY2(chart->height() > page.height() / 3, qPrintable(QString::number(chart->height())));
        page.resize(1000, 560);
        QTRY_VERIFY(chart->height() < 300);
        QVERIFY(chart->height() >= 100 && answers->height() >= 40);
    }

    void aRunThatWasNotValidatedSaysWhy() {
        testing::TestServices test;
        using session::RunState;
        const auto folder = [&](const char* name) { return test.home.path() / "runs" / name; };
        runs::makeRun(folder("stopped"), {.numSteps = 1, .state = RunState::kStopped}); // 2 is the first that validates
        runs::makeRun(folder("finished"), {.numSteps = 1});
        runs::makeRun(folder("without"), {.numSteps = 1, .state = RunState::kStopped});
        session::RunSpec without;
        without.data.validationFraction = 0;
        writeFileAtomically(runs::RunFiles{folder("without")}.spec(), session::toJson(without));
        pages::ResultsPage results(test.services());
        results.resize(1280, 800); // what has no room is shortened
        results.show();
        const auto shown = [&](const char* name, const char* words) {
            results.showField(QString::fromStdString(folder(name).string()));
            return QTest::qWaitFor([&] { return testing::shows(results, name) && testing::shows(results, words); });
        };
        QVERIFY(shown("stopped", "ended before the first"));
        QVERIFY(!testing::shows(results, "no validation rows"));
        QVERIFY(shown("finished", "no validation rows"));
        QVERIFY(shown("without", "no validation rows"));
    }

    void theResultOfFullFineTuningIsAModel() {
        testing::TestServices test;
        const std::filesystem::path folder = runs::makeRun(test.home.path() / "runs" / "full", {.name = "full"});
        std::filesystem::remove_all(runs::RunFiles{folder}.adapter()); // it ended before it wrote anything
        session::RunSpec spec;
        spec.name = "full";
        spec.method = Method::kFull;
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        pages::ResultsPage results(test.services());
        results.resize(1280, 800); // what has no room is shortened
        results.show();
        results.showField(QString::fromStdString(folder.string()));
        QTRY_VERIFY(testing::shows(results, "model –"));
        for (const QString& text : testing::textsOf(results))
            QVERIFY2(!text.contains(QLatin1String("adapter"), Qt::CaseInsensitive), qPrintable(text));
    }

    void deletesACheckpointAfterItWasAsked() {
        testing::TestServices test;
        makeThree(test);
        const std::filesystem::path folder = test.home.path() / "runs" / "b";
        std::filesystem::create_directories(runs::RunFiles{folder}.bestCheckpoint());
        runs::writeTrainingState({3, 42, 4.0}, runs::RunFiles{folder}.bestCheckpoint());
        pages::ResultsPage results(test.services());
        results.show();
        results.showField(QString::fromStdString(folder.string()));
        const auto buttonFor = [&](const char* name) -> QPushButton* {
            for (QPushButton* button : results.findChildren<QPushButton*>())
                if (button->accessibleName() == QLatin1String(name)) return button;
            return nullptr;
        };
        const auto answer = [&](const char* name, const char* words) {
            QTest::mouseClick(buttonFor(name), Qt::LeftButton);
            auto* box = results.findChild<QMessageBox*>();
            QVERIFY(box != nullptr);
            QCOMPARE(box->informativeText().contains(QLatin1String("resumed")),
                     QLatin1String(name).contains(QLatin1String("continue")));
            for (QAbstractButton* button : box->buttons())
                if (button->text().startsWith(QLatin1String(words))) return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL("no such button");
        };
        QTRY_VERIFY(buttonFor("Delete Best checkpoint") != nullptr);
        answer("Delete Checkpoint to continue from", "Keep");
        QTRY_VERIFY(results.findChild<QMessageBox*>() == nullptr);
        answer("Delete Best checkpoint", "Delete");
        QTRY_VERIFY(buttonFor("Delete Best checkpoint") == nullptr);
        QVERIFY(!std::filesystem::exists(runs::RunFiles{folder}.bestCheckpoint()));
        QVERIFY(std::filesystem::exists(runs::RunFiles{folder}.lastCheckpoint()));
        QTRY_VERIFY(testing::shows(results, "Checkpoint to continue from")); // its row is laid out a moment later
    }

    void writesReportsAndCurves() {
        testing::TestServices test;
        makeThree(test);
        pages::ResultsPage page(test.services());
        page.show();
        page.showField(QString::fromStdString((test.home.path() / "runs" / "b").string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        QSignalSpy noticed(&page, &pages::Page::noticed);
        const auto path = [&](const char* name) { return QString::fromStdString((test.home.path() / name).string()); };
        page.writeHtml(path("report.html"));
        page.writePdf(path("report.pdf"));
        page.writeCsv(path("curves.csv"));
        page.writeTensorBoard(path("events"));
        QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 4, 20'000);
        const std::string html = readTextFile(path("report.html").toStdString());
        for (const char* part : {"<h1>new</h1>", "Who are &lt;you&gt;?", "Polly &amp; co", "data:image/png;base64,",
                                 "<th>Rank</th><td><b>64</b></td>", "<th>Alpha</th><td>32</td>"})
            QVERIFY2(html.find(part) != std::string::npos, part);
        QVERIFY(readTextFile(path("report.pdf").toStdString()).starts_with("%PDF-"));
        QVERIFY(std::filesystem::file_size(path("report.pdf").toStdString()) > 10'000); // with its picture
        QVERIFY(readTextFile(path("curves.csv").toStdString()).find("\n6,-1,0,") != std::string::npos);
        QVERIFY(std::filesystem::exists(test.home.path() / "events" / "events.out.tfevents.3000.roundpipe"));
        QSignalSpy failed(&test.runLibrary, &bridge::RunLibraryController::failed);
        page.writePdf(path("no such folder/report.pdf"));
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(noticed.size(), 4);
    }

    // Printing itself never says that it failed.
    void aReportThatDoesNotFitOnTheDiskIsAnError() {
        testing::TestServices test;
        makeThree(test);
        pages::ResultsPage page(test.services());
        page.show();
        page.showField(QString::fromStdString((test.home.path() / "runs" / "b").string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        const std::filesystem::path file = test.home.path() / "report.pdf";
        writeFileAtomically(file, "the report of before");
        QSignalSpy noticed(&page, &pages::Page::noticed);
        QSignalSpy failed(&test.runLibrary, &bridge::RunLibraryController::failed);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit full{4096, before.rlim_max}; // no file grows beyond it, as on a full disk
        ::setrlimit(RLIMIT_FSIZE, &full);
        page.writePdf(QString::fromStdString(file.string()));
        const bool isAnswered = QTest::qWaitFor([&] { return failed.size() + noticed.size() > 0; }, 20'000);
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(isAnswered);
        QCOMPARE(noticed.size(), 0);
        QVERIFY2(failed[0][0].toString().contains(QLatin1String("report.pdf")), qPrintable(failed[0][0].toString()));
        QCOMPARE(readTextFile(file), std::string("the report of before"));
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

    void quotesForTheShell() {
        QCOMPARE(pages::quoted(QStringLiteral("/a/b-c_1.json")), QStringLiteral("/a/b-c_1.json"));
        QCOMPARE(pages::quoted(QStringLiteral("my run")), QStringLiteral("'my run'"));
        QCOMPARE(pages::quoted(QStringLiteral("it's $HOME")), QStringLiteral("'it'\\''s $HOME'"));
        QCOMPARE(pages::quoted(QString()), QStringLiteral("''"));
        bridge::RunDetails details;
        QVERIFY(pages::nextStepsOf(details).empty());
        details.spec.emplace();
        details.spec->model.path = "/models/my model";
        details.spec->lora.rank = 24;
        details.run.folder = "/runs/a";
        details.run.name = "Polly the Parrot!";
        details.run.adapterBytes = 1;
        QString all;
        for (const pages::NextStep& step : pages::nextStepsOf(details))
            all += step.command + QLatin1Char('\n');
        for (const char* part :
             {"--max-lora-rank 32", "--lora-modules polly-the-parrot=/runs/a/adapter", "vllm serve '/models/my model'",
              "roundpipe train /runs/a/run.json", "--init-adapter /runs/a/adapter"})
            QVERIFY2(all.contains(QLatin1String(part)), part);

        details.run.adapterBytes = 0;
        details.run.modelBytes = 1; // full fine-tuning
        all.clear();
        for (const pages::NextStep& step : pages::nextStepsOf(details))
            all += step.command + QLatin1Char('\n');
        for (const char* part : {"vllm serve /runs/a/model", "roundpipe generate --model /runs/a/model",
                                 "convert_hf_to_gguf.py /runs/a/model", "from_pretrained(\n  \"/runs/a/model\")",
                                 "roundpipe train /runs/a/run.json", "--model /runs/a/model"})
            QVERIFY2(all.contains(QLatin1String(part)), part);
        QVERIFY(!all.contains(QLatin1String("lora")));
    }
};

QTEST_MAIN(TestStoredRuns)
#include "tst_stored_runs.moc"
