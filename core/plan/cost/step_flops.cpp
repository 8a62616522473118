// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/step_flops.h"

#include "plan/cost/costs.h"
#include "plan/cost/layer_kinds.h"
#include "plan/cost/layer_work.h"

#include <algorithm>
#include <vector>

namespace roundpipe::plan {

namespace {

double attentionOf(const LayerWork& layer) {
    double sum = 0;
    for (const KernelWork& kernel : layer.forward)
        if (kernel.kind == KernelWork::Kind::kAttentionForward) sum += kernel.flops;
    return sum;
}

// How often a layer's products count: forward, the gradient of its input, and that of its weights.
int passesOf(const arch::TrainedLayer& parts, bool trainsBase, bool hasBackward) {
    return 1 + (hasBackward ? 1 : 0) + (trainsBase || parts.trains(arch::TensorRole::kLmHead) ? 1 : 0);
}

} // namespace

StepFlops stepFlops(const arch::ModelSpec& model, const TrainingShape& shape, const Plan& plan, double microbatches) {
    const std::vector<arch::TrainedLayer> parts = arch::trainedLayers(model, shape.trained());
    const int32_t firstTrainable = firstTrained(parts);
    std::vector<LayerWork> work;
    double needed = 0, issued = 0;
    for (int32_t l = 0; l < plan.numLayers; ++l) {
        const arch::TrainedLayer& trained = parts[static_cast<std::size_t>(l)];
        const bool hasBackward = l >= firstTrainable;
        work.push_back(layerWork(model, LayerId(l), trained, shape, l > firstTrainable));
        issued += totalFlops(work.back().forward) + (hasBackward ? totalFlops(work.back().backward) : 0);
        const LayerWork base = layerWork(model, LayerId(l), {}, shape, false);
        const double attention = attentionOf(base);
        needed += passesOf(trained, shape.trainsBase, hasBackward) * (totalFlops(base.forward) - attention) +
                  (hasBackward ? 3 : 1) * attention;
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
    return {microbatches * needed, microbatches * (needed + computed - issued)};
}

} // namespace roundpipe::plan
