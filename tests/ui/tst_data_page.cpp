// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "shown_data_page.h"
#include "ui/pages/contract/remark_lines.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/report/findings_list.h"
#include "ui/pages/data/report/length_histogram.h"
#include "ui/pages/data/rows/rows_table.h"
#include "ui/pages/data/sources/columns_panel.h"
#include "ui/pages/data/sources/datasets_panel.h"
#include "ui/translations/number_text.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace roundpipe;
using session::WorkbenchState;
using testing::buttonOf;
using testing::chat;
using testing::shows;
using Shown = testing::ShownDataPage;
using ui::pages::PageStatus;
using ui::pages::RowsModel;

class TestDataPage : public QObject {
    Q_OBJECT

private slots:
    void offersNoViewsOfRowsThatAreNotThere() {
        Shown shown;
        QVERIFY(buttonOf(*shown.page, "Add files…")->isVisible());
        for (const char* view : {"Token lens", "Files and columns", "Datasets"})
            QVERIFY2(buttonOf(*shown.page, view) == nullptr || !buttonOf(*shown.page, view)->isVisible(), view);
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        QVERIFY(buttonOf(*shown.page, "Datasets")->isVisible());
    }

    // As those of Runs and Queue do.
    void headersOfTablesBeginWithACapital() {
        Shown shown;
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        std::vector<const QAbstractItemModel*> models{shown.table().model()};
        for (const auto* tree : shown.page->findChildren<QTreeWidget*>())
            models.push_back(tree->model());
        QVERIFY(models.size() >= 3); // files and datasets, too
        for (const QAbstractItemModel* model : models)
            for (int c = 0; c < model->columnCount(); ++c) {
                const QString title = model->headerData(c, Qt::Horizontal).toString().trimmed();
                QVERIFY2(title.isEmpty() || !title.front().isLower(), qPrintable(title));
            }
    }

    void asksForRowsWhereThereAreNone() {
        Shown shown;
        QCOMPARE(shown.page->status().mark, PageStatus::Mark::kMissing);
        QCOMPARE(shown.page->missing().at(0).field, QStringLiteral("data.files"));
        QVERIFY(shows(*shown.page, "Drop files"));
        QVERIFY(buttonOf(*shown.page, "Choose files…") != nullptr);
    }

    void showsRowsOfFilesAndLetsThemBeUndone() {
        Shown shown;
        const std::string path = shown.write("a.jsonl", chat("Hi", "Hello") + chat("Bye", "See you"));
        shown.use({path});
        QVERIFY(shown.isReady());
        QCOMPARE(shown.page->status().text, QStringLiteral("2 rows"));
        QVERIFY(shown.page->missing().empty());
        QVERIFY(shown.cellBecomes(1, RowsModel::kText, "Bye"));
        QVERIFY(shown.cellBecomes(1, RowsModel::kTurns, "2"));
        shown.test.document.undoStack().undo();
        QCOMPARE(shown.page->status().mark, PageStatus::Mark::kMissing);
        QVERIFY(shows(*shown.page, "Drop files"));
    }

