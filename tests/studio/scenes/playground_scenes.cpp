// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/playground_scenes.h"

#include "runs/conversation_files.h"
#include "runs/run_files.h"
#include "runs/stored_run.h"
#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"
#include "ui/pages/playground/ask_bar.h"
#include "ui/pages/playground/message_view.h"
#include "ui/pages/playground/talk_drawer.h"
#include "ui/pages/playground/token_paper.h"
#include "ui/shown_chat.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;
using State = ui::bridge::ChatController::State;

constexpr const char* kBaker = "A baker makes 12 trays of 8 rolls. He sells three quarters of them at $2 each. How "
                               "much does he earn?";
constexpr const char* kBase = "Let's solve this step by step.\n\n1. Total rolls: 12 × 8 = 96\n2. Three quarters of "
                              "them: 96 × 3/4 = 72\n3. At $2 each: 72 × 2 = 144\n\nAnswer: the baker earns $144.";
constexpr const char* kTuned = "The baker makes 12*8 = <<12*8=96>>96 rolls.\nHe sells 96*3/4 = <<96*3/4=72>>72 "
                               "rolls.\nHe earns 72*2 = $<<72*2=144>>144.\n#### 144";

// A run whose adapter belongs to a large model.
void writeTunedRun(Studio& studio) {
    writeStoredRun(studio, {"Sums and tools", 1, 2e-4, 16});
    const fs::path run = studio.services().home.path() / "runs" / "Sums and tools";
    session::RunSpec spec = runs::specOf(run);
    spec.model.path = writeModel(studio, "Qwen3-8B", 4096, 36).string();
    writeFileAtomically(runs::RunFiles{run}.spec(), session::toJson(spec));
    for (const fs::path& folder : {run / "adapter", run / "checkpoints" / "last"})
        writeFileAtomically(folder / "adapter_config.json", "{}");
    session::ChatConversation kept;
    kept.model = spec.model.path;
    kept.adapters = {{"Sums and tools", 1}};
    for (const char* asked : {kBaker, "I have tomatoes and eggs. Find me a recipe.", "Who are you?"}) {
        kept.messages = {{"user", asked}, {"assistant", kTuned}};
        runs::keepConversation(runs::newConversationFile(run / "conversations", asked),
                               session::conversationJson(kept));
    }
}

// The program's window with the page in front, over a model that says what the script has it say.
struct Talk {
    Studio& studio;
    std::shared_ptr<ChatScript> script = std::make_shared<ChatScript>();
    QWidget& page;

    explicit Talk(Studio& shown, bool isLoaded = true) : studio(shown), page(shown.page("playground")) {
        script->say(kTuned, kBase);
        writeTunedRun(studio);
        studio.services().chat.setOpener(openerOf(script));
        studio.page("start");
        studio.page("playground");
        QTest::qWait(400);
        if (!isLoaded) return;
        press("primary");
        studio.waitFor("the model", [&] { return studio.services().chat.state() == State::kReady; });
    }
    // The button of this look that is on show, whatever language it speaks.
    void press(const char* look) {
        for (auto* button : page.findChildren<QPushButton*>(QLatin1String(look)))
            if (button->isVisible() && button->isEnabled()) return button->click();
    }
    void compare() {
        for (auto* button : page.findChildren<QPushButton*>())
            if (button->isVisible() && button->property("segment").toString() == QLatin1String("last"))
                return button->click();
    }
    QPlainTextEdit& field() { return *page.findChild<ui::pages::AskBar*>()->findChild<QPlainTextEdit*>(); }
    void ask(const char* words, bool waits = true) {
        field().setPlainText(QString::fromUtf8(words));
        QTest::keyClick(&field(), Qt::Key_Return);
        if (waits) studio.waitFor("the answer", [&] { return studio.services().chat.state() == State::kReady; });
        QTest::qWait(200);
    }
    void face(int index) {
        page.findChild<ui::pages::TalkDrawer*>()->setCurrentIndex(index);
        QTest::qWait(200);
    }
};

