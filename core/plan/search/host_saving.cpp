// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/host_saving.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

using geometry::LayerSaving;

constexpr int32_t kParts = 8; // of all blocks: so many amounts are tried

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

// So many of kParts of all such blocks.
Plan savedOnHost(Plan plan, geometry::Saving what, int32_t parts, const Costs& costs) {
    plan.resident.clear();
    plan.saving.resize(static_cast<std::size_t>(plan.numLayers));
    int32_t numBlocks = 0, numSaved = 0;
    for (const LayerRange& stage : plan.backward) {
        const LayerRange blocks = blocksOf(stage, costs);
        numBlocks += blocks.size();
        for (int32_t l = blocks.end; l > blocks.begin && numSaved < numBlocks * parts / kParts; ++numSaved)
            plan.saving[static_cast<std::size_t>(--l)] = {what, true};
    }
    return plan;
}

} // namespace

std::vector<Plan> plansSavedOnHost(const Plan& plan, geometry::Saving what, const Costs& costs) {
    std::vector<Plan> plans;
    for (int32_t parts = 1; parts <= kParts; ++parts) {
        Plan saved = savedOnHost(plan, what, parts, costs);
        if (savesOnHost(saved) && (plans.empty() || plans.back().saving != saved.saving))
            plans.push_back(std::move(saved));
    }
    return plans;
}

Plan allSavedOnHost(Plan plan, geometry::Saving what, const Costs& costs) {
    return savedOnHost(std::move(plan), what, kParts, costs);
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
