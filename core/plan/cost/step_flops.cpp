// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/step_flops.h"

#include "plan/cost/costs.h"
#include "plan/cost/layer_kinds.h"
#include "plan/cost/layer_work.h"

#include <algorithm>
#include <vector>

namespace roundpipe::plan {

StepFlops stepFlops(const arch::ModelSpec& model, const TrainingShape& shape, const Plan& plan, double microbatches) {
    const std::vector<arch::TrainedLayer> parts = arch::trainedLayers(model, shape.trained());
    const int32_t firstTrainable = firstTrained(parts);
    std::vector<LayerWork> work;
    double needed = 0;
    for (int32_t l = 0; l < plan.numLayers; ++l) {
        work.push_back(layerWork(model, LayerId(l), parts[static_cast<std::size_t>(l)], shape, l > firstTrainable));
        needed += totalFlops(work.back().forward);
        if (l >= firstTrainable) needed += totalFlops(work.back().backward);
    }
    // Counted as the planner counts a stage's seconds.
    double computed = 0;
    Costs flops;
    flops.firstTrainable = firstTrainable;
    std::vector<LayerTimes>& ofLayers = flops.times.emplace_back();
    for (const LayerWork& layer : work) {
        const double forward = totalFlops(layer.forward);
        ofLayers.push_back(
            {forward, forward, totalFlops(layer.backward), totalFlops(layer.output), totalFlops(layer.gateUp)});
    }
    for (const Stage& stage : plan.stages())
        computed += stageSeconds(flops, stage.kind, stage.layers, DeviceId(0), plan.saving);
    return {microbatches * needed, microbatches * computed};
}

} // namespace roundpipe::plan
