// SPDX-License-Identifier: GPL-3.0-or-later
#include "shown_data_page.h"
#include "ui/editors/field_row.h"
#include "ui/pages/data/lens/lens_panel.h"
#include "ui/pages/data/rows/rows_table.h"
#include "ui/pages/data/sources/columns_panel.h"
#include "ui/pages/data/sources/datasets_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

using namespace roundpipe;
using testing::buttonOf;
using testing::chat;
using testing::shows;
using Shown = testing::ShownDataPage;
using ui::pages::RowsModel;

// The datasets of a project on their page: their files, columns and shares.
class TestDataSources : public QObject {
    Q_OBJECT

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
        shown.use({shown.write("a.csv", "Satz,Echo,Nummer\nWarum?,Darum.,1\n")}); // names that nobody knows
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
        before->setCurrentText(QStringLiteral("Satz"));
        emit before->activated(before->currentIndex());
        QVERIFY(QTest::qWaitFor([&] { return shows(*panel, "What is 'output' is still to be said"); }, 10'000));
        QVERIFY(input("instruction")->hasFocus());
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

QTEST_MAIN(TestDataSources)
#include "tst_data_sources.moc"
