#include "pipeline/device_memory.h"

#include <algorithm>

namespace roundpipe::pipeline {
namespace {

struct StageSizes {
    int64_t weightBytes = 0;
    int64_t gradientBytes = 0;
    int32_t mostLayers = 2; // two hidden buffers at least: a forward stage takes them in turn
    int32_t mostSavedBlocks = 0;
};

bool isBlock(const model::Model& model, int32_t layer) {
    return layer > 0 && layer + 1 < model.numLayers();
}

int64_t layerWeightBytes(const model::Model& model, int32_t layer) {
    const model::LayerLayout& layout = model.layouts[static_cast<std::size_t>(layer)];
    return device::alignUp(layout.base.bytes) +
           device::alignUp(layout.adapter.numElements * static_cast<int64_t>(sizeOf(model.operandType)));
}

StageSizes largestStages(const model::Model& model, const plan::Plan& plan, DeviceId device) {
    StageSizes sizes;
    for (const plan::Slot& slot : plan::slotsOn(plan, model.firstTrainableLayer(), device)) {
        int64_t weightBytes = 0;
        int32_t numBlocks = 0;
        for (int32_t layer = slot.layers.begin; layer < slot.layers.end; ++layer) {
            weightBytes += layerWeightBytes(model, layer);
            numBlocks += isBlock(model, layer) ? 1 : 0;
        }
        sizes.weightBytes = std::max(sizes.weightBytes, weightBytes);
        if (slot.work == plan::Work::kForward) continue;
        sizes.gradientBytes = std::max(sizes.gradientBytes, gradientBytes(model, slot.layers.begin, slot.layers.end));
        sizes.mostLayers = std::max(sizes.mostLayers, slot.layers.size());
        sizes.mostSavedBlocks = std::max(sizes.mostSavedBlocks, numBlocks);
    }
    return sizes;
}

int64_t largestWorkspace(const model::Model& model, const batch::MicrobatchBounds& largest) {
    int64_t bytes = model.head->workspaceBytes(largest.tokens);
    for (const auto& block : model.blocks)
        bytes = std::max(bytes, block->workspaceBytes(largest.tokens, largest.sequences, largest.length));
    return bytes;
}

} // namespace

int64_t gradientBytes(const model::Model& model, int32_t begin, int32_t end) {
    const auto elementBytes = static_cast<int64_t>(sizeOf(kernels::statisticsType(model.operandType)));
    int64_t bytes = 0;
    for (int32_t layer = begin; layer < end; ++layer)
        bytes += device::alignUp(model.layouts[static_cast<std::size_t>(layer)].adapter.numElements * elementBytes);
    return bytes;
}

DeviceMemory DeviceMemory::cut(device::Carver& carver, const MemoryNeeds& needs) {
    const model::Model& model = needs.model;
    const StageSizes sizes = largestStages(model, needs.plan, needs.device);
    const int64_t hiddenBytes = model.hiddenBytes(needs.largest.tokens);
    int64_t savedBytes = 0;
    for (const auto& block : model.blocks)
        savedBytes = std::max(savedBytes, block->savedBytes(needs.largest.tokens));

    DeviceMemory memory;
    memory.weightBytes = sizes.weightBytes;
    memory.weights = carver.take(2 * sizes.weightBytes);
    for (auto& buffer : memory.inputs.buffers)
        buffer.data = carver.take(hiddenBytes);
    for (auto& buffer : memory.outputGradients.buffers)
        buffer.data = carver.take(hiddenBytes);
    for (auto& buffer : memory.outgoing.buffers)
        buffer.data = carver.take(hiddenBytes);
    for (auto& buffer : memory.adapterGradients.buffers)
        buffer.data = carver.take(sizes.gradientBytes);
    for (int32_t i = 0; i < sizes.mostLayers; ++i)
        memory.hidden.push_back(carver.take(hiddenBytes));
    for (int32_t i = 0; i < sizes.mostSavedBlocks; ++i)
        memory.saved.push_back(carver.take(savedBytes));
    for (std::byte*& gradient : memory.scratchGradients)
        gradient = carver.take(hiddenBytes);
    memory.workspaceBytes = largestWorkspace(model, needs.largest);
    memory.workspace = carver.take(memory.workspaceBytes);
    memory.batches = carver.take(needs.numMicrobatches * BatchBlock::maxBytes(needs.largest));
    memory.losses =
        reinterpret_cast<double*>(carver.take(needs.numMicrobatches * static_cast<int64_t>(sizeof(double))));
    return memory;
}

int64_t DeviceMemory::bytes(const MemoryNeeds& needs) {
    device::Carver carver;
    cut(carver, needs);
    return carver.usedBytes();
}

} // namespace roundpipe::pipeline
