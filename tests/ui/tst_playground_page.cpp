// SPDX-License-Identifier: GPL-3.0-or-later
// The playground. Loading, runs beside it, what is kept and rows that are made.
#include "runs/conversation_files.h"
#include "shown_playground.h"
#include "ui/editors/number_box.h"
#include "ui/pages/playground/kept_list.h"
#include "ui/pages/playground/load_card.h"

#include <QComboBox>
#include <QListWidget>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTabWidget>

#include <semaphore>

using namespace roundpipe;
using namespace roundpipe::ui;
using testing::named;
using Shown = testing::ShownPlayground;
using State = bridge::ChatController::State;
namespace fs = std::filesystem;

class TestPlaygroundPage : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;

private slots:
    void initTestCase() { qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_home.path() / "data").string())); }

    // Loading ---------------------------------------------------------------------------------------------------------

    void saysWhyNothingCanBeAskedYet() {
        const Shown shown(false);
        QVERIFY(testing::shows(*shown.page, "The engine answers, and it is not loaded yet."));
        QVERIFY(!shown.load()->isEnabled());
    }

    // Where there is no run and no model the box says so, and is not just empty.
    void whereNothingCanAnswerTheBoxSaysWhatToDo() {
        testing::TestServices test;
        pages::PlaygroundPage page(test.services());
        page.show();
        auto* box = named<QComboBox>(page, "Who answers");
        QCOMPARE(box->currentIndex(), -1);
        QVERIFY(box->placeholderText().contains(QLatin1String("choose a folder")));
    }

    void offersWhatRunsHaveLeftTheProjectsOwnFirst() {
        Shown shown;
        auto* box = named<QComboBox>(*shown.page, "Who answers");
        QCOMPARE(box->itemText(0), QString::fromUtf8("Polly · result, step 4"));
        QCOMPARE(box->itemText(1), QString::fromUtf8("Polly · last checkpoint, step 3"));
        QCOMPARE(box->itemText(2), QString::fromUtf8("An adapter in another folder…"));
        QCOMPARE(box->currentIndex(), 0);
        const fs::path other = shown.run.parent_path() / "other";
        fs::copy(shown.run, other, fs::copy_options::recursive);
        session::RunSpec spec = runs::specOf(other);
        spec.name = "Other";
        writeFileAtomically(runs::RunFiles{other}.spec(), session::toJson(spec));
        emit shown.test.runLibrary.runOfProjectFound(QString::fromStdString(other.string()));
        QTRY_COMPARE(box->itemText(0), QString::fromUtf8("Other · result, step 4"));
        QCOMPARE(box->currentIndex(), 0);
        QTRY_VERIFY(testing::shows(*shown.page, "of memory: the processor"));
    }

    // It turns all of a text by the room that there is, and a conversation is seldom long.
    void longropeIsGivenItsOriginalLengthUnlessSomebodySaysOtherwise() {
        Shown shown;
        const fs::path model = shown.test.home.path() / "longrope";
        fs::copy(testing::sourceFolder() / "resources" / "demo" / "model", model, fs::copy_options::recursive);
        const QByteArray factors = '[' + QByteArray("1,").repeated(31) + "1]";
        const QByteArray scaling = R"("rope_scaling": {"type": "longrope", "short_factor": )" + factors +
                                   R"(, "long_factor": )" + factors + R"(}, "original_max_position_embeddings": 64,)";
        std::string config = readTextFile(model / "config.json");
        config.replace(config.find("\"rope_scaling\": null,"), 21, scaling.toStdString());
        writeFileAtomically(model / "config.json", config);
        auto* room = named<editors::NumberBox>(*shown.page, "Room for a conversation, in tokens");
        QCOMPARE(room->value(), 8192.0);
        shown.test.document.set(session::fieldByKey("model.path"), model.string());
        auto* box = named<QComboBox>(*shown.page, "Who answers");
        QTRY_VERIFY(box->findText(QStringLiteral("longrope as it came")) >= 0);
        const auto choose = [&](int index) {
            box->setCurrentIndex(index);
            emit box->activated(index);
        };
        choose(box->findText(QStringLiteral("longrope as it came")));
        QTRY_COMPARE(room->value(), 64.0);
        choose(0);
        QTRY_COMPARE(room->value(), 8192.0);
        room->setFocus();
        room->selectAll();
        QTest::keyClicks(room, QStringLiteral("512\t"));
        choose(box->findText(QStringLiteral("longrope as it came")));
        QTRY_VERIFY(!testing::shows(*shown.page, "–"));
        QCOMPARE(room->value(), 512.0);
    }

    // Its questions wait in the library's thread meanwhile.
    void aWindowThatIsClosedIsToldNothingMore() {
        testing::TestServices test;
        std::binary_semaphore mayGo{0};
        test.runLibrary.perform([&](runs::RunLibrary&) { mayGo.acquire(); });
        auto card = std::make_unique<pages::LoadCard>(test.services());
        card->setRunOfProject(m_home.path() / "none");
        card.reset();
        mayGo.release();
        bool isDone = false;
        test.runLibrary.perform([](runs::RunLibrary&) {}, *this, [&] { isDone = true; });
        QTRY_VERIFY(isDone); // and whoever asked before is not called back
    }

    void loadsWithProgressAndSaysWhatWasLoaded() {
        Shown shown;
        shown.script->holdsLoading = true;
        shown.load()->click();
        QTRY_VERIFY(testing::shows(*shown.page, "reading weights: 3.2\u00a0GiB of 15.3\u00a0GiB"));
        QVERIFY(shown.load() == nullptr);
        QCOMPARE(shown.page->status().mark, pages::PageStatus::Mark::kRunning);
        shown.script->holdsLoading = false;
        QTRY_COMPARE(shown.test.chat.state(), State::kReady);
        const session::ChatSetup& setup = shown.test.chat.setup();
        QCOMPARE(setup.adapters.size(), 1U);
        QCOMPARE(setup.adapters[0].name, std::string("polly"));
        QCOMPARE(fs::path(setup.adapters[0].folder), shown.run / "adapter");
        QCOMPARE(setup.contextTokens, 8192);
        QVERIFY(testing::shows(*shown.page, "room for 8,192 tokens"));
        QVERIFY(shown.field()->hasFocus());
    }

    void loadingIsGivenUp() {
        Shown shown;
        shown.script->holdsLoading = true;
        shown.load()->click();
        QTRY_VERIFY(testing::buttonOf(*shown.page, "Cancel") != nullptr);
        testing::buttonOf(*shown.page, "Cancel")->click();
        QTRY_COMPARE(shown.test.chat.state(), State::kNone);
        QVERIFY(shown.load()->isEnabled());
        QCOMPARE(shown.script->numLoaded.load(), 0);
    }

    void anAdapterOfAnotherModelIsRefusedInThePage() {
        Shown shown;
        shown.script->failNext(
            invalidInput("Adapter 'polly': it was trained on other weights.", "Choose the model it came from."));
        shown.load()->click();
        QTRY_VERIFY(testing::shows(*shown.page, "Adapter 'polly': it was trained on other weights. Choose the model"));
        QVERIFY(shown.load()->isEnabled());
        shown.loadNow();
        QVERIFY(!testing::shows(*shown.page, "other weights"));
    }

    void severalAdaptersAreLoadedAndWeighed() {
        Shown shown;
        testing::buttonOf(*shown.page, "Another adapter beside it…")->click();
        auto* second = named<QComboBox>(*shown.page, "Another adapter");
        second->setCurrentIndex(1);
        emit second->activated(1);
        shown.loadNow();
        QCOMPARE(shown.test.chat.about().adapters, (std::vector<std::string>{"polly", "polly-last"}));
        auto* weight = named<QAbstractSpinBox>(*shown.page, "Weight of polly-last");
        QVERIFY(weight != nullptr);
        weight->setFocus();
        weight->selectAll();
        QTest::keyClicks(weight, QStringLiteral("0.5"));
        shown.ask("Hi");
        const session::ChatQuestion asked = shown.script->asked().back();
        QCOMPARE(asked.adapters[1].weight, 0.5);
    }

    // A run that trains -----------------------------------------------------------------------------------------------

    void waitsForARunAndOffersToPauseIt() {
        Shown shown;
        const testing::DemoProject project(1000);
        shown.test.useSimulatedEngine(5);
        shown.test.run.start({project.spec(), {}});
        QTRY_VERIFY(testing::shows(*shown.page, "A run is under way"));
        QVERIFY(!shown.load()->isEnabled());
        QTRY_VERIFY(shown.test.run.snapshot().step > 0);
        testing::buttonOf(*shown.page, "Pause the run")->click();
        QTRY_VERIFY(shown.test.run.snapshot().isPaused);
        QTRY_VERIFY(shown.load()->isEnabled());
        shown.loadNow();
        shown.ask("Who are you?");
        QSignalSpy noticed(shown.page.get(), &pages::Page::noticed);
        shown.test.run.resume();
        QTRY_COMPARE(shown.test.chat.state(), State::kNone);
        QVERIFY(noticed[0][0].toString().contains(QLatin1String("The run goes on")));
        QVERIFY(testing::shows(*shown.page, "A run is under way"));
        shown.test.run.stop();
        QTRY_VERIFY(!shown.test.run.isRunning());
    }

    void aModelLeavesBeforeARunStarts() {
        Shown shown;
        shown.loadNow();
        bool hasStarted = false;
        bridge::ChatController& chat = shown.test.chat;
        chat.freeThen([&hasStarted, &chat] { hasStarted = chat.state() == State::kNone; });
        QVERIFY(!hasStarted);
        QTRY_VERIFY(hasStarted);
    }

    // What is kept ----------------------------------------------------------------------------------------------------

    void conversationsAreKeptAsTheCommandLineKeepsThem() {
        Shown shown;
        shown.loadNow();
        shown.ask("Who are you?");
        const fs::path file = shown.run / "conversations" / "Who are you.json";
        QTRY_VERIFY(fs::exists(file));
        const session::ChatConversation kept = session::conversationIn(readTextFile(file));
        QCOMPARE(kept.messages.back().content, std::string("Polly wants a cracker."));
        QCOMPARE(kept.adapters.front().name, std::string("polly"));
        shown.ask("And now?");
        QTRY_COMPARE(session::conversationIn(readTextFile(file)).messages.size(), 4U); // the same file
        testing::buttonOf(*shown.page, "New conversation")->click();
        QCOMPARE(shown.said(), QStringList());
        shown.ask("Who are you?");
        QTRY_VERIFY(fs::exists(shown.run / "conversations" / "Who are you 2.json"));
    }

    void aKeptOneIsOpenedRenamedAndDeleted() {
        Shown shown;
        shown.loadNow();
        session::ChatConversation other;
        other.model = "m";
        other.adapters = {{"polly", 0.5}};
        other.sampling.temperature = 0.3;
        other.messages = {{"user", "asked in a terminal"}, {"assistant", "and answered"}};
        const fs::path folder = shown.run / "conversations";
        const fs::path terminal = folder / (std::string(120, 't') + ".json"); // longer than its list is wide
        runs::keepConversation(terminal, session::conversationJson(other));
        shown.page->findChild<pages::KeptList*>()->refresh();
        auto* list = named<QListWidget>(*shown.page, "Conversations");
        QTRY_COMPARE(list->count(), 1);
        shown.page->findChild<QTabWidget*>()->setCurrentIndex(2);
        QVERIFY(list->visualItemRect(list->item(0)).width() <= list->viewport()->width()); // what is longer is elided
        list->setCurrentRow(0);
        emit list->itemActivated(list->item(0));
        QTRY_COMPARE(shown.said(), QStringList({"asked in a terminal", "and answered"}));
        QCOMPARE(shown.conversation().sampling.temperature, 0.3);
        QCOMPARE(shown.conversation().adapters.front().weight, 0.5);
        list->item(0)->setText(QStringLiteral("mine"));
        QTRY_VERIFY(fs::exists(folder / "mine.json"));
        QTRY_COMPARE(list->item(0)->text(), QLatin1String("mine"));
        shown.ask("more");
        QTRY_COMPARE(session::conversationIn(readTextFile(folder / "mine.json")).messages.size(), 4U);
        QVERIFY(!fs::exists(terminal));
        list->setCurrentRow(0);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Delete);
        QTRY_VERIFY(shown.page->findChild<QMessageBox*>() != nullptr);
        for (auto* button : shown.page->findChild<QMessageBox*>()->findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Delete")) button->click();
        QTRY_VERIFY(!fs::exists(folder / "mine.json"));
        QTRY_COMPARE(shown.said(), QStringList());
    }

    void aConversationWithAnotherAdapterIsRefusedInWords() {
        Shown shown;
        shown.loadNow();
        session::ChatConversation other;
        other.model = "m";
        other.adapters = {{"sums", 1}};
        runs::keepConversation(shown.run / "conversations" / "sums.json", session::conversationJson(other));
        emit shown.page->findChild<pages::KeptList*>()->openWanted(
            QString::fromStdString((shown.run / "conversations" / "sums.json").string()));
        QTRY_VERIFY(testing::shows(*shown.page, "with the adapter “sums”, which is not loaded"));
    }

    // Rows ------------------------------------------------------------------------------------------------------------

    void aGoodAnswerBecomesARowByOneClick() {
        Shown shown;
        QVERIFY(shown.test.document.saveTo(shown.test.home.path() / "project.json"));
        shown.loadNow();
        shown.ask("Who are you?");
        QSignalSpy noticed(shown.page.get(), &pages::Page::noticed);
        testing::buttonOf(*shown.page, "Add as a row")->click();
        QTRY_COMPARE(noticed.size(), 1);
        const fs::path file = shown.test.home.path() / "good-answers.jsonl";
        QCOMPARE(readTextFile(file), std::string(R"({"messages":[{"role":"user","content":"Who are you?"},)"
                                                 R"({"role":"assistant","content":"Polly wants a cracker."}]})"
                                                 "\n"));
        QCOMPARE(noticed[0][1].toString(), QLatin1String("Train on it"));
        noticed[0][2].value<std::function<void()>>()();
        QCOMPARE(fs::path(shown.test.document.spec().data.datasets.front().files.back()).filename(), file.filename());
    }

    void anAnswerThatWasCutOffIsARowOnlyForWhoInsists() {
        Shown shown;
        shown.test.preferences.set(QStringLiteral("playground/rows"),
                                   QString::fromStdString((shown.test.home.path() / "rows.jsonl").string()));
        shown.loadNow();
        auto* most = named<QAbstractSpinBox>(*shown.page, "Tokens at most");
        most->setFocus();
        most->selectAll();
        QTest::keyClicks(most, QStringLiteral("2"));
        shown.ask("Who are you?");
        QVERIFY(testing::shows(*shown.page, "cut off: no more tokens allowed"));
        testing::buttonOf(*shown.page, "Add as a row")->click();
        QVERIFY(testing::shows(*shown.page, "learns not to end"));
        QVERIFY(!fs::exists(shown.test.home.path() / "rows.jsonl"));
        testing::buttonOf(*shown.page, "Add it all the same")->click();
        QTRY_VERIFY(fs::exists(shown.test.home.path() / "rows.jsonl"));
        QVERIFY(!testing::shows(*shown.page, "learns not to end"));
    }

    void aFileWithOtherRowsIsRefusedInThePage() {
        Shown shown;
        const fs::path rows = shown.test.home.path() / "rows.jsonl";
        writeFileAtomically(rows, "{\"prompt\": \"a\"}\n");
        shown.test.preferences.set(QStringLiteral("playground/rows"), QString::fromStdString(rows.string()));
        shown.loadNow();
        shown.ask("Who are you?");
        testing::buttonOf(*shown.page, "Add as a row")->click();
        QTRY_VERIFY(testing::shows(*shown.page, "has rows that are not written as messages"));
    }

    void wordsFitInEveryThemeAndSize() {
        for (const theme::Choice colours : {theme::Choice::kLight, theme::Choice::kDark})
            for (const QSize size : {QSize(1040, 600), QSize(1072, 768), QSize(1712, 1048)}) {
                Shown shown;
                shown.test.themes.choose(colours);
                shown.page->resize(size);
                QTest::qWait(50);
                QCOMPARE(testing::clippedWords(*shown.page), QStringList());
                shown.loadNow();
                testing::buttonOf(*shown.page, "Side by side")->click();
                shown.ask("Who are you?");
                for (int face = 0; face < 3; ++face) {
                    shown.page->findChild<QTabWidget*>()->setCurrentIndex(face);
                    QTest::qWait(30);
                    QCOMPARE(testing::clippedWords(*shown.page), QStringList());
                }
            }
    }
};

QTEST_MAIN(TestPlaygroundPage)
#include "tst_playground_page.moc"
