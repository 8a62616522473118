#include "plan/cost/memory_table.h"

#include "base/error.h"
#include "plan/program.h"

#include <algorithm>

namespace roundpipe::plan {

geometry::DeviceNeeds deviceNeeds(const Plan& plan, const geometry::ModelSizes& sizes, int32_t numMicrobatches,
                                  DeviceId device) {
    geometry::DeviceNeeds needs;
    for (const geometry::LayerSizes& layer : sizes.layers) {
        needs.saved = std::max(needs.saved, layer.saved);
        needs.workspace = std::max(needs.workspace, layer.workspace);
    }
    for (const Slot& slot : slotsOn(plan, sizes.firstTrainable, device)) {
        int64_t weights = 0, gradients = 0, blocks = 0;
        for (int32_t l = slot.layers.begin; l < slot.layers.end; ++l) {
            const geometry::LayerSizes& layer = sizes.layers[static_cast<std::size_t>(l)];
            if (!plan.isResident(device, l)) weights += layer.weights;
            gradients += layer.gradients;
            blocks += layer.isBlock ? 1 : 0;
        }
        needs.weights = std::max(needs.weights, weights);
        if (slot.work == Work::kForward) continue;
        needs.gradients = std::max(needs.gradients, gradients);
        if (plan.keeps(slot.stage)) continue; // see keptBytes()
        needs.hidden = std::max<int64_t>(needs.hidden, slot.layers.size());
        needs.savedBlocks = std::max(needs.savedBlocks, blocks);
    }
    needs.packet = sizes.packetBytes;
    needs.batch = sizes.batchBytes;
    needs.numMicrobatches = numMicrobatches;
    return needs;
}

namespace {

// What kept stages hold from forward to backward, all microbatches of a round.
int64_t keptBytes(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    int64_t bytes = 0;
    if (plan.keepsSaved.empty()) return bytes;
    for (const Slot& slot : slotsOn(plan, costs.firstTrainable, device))
        for (int32_t l = slot.layers.begin; l < slot.layers.end && plan.keeps(slot.stage); ++l)
            bytes += shape.roundSize *
                     (costs.layers[static_cast<std::size_t>(l)].saved + geometry::alignUp(costs.packetBytes));
    return bytes;
}

} // namespace

DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device) {
    geometry::Workspace counting;
    const geometry::DeviceBuffers buffers(deviceNeeds(plan, costs, shape.mostMicrobatches(), device), counting);
    DeviceMemoryTable table;
    table.weights = buffers.weights.bytes();
    table.activations = buffers.inputs.bytes() + buffers.outputGradients.bytes() + buffers.outgoing.bytes() +
                        buffers.hidden.bytes() + buffers.saved.bytes() + buffers.scratchGradients.bytes();
    table.gradients = buffers.adapterGradients.bytes();
    table.workspace = buffers.workspace.bytes();
    table.batches = buffers.batches.bytes() + buffers.losses.bytes();
    RP_CHECK(table.ownBytes() == counting.usedBytes()); // no buffer is forgotten

    table.activations += keptBytes(plan, costs, shape, device);
    for (int32_t l = 0; l < costs.numLayers(); ++l)
        if (plan.isResident(device, l)) table.residents += costs.layers[static_cast<std::size_t>(l)].weights;
    table.context = costs.contextBytes[device.index()];
    return table;
}

HostMemoryTable hostMemory(const Plan& plan, const Costs& costs, const StepShape& shape) {
    const Program program = trainingProgram(plan, costs.firstTrainable, shape, 0);
    const auto posted = [](const std::vector<int32_t>& readers) {
        return std::ranges::count_if(readers, [](int32_t count) { return count > 0; });
    };
    const int64_t packets = (posted(program.inputReaders) + posted(program.gradientReaders)) *
                            shape.mostMicrobatches() * geometry::alignUp(costs.packetBytes);
    HostMemoryTable table;
    table.pinned = costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? packets : 0);
    table.pageable = costs.hostBytes - costs.hostPinnedBytes + (costs.hostPinnedBytes > 0 ? 0 : packets);
    table.disk = costs.diskBytes;
    return table;
}

} // namespace roundpipe::plan
