// The plan used until the planner chooses: even stages by cost, the fused stage filled first.
#include "base/error.h"
#include "base/units.h"
#include "plan/plan.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace roundpipe::plan {
namespace {

using Cost = std::function<double(int32_t)>;

struct Limits {
    const std::vector<LayerCost>& layers;
    int64_t maxStageBytes; // 0: none

    bool fits(int32_t begin, int32_t end) const {
        if (maxStageBytes == 0) return true;
        int64_t bytes = 0;
        for (int32_t l = begin; l < end; ++l)
            bytes += layers[static_cast<std::size_t>(l)].bytes;
        return bytes <= maxStageBytes;
    }
};

double sumOver(const Cost& cost, int32_t begin, int32_t end) {
    double total = 0;
    for (int32_t l = begin; l < end; ++l)
        total += cost(l);
    return total;
}

// Cuts [begin, end) into at least `numStages` stages: each closes as soon as its end is nearest to its even share.
std::vector<LayerRange> cutEvenly(const Cost& cost, const Limits& limits, int32_t begin, int32_t end,
                                  int32_t numStages) {
    std::vector<LayerRange> stages;
    while (begin < end) {
        const double share = sumOver(cost, begin, end) / std::max(1, numStages);
        int32_t cut = begin + 1;
        double taken = cost(begin);
        const auto better = [&] { return std::abs(taken + cost(cut) - share) <= std::abs(taken - share); };
        while (cut < end && (numStages <= 1 || (end - cut >= numStages && better())) && limits.fits(begin, cut + 1))
            taken += cost(cut++);
        stages.push_back({begin, cut});
        begin = cut;
        numStages = std::max(1, numStages - 1);
    }
    return stages;
}

void checkLayersFit(const Limits& limits) {
    for (std::size_t l = 0; l < limits.layers.size(); ++l)
        if (!limits.fits(static_cast<int32_t>(l), static_cast<int32_t>(l) + 1))
            throw Error(ErrorKind::kOutOfMemory,
                        "Layer " + std::to_string(l) + " alone needs " + formatBytes(limits.layers[l].bytes) +
                            " on a device, where a stage may have " + formatBytes(limits.maxStageBytes) + ".",
                        "Choose a smaller model or a device with more memory.");
}

} // namespace

Plan balancedPlan(const std::vector<LayerCost>& layers, int32_t numDevices, int32_t firstTrainableLayer,
                  int64_t maxStageBytes) {
    RP_CHECK(!layers.empty() && numDevices >= 1);
    const auto numLayers = static_cast<int32_t>(layers.size());
    const Limits limits{layers, maxStageBytes};
    checkLayersFit(limits);
    const auto at = [&](int32_t l) -> const LayerCost& { return layers[static_cast<std::size_t>(l)]; };
    const Cost forwardCost = [&](int32_t l) { return at(l).forward; };
    const Cost fusedCost = [&](int32_t l) { return at(l).forward + at(l).backward; };
    const Cost backwardCost = [&](int32_t l) { return at(l).recompute + at(l).backward; };

    // The dearest single layer paces the pipeline, whatever the cuts; about two slots per device keep every device
    // busy.
    double dearest = 0;
    for (int32_t l = 0; l < numLayers; ++l)
        dearest = std::max(dearest, backwardCost(l));
    const double allWork = sumOver(forwardCost, 0, numLayers) + sumOver(backwardCost, 0, numLayers);
    const double target = std::max(dearest, allWork / (2.0 * numDevices));

    Plan plan;
    plan.numLayers = numLayers;
    plan.fused = {numLayers - 1, numLayers};
    while (plan.fused.begin > 0 && sumOver(fusedCost, plan.fused.begin - 1, numLayers) <= target &&
           limits.fits(plan.fused.begin - 1, numLayers))
        --plan.fused.begin;

    const auto stagesFor = [&](const Cost& cost, int32_t begin, int32_t end) {
        const int32_t wanted = static_cast<int32_t>(std::lround(sumOver(cost, begin, end) / target));
        return std::clamp(wanted, std::min(1, end - begin), end - begin);
    };
    plan.forward = cutEvenly(forwardCost, limits, 0, plan.fused.begin, stagesFor(forwardCost, 0, plan.fused.begin));
    const int32_t lowest = std::min(firstTrainableLayer, plan.fused.begin);
    plan.backward =
        cutEvenly(backwardCost, limits, lowest, plan.fused.begin, stagesFor(backwardCost, lowest, plan.fused.begin));
    std::reverse(plan.backward.begin(), plan.backward.end());
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    validate(plan, firstTrainableLayer);
    return plan;
}

} // namespace roundpipe::plan
