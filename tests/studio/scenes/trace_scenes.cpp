// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/trace_scenes.h"

#include "studio/scenes/projects.h"
#include "ui/shell/trace_window.h"
#include "ui/timeline/panels/comparison_table.h"

#include <QTest>

namespace roundpipe::testing {
namespace {

void traceBesideItsPlan(Studio& studio) {
    openLarge(studio);
    studio.settle();
    start(studio);
    untilStep(studio, 6);
    studio.command("Compare the run with its plan");
    auto* window = qobject_cast<ui::shell::TraceWindow*>(&studio.front());
    studio.waitFor(
        "the trace", [&] { return window->table().isVisible(); }, 30);
    window->resize(studio.window().size());
    window->move(0, 0);
    QTest::qWait(600);
}

} // namespace

std::vector<Scene> traceScenes() {
    return {
        {"trace-beside-its-plan", 10, traceBesideItsPlan},
    };
}

} // namespace roundpipe::testing
