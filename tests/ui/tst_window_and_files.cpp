// SPDX-License-Identifier: GPL-3.0-or-later
// What is opened, dropped and saved.
#include "foreign/foreign_run.h"
#include "main_window_parts.h"
#include "test_services.h"
#include "ui/shell/drop_frame.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>
#include <QWindow>

#include <algorithm>
#include <fstream>

using namespace roundpipe;
using testing::hasTitle;
using testing::shows;
using ui::shell::MainWindow;

class TestWindowAndFiles : public QObject {
    Q_OBJECT

private slots:
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

    void aFileIsChosenWhereTheLastOneLayAlsoAfterTheNextStart() {
        const testing::DemoProject project(5);
        const QString file = QString::fromStdString(project.runFile().string());
        const QString folder = QFileInfo(file).absolutePath();
        testing::TestServices test, next;
        QString began;
        const auto choose = [&](MainWindow& window) {
            QTimer::singleShot(0, &window, [&] {
                const auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                QVERIFY(dialog != nullptr);
                began = dialog->directory().absolutePath();
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
                dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
            });
            for (QAction* action : window.findChildren<QAction*>())
                if (action->shortcut() == QKeySequence(QKeySequence::Open)) return action->trigger();
        };
        MainWindow window(test.services());
        window.show();
        choose(window);
        QCOMPARE(began, QDir::homePath()); // not where the program was started
        QCOMPARE(test.document.name(), QStringLiteral("Test run"));
        choose(window);
        QCOMPARE(began, folder);
        window.close();
        const QString key = QStringLiteral("window/folder");
        QCOMPARE(test.preferences.value(key).toString(), folder);
        next.preferences.set(key, project.folder().parent_path().c_str());
        MainWindow later(next.services());
        later.show();
        choose(later);
        QCOMPARE(began, QFileInfo(folder).absolutePath());
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
        dialog->resize(480, 400); // why takes two lines, with air above and below
        const int twoLines = 2 * list->fontMetrics().lineSpacing();
        QTRY_VERIFY(list->visualItemRect(list->topLevelItem(0)).height() > twoLines + 8);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }
};

QTEST_MAIN(TestWindowAndFiles)
#include "tst_window_and_files.moc"
