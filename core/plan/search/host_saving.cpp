// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/host_saving.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

using geometry::LayerSaving;

// Of a backward stage, its last ones that are trained and of which it is known what they save.
LayerRange blocksOf(LayerRange stage, const Costs& costs) {
    const auto mayBe = [&](int32_t layer) {
        const geometry::LayerSizes& sizes = costs.layers[static_cast<std::size_t>(layer)];
        return layer >= std::max({stage.begin, costs.firstTrainable, 1}) && sizes.isBlock && sizes.saved > 0;
    };
    int32_t begin = stage.end;
    while (begin > 0 && mayBe(begin - 1))
        --begin;
    return {begin, stage.end};
}

} // namespace

Plan savedOnHost(Plan plan, HostSaving saving, const Costs& costs) {
    plan.resident.clear();
    plan.saving.resize(static_cast<std::size_t>(plan.numLayers));
    int32_t numBlocks = 0, numSaved = 0;
    for (const LayerRange& stage : plan.backward) {
        const LayerRange blocks = blocksOf(stage, costs);
        numBlocks += blocks.size();
        for (int32_t l = blocks.end; l > blocks.begin && numSaved < numBlocks * saving.parts / kHostParts; ++numSaved)
            plan.saving[static_cast<std::size_t>(--l)] = {saving.what, true};
    }
    return plan;
}

std::optional<HostSaving> hostSavingOf(const Plan& plan, const Costs& costs) {
    const auto first = std::ranges::find_if(plan.saving, &LayerSaving::onHost);
    if (first == plan.saving.end()) return std::nullopt;
    const auto numSaved = std::ranges::count_if(plan.saving, &LayerSaving::onHost);
    HostSaving saving{first->what, 1};
    const auto isLess = [&] {
        return std::ranges::count_if(savedOnHost(withoutHostSaving(plan), saving, costs).saving, &LayerSaving::onHost) <
               numSaved;
    };
    while (saving.parts < kHostParts && isLess())
        ++saving.parts;
    return saving;
}

std::vector<Plan> plansSavedOnHost(const Plan& plan, geometry::Saving what, const Costs& costs) {
    std::vector<Plan> plans;
    for (int32_t parts = 1; parts <= kHostParts; ++parts) {
        Plan saved = savedOnHost(plan, {what, parts}, costs);
        if (savesOnHost(saved) && (plans.empty() || plans.back().saving != saved.saving))
            plans.push_back(std::move(saved));
    }
    return plans;
}

Plan allSavedOnHost(Plan plan, geometry::Saving what, const Costs& costs) {
    return savedOnHost(std::move(plan), {what, kHostParts}, costs);
}

Plan withoutHostSaving(Plan plan) {
    plan.saving.clear();
    plan.resident.clear();
    return plan;
}

bool savesOnHost(const Plan& plan) {
    return std::ranges::any_of(plan.saving, &LayerSaving::onHost);
}

} // namespace roundpipe::plan
