// SPDX-License-Identifier: GPL-3.0-or-later
// The playground, over runs as they leave them and a model that says what the test has it say.
#include "made_runs.h"
#include "runs/conversation_files.h"
#include "shown_chat.h"
#include "ui/editors/number_box.h"
#include "ui/pages/playground/adapter_card.h"
#include "ui/pages/playground/answer_settings.h"
#include "ui/pages/playground/kept_list.h"
#include "ui/pages/playground/load_card.h"
#include "ui/pages/playground/message_view.h"
#include "ui/pages/playground/playground_page.h"
#include "ui/pages/playground/token_paper.h"
#include "ui/pages/playground/tokens_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTest>

#include <semaphore>

using namespace roundpipe;
using namespace roundpipe::ui;

namespace {

namespace fs = std::filesystem;
using State = bridge::ChatController::State;

template <class Widget>
Widget* named(const QWidget& page, const char* name) {
    for (auto* widget : page.findChildren<Widget*>())
        if (widget->accessibleName() == QLatin1String(name)) return widget;
    return nullptr;
}

// The page over a run "Polly", whose adapter and checkpoint can be loaded.
struct Shown {
    testing::TestServices test;
    std::shared_ptr<testing::ChatScript> script = std::make_shared<testing::ChatScript>();
    fs::path run = fs::canonical(test.home.path()) / "runs" / "polly";
    std::unique_ptr<pages::PlaygroundPage> page;

