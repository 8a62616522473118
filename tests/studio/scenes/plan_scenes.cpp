// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/plan_scenes.h"

#include "studio/scenes/projects.h"
#include "ui/pages/plan/partition_editor.h"
#include "ui/pages/plan/rig_table.h"

#include <QAction>
#include <QTest>

namespace roundpipe::testing {
namespace {

void planNone(Studio& studio) {
    show(studio, "plan");
}

void waitForRigs(Studio& studio) {
    const auto* rigs = studio.window().page(QStringLiteral("plan"))->findChild<ui::pages::RigTable*>();
    studio.waitFor(
        "the other rigs", [&] { return rigs->numAnswered() == rigs->numRows(); }, 60);
}

void planFits(Studio& studio) {
    openLarge(studio);
    show(studio, "plan");
    waitForRigs(studio);
}

void planDeep(Studio& studio) {
    openLarge(studio, 8192, 94);
    studio.services().plan.setRig("8x4090,ram=1024");
    show(studio, "plan");
}

void planDoesNotFit(Studio& studio) {
    openLarge(studio);
    show(studio, "plan");
    change(studio, [](session::RunSpec& spec) {
        spec.batch.microbatchSize = 64;
        spec.batch.microbatches = 2;
    });
    studio.settle();
    studio.waitFor("the fixes", [&] { return !studio.services().plan.answer()->fixes.empty(); });
}

void planCutMoved(Studio& studio) {
    planFits(studio);
    const plan::Plan& plan = studio.services().plan.answer()->choice.plan;
    change(studio, [&](session::RunSpec& spec) {
        for (const auto& stage : plan.forward)
            spec.engine.forwardStages.push_back(stage.end - stage.begin);
        spec.engine.backwardStages.push_back(plan.fused.end - plan.fused.begin);
        for (const auto& stage : plan.backward)
            spec.engine.backwardStages.push_back(stage.end - stage.begin);
    });
    studio.settle();
}

// In full size, where what makes it fit is asked for.
void planStartAnyway(Studio& studio) {
    planDoesNotFit(studio);
    studio.services().commands.start()->trigger();
    QTest::qWait(300);
}

void planStageLit(Studio& studio) {
    planFits(studio);
    auto* editor = studio.window().page(QStringLiteral("plan"))->findChild<ui::pages::PartitionEditor*>();
    editor->setFocus(Qt::TabFocusReason);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Right})
        QTest::keyClick(editor, key);
    QTest::qWait(300);
}

void planRemarks(Studio& studio) {
    openRemarkable(studio);
    show(studio, "plan");
}

// What other programs would not take of the result.
void planRefusals(Studio& studio) {
    openLarge(studio);
    change(studio, [](session::RunSpec& spec) {
        spec.lora.rank = 640;
        spec.lora.modulesToSave = {"lm_head"};
    });
    show(studio, "plan");
    waitForRigs(studio);
}

} // namespace

std::vector<Scene> planScenes() {
    return {
        {"plan-none", 1, planNone},
        {"plan-fits", 1, planFits},
        {"plan-94-layers", 1, planDeep},
        {"plan-does-not-fit", 1, planDoesNotFit},
        {"plan-start-anyway", 1, planStartAnyway},
        {"plan-cut-moved", 1, planCutMoved},
        {"plan-stage-lit", 1, planStageLit},
        {"plan-remarks", 1, planRemarks},
        {"plan-refusals", 1, planRefusals},
    };
}

} // namespace roundpipe::testing
