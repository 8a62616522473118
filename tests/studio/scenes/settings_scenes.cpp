// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/settings_scenes.h"

#include "studio/scenes/projects.h"

#include <QTest>

namespace roundpipe::testing {
namespace {

void settingsSimple(Studio& studio) {
    openLarge(studio);
    show(studio, "settings");
    QTest::qWait(1500); // effects are worked out one after the other
}

void settingsExpert(Studio& studio) {
    openLarge(studio);
    show(studio, "settings");
    studio.click("Expert");
    change(studio, [](session::RunSpec& spec) {
        spec.lora.rank = 64;
        spec.optimizer.learningRate = 1e-4;
    });
    studio.settle();
    QTest::qWait(2500);
}

void settingsWrong(Studio& studio) {
    settingsSimple(studio);
    change(studio, [](session::RunSpec& spec) { spec.lora.rank = 0; });
    studio.settle();
}

void settingsPrompts(Studio& studio) {
    openDemo(studio);
    show(studio, "settings");
    studio.page("settings").showField(QStringLiteral("prompts"));
    studio.settle();
}

void settingsPromptsNone(Studio& studio) {
    openDemo(studio);
    studio.services().document.setPrompts({});
    show(studio, "settings");
    studio.page("settings").showField(QStringLiteral("prompts"));
    studio.settle();
}

void settingsRemarks(Studio& studio) {
    openRemarkable(studio);
    show(studio, "settings");
    studio.click("Expert");
    studio.settle();
    QTest::qWait(1500);
}

} // namespace

std::vector<Scene> settingsScenes() {
    return {
        {"settings-simple", 1, settingsSimple},
        {"settings-expert", 1, settingsExpert},
        {"settings-wrong-value", 1, settingsWrong},
        {"settings-prompts", 1, settingsPrompts},
        {"settings-prompts-none", 1, settingsPromptsNone},
        {"settings-remarks", 1, settingsRemarks},
    };
}

} // namespace roundpipe::testing
