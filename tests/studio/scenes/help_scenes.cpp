// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/help_scenes.h"

#include "studio/scenes/projects.h"

#include <QLineEdit>
#include <QTest>

namespace roundpipe::testing {
namespace {

void helpOnASetting(Studio& studio) {
    openDemo(studio);
    show(studio, "settings");
    static_cast<ui::pages::Page*>(studio.window().page(QStringLiteral("settings")))
        ->showField(QStringLiteral("lora.rank"));
    QTest::keyClick(&studio.window(), Qt::Key_F1);
    QTest::qWait(500);
    studio.front().move(0, 0);
}

void helpSearched(Studio& studio) {
    helpOnASetting(studio);
    auto* search = studio.front().findChild<QLineEdit*>();
    QTest::keyClicks(search, QStringLiteral("memory"));
    QTest::qWait(300);
}

} // namespace

std::vector<Scene> helpScenes() {
    return {
        {"help-setting", 1, helpOnASetting},
        {"help-search", 1, helpSearched},
    };
}

} // namespace roundpipe::testing
