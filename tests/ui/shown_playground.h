// SPDX-License-Identifier: GPL-3.0-or-later
// The playground on show, over a run as it leaves it and a model that says what a test has it say.
#pragma once

#include "made_runs.h"
#include "shown_chat.h"
#include "ui/pages/playground/message_view.h"
#include "ui/pages/playground/playground_page.h"

#include <QPlainTextEdit>
#include <QTest>

#include <memory>

namespace roundpipe::testing {

// The one that a screen reader is told by this name; null: there is none.
template <class Widget>
Widget* named(const QWidget& page, const char* name) {
    for (auto* widget : page.findChildren<Widget*>())
        if (widget->accessibleName() == QLatin1String(name)) return widget;
    return nullptr;
}

// The page over a run "Polly", whose adapter and checkpoint can be loaded.
struct ShownPlayground {
    using State = ui::bridge::ChatController::State;

    TestServices test;
    std::shared_ptr<ChatScript> script = std::make_shared<ChatScript>();
    std::filesystem::path run = std::filesystem::canonical(test.home.path()) / "runs" / "polly";
    std::unique_ptr<ui::pages::PlaygroundPage> page;

    explicit ShownPlayground(bool hasEngine = true) {
        runs::makeRun(run, {.name = "Polly", .startedAt = 3'000});
        session::RunSpec spec = runs::specOf(run);
        spec.model.path = (sourceFolder() / "resources" / "demo" / "model").string();
        writeFileAtomically(runs::RunFiles{run}.spec(), session::toJson(spec));
        for (const std::filesystem::path& folder : {run / "adapter", run / "checkpoints" / "last"})
            writeFileAtomically(folder / "adapter_config.json", "{}");
        if (hasEngine) test.chat.setOpener(openerOf(script));
        page = std::make_unique<ui::pages::PlaygroundPage>(test.services());
        page->resize(1080, 720);
        page->show();
        if (hasEngine && !QTest::qWaitFor([&] { return load() != nullptr && load()->isEnabled(); }))
            qFatal("nothing can be loaded");
    }
    QPushButton* load() const { return buttonOf(*page, "Load"); }
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
        for (const auto* text : page->findChildren<ui::pages::MessageText*>())
            if (text->isVisibleTo(page.get())) texts.append(text->toPlainText());
        return texts;
    }
    const session::ChatConversation& conversation() const { return page->dialogue().conversation(); }
};

} // namespace roundpipe::testing
