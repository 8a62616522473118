#include "plan/cost/memory_table.h"

#include <algorithm>
#include <set>

namespace roundpipe::plan {
namespace {

struct Largest {
    int64_t weights = 0;
    int64_t gradients = 0;
    int32_t hidden = 2; // a forward stage takes two in turn
    int32_t savedBlocks = 0;
    int64_t keptForward = 0; // what kept stages hold, all microbatches of a round
};

// Backward stages' positions in Plan::keepsSaved follow the forward stages and the fused one.
bool keeps(const Plan& plan, const Stage& stage) {
    return stage.kind == StageKind::kBackward && plan.keeps(stage.id.index() - plan.forward.size() - 1);
}

Largest largestOf(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    Largest largest;
    for (const Stage& stage : stagesOn(plan, device)) {
        int64_t weights = 0;
        int64_t gradients = 0;
        int64_t saved = 0;
        int32_t blocks = 0;
        for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l) {
            const LayerSizes& layer = costs.layers[static_cast<std::size_t>(l)];
            if (!plan.isResident(device, l)) weights += layer.weights;
            gradients += layer.gradients;
            saved += layer.saved + costs.packetBytes;
            blocks += layer.isBlock ? 1 : 0;
        }
        largest.weights = std::max(largest.weights, weights);
        if (stage.kind == StageKind::kForward) continue;
        largest.gradients = std::max(largest.gradients, gradients);
        if (keeps(plan, stage)) {
            largest.keptForward += saved * shape.roundSize;
            continue;
        }
        largest.hidden = std::max(largest.hidden, stage.layers.size());
        largest.savedBlocks = std::max(largest.savedBlocks, blocks);
    }
    return largest;
}

} // namespace

std::vector<Stage> stagesOn(const Plan& plan, DeviceId device) {
    std::vector<Stage> all = plan.stages();
    if (!plan.tableRestarts) return all; // evaluations shift the table, so that each device meets every stage
    std::vector<bool> meets(all.size());
    const std::size_t numEntries = plan.deviceTable.size() * all.size(); // whatever the number of rounds
    for (std::size_t n = 0; n < numEntries; ++n)
        if (plan.deviceOf(static_cast<int64_t>(n)) == device) meets[n % all.size()] = true;
    std::vector<Stage> stages;
    for (std::size_t s = 0; s < all.size(); ++s)
        if (meets[s]) stages.push_back(all[s]);
    return stages;
}

DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    constexpr int64_t kPacketBuffers = 2 + 2 + 3; // inputs, output gradients, outgoing
    constexpr int64_t kScratchGradients = 2;
    const Largest largest = largestOf(plan, costs, shape, device);
    int64_t saved = 0;
    DeviceMemoryTable table;
    for (int32_t l = 0; l < costs.numLayers(); ++l) {
        const LayerSizes& layer = costs.layers[static_cast<std::size_t>(l)];
        saved = std::max(saved, layer.saved);
        table.workspace = std::max(table.workspace, layer.workspace);
        if (plan.isResident(device, l)) table.residents += layer.weights;
    }
    table.weights = 2 * largest.weights;
    table.gradients = 2 * largest.gradients;
    table.activations = costs.packetBytes * (kPacketBuffers + kScratchGradients + largest.hidden) +
                        largest.savedBlocks * saved + largest.keptForward;
    table.batches = shape.numMicrobatches() * costs.batchBytes;
    table.context = costs.contextBytes[device.index()];
    return table;
}

HostMemoryTable hostMemory(const Plan& plan, const Costs& costs, const StepShape& shape) {
    std::set<int32_t> boundaries; // inputs of stages
    for (const Stage& stage : plan.stages())
        if (stage.layers.begin > 0) boundaries.insert(stage.layers.begin);
    const auto numGradients = static_cast<int64_t>(plan.backward.size());
    const int64_t packets =
        (static_cast<int64_t>(boundaries.size()) + numGradients) * shape.numMicrobatches() * costs.packetBytes;
    HostMemoryTable table;
    table.pinned = costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? packets : 0);
    table.pageable = costs.hostBytes - costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? 0 : packets);
    table.disk = costs.diskBytes;
    return table;
}

} // namespace roundpipe::plan