    void showsRowsBeforeThereIsAModel() {
        Shown shown(false);
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.cellBecomes(0, RowsModel::kText, "Hi"));
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QVERIFY(shows(*shown.page, "Needs a model"));
        const auto* lengths = shown.page->findChild<ui::pages::LengthHistogram*>();
        QVERIFY(lengths->emptyText().contains(QLatin1String("once a model has been chosen")));
        QVERIFY(shown.page->missing().empty()); // the page Model says what is missing
    }

    void walksThroughRowsByKeys() {
        Shown shown;
        shown.use({shown.write("a.jsonl", chat("First", "one") + chat("Second", "two") + chat("Third", "three"))});
        QVERIFY(shown.isReady());
        const auto lensShows = [&](const char* text) {
            return QTest::qWaitFor([&] { return shown.lens().view().lens().text.find(text) != std::string::npos; },
                                   10'000);
        };
        QVERIFY(lensShows("First"));
        QTest::keyClick(&shown.table(), Qt::Key_Down);
        QTest::keyClick(&shown.table(), Qt::Key_Down);
        QVERIFY(lensShows("Third"));
        QVERIFY(shows(shown.lens(), "a, row 3"));

        auto& view = shown.lens().view();
        QTest::keyClick(&view, Qt::Key_T);
        const session::TokenLens& lens = view.lens();
        const auto current = static_cast<std::size_t>(view.currentToken());
        QVERIFY(lens.tokens[current].isTrained);
        QVERIFY(!lens.tokens[current - 1].isTrained);
        QVERIFY(view.accessibleDescription().contains(QLatin1String("trained")));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.currentToken(), static_cast<int>(current) - 1);
        view.goToMessage(1);
        QCOMPARE(lens.tokens[static_cast<std::size_t>(view.currentToken())].message, 1);
        const QPixmap tokens = view.grab().copy();
        QTest::mouseClick(buttonOf(shown.lens(), "Ids"), Qt::LeftButton);
        QVERIFY(view.grab().toImage() != tokens.toImage());
    }

    void movesTheLengthLimitOfTheProject() {
        Shown shown;
        std::string rows;
        for (int i = 1; i <= 60; ++i)
            rows += chat("q", std::string(static_cast<std::size_t>(10 * i), 'a' + static_cast<char>(i % 26)));
        shown.use({shown.write("a.jsonl", rows)});
        QVERIFY(shown.isReady());
        const int64_t before = shown.test.document.spec().data.maxLength;
        auto& lengths = shown.lengths();
        QCOMPARE(lengths.limit(), before);
        QTest::keyClick(&lengths, Qt::Key_Left);
        const int64_t after = shown.test.document.spec().data.maxLength;
        QVERIFY(after < before);
        QVERIFY(shown.isReady());
        shown.test.document.undoStack().undo();
        QCOMPARE(lengths.limit(), before);

        QSignalSpy dragged(&lengths, &ui::pages::LengthHistogram::limitDragged);
        QSignalSpy chosen(&lengths, &ui::pages::LengthHistogram::limitChosen);
        QTest::mousePress(&lengths, Qt::LeftButton, {}, {lengths.width() / 2, 60});
        QTest::mouseMove(&lengths, {lengths.width() / 3, 60});
        QCOMPARE(shown.test.document.spec().data.maxLength, before); // not before it is let go
        QTest::mouseRelease(&lengths, Qt::LeftButton, {}, {lengths.width() / 3, 60});
        QCOMPARE(chosen.size(), 1);
        QVERIFY(dragged.size() >= 1);
        QVERIFY(shown.test.document.spec().data.maxLength < 256);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return shown.test.workbench.status().report != nullptr &&
                       shown.test.workbench.status().report->isComplete &&
                       shown.test.workbench.status().report->numTruncated > 0;
            },
            10'000));
    }

    // Beside two buttons there is room for a few words only.
    void aFindingIsReadToItsEnd() {
        testing::TestServices test;
        ui::pages::FindingsList list(test.themes);
        list.resize(430, 300);
        list.show();
        const QString title = QStringLiteral("2 rows leak into validation, and this is said at length");
        const QString text = QStringLiteral("rows to validate on stand among those to train on, too; row 61 is row 12");
        ui::pages::Finding finding{.title = title, .text = text, .rows = std::vector<ui::pages::ListedRow>(1)};
        finding.choice = ui::pages::RowsChoice{.rule = std::nullopt, .label = QStringLiteral("Keep one of each")};
        list.setFindings({finding});
        QCoreApplication::processEvents();
        for (const QString& words : {title, text}) {
            const auto labels = list.findChildren<QLabel*>();
            const auto label = std::ranges::find(labels, words, &QLabel::text);
            QVERIFY2(label != labels.end(), qPrintable(words));
            QVERIFY((*label)->height() >= (*label)->heightForWidth((*label)->width()));
        }
    }

    void findingsOfOtherRowsAreGoneWhileRowsAreRead() {
        Shown shown;
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello") + "{broken\n")});
        QVERIFY(shown.isReady());
        const auto* findings = shown.page->findChild<ui::pages::FindingsList*>();
        QTRY_VERIFY(testing::shows(*findings, "not valid JSON"));
        std::string many;
        for (int i = 0; i < 60'000; ++i)
            many +=
                chat("Tell me story " + std::to_string(i), "The parrot flies over the sea, and over the sea again.");
        shown.use({shown.write("b.jsonl", many)});
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(*findings, "when all rows are read"), 20'000);
        QVERIFY(!testing::shows(*findings, "not valid JSON"));
        QVERIFY(shown.test.workbench.status().state != session::WorkbenchState::kReady);
        shown.use({shown.write("c.jsonl", chat("Hi", "Hello") + "{broken\n")});
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(*findings, "not valid JSON"), 20'000);
        QVERIFY(!testing::shows(*findings, "when all rows are read"));
    }

    void leadsFromAFindingToItsRows() {
        Shown shown;
        shown.use(
            {shown.write("a.jsonl", chat("Hi", "Hello") + "{broken\n" + chat("Other", "words") + chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        QTRY_COMPARE(shown.table().model()->rowCount(), 4);
        auto* findings = shown.page->findChild<ui::pages::FindingsList*>();
        const auto show = [&](const char* name) {
            for (QPushButton* button : findings->findChildren<QPushButton*>())
                if (button->text() == QLatin1String("Show") && button->accessibleName().contains(QLatin1String(name)))
                    button->click();
        };
        QVERIFY(QTest::qWaitFor([&] { return findings->findChildren<QPushButton*>().size() == 3; }, 10'000));
        show("dropped");
        QCOMPARE(shown.table().model()->rowCount(), 1);
        QCOMPARE(shown.table().currentPlace().number, int64_t(2));
        QVERIFY(shown.remark(0).contains(QLatin1String("not valid JSON")));
        show("repeat");
        QCOMPARE(shown.table().model()->rowCount(), 1);
        QCOMPARE(shown.cell(0, RowsModel::kNumber), QStringLiteral("4"));
        QVERIFY(shown.remark(0).contains(QLatin1String("row 1")));
        QVERIFY(shown.cellBecomes(0, RowsModel::kText, "Hi"));
        buttonOf(*shown.page, "All")->click();
        QCOMPARE(shown.table().model()->rowCount(), 4);
        QCOMPARE(shown.table().currentPlace().number, int64_t(4)); // where one was
        QVERIFY(!shown.remark(1).isEmpty());
    }

    void leavesRepeatedRowsOutAndTakesThemBack() {
        Shown shown;
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello") + chat("Bye", "See you") + chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(shows(*shown.page, "1 repeated row(s)"), 10'000);
        QVERIFY(shown.cellBecomes(2, RowsModel::kText, "Hi"));
        QVERIFY(shown.table().select({0, 3}));
        QTest::mouseClick(buttonOf(*shown.page, "Keep one of each"), Qt::LeftButton);
        QCOMPARE(shown.test.document.spec().data.datasets.front().leaveOut, std::vector{LeaveOut::kDuplicates});
        QTRY_VERIFY_WITH_TIMEOUT(shows(*shown.page, "1 row(s) left out"), 10'000);
        QCOMPARE(shown.page->status().text, QStringLiteral("2 rows"));
        QVERIFY(!shows(*shown.page, "1 repeated row(s)"));
        QTRY_VERIFY_WITH_TIMEOUT(shows(shown.lens(), "is left out: the same as row 1"), 10'000);
        QVERIFY(buttonOf(shown.lens(), "Leave this row out") == nullptr); // a rule has done so
        QTRY_COMPARE(shown.remark(2), QStringLiteral("is left out: the same as row 1 of 'a.jsonl'"));
        QVERIFY(!shown.table().isColumnHidden(RowsModel::kTrained)); // the remark takes no column's place

        QTest::mouseClick(buttonOf(*shown.page, "Take back"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(shows(*shown.page, "1 repeated row(s)"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(!shows(shown.lens(), "is left out"), 10'000);
        QVERIFY(shown.test.document.spec().data.datasets.front().leaveOut.empty());
        shown.test.document.undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(shows(*shown.page, "1 row(s) left out"), 10'000);
    }

    void leavesASingleRowOutByAKeyAndSaysWhenItIsGone() {
        Shown shown;
        const std::string rest = chat("Two", "2") + chat("Three", "3");
        const std::string path = shown.write("a.jsonl", chat("One", "1") + rest);
        shown.use({path});
        QVERIFY(shown.isReady());
        QVERIFY(shown.cellBecomes(1, RowsModel::kText, "Two"));
        QVERIFY(shown.table().select({0, 2}));
        QTRY_VERIFY_WITH_TIMEOUT(shows(shown.lens(), "a, row 2"), 10'000);
        QTest::keyClick(&shown.table(), Qt::Key_Delete);
        QCOMPARE(shown.test.document.spec().data.datasets.front().leaveOutRows.size(), 1u);
        QTRY_VERIFY_WITH_TIMEOUT(shows(shown.lens(), "it was chosen itself"), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page->status().text, QStringLiteral("2 rows"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(shown.lens(), "Take this row back") != nullptr, 10'000);
        QTest::mouseClick(buttonOf(shown.lens(), "Take this row back"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page->status().text, QStringLiteral("3 rows"), 10'000);

        shown.test.document.undoStack().undo();
        shown.write("a.jsonl", rest); // its number is another row's now
        shown.test.document.set(session::fieldByKey("data.shuffle"), false);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page->status().text, QStringLiteral("would not start"), 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "Leave none out one by one") != nullptr, 10'000);
        QTest::mouseClick(buttonOf(*shown.page, "Leave none out one by one"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(shown.page->status().text, QStringLiteral("2 rows"), 10'000);
    }

    void nobodyKnowsTheLongestOfRowsThatCannotBeRead() {
        Shown shown;
        shown.test.plan.setRig("1x4090,ram=64");
        shown.test.document.set(session::fieldByKey("data.max_length"), int64_t{100'000}); // beyond any model
        shown.use({shown.write("noise.bin", std::string(20'000, '\x01'))});
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QTRY_VERIFY_WITH_TIMEOUT(shown.test.plan.answer() != nullptr, 20'000);
        QVERIFY(shown.test.plan.remarks().empty());
        QTRY_VERIFY(!shown.page->findChild<ui::pages::RemarkLines*>()->isVisible());
        const auto* files = shown.page->findChild<ui::pages::ColumnsPanel*>()->findChild<QTreeWidget*>();
        QTRY_COMPARE(files->topLevelItemCount(), 1);
        QVERIFY2(files->topLevelItem(0)->text(3).startsWith(QStringLiteral("19.5\u00a0KiB")),
                 qPrintable(files->topLevelItem(0)->text(3)));
    }

    // What is on show is what the buttons say, whatever comes from the workbench meanwhile.
    void tokensThatComeLateLeaveTheViewAsItIs() {
        Shown shown;
        shown.use({shown.write("a.jsonl", chat("First", "one") + chat("Second", "two") + chat("Third", "three"))});
        QVERIFY(shown.isReady());
        const auto lensHolds = [&](const char* text) {
            return shown.lens().view().lens().text.find(text) != std::string::npos;
        };
        QTRY_VERIFY_WITH_TIMEOUT(lensHolds("First"), 10'000);
        QPushButton* button = buttonOf(*shown.page, "Datasets");
        const auto showsDatasets = [&] {
            return button->isChecked() && shown.page->findChild<ui::pages::DatasetsPanel*>()->isVisible() &&
                   !shown.lens().isVisible();
        };
        QVERIFY(shown.table().select({0, 2}));
        button->click();
        QVERIFY(!lensHolds("Second")); // still on its way
        QTRY_VERIFY_WITH_TIMEOUT(lensHolds("Second"), 10'000);
        QVERIFY(showsDatasets());
        QTest::keyClick(&shown.table(), Qt::Key_Down); // nor do rows that are walked through
        QTRY_VERIFY_WITH_TIMEOUT(lensHolds("Third"), 10'000);
        QVERIFY(showsDatasets());
        shown.test.document.set(session::fieldByKey("data.max_length"), int64_t{64}); // nor a dataset opened anew
        QTest::qWait(500);
        QVERIFY(shown.isReady());
        QVERIFY(showsDatasets());
        buttonOf(*shown.page, "Token lens")->click();
        QVERIFY(shown.lens().isVisible() && !button->isChecked());
    }

    // However high the window is.
    void noRowIsCutInHalf() {
        Shown shown(false);
        std::string rows;
        for (int i = 1; i <= 200; ++i)
            rows += "{\"text\":\"row " + std::to_string(i) + "\"}\n";
        shown.use({shown.write("a.jsonl", rows)});
        QTRY_COMPARE(shown.table().model()->rowCount(), 200);
        const QWidget& view = *shown.table().viewport();
        const int row = shown.table().rowHeight(0);
        for (int height = 740; height < 740 + row; height += 5) {
            shown.page->resize(1072, height);
            QTRY_VERIFY(view.height() % row == 0 || row - view.height() % row <= 4);        // but for its margin
            QVERIFY(shown.table().parentWidget()->height() - shown.table().height() < row); // nor is one left out
        }
    }

    void fetchesOnlyTheRowsInSight() {
        Shown shown(false);
        std::string rows;
        for (int i = 1; i <= 200'000; ++i)
            rows += "{\"text\":\"row " + std::to_string(i) + "\"}\n";
        shown.use(
            {shown.write("a.jsonl", rows), shown.write("b.jsonl", "{\"text\":\"one\"}\n\n{\"text\":\"three\"}\n")});
        QVERIFY(QTest::qWaitFor([&] { return shown.table().model()->rowCount() == 200'003; }, 20'000));
        QVERIFY(shown.cellBecomes(200'000, RowsModel::kText, "one"));
        QVERIFY(shown.cellBecomes(200'001, RowsModel::kText, "")); // a blank line
        QVERIFY(shown.cellBecomes(200'002, RowsModel::kText, "three"));
        QCOMPARE(shown.cell(200'002, RowsModel::kFile), QStringLiteral("b"));
        shown.table().select({0, 1});
        auto* goTo = shown.page->findChild<QLineEdit*>(QStringLiteral("goTo"));
        goTo->setText(QStringLiteral("150000"));
        QTest::keyClick(goTo, Qt::Key_Return);
        QCOMPARE(shown.table().currentPlace().number, int64_t(150'000));
        QVERIFY(shown.cellBecomes(149'999, RowsModel::kText, "row 150000"));
    }

    void saysWhatIsWrong() {
        Shown shown;
        shown.use({"/no/such/file.jsonl"});
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QCOMPARE(shown.page->status().mark, PageStatus::Mark::kMissing);
        QVERIFY(shown.page->missing().at(0).text.contains(QLatin1String("file.jsonl")));
        QTRY_VERIFY(shows(*shown.page, "file.jsonl"));
        const auto* lengths = shown.page->findChild<ui::pages::LengthHistogram*>();
        QVERIFY(lengths->emptyText().contains(QLatin1String("cannot be used"))); // and no model is blamed
        QVERIFY(!lengths->emptyText().contains(QLatin1String("model")));
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        QVERIFY(!lengths->emptyText().contains(QLatin1String("cannot be used")));
    }

    // As the epoch beside it, of which the share is told.
    void trainedTokensAreThoseOfAnEpoch() {
        Shown shown;
        shown.test.document.change(QStringLiteral("validation"),
                                   [](session::RunSpec& spec) { spec.data.validationFraction = 0.5; });
        std::string rows;
        for (int i = 0; i < 40; ++i)
            rows += chat("Hi " + std::to_string(i), "Hello");
        shown.use({shown.write("a.jsonl", rows)});
        QVERIFY(shown.isReady());
        const session::DatasetReport& report = *shown.test.workbench.status().report;
        QVERIFY(report.training.numTrained() > 0 && report.training.numTrained() < report.numTrained);
        const QString tokens = ui::translations::wholeText(report.training.numTrained()) + QStringLiteral(" tokens");
        QTRY_VERIFY(shows(*shown.page, tokens.toUtf8().constData()));
    }

    void leadsToTheSettingThatMendsIt() {
        Shown shown;
        const std::filesystem::path bare = shown.test.home.path() / "bare"; // a model without a chat template
        std::filesystem::copy(testing::sourceFolder() / "resources" / "demo" / "model", bare);
        writeFileAtomically(bare / "tokenizer_config.json", "{}");
        shown.test.document.set(session::fieldByKey("model.path"), bare.string());
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QCOMPARE(shown.page->missing().at(0).page, QStringLiteral("settings"));
        QCOMPARE(shown.page->missing().at(0).field, QStringLiteral("model.chat_template"));
        QSignalSpy wanted(shown.page.get(), &ui::pages::Page::pageWanted);
        QTRY_VERIFY(buttonOf(*shown.page, "Chat template") != nullptr);
        QVERIFY(shows(*shown.page, "Base models often have none")); // in its place, and the lens says where that is
        const QString inLens = shown.lens().findChild<QPlainTextEdit*>()->toPlainText();
        QVERIFY2(inLens.contains(QLatin1String("Worth a look")), qPrintable(inLens));
        buttonOf(*shown.page, "Chat template")->click();
        QCOMPARE(wanted.at(0), (QVariantList{QStringLiteral("settings"), QStringLiteral("model.chat_template")}));
    }

    void leadsToAModelWhereThereIsNone() {
        Shown shown(false);
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QSignalSpy wanted(shown.page.get(), &ui::pages::Page::pageWanted);
        QTRY_VERIFY(buttonOf(*shown.page, "Choose a model") != nullptr);
        buttonOf(*shown.page, "Choose a model")->click();
        QCOMPARE(wanted.at(0).at(0).toString(), QStringLiteral("model"));
        // A sentence in place of a row is in the page's letters.
        const auto* words = shown.lens().findChild<QPlainTextEdit*>();
        QVERIFY(words->isVisible() && words->font().family() != shown.lens().view().font().family());
    }

    void findsATextInAllRowsByKeys() {
        Shown shown;
        std::string rows;
        for (int i = 1; i <= 3'000; ++i)
            rows += chat("Question " + std::to_string(i), i % 1'000 == 0 ? "A Blue Parrot" : "Nothing");
        const std::string file = shown.write("rows.jsonl", rows);
        shown.use({file});
        QVERIFY(shown.isReady());
        shown.page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(shown.page.get()));
        shown.table().setFocus();
        QTest::keyClick(&shown.table(), Qt::Key_Slash);
        auto* find = shown.page->findChild<QLineEdit*>(QStringLiteral("find"));
        QVERIFY(find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("blue parrot"));
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "“blue parrot”: 3 row(s)") != nullptr, 10'000);
        QCOMPARE(shown.table().model()->rowCount(), 3);
        QVERIFY(shown.cellBecomes(1, RowsModel::kText, "Question 2000"));
        QCOMPARE(shown.table().currentPlace().number, 1'000);
        QVERIFY(find->hasFocus()); // one may type on
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(shown.table().hasFocus());
        QTest::keyClick(&shown.table(), Qt::Key_Slash);
        QTest::keyClicks(find, QStringLiteral("none")); // instead: all of it was selected
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "“none”: 0 row(s)") != nullptr, 10'000);
        QTest::keyClick(find, Qt::Key_Escape);
        QVERIFY(find->text().isEmpty());
        QCOMPARE(shown.table().model()->rowCount(), 3'000);
        // Another setting opens the dataset anew, and the search goes on with it.
        find->setText(QStringLiteral("Question 29"));
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "“Question 29”: 111 row(s)") != nullptr, 10'000);
        shown.test.document.set(session::fieldByKey("data.max_length"), int64_t{64});
        QVERIFY(shown.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "“Question 29”: 111 row(s)") != nullptr, 10'000);
        QCOMPARE(shown.table().model()->rowCount(), 111);
    }
};

QTEST_MAIN(TestDataPage)
#include "tst_data_page.moc"
