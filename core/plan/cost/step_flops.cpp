// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/step_flops.h"

#include "plan/cost/layer_work.h"

#include <algorithm>
#include <vector>

namespace roundpipe::plan {

StepFlops stepFlops(const arch::ModelSpec& model, const TrainingShape& shape, const Plan& plan, double microbatches) {
    const auto adapted = arch::adaptedLinears(model, shape.trained());
    const auto isTrained = [&](const auto& linears) { return shape.trainsBase || !linears.empty(); };
    const auto firstTrainable = static_cast<int32_t>(std::ranges::find_if(adapted, isTrained) - adapted.begin());
    std::vector<LayerWork> work;
    double needed = 0, again = 0;
    for (int32_t l = 0; l < plan.numLayers; ++l) {
        work.push_back(layerWork(model, LayerId(l), adapted[static_cast<std::size_t>(l)], shape, l > firstTrainable));
        needed += totalFlops(work.back().forward);
        if (l >= firstTrainable) needed += totalFlops(work.back().backward);
    }
    for (const Stage& stage : plan.stages()) {
        if (stage.kind != StageKind::kBackward || plan.keeps(stage.id)) continue;
        for (int32_t l = std::max(stage.layers.begin, firstTrainable); l < stage.layers.end; ++l)
            again += totalFlops(work[static_cast<std::size_t>(l)].forward);
        again -= totalFlops(work[static_cast<std::size_t>(stage.layers.end) - 1].output); // that nobody reads
    }
    return {microbatches * needed, microbatches * (needed + again)};
}

} // namespace roundpipe::plan
