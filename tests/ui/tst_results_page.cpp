// SPDX-License-Identifier: GPL-3.0-or-later
// Results, over run folders as a run leaves them.
#include "arch/model_config.h"
#include "arch/model_outline.h"
#include "made_runs.h"
#include "ui/charts/curves_chart.h"
#include "ui/pages/results/next_steps.h"
#include "ui/pages/results/results_page.h"
#include "ui/widgets/answer_label.h"
#include "ui/widgets/answers_pane.h"
#include "ui/widgets/save_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>

using namespace roundpipe;
using namespace roundpipe::ui;

class TestResultsPage : public QObject {
    Q_OBJECT

private slots:
    void wordsFitInEveryThemeAndSize() {
        testing::wordsFitInEveryThemeAndSize<pages::ResultsPage>([](pages::ResultsPage& results, const auto& runs) {
            results.showField(QString::fromStdString((runs / "7").string()));
            QTRY_VERIFY(testing::shows(results, "Natalia"));
        });
    }

    void showsARunWithItsAnswersItsLossAndItsCheckpoint() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::ResultsPage results(test.services());
        results.resize(1280, 800);
        results.show();
        QVERIFY(testing::shows(results, "No results yet"));
        results.showField(QString::fromStdString((test.home.path() / "runs" / "b").string()));
        QTRY_VERIFY(testing::shows(results, "Polly & co"));
        QVERIFY(testing::shows(results, "a model"));
        QVERIFY(testing::shows(results, "Who are <you>?"));
        const auto* loss = results.findChild<ui::charts::CurvesChart*>();
        QVERIFY(loss->isVisible() && loss->valuesAt(2).contains(QLatin1String("training")));
        QTRY_VERIFY(testing::shows(results, "Checkpoint to continue from")); // its row is laid out a moment later
        QVERIFY(testing::shows(results, "step 5 · validation 2.000"));
        QVERIFY(results.status().mark == pages::PageStatus::Mark::kNone); // it is of no project
        QSignalSpy wanted(&results, &pages::Page::pageWanted);
        testing::buttonOf(results, "Ask it on the page Playground")->click();
        QCOMPARE(wanted.value(0).value(0).toString(), QStringLiteral("playground"));
    }

    // Answers take no more than they need, their curves what is left; in a small window answers scroll.
    void curvesHaveWhatAnswersLeave() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
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

    // The platform of the tests starts no other program.
    void aFolderThatNothingCanShowIsNamed() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::ResultsPage page(test.services());
        page.show();
        const std::string folder = (test.home.path() / "runs" / "b").string();
        page.showField(QString::fromStdString(folder));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        QString said;
        std::function<void()> copy;
        connect(&page, &pages::ResultsPage::noticed, this,
                [&](const QString& text, const QString&, const std::function<void()>& action) {
                    said = text;
                    copy = action;
                });
        testing::buttonOf(page, "Open folder")->click();
        QVERIFY2(said.contains(QString::fromStdString(folder)), qPrintable(said));
        copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(folder));
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
        testing::makeThreeRuns(test);
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
        testing::makeThreeRuns(test);
        const std::filesystem::path folder = test.home.path() / "runs" / "b";
        session::RunSpec spec = runs::specOf(folder);
        spec.model.baseModelId = "https://me:SECRET@host/base";
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        pages::ResultsPage page(test.services());
        page.show();
        page.showField(QString::fromStdString(folder.string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        QSignalSpy noticed(&page, &pages::Page::noticed);
        const auto path = [&](const char* name) { return QString::fromStdString((test.home.path() / name).string()); };
        page.writeHtml(path("report.html"));
        page.writePdf(path("report.pdf"));
        page.writeCsv(path("curves.csv"));
        page.writeTensorBoard(path("events"));
        page.writeDebugReport(path("debug.tar.gz"));
        QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 5, 20'000);
        const std::string html = readTextFile(path("report.html").toStdString());
        for (const char* part :
             {"<h1>new</h1>", "Who are &lt;you&gt;?", "Polly &amp; co", "data:image/png;base64,",
              "<th>Rank</th><td><b>64</b></td>", "<th>Alpha</th><td>32</td>", "https://(hidden)@host/base"})
            QVERIFY2(html.find(part) != std::string::npos, part);
        QVERIFY(html.find("SECRET") == std::string::npos);
        // The picture as it is: paper stretches what has one side alone.
        static const QRegularExpression kPicture(
            QStringLiteral("base64,([^\"]+)\" width=\"(\\d+)\" height=\"(\\d+)\""));
        const QRegularExpressionMatch picture = kPicture.match(QString::fromStdString(html));
        QVERIFY(picture.hasMatch());
        const QImage drawn = QImage::fromData(QByteArray::fromBase64(picture.captured(1).toLatin1()));
        QCOMPARE(picture.captured(3).toInt(), picture.captured(2).toInt() * drawn.height() / drawn.width());
        QVERIFY(readTextFile(path("report.pdf").toStdString()).starts_with("%PDF-"));
        QVERIFY(std::filesystem::file_size(path("report.pdf").toStdString()) > 10'000); // with its picture
        QVERIFY(readTextFile(path("curves.csv").toStdString()).find("\n6,-1,0,") != std::string::npos);
        QVERIFY(std::filesystem::exists(test.home.path() / "events" / "events.out.tfevents.3000.roundpipe"));
        QVERIFY(readTextFile(path("debug.tar.gz").toStdString()).starts_with("\x1f\x8b"));
        QSignalSpy failed(&test.runLibrary, &bridge::RunLibraryController::failed);
        page.writePdf(path("no such folder/report.pdf"));
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(noticed.size(), 5);
    }

    // Typed or not: nothing else opens a report by its name.
    void aFileGetsTheEndingOfItsKind() {
        const QTemporaryDir folder;
        QTimer look;
        connect(&look, &QTimer::timeout, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            look.stop();
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(folder.filePath("report"));
            QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
        });
        look.start(20);
        QCOMPARE(ui::widgets::askWhereToSave(nullptr, QStringLiteral("Report"), {{{}, QStringLiteral("run.html")}}),
                 folder.filePath("report.html"));
    }

    // A simulated one, or one that ended before its first checkpoint.
    void aRunThatLeftNothingIsNotToBeAsked() {
        testing::TestServices test;
        const auto folder = test.home.path() / "runs" / "none";
        runs::makeRun(folder);
        pages::ResultsPage results(test.services());
        results.show();
        results.showField(QString::fromStdString(folder.string()));
        QTRY_VERIFY(testing::buttonOf(results, "Ask it on the page Playground") != nullptr);
        std::filesystem::remove_all(runs::RunFiles{folder}.adapter());
        std::filesystem::remove_all(runs::RunFiles{folder}.checkpoints());
        results.showField(QString::fromStdString(folder.string()));
        QTRY_VERIFY(testing::buttonOf(results, "Ask it on the page Playground") == nullptr);
        QTRY_VERIFY(testing::shows(results, "This run saved nothing"));
    }

    void aPromptThatWasNotAskedAgainSaysWhy() {
        testing::TestServices test;
        const std::filesystem::path folder = test.home.path() / "runs" / "stopped";
        runs::makeRun(folder, {.numSteps = 3, .state = session::RunState::kStopped});
        runs::appendAnswer({0, false, "What's 3 + 4?", "five"}, runs::RunFiles{folder}.answers());
        pages::ResultsPage page(test.services());
        page.resize(1280, 800);
        page.show();
        page.showField(QString::fromStdString(folder.string()));
        QTRY_VERIFY(testing::shows(page, "five"));
        QVERIFY(testing::shows(page, "the run ended before"));
        const auto* command = page.findChild<QPlainTextEdit*>();
        QVERIFY2(command->toPlainText().contains(QLatin1String("--prompt 'What'\\''s 3 + 4?'")), // the project's own
                 qPrintable(command->toPlainText()));
    }

    void aLongAnswerWithoutBlanksIsWholeAndCopiedAsItIs() {
        const QString digits(400, QLatin1Char('7'));
        widgets::AnswerLabel label(QStringLiteral("Well: ") + digits);
        label.resize(240, 400);
        label.show();
        QVERIFY(label.heightForWidth(240) > 5 * label.fontMetrics().height());
        QVERIFY(label.minimumSizeHint().width() < 240);
        label.setSelection(0, static_cast<int>(label.text().size()));
        QTest::keySequence(&label, QKeySequence::Copy);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Well: ") + digits);
    }

    void theTimelineOfAnEarlierRunIsAtHand() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
        const runs::RunFiles files{test.home.path() / "runs" / "b"};
        pages::ResultsPage page(test.services());
        page.show();
        page.showField(QString::fromStdString(files.folder.string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        QVERIFY(testing::buttonOf(page, "Timeline") == nullptr); // it was recorded without one
        writeFileAtomically(files.trace(), "a trace");
        page.showField(QString::fromStdString(files.folder.string()));
        QTRY_VERIFY(testing::buttonOf(page, "Timeline") != nullptr);
        QSignalSpy wanted(&page, &pages::Page::traceWanted);
        testing::buttonOf(page, "Timeline")->click();
        QCOMPARE(wanted.at(0).at(0).toString(), QString::fromStdString(files.trace().string()));
    }

    // In the rail stands what the open project has.
    void aRunOfAnotherProjectIsOnlyLookedAt() {
        const testing::DemoProject project(5);
        testing::TestServices test;
        testing::makeThreeRuns(test);
        pages::ResultsPage page(test.services());
        page.show();
        test.document.open(project.runFile());
        page.showField(QString::fromStdString((test.home.path() / "runs" / "b").string()));
        QTRY_VERIFY(testing::shows(page, "Polly & co"));
        QCOMPARE(page.status().mark, pages::PageStatus::Mark::kNone);
        QCOMPARE(page.status().text, QStringLiteral("new"));
    }

    // Printing itself never says that it failed.
    void aReportThatDoesNotFitOnTheDiskIsAnError() {
        testing::TestServices test;
        testing::makeThreeRuns(test);
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
              "roundpipe train /runs/a/run.json", "--init-adapter /runs/a/adapter",
              "roundpipe export /runs/a \\\n  --to ollama --type q4_k_m\nollama create polly-the-parrot -f \\\n  "
              "/runs/a/exports/ollama-q4_k_m/Modelfile",
              "llama-server -m \\\n  /runs/a/exports/gguf-q4_k_m/model.gguf"})
            QVERIFY2(all.contains(QLatin1String(part)), part);

        details.spec->lora.modulesToSave = {"embed_tokens"}; // which vLLM doesn't take in an adapter
        all.clear();
        for (const pages::NextStep& step : pages::nextStepsOf(details))
            all += step.command + QLatin1Char('\n');
        for (const char* part : {"roundpipe generate \\\n  --model", "\"/runs/a/adapter\").merge_and_unload()\n"
                                                                     "model.save_pretrained(\"polly-the-parrot\")"})
            QVERIFY2(all.contains(QLatin1String(part)), part);
        QVERIFY(!all.contains(QLatin1String("vllm")));

        details.run.adapterBytes = 0;
        details.run.modelBytes = 1; // full fine-tuning
        all.clear();
        for (const pages::NextStep& step : pages::nextStepsOf(details))
            all += step.command + QLatin1Char('\n');
        for (const char* part : {"vllm serve /runs/a/model", "roundpipe generate \\\n  --model /runs/a/model",
                                 "roundpipe export /runs/a \\\n  --to gguf", "from_pretrained(\n  \"/runs/a/model\")",
                                 "roundpipe train /runs/a/run.json", "--model /runs/a/model"})
            QVERIFY2(all.contains(QLatin1String(part)), part);
        QVERIFY(!all.contains(QLatin1String("lora")));
    }
};

QTEST_MAIN(TestResultsPage)
#include "tst_results_page.moc"