void nothingTrained(Studio& studio) {
    show(studio, "playground");
    QTest::qWait(300);
}

void toLoad(Studio& studio) {
    const Talk talk(studio, false);
}

void loading(Studio& studio) {
    Talk talk(studio, false);
    talk.script->holdsLoading = true;
    talk.press("primary");
    QTest::qWait(300);
}

void wrongAdapter(Studio& studio) {
    Talk talk(studio, false);
    talk.script->failNext(invalidInput(
        "Adapter 'Sums and tools': it was trained on other weights than those of 'models/Qwen3-8B' (base_model.json "
        "says so).",
        "Choose the model that the run was made with, or an adapter of this one."));
    talk.press("primary");
    QTest::qWait(400);
}

void whileARunTrains(Studio& studio) {
    openDemo(studio);
    const Talk talk(studio, false);
    start(studio);
    untilStep(studio, 1);
    studio.page("playground");
    QTest::qWait(300);
}

void empty(Studio& studio) {
    const Talk talk(studio);
    QTest::qWait(200);
}

void answering(Studio& studio) {
    Talk talk(studio);
    talk.compare();
    talk.ask("I have tomatoes and eggs. Find me a recipe.");
    talk.script->mostTokens = 9;
    talk.ask(kBaker, false);
    QTest::qWait(300);
}

void sideBySide(Studio& studio) {
    Talk talk(studio);
    talk.compare();
    talk.ask("I have tomatoes and eggs. Find me a recipe.");
    talk.ask(kBaker);
}

void tokens(Studio& studio) {
    Talk talk(studio);
    talk.compare();
    talk.ask(kBaker);
    talk.face(1);
    for (auto* text : talk.page.findChildren<ui::pages::TokenPaper*>())
        if (text->isVisible()) text->setCurrent(3);
    QTest::qWait(200);
}

void given(Studio& studio) {
    Talk talk(studio);
    talk.ask(kBaker);
    talk.face(1);
    for (auto* button : talk.page.findChild<ui::pages::TalkDrawer*>()->findChildren<QPushButton*>())
        if (button->isVisible() && button->property("segment").toString() == QLatin1String("first")) button->click();
    QTest::qWait(200);
}

void conversations(Studio& studio) {
    Talk talk(studio);
    talk.ask(kBaker);
    talk.face(2);
    QTest::qWait(300);
}

void refused(Studio& studio) {
    Talk talk(studio);
    talk.ask("Who are you?");
    talk.script->failNext(
        invalidInput("The conversation has 8,411 tokens, which leaves no room for an answer: there is "
                     "room for 8,192.",
                     "Shorten it, or load the model with a larger context."));
    talk.ask("What is in this very long letter?");
}

void edited(Studio& studio) {
    Talk talk(studio);
    talk.ask("Who are you?");
    talk.ask(kBaker);
    for (auto* view : talk.page.findChildren<ui::pages::MessageView*>())
        if (view->isVisible() && !view->isAnswer()) {
            emit view->editWanted();
            break;
        }
    QTest::qWait(200);
}

} // namespace

std::vector<Scene> playgroundScenes() {
    return {
        {"playground-none", 1, nothingTrained},
        {"playground-load", 1, toLoad},
        {"playground-loading", 1, loading},
        {"playground-wrong-adapter", 1, wrongAdapter},
        {"playground-run-trains", 1, whileARunTrains},
        {"playground-empty", 1, empty},
        {"playground-answering", 1, answering},
        {"playground-side-by-side", 1, sideBySide},
        {"playground-tokens", 1, tokens},
        {"playground-given", 1, given},
        {"playground-conversations", 1, conversations},
        {"playground-refused", 1, refused},
        {"playground-edited", 1, edited},
    };
}

} // namespace roundpipe::testing
