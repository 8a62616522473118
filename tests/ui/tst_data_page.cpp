// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_services.h"
#include "ui/editors/field_row.h"
#include "ui/pages/contract/remark_lines.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/report/findings_list.h"
#include "ui/pages/data/report/length_histogram.h"
#include "ui/pages/data/rows/rows_table.h"
#include "ui/pages/data/sources/columns_panel.h"
#include "ui/pages/data/sources/datasets_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <fstream>

using namespace roundpipe;
using session::WorkbenchState;
using testing::buttonOf;
using testing::shows;
using ui::pages::DataPage;
using ui::pages::PageStatus;
using ui::pages::RowsModel;
using ui::pages::RowsTable;

namespace {

std::string chat(const std::string& question, const std::string& answer) {
    const std::string user = R"({"messages":[{"role":"user","content":")" + question;
    return user + R"("},{"role":"assistant","content":")" + answer + "\"}]}\n";
}

} // namespace

class TestDataPage : public QObject {
    Q_OBJECT

private:
    // A page on show, with the demo's model.
    struct Shown {
        explicit Shown(bool hasModel = true) {
            if (hasModel)
                test.document.change(QStringLiteral("model"), [](session::RunSpec& spec) {
                    spec.model.path = (testing::sourceFolder() / "resources" / "demo" / "model").string();
                    spec.data.cache = false;
                    spec.data.validationFraction = 0;
                });
            page = std::make_unique<DataPage>(test.services());
            page->resize(1072, 740);
            page->show();
        }
        std::string write(const char* name, const std::string& content) {
            const auto path = test.home.path() / name;
            std::filesystem::create_directories(path.parent_path());
            std::ofstream(path, std::ios::binary) << content;
            return path.string();
        }
        void use(const std::vector<std::string>& files) { test.document.set(session::fieldByKey("data.files"), files); }
        bool becomes(WorkbenchState state) {
            return QTest::qWaitFor(
                [&] { return test.workbench.status().state == state && page->status().text != tr("opening…"); },
                20'000);
        }
        bool isReady() {
            return QTest::qWaitFor(
                [&] {
                    return test.workbench.status().state == WorkbenchState::kReady &&
                           page->status().mark == PageStatus::Mark::kDone;
                },
                20'000);
        }
        static QString tr(const char* text) { return QString::fromUtf8(text); }
        RowsTable& table() { return *page->findChild<RowsTable*>(); }
        ui::pages::LensPanel& lens() { return *page->findChild<ui::pages::LensPanel*>(); }
        ui::pages::LengthHistogram& lengths() { return *page->findChild<ui::pages::LengthHistogram*>(); }
        QString cell(int row, RowsModel::Column column) {
            return table().model()->index(row, column).data().toString();
        }
        QString remark(int row) {
            return table().model()->index(row, RowsModel::kText).data(RowsModel::kRemarkRole).toString();
        }
        bool cellBecomes(int row, RowsModel::Column column, const char* text) {
            return QTest::qWaitFor([&] { return cell(row, column) == QString::fromUtf8(text); }, 10'000);
        }

        testing::TestServices test;
        std::unique_ptr<DataPage> page;
    };

private slots:
    // What was a setting of files and options only has its place beside the columns.
    void hasPlacesForWhatADatasetSaysOfItsRows() {
        Shown shown;
        shown.use({shown.write("a.csv", "instruction;output\n1+1;2\n")});
        QVERIFY(shown.isReady());
        shown.page->showField(QStringLiteral("data.prompt_template"));
        const auto inputOf = [&](const char* key) -> QLineEdit* {
            for (auto* row : shown.page->findChildren<ui::editors::FieldRow*>())
                if (row->field().key == key && row->isVisible()) return row->findChild<QLineEdit*>();
            return nullptr;
        };
        for (const char* key : {"data.system_prompt", "data.delimiter"})
            QVERIFY2(inputOf(key) != nullptr, key); // of a table
        QTest::keyClicks(inputOf("data.prompt_template"), QStringLiteral("What is {instruction}?"));
        QTest::keyClick(inputOf("data.prompt_template"), Qt::Key_Return);
        QCOMPARE(shown.test.document.spec().data.datasets.front().promptTemplate,
                 std::string("What is {instruction}?"));
        shown.use({shown.write("a.jsonl", chat("Hi", "Hello"))});
        QVERIFY(shown.isReady());
        QTRY_VERIFY(inputOf("data.delimiter") == nullptr);
        QVERIFY(inputOf("data.prompt_template") != nullptr); // what is set stays on show
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

    void saysWhatIsNotUsed() {
        Shown shown;
        shown.write("set/README.md", "about it");
        shown.write("set/train.jsonl", "{\"prompt\":\"One\",\"completion\":\"1\"}\n");
        shown.write("set/validation.jsonl", "{\"prompt\":\"Two\",\"completion\":\"2\"}\n");
        shown.use({(shown.test.home.path() / "set").string()});
        QVERIFY(shown.isReady());
        QCOMPARE(shown.page->status().text, QStringLiteral("1 rows")); // to train on
        QTRY_VERIFY_WITH_TIMEOUT(shows(*shown.page, "Not used in 2 row(s)"), 10'000);
        const auto labels = shown.page->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) { // which is too long for its line
            return (label->text() + label->toolTip())
                .contains(QStringLiteral("data.columns to 'instruction=prompt,output=completion'"));
        }));
        QVERIFY(shows(*shown.page, "1 file(s) not used"));
        QVERIFY(shows(*shown.page, "README.md is a text beside files with rows"));
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

    void mapsColumnsByChoosing() {
        Shown shown;
        shown.use({shown.write("a.csv", "Frage,Antwort\nWarum?,Darum.\n")});
        auto* panel = shown.page->findChild<ui::pages::ColumnsPanel*>();
        QVERIFY(QTest::qWaitFor([&] { return panel->isVisible(); }, 10'000)); // in place of the lens, by itself
        auto* format = panel->findChildren<QComboBox*>().at(0);
        format->setCurrentIndex(format->findData(QStringLiteral("alpaca")));
        emit format->activated(format->currentIndex());
        const auto choose = [&](const char* field, const char* column) {
            const auto input = [&]() -> QComboBox* {
                for (auto* combo : panel->findChildren<QComboBox*>())
                    if (combo->accessibleName().endsWith(QLatin1String(field))) return combo;
                return nullptr;
            };
            QVERIFY(QTest::qWaitFor([&] { return input() != nullptr; }, 10'000));
            input()->setCurrentText(QString::fromUtf8(column));
            emit input()->activated(input()->currentIndex());
            QTest::qWait(400); // the files are looked at again
        };
        QVERIFY(QTest::qWaitFor([&] { return panel->findChildren<QComboBox*>().size() > 3; }, 10'000));
        choose("instruction", "Frage");
        choose("output", "Antwort");
        QVERIFY(shown.isReady());
        QCOMPARE(shown.test.document.spec().data.datasets.front().columns,
                 (std::vector<std::string>{"instruction=Frage", "output=Antwort"}));
        QVERIFY(shown.cellBecomes(0, RowsModel::kText, "Warum?"));
    }

    void offersWhatColumnsMayBeMeantAs() {
        Shown shown;
        shown.use({shown.write("a.csv", "Frage,Antwort\nWarum?,Darum.\n")});
        const auto button = [&] {
            return buttonOf(*shown.page, "Read instruction from “Frage”, output from “Antwort”");
        };
        QVERIFY(QTest::qWaitFor([&] { return button() != nullptr; }, 10'000));
        QVERIFY(!shows(*shown.page->findChild<ui::pages::ColumnsPanel*>(), "--columns"));
        button()->click();
        QVERIFY(shown.isReady());
        QCOMPARE(shown.test.document.spec().data.datasets.front().columns,
                 (std::vector<std::string>{"instruction=Frage", "output=Antwort"}));
        QVERIFY(button() == nullptr);
        buttonOf(*shown.page, "Token lens")->click();
        QVERIFY(shown.lens().isVisible());
    }

    // Tab goes on from the input in which a column was chosen, though all are made anew.
    void theInputThatWasChosenInKeepsTheFocus() {
        Shown shown;
        shown.use({shown.write("a.csv", "Frage,Antwort,Nummer\nWarum?,Darum.,1\n")});
        auto* panel = shown.page->findChild<ui::pages::ColumnsPanel*>();
        const auto input = [&](const char* field) -> QComboBox* {
            for (auto* combo : panel->findChildren<QComboBox*>())
                if (combo->accessibleName().endsWith(QLatin1String(field))) return combo;
            return nullptr;
        };
        QVERIFY(QTest::qWaitFor([&] { return input("instruction") != nullptr; }, 10'000));
        shown.page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(shown.page.get()));
        QComboBox* before = input("instruction");
        before->setFocus();
        before->setCurrentText(QStringLiteral("Frage"));
        emit before->activated(before->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return shows(*panel, "What is 'output' is still to be said"); }, 10'000));
        QVERIFY(input("instruction")->hasFocus());
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
        QVERIFY2(files->topLevelItem(0)->text(3).startsWith(QLatin1String("19.5 KiB")),
                 qPrintable(files->topLevelItem(0)->text(3)));
    }

    void hasAListOfDatasetsEachWithAShareOfItsOwn() {
        Shown shown;
        const std::string one = shown.write("one.jsonl", chat("Hi", "Hello") + chat("Bye", "See you")),
                          other = shown.write("other.csv", "instruction,output\nWhy?,So.\nWhen?,Now.\nWho?,We.\n");
        shown.use({one});
        session::DatasetSection another;
        another.files = {other};
        shown.test.document.change(QStringLiteral("another"),
                                   [&](session::RunSpec& spec) { spec.data.datasets.push_back(another); });
        QVERIFY(shown.isReady());
        buttonOf(*shown.page, "Datasets")->click();
        auto* panel = shown.page->findChild<ui::pages::DatasetsPanel*>();
        QVERIFY(panel->isVisible());
        auto* list = panel->findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("one.jsonl"));
        QCOMPARE(list->topLevelItem(1)->text(0), QStringLiteral("other.csv"));
        QCOMPARE(list->topLevelItem(1)->text(1), QStringLiteral("3"));
        QVERIFY(shown.cellBecomes(2, RowsModel::kText, "Why?")); // behind the rows of the first

        list->setCurrentItem(list->topLevelItem(1));
        QCOMPARE(shown.test.document.dataset(), 1u);
        const auto boxes = panel->findChildren<QComboBox*>();
        boxes[0]->setCurrentIndex(boxes[0]->findData(QStringLiteral("rows")));
        emit boxes[0]->activated(boxes[0]->currentIndex());
        const auto dataset = [&](std::size_t i) { return shown.test.document.spec().data.datasets.at(i); };
        QCOMPARE(dataset(1).share, ShareKind::kRows);
        QCOMPARE(dataset(1).shareAmount, 3.0); // as many as there are
        panel->findChildren<QDoubleSpinBox*>()[0]->setValue(12);
        QCOMPARE(dataset(1).shareAmount, 12.0);
        shown.test.document.set(session::fieldByKey("data.train_on"), std::string("all")); // as the page Settings does
        QCOMPARE(dataset(1).trainOn, TrainOn::kAll);
        QCOMPARE(dataset(0).trainOn, TrainOn::kAssistant);
        QCOMPARE(dataset(0).shareAmount, 1.0);
        QVERIFY(shows(*panel, "An epoch draws 12 times from its 3 rows"));
        panel->findChildren<QDoubleSpinBox*>()[1]->setValue(2);
        QCOMPARE(dataset(1).maxRows, int64_t{2});
        QVERIFY(QTest::qWaitFor([&] { return list->topLevelItem(1)->text(1) == QStringLiteral("2"); }, 10'000));

        // Columns and files belong to the current one.
        buttonOf(*shown.page, "Files and columns")->click();
        auto* columns = shown.page->findChild<ui::pages::ColumnsPanel*>();
        QVERIFY(!panel->isVisible() && columns->isVisible());
        QCOMPARE(columns->findChild<QTreeWidget*>()->topLevelItemCount(), 1);
        QCOMPARE(columns->findChild<QTreeWidget*>()->topLevelItem(0)->text(0), QStringLiteral("other.csv"));

        buttonOf(*shown.page, "Datasets")->click();
        for (QPushButton* button : panel->findChildren<QPushButton*>())
            if (button->accessibleName() == QStringLiteral("Remove the dataset")) button->click();
        QCOMPARE(shown.test.document.spec().data.datasets.size(), 1u);
        QCOMPARE(dataset(0).files, std::vector<std::string>{one});
        QCOMPARE(shown.test.document.dataset(), 0u);
        shown.test.document.undoStack().undo();
        QCOMPARE(shown.test.document.spec().data.datasets.size(), 2u);
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

    void listsFilesOfAFolderAndWhatIsLeftOut() {
        Shown shown;
        std::filesystem::create_directory(shown.test.home.path() / "rows");
        shown.write("rows/a.jsonl", chat("Hi", "Hello"));
        shown.write("rows/b.jsonl", chat("Bye", "See you"));
        shown.write("rows/.c.jsonl", "x");
        shown.use({(shown.test.home.path() / "rows").string()});
        QVERIFY(shown.isReady());
        QVERIFY(shows(*shown.page, "2 files"));
        QVERIFY(shows(*shown.page, "1 left out"));
        shown.page->showField(QStringLiteral("data.files"));
        QVERIFY(shown.page->findChild<ui::pages::ColumnsPanel*>()->isVisible());
    }

    void saysWhatIsWrong() {
        Shown shown;
        shown.use({"/no/such/file.jsonl"});
        QVERIFY(shown.becomes(WorkbenchState::kFailed));
        QCOMPARE(shown.page->status().mark, PageStatus::Mark::kMissing);
        QVERIFY(shown.page->missing().at(0).text.contains(QLatin1String("file.jsonl")));
        QTRY_VERIFY(shows(*shown.page, "file.jsonl"));
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

    // The folder as a whole goes only where that was said.
    void oneFileOfAFolderIsLeftOutAlone() {
        Shown shown;
        std::filesystem::create_directories(shown.test.home.path() / "rows");
        shown.write("rows/a.jsonl", chat("Hi", "Hello"));
        shown.write("rows/b.jsonl", chat("Bye", "See you"));
        const std::string folder = (shown.test.home.path() / "rows").string();
        shown.use({folder});
        QVERIFY(shown.isReady());
        const auto files = [&] { return shown.test.document.spec().data.datasets.front().files; };
        buttonOf(*shown.page, "Files and columns")->click();
        auto* tree = shown.page->findChild<ui::pages::ColumnsPanel*>()->findChild<QTreeWidget*>();
        QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, 10'000);
        const auto answer = [&](const char* words) {
            tree->setCurrentItem(tree->topLevelItem(0));
            buttonOf(*shown.page, "Remove")->click();
            auto* box = shown.page->findChild<QMessageBox*>();
            QVERIFY(box != nullptr && box->text().contains(QLatin1String("a.jsonl")));
            buttonOf(*box, words)->click();
            QTRY_VERIFY(shown.page->findChild<QMessageBox*>() == nullptr);
        };
        answer("Keep");
        QCOMPARE(files(), std::vector<std::string>{folder});
        answer("Leave out this file");
        QCOMPARE(files(), std::vector<std::string>{folder + "/b.jsonl"});
        shown.test.document.undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, 10'000);
        answer("Remove the folder");
        QCOMPARE(files(), std::vector<std::string>{});
        shown.use({folder + "/a.jsonl", folder + "/b.jsonl"}); // named one by one: nothing else goes with it
        QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, 10'000);
        tree->setCurrentItem(tree->topLevelItem(0));
        buttonOf(*shown.page, "Remove")->click();
        QCOMPARE(files(), std::vector<std::string>{folder + "/b.jsonl"});
    }

    void aFileThatCannotBeReadIsNamedAndCanBeLeftOut() {
        Shown shown;
        std::filesystem::create_directories(shown.test.home.path() / "rows");
        shown.write("rows/a.jsonl", chat("Hi", "Hello"));
        shown.write("rows/b.parquet", "this is none");
        shown.use({(shown.test.home.path() / "rows").string()});
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*shown.page, "Leave it out") != nullptr, 20'000);
        QVERIFY(shows(*shown.page, "b.parquet"));
        buttonOf(*shown.page, "Leave it out")->click();
        QVERIFY(shown.isReady());
        QCOMPARE(shown.page->status().text, QStringLiteral("1 rows"));
        QVERIFY(buttonOf(*shown.page, "Leave it out") == nullptr);
    }
};

QTEST_MAIN(TestDataPage)
#include "tst_data_page.moc"
