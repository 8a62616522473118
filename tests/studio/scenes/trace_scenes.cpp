// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/trace_scenes.h"

#include "studio/scenes/projects.h"
#include "ui/shell/trace_window.h"
#include "ui/timeline/panels/comparison_table.h"
#include "ui/timeline/plot/timeline_plot.h"
#include "ui/timeline/timeline_view.h"

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

// Saved while it was recorded, and opened again: a step of four devices, and what comes before and after.
void traceAlone(Studio& studio) {
    openLarge(studio);
    studio.settle();
    start(studio);
    untilStep(studio, 4);
    const std::filesystem::path file = studio.services().home.path() / "four-devices.rptrace";
    studio.window().exportTimelineTo(QString::fromStdString(file.string()));
    studio.waitFor(
        "the file", [&] { return std::filesystem::exists(file); }, 30);
    ui::shell::TraceWindow* window = studio.window().openTrace(QString::fromStdString(file.string()));
    ui::timeline::TimelinePlot& plot = window->view(0).plot();
    studio.waitFor(
        "the trace", [&] { return !window->isReading() && !plot.scene().store->empty(); }, 30);
    window->resize(studio.window().size());
    window->move(0, 0);
    QTest::qWait(300);
    const trace::LaneStore& store = *plot.scene().store;
    const int64_t hundredth = (store.endNs() - store.beginNs()) / 100;
    plot.navigation().showRange(store.beginNs() + 50 * hundredth, store.beginNs() + 80 * hundredth);
    QTest::qWait(1000);
}

} // namespace

std::vector<Scene> traceScenes() {
    return {
        {"trace-alone", 1, traceAlone},
        {"trace-beside-its-plan", 10, traceBesideItsPlan},
    };
}

} // namespace roundpipe::testing
