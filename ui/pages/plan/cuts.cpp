// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/cuts.h"

#include <algorithm>

namespace roundpipe::ui::pages {

std::vector<Cut> cutsOf(const plan::Plan& plan) {
    std::vector<Cut> cuts;
    for (std::size_t s = 1; s < plan.forward.size(); ++s)
        cuts.push_back({Cut::Row::kForward, plan.forward[s].begin});
    for (std::size_t s = 1; s < plan.backward.size(); ++s)
        cuts.push_back({Cut::Row::kBackward, plan.backward[s].end});
    if (plan.fused.begin > 0) cuts.push_back({Cut::Row::kBoth, plan.fused.begin});
    std::ranges::stable_sort(cuts, {}, &Cut::layer);
    return cuts;
}

plan::Plan withCutAt(plan::Plan plan, const Cut& cut, int32_t layer) {
    // The stages that meet at the cut: `below` ends there, `above` begins there.
    std::vector<plan::LayerRange*> below, above;
    if (cut.row != Cut::Row::kBackward)
        for (plan::LayerRange& stage : plan.forward)
            (stage.end == cut.layer ? below : above).push_back(&stage);
    if (cut.row != Cut::Row::kForward)
        for (plan::LayerRange& stage : plan.backward)
            (stage.end == cut.layer ? below : above).push_back(&stage);
    above.push_back(&plan.fused);
    std::erase_if(above, [&](const plan::LayerRange* stage) { return stage->begin != cut.layer; });
    for (const plan::LayerRange* stage : below)
        layer = std::max(layer, stage->begin + 1);
    for (const plan::LayerRange* stage : above)
        layer = std::min(layer, stage->end - 1);
    for (plan::LayerRange* stage : below)
        stage->end = layer;
    for (plan::LayerRange* stage : above)
        stage->begin = layer;
    return plan;
}

void giveStages(const plan::Plan& plan, session::RunSpec& spec) {
    spec.engine.forwardStages.clear();
    for (const plan::LayerRange& stage : plan.forward)
        spec.engine.forwardStages.push_back(stage.size());
    spec.engine.backwardStages = {plan.fused.size()};
    for (const plan::LayerRange& stage : plan.backward)
        spec.engine.backwardStages.push_back(stage.size());
}

} // namespace roundpipe::ui::pages
