// SPDX-License-Identifier: GPL-3.0-or-later
// The playground. Asking: one answer, two beside each other, their tokens, long ones.
#include "runs/conversation_files.h"
#include "shown_playground.h"
#include "ui/pages/playground/token_paper.h"

#include <QAbstractSpinBox>
#include <QElapsedTimer>
#include <QSlider>

using namespace roundpipe;
using namespace roundpipe::ui;
using testing::named;
using Shown = testing::ShownPlayground;
using State = bridge::ChatController::State;

class TestPlaygroundAnswers : public QObject {
    Q_OBJECT

    testing::TemporaryFolder m_home;

private slots:
    void initTestCase() { qputenv("XDG_DATA_HOME", QByteArray::fromStdString((m_home.path() / "data").string())); }

    // Talking ---------------------------------------------------------------------------------------------------------

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
        QVERIFY(testing::shows(*shown.page, "4 token(s) · 18.8 tokens/s · first after 0.42\u00a0s · ended by itself"));
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

    // Side by side ----------------------------------------------------------------------------------------------------

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

    // Tokens ----------------------------------------------------------------------------------------------------------

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

    // Long answers ----------------------------------------------------------------------------------------------------

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
};

QTEST_MAIN(TestPlaygroundAnswers)
#include "tst_playground_answers.moc"
