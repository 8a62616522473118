// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts of a project: written on the page Settings, answered on the page Run.
#include "base/error.h"
#include "session/spec/no_secret.h"
#include "session/spec/prompts_file.h"
#include "test_services.h"
#include "ui/editors/prompts_editor.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/samples_pane.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/shell/main_window.h"
#include "whole_page.h"

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace roundpipe;
using ui::editors::PromptsEditor;
using Texts = std::vector<std::string>;

class TestPrompts : public QObject {
    Q_OBJECT

    // The editor alone in a window that has the focus.
    struct Editing {
        explicit Editing(Texts prompts = {}) {
            document.setPrompts(std::move(prompts));
            document.undoStack().clear();
            editor.show();
            QApplication::setActiveWindow(&editor);
        }
        QListWidget& list() { return *editor.findChild<QListWidget*>(); }
        QPlainTextEdit& text() { return *editor.findChild<QPlainTextEdit*>(); }
        void press(QWidget& widget, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
            widget.setFocus();
            QTest::keyClick(&widget, static_cast<Qt::Key>(key), modifiers);
        }

        testing::TemporaryFolder home;
        ui::document::Document document{home.path()};
        PromptsEditor editor{document};
    };

private slots:
    void areWrittenOneAfterTheOtherByKeysAlone() {
        Editing e;
        QVERIFY(!e.list().isVisible());
        e.press(*testing::buttonOf(e.editor, "Add a prompt"), Qt::Key_Space);
        QTRY_VERIFY(e.text().hasFocus());
        QCOMPARE(e.document.prompts(), Texts{}); // it has no text yet
        QTest::keyClicks(&e.text(), QStringLiteral("Who are you?"));
        QCOMPARE(e.document.prompts(), Texts{"Who are you?"});
        QCOMPARE(e.document.undoStack().count(), 1); // typing is one step
        QTest::keyClick(&e.text(), Qt::Key_Return, Qt::ControlModifier);
        QTest::keyClicks(&e.text(), QStringLiteral("And"));
        QTest::keyClick(&e.text(), Qt::Key_Return); // of several lines
        QTest::keyClicks(&e.text(), QStringLiteral("why?"));
        QCOMPARE(e.document.prompts(), (Texts{"Who are you?", "And\nwhy?"}));
        QCOMPARE(e.list().count(), 2);
        QCOMPARE(e.list().item(1)->text(), QStringLiteral("And why?"));
        QTest::keyClick(&e.text(), Qt::Key_Return); // a line that is not written
        QCOMPARE(e.document.prompts().back(), std::string("And\nwhy?"));
        e.document.undoStack().undo();
        QCOMPARE(e.document.prompts(), Texts{"Who are you?"});
        QCOMPARE(e.list().count(), 1);
        e.document.undoStack().undo();
        QVERIFY(!e.list().isVisible());
        e.document.undoStack().redo();
        QCOMPARE(e.text().toPlainText(), QStringLiteral("Who are you?"));
    }

    void ofOneWithASecretAreToldWhatARunWouldSay() {
        Editing e({"fine", "password=hunter2"});
        const auto* const problem = e.editor.findChild<QLabel*>(QStringLiteral("problem"));
        QVERIFY(!problem->isVisible());
        e.list().setCurrentRow(1);
        QVERIFY(problem->isVisible());
        e.list().setCurrentRow(0);
        QVERIFY(!problem->isVisible());
        e.text().moveCursor(QTextCursor::End);
        e.text().setFocus();
        QTest::keyClicks(&e.text(), QStringLiteral(" hf_aB3dEfGh1jKlMnOp"));
        QVERIFY(problem->isVisible());
        const QString said = problem->text();
        QCOMPARE(e.document.prompts().front(), std::string("fine hf_aB3dEfGh1jKlMnOp")); // typing goes on
        try {
            session::requireNoSecret(session::kPrompt, e.document.prompts().front());
            QFAIL("a run takes it");
        } catch (const Error& error) {
            QCOMPARE(said, QString::fromStdString(error.message() + "\n" + error.advice()));
        }
        QTest::keyClick(&e.text(), Qt::Key_Backspace);
        QVERIFY(!problem->isVisible()); // too short for one
    }