    explicit Shown(bool hasEngine = true) {
        runs::makeRun(run, {.name = "Polly", .startedAt = 3'000});
        session::RunSpec spec = runs::specOf(run);
        spec.model.path = (testing::sourceFolder() / "resources" / "demo" / "model").string();
        writeFileAtomically(runs::RunFiles{run}.spec(), session::toJson(spec));
        for (const fs::path& folder : {run / "adapter", run / "checkpoints" / "last"})
            writeFileAtomically(folder / "adapter_config.json", "{}");
        if (hasEngine) test.chat.setOpener(testing::openerOf(script));
        page = std::make_unique<pages::PlaygroundPage>(test.services());
        page->resize(1080, 720);
        page->show();
        if (hasEngine && !QTest::qWaitFor([&] { return load() != nullptr && load()->isEnabled(); }))
            qFatal("nothing can be loaded");
    }
    QPushButton* load() const { return testing::buttonOf(*page, "Load"); }
    void loadNow() {
        load()->click();
        if (!QTest::qWaitFor([&] { return test.chat.state() == State::kReady; })) qFatal("nothing was loaded");
    }
    QPlainTextEdit* field() const { return named<QPlainTextEdit>(*page, "Question"); }
    void type(const char* words) {
        field()->setFocus();
        field()->setPlainText(QString::fromUtf8(words));
    }
    void ask(const char* words) {
        type(words);
        QTest::keyClick(field(), Qt::Key_Return);
        QTRY_COMPARE(test.chat.state(), State::kReady);
    }
    // What stands in the columns, question by answer.
    QStringList said() const {
        QStringList texts;
        for (const auto* text : page->findChildren<pages::MessageText*>())
            if (text->isVisibleTo(page.get())) texts.append(text->toPlainText());
        return texts;
    }
    const session::ChatConversation& conversation() const { return page->dialogue().conversation(); }
};

} // namespace

class TestPlaygroundPage : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;

private slots:
    void initTestCase() { qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_home.path() / "data").string())); }

    // Loading --------------------------------------------------------------------------------------------------------

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
        QTRY_VERIFY(testing::shows(*shown.page, "reading weights: 3.2 GiB of 15.3 GiB"));
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

    // A run that trains
    // ------------------------------------------------------------------------------------------------

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

    // Talking
    // ------------------------------------------------------------------------------------------------------------

    void anAnswerComesWordByWordAndCanBeStopped() {
        Shown shown;
        shown.loadNow();
        shown.script->say("one two three four");
        shown.script->mostTokens = 2;
        shown.type("Count!");
        QTest::keyClick(shown.field(), Qt::Key_Return);
        QTRY_COMPARE(shown.said(), QStringList({"Count!", "one two"}));
        QTRY_VERIFY(testing::shows(*shown.page, "2 token(s)"));
        QVERIFY(testing::buttonOf(*shown.page, "Ask") == nullptr);
        shown.type("typed meanwhile");
        QTest::keyClick(shown.field(), Qt::Key_Return); // not before the answer has ended
        QCOMPARE(shown.said().size(), 2);
        QTest::keyClick(shown.field(), Qt::Key_Escape);
        QTRY_COMPARE(shown.test.chat.state(), State::kReady);
        QVERIFY(shown.said().back().startsWith(QLatin1String("one two")));
        QVERIFY(testing::shows(*shown.page, "stopped"));
        QCOMPARE(shown.field()->toPlainText(), QLatin1String("typed meanwhile"));
        QCOMPARE(shown.conversation().messages.back().role, std::string("assistant"));
    }

    void figuresOfAnAnswerStandBelowIt() {
        Shown shown;
        shown.loadNow();
        shown.ask("Who are you?");
        QVERIFY(testing::shows(*shown.page, "4 token(s) · 18.8 tokens/s · first after 0.42 s · ended by itself"));
    }

    void shiftReturnBeginsALine() {
        Shown shown;
        shown.loadNow();
        const int low = shown.field()->height();
        QTest::keyClicks(shown.field(), QStringLiteral("a"));
        QTest::keyClick(shown.field(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(shown.field(), QStringLiteral("b"));
        QCOMPARE(shown.field()->toPlainText(), QLatin1String("a\nb"));
        QVERIFY(shown.field()->height() > low);
        QVERIFY(shown.script->asked().empty());
    }

    void theSameIsAskedAgainWithTheNextSeed() {
        Shown shown;
        shown.loadNow();
        shown.ask("Who are you?");
        shown.script->say("Another answer.");
        testing::buttonOf(*shown.page, "Ask again")->click();
        QTRY_COMPARE(shown.said(), QStringList({"Who are you?", "Another answer."}));
        QCOMPARE(shown.conversation().messages.size(), 2U);
        QCOMPARE(shown.script->asked().back().sampling.seed, 0U); // the likeliest has no draws
        auto* temperature = named<QAbstractSpinBox>(*shown.page, "Temperature");
        temperature->setFocus();
        temperature->selectAll();
        QTest::keyClicks(temperature, QStringLiteral("0.8"));
        testing::buttonOf(*shown.page, "Ask again")->click();
        QTRY_COMPARE(shown.script->asked().back().sampling.seed, 1U);
        QCOMPARE(shown.script->asked().back().sampling.temperature, 0.8);
    }

    void anEarlierQuestionIsEditedAndWhatFollowedIsForgotten() {
        Shown shown;
        shown.loadNow();
        shown.ask("first");
        shown.ask("second");
        testing::buttonOf(*shown.page, "Edit")->click(); // of the first
        QCOMPARE(shown.field()->toPlainText(), QLatin1String("first"));
        QVERIFY(testing::shows(*shown.page, "In place of an earlier question"));
        testing::buttonOf(*shown.page, "Leave it as it was")->click();
        QCOMPARE(shown.conversation().messages.size(), 4U);
        testing::buttonOf(*shown.page, "Edit")->click();
        shown.ask("otherwise");
        QTRY_COMPARE(shown.said(), QStringList({"otherwise", "Polly wants a cracker."}));
        QCOMPARE(shown.script->asked().back().messages.size(), 1U);
    }

    void anErrorIsSaidInThePageAndTheQuestionComesBack() {
        Shown shown;
        shown.loadNow();
        shown.ask("first");
        shown.script->failNext(invalidInput("The conversation has 9,000 tokens.", "Shorten it."));
        shown.ask("too long");
        QVERIFY(testing::shows(*shown.page, "The conversation has 9,000 tokens. Shorten it."));
        QCOMPARE(shown.field()->toPlainText(), QLatin1String("too long"));
        QCOMPARE(shown.said(), QStringList({"first", "Polly wants a cracker."}));
        shown.ask("short");
        QCOMPARE(shown.conversation().messages.size(), 4U);
    }

    void systemMessageAndStopTextsAreAskedWith() {
        Shown shown;
        shown.loadNow();
        named<QPlainTextEdit>(*shown.page, "System message")->setPlainText(QStringLiteral("Be brief."));
        named<QPlainTextEdit>(*shown.page, "Stop texts")->setPlainText(QStringLiteral("\\nUser:\nEND"));
        shown.ask("Hi");
        const session::ChatQuestion asked = shown.script->asked().back();
        QCOMPARE(asked.messages.front().role, std::string("system"));
        QCOMPARE(asked.sampling.stops, (std::vector<std::string>{"\nUser:", "END"}));
    }

    void aNumberThatIsNotAllowedIsSaidAndNotTaken() {
        Shown shown;
        shown.loadNow();
        auto* topP = named<QAbstractSpinBox>(*shown.page, "Top-p");
        topP->setFocus();
        topP->selectAll();
        QTest::keyClicks(topP, QStringLiteral("2"));
        QVERIFY(testing::shows(*shown.page, "It is a number from 0 to 1."));
        QCOMPARE(shown.conversation().sampling.topP, 1.0);
    }

    // Side by side
    // -----------------------------------------------------------------------------------------------------

    void baseAndTunedAnswerBesideEachOtherInOneLoad() {
        Shown shown;
        shown.loadNow();
        testing::buttonOf(*shown.page, "Side by side")->click();
        shown.ask("Who are you?");
        QCOMPARE(shown.said(),
                 QStringList({"Who are you?", "I am a language model.", "Who are you?", "Polly wants a cracker."}));
        QCOMPARE(shown.script->numLoaded.load(), 1);
        const std::vector<session::ChatQuestion> asked = shown.script->asked();
        QCOMPARE(asked[0].adapters[0].weight, 0.0);
        QCOMPARE(asked[1].adapters[0].weight, 1.0);
        testing::buttonOf(*shown.page, "One")->click();
        QTRY_COMPARE(shown.said(), QStringList({"Who are you?", "Polly wants a cracker."}));
        QVERIFY(testing::shows(*shown.page, "ended by itself")); // its figures moved with it
    }

    void stoppingWhileTheBaseAnswersLeavesBothInStep() {
        Shown shown;
        shown.loadNow();
        testing::buttonOf(*shown.page, "Side by side")->click();
        shown.script->mostTokens = 1;
        shown.type("Hi");
        QTest::keyClick(shown.field(), Qt::Key_Return);
        QTRY_COMPARE(shown.said().size(), 3); // the tuned side's turn has not come
        testing::buttonOf(*shown.page, "Stop")->click();
        QTRY_COMPARE(shown.test.chat.state(), State::kReady);
        QCOMPARE(shown.conversation().messages.size(), 2U);
        QCOMPARE(shown.conversation().baseMessages->size(), 2U);
        shown.script->mostTokens = 100;
        shown.ask("Again");
        QCOMPARE(shown.conversation().messages.size(), 4U);
    }

    void theStrengthIsTurnedByKeysAndSlider() {
        Shown shown;
        shown.loadNow();
        QTest::keyClick(shown.page.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(shown.conversation().strength, 0.95);
        QVERIFY(testing::shows(*shown.page, "strength 0.95"));
        named<QSlider>(*shown.page, "Strength of the adapters")->setValue(0);
        shown.ask("Who are you?");
        QCOMPARE(shown.said().back(), QLatin1String("I am a language model."));
    }

    // Tokens
    // -----------------------------------------------------------------------------------------------------------

    void tokensOfPromptAndAnswerAreShownWithWhatElseThereWas() {
        Shown shown;
        shown.loadNow();
        shown.ask("Who are you?");
        testing::buttonOf(*shown.page, "Tokens")->click();
        auto* given = named<pages::TokenPaper>(*shown.page, "Tokens that the model was given");
        auto* chosen = named<pages::TokenPaper>(*shown.page, "Tokens that the model chose");
        QCOMPARE(given->toPlainText(), QString::fromUtf8("<|im_start|>user⏎\nWho are you?<|im_end|>⏎\n"));
        QCOMPARE(chosen->toPlainText(), QLatin1String("Polly wants a cracker."));
        QVERIFY(chosen->isVisible());
        chosen->setFocus();
        QTest::keyClick(chosen, Qt::Key_Right);
        QTest::keyClick(chosen, Qt::Key_Right);
        QCOMPARE(chosen->current(), 1);
        QVERIFY(testing::shows(*shown.page, "“ wants” · 71.0 % · id 101\ninstead “ bird” · 14.5 %"));
        testing::buttonOf(*shown.page, "Given")->click();
        QVERIFY(given->isVisible());
        QVERIFY(testing::shows(*shown.page, "8 token(s), marks of the template included"));
    }

    void surenessHasLinesBesideColours() {
        const theme::Theme& theme = theme::lightTheme();
        QCOMPARE(pages::surenessOf(std::log(0.95)), pages::Sureness::kSure);
        QCOMPARE(pages::surenessOf(std::log(0.05)), pages::Sureness::kRare);
        using pages::TokenPaper;
        const auto lineOf = [&](pages::Sureness of) { return TokenPaper::formatOf(of, theme).underlineStyle(); };
        QVERIFY(lineOf(pages::Sureness::kUnsure) != lineOf(pages::Sureness::kLikely));
        QVERIFY(lineOf(pages::Sureness::kRare) != lineOf(pages::Sureness::kUnsure));
    }

    // What is kept
    // -----------------------------------------------------------------------------------------------------

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

    // Rows
    // -------------------------------------------------------------------------------------------------------------

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

    // Long answers
    // -----------------------------------------------------------------------------------------------------

    void aLongAnswerHoldsTheWindowForLessThanATenthOfASecond_data() {
        QTest::addColumn<bool>("hasLines");
        QTest::newRow("in lines") << true;
        QTest::newRow("in one line") << false;
    }
    void aLongAnswerHoldsTheWindowForLessThanATenthOfASecond() {
        QFETCH(bool, hasLines);
        Shown shown;
        shown.loadNow();
        std::string text;
        for (int word = 0; word < 12'000; ++word)
            text += (word > 0 ? " word" : "word") + std::to_string(word) + (hasLines && word % 20 == 19 ? "\n" : "");
        shown.script->say(text);
        auto* most = named<QAbstractSpinBox>(*shown.page, "Tokens at most");
        most->setFocus();
        most->selectAll();
        QTest::keyClicks(most, QStringLiteral("20000"));
        shown.type("Go on");
        QTest::keyClick(shown.field(), Qt::Key_Return);
        qint64 longest = 0;
        QElapsedTimer turn;
        QElapsedTimer whole;
        whole.start();
        while ((shown.test.chat.state() != State::kReady ||
                shown.conversation().messages.back().content.size() != text.size()) &&
               !whole.hasExpired(60'000)) {
            turn.start();
            QCoreApplication::processEvents();
            longest = std::max(longest, turn.elapsed());
        }
        QTRY_COMPARE_WITH_TIMEOUT(shown.said().back().size(), static_cast<qsizetype>(text.size()), 20'000);
        qInfo("longest turn of the loop: %lld ms", longest);
        if (qEnvironmentVariableIsSet("ROUNDPIPE_QUIET_MACHINE")) QVERIFY(longest < 100);
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
