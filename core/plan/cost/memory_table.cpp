#include "plan/cost/memory_table.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

struct Largest {
    int64_t weights = 0;
    int64_t gradients = 0;
    int32_t hidden = 2; // a forward stage takes two in turn
    int32_t savedBlocks = 0;
    int64_t keptForward = 0; // what kept stages hold, all microbatches of a round
};

Largest largestOf(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    Largest largest;
    for (const Slot& slot : slotsOn(plan, costs.firstTrainable, device)) {
        int64_t weights = 0;
        int64_t gradients = 0;
        int64_t saved = 0;
        int32_t blocks = 0;
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            const LayerSizes& layer = costs.layers[static_cast<std::size_t>(l)];
            if (!plan.isResident(device, l)) weights += layer.weights;
            gradients += layer.gradients;
            saved += layer.saved + costs.packetBytes;
            blocks += layer.isBlock ? 1 : 0;
        }
        largest.weights = std::max(largest.weights, weights);
        if (slot.work == Work::kForward) continue;
        largest.gradients = std::max(largest.gradients, gradients);
        if (plan.keeps(slot.stage)) {
            largest.keptForward += saved * shape.roundSize;
            continue;
        }
        largest.hidden = std::max(largest.hidden, slot.layers.size());
        largest.savedBlocks = std::max(largest.savedBlocks, blocks);
    }
    return largest;
}

} // namespace

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
    const Program program = trainingProgram(plan, costs.firstTrainable, shape, 0);
    const auto posted = [](const std::vector<int32_t>& readers) {
        return std::ranges::count_if(readers, [](int32_t count) { return count > 0; });
    };
    const int64_t packets =
        (posted(program.inputReaders) + posted(program.gradientReaders)) * shape.numMicrobatches() * costs.packetBytes;
    HostMemoryTable table;
    table.pinned = costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? packets : 0);
    table.pageable = costs.hostBytes - costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? 0 : packets);
    table.disk = costs.diskBytes;
    return table;
}

} // namespace roundpipe::plan