    void areMovedAndRemovedByKeys() {
        Editing e({"a", "b", "c"});
        QCOMPARE(e.text().toPlainText(), QStringLiteral("a"));
        e.press(e.list(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(e.document.prompts(), (Texts{"b", "a", "c"}));
        QCOMPARE(e.list().currentRow(), 1);
        e.press(e.text(), Qt::Key_Down, Qt::AltModifier); // from the text, too
        QCOMPARE(e.document.prompts(), (Texts{"b", "c", "a"}));
        e.press(e.list(), Qt::Key_Down, Qt::AltModifier); // it is the last one
        QCOMPARE(e.document.prompts(), (Texts{"b", "c", "a"}));
        e.press(e.list(), Qt::Key_Up, Qt::AltModifier);
        e.press(e.list(), Qt::Key_Delete);
        QCOMPARE(e.document.prompts(), (Texts{"b", "c"}));
        QCOMPARE(e.text().toPlainText(), QStringLiteral("c"));
        e.press(e.text(), Qt::Key_Delete); // belongs to the text there
        QCOMPARE(e.list().count(), 2);
        e.press(e.list(), Qt::Key_Delete);
        e.press(e.list(), Qt::Key_Delete);
        QCOMPARE(e.document.prompts(), Texts{});
        QVERIFY(testing::buttonOf(e.editor, "Add a prompt")->hasFocus());
        for (int i = 0; i < 3; ++i)
            e.document.undoStack().undo();
        QCOMPARE(e.document.prompts().size(), std::size_t{3});
    }

    void areSavedWithTheProject() {
        const testing::TemporaryFolder home;
        const std::filesystem::path file = home.path() / "project" / "run.json";
        {
            ui::document::Document document(home.path());
            document.saveTo(file);
            document.setPrompts({"Who are you?"});
        }
        QCOMPARE(session::readPrompts(file), Texts{"Who are you?"});
        session::writePrompts({}, file);
        QCOMPARE(session::readPrompts(file), Texts{});
    }

    // From the place where answers will stand to where prompts are written, and back to the answers.
    void theAnswersLeadToThem() {
        testing::TestServices test;
        const testing::DemoProject project(100'000);
        std::filesystem::remove(project.folder() / "data" / "prompts.json");
        ui::shell::MainWindow window(test.services());
        test.document.open(project.runFile());
        window.show();
        QApplication::setActiveWindow(&window);
        window.showPage(QStringLiteral("run"));
        const QWidget* answers = window.page(QStringLiteral("run"))->findChild<ui::pages::SamplesPane*>();
        QVERIFY(testing::shows(*answers, "There are no prompts"));
        QTest::mouseClick(testing::buttonOf(*answers, "Edit the prompts…"), Qt::LeftButton);
        QCOMPARE(window.currentPage(), QStringLiteral("settings"));
        auto* editor = window.page(QStringLiteral("settings"))->findChild<PromptsEditor*>();
        QVERIFY(editor->isVisible());
        QTRY_VERIFY(testing::buttonOf(*editor, "Add a prompt")->hasFocus());
        QTest::keyClick(testing::buttonOf(*editor, "Add a prompt"), Qt::Key_Return);
        QTest::keyClicks(editor->findChild<QPlainTextEdit*>(), QStringLiteral("What is red?"));
        QVERIFY(testing::shows(*answers, "What is red?"));
        test.useSimulatedEngine(5);
        window.engineLoaded(QStringLiteral("simulated engine"), true);
        test.commands.start()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(test.run.snapshot().step >= 1, 20'000);
        QCOMPARE(test.run.job().samplePrompts, Texts{"What is red?"});
        test.document.setPrompts({}); // "Sample now" has nothing to ask
        test.commands.sample()->trigger();
        QCOMPARE(window.currentPage(), QStringLiteral("settings"));
        QVERIFY(!test.run.snapshot().pending.size());
        test.document.setPrompts({"A new one?"}); // is answered although it was not there at first
        test.commands.sample()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(testing::shows(*answers, "A new one?"), 10'000);
        QVERIFY(testing::shows(*answers, "What the base model answers")); // of the first one
        test.run.stopAndDiscard();
        QTRY_VERIFY_WITH_TIMEOUT(!test.run.isRunning(), 10'000);
    }

    void areFoundAmongTheSettings() {
        testing::TestServices test;
        ui::pages::SettingsPage page(test.services());
        testing::showAllOf(page);
        const auto* editor = page.findChild<PromptsEditor*>();
        QVERIFY(editor->isVisible());
        page.find(QStringLiteral("weight decay"));
        QVERIFY(!editor->isVisible());
        page.find(QStringLiteral("sample"));
        QVERIFY(editor->isVisible());
    }

    // The editor is the last on the page, and grows by the field that one writes in.
    void anotherOnesTextComesIntoView() {
        testing::TestServices test;
        ui::pages::SettingsPage page(test.services());
        page.resize(1200, 500);
        testing::showAllOf(page);
        auto* editor = page.findChild<PromptsEditor*>();
        const auto* text = editor->findChild<QPlainTextEdit*>();
        editor->findChild<QPushButton*>()->click(); // the first: Add a prompt
        QTRY_COMPARE(text->visibleRegion().boundingRect().height(), text->height());
    }
};

QTEST_MAIN(TestPrompts)
#include "tst_prompts.moc"
