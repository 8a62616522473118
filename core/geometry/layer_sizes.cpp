// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/layer_sizes.h"

#include "geometry/batch_arrays.h"
#include "geometry/block_buffers.h"
#include "geometry/head.h"
#include "geometry/host_blobs.h"
#include "geometry/host_bytes.h"
#include "geometry/weight_room.h"

#include <algorithm>
#include <array>

namespace roundpipe::geometry {
namespace {

using arch::LayerKind;
using arch::ModelConfig;

#define RP_BUFFERS(folder, value, words) folder::buffers,
constexpr std::array kBuffersOfBlock{RP_FOR_EACH_BLOCK_TYPE(RP_BUFFERS)}; // [arch::BlockType]
#undef RP_BUFFERS

// An embedding takes nothing.
BlockBuffers buffersOf(const ModelConfig& config, const LayerLayout& layout, const SizeRequest& request) {
    switch (layout.spec.kind) {
    case LayerKind::kEmbedding:
        return {};
    case LayerKind::kBlock:
        return kBuffersOfBlock[static_cast<std::size_t>(layout.spec.type)](config, layout, request.operandType,
                                                                           request.maxTokens);
    case LayerKind::kHead:
        break;
    }
    return {0, 0, HeadShape(config, layout, request.operandType).workspaceBytes(request.maxTokens)};
}

LayerSizes sizesOf(const ModelConfig& config, const LayerLayout& layout, const HostBlob& blob,
                   const TrainedBlock& trained, const SizeRequest& request) {
    LayerSizes sizes;
    sizes.isBlock = layout.spec.kind == LayerKind::kBlock;
    sizes.trainedElements = trained.numElements;
    sizes.hostBase = blob.bytes;
    sizes.baseUp = blob.uploadBytes();
    sizes.adapterUp = bytesOf(request.operandType, trained.uploadElements());
    Workspace slot;
    const WeightPlace place(layout, request.operandType, slot);
    sizes.weights = slot.usedBytes();
    if (layout.hasPacked()) sizes.assembled = layout.base.bytes;
    const TrainedBytes bytes(trained, request.operandType);
    sizes.version = bytes.version;
    sizes.masters = bytes.masters;
    sizes.moments = bytesOf(momentTypeOf(request.moments, request.operandType), trained.numElements);
    if (!layout.trainsBase) sizes.sharedInFile = bytesOf(statisticsType(request.operandType), trained.borrowedElements);
    sizes.gathersGradients = trained.gathers;
    sizes.sharesTable = trained.gathers || trained.borrowedElements > 0;
    sizes.needsInputGradient = needsInputGradient(layout);
    sizes.gradientsDown = bytes.gradients;
    sizes.gradients = alignUp(bytesOf(statisticsType(request.operandType), trained.gradientElements));
    const BlockBuffers buffers = buffersOf(config, layout, request);
    sizes.saved = buffers.saved;
    sizes.savedWithoutGateUp = buffers.savedWithoutGateUp;
    sizes.workspace = buffers.workspace;
    return sizes;
}

// Of the same sizes in everything.
bool alike(const arch::LayerSpec& a, const arch::LayerSpec& b) {
    const auto sameTensor = [](const arch::TensorSpec& x, const arch::TensorSpec& y) {
        return x.role == y.role && x.shape == y.shape;
    };
    return a.kind == b.kind && a.type == b.type && std::ranges::equal(a.tensors, b.tensors, sameTensor);
}

bool alike(const arch::TrainedLayer& a, const arch::TrainedLayer& b) {
    const auto sameLinear = [](const arch::LinearSpec& x, const arch::LinearSpec& y) {
        return x.role == y.role && x.inFeatures == y.inFeatures && x.outFeatures == y.outFeatures;
    };
    return a.tensors == b.tensors && std::ranges::equal(a.adapted, b.adapted, sameLinear);
}

} // namespace

ModelSizes modelSizes(const arch::ModelSpec& model, const std::vector<arch::TrainedLayer>& parts,
                      const SizeRequest& request) {
    // Layers of a kind are laid out once: a model has dozens of them, with hundreds of tensors each.
    std::vector<LayerLayout> layouts;
    std::vector<std::size_t> layoutOf;
    std::vector<std::size_t> firstOf; // [layout]
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const auto same = std::ranges::find_if(firstOf, [&](std::size_t first) {
            return alike(model.layers[first], model.layers[l]) && alike(parts[first], parts[l]);
        });
        layoutOf.push_back(static_cast<std::size_t>(same - firstOf.begin()));
        if (same != firstOf.end()) continue;
        firstOf.push_back(l);
        layouts.push_back(makeLayout(model.layers[l], parts[l], request.trained, request.operandType, request.weights));
    }
    const std::vector<HostBlob> blobs = hostBlobs(layouts);
    const std::vector<TrainedBlock> trained = trainedBlocks(layouts);
    std::vector<LayerSizes> kinds;
    for (std::size_t k = 0; k < layouts.size(); ++k)
        kinds.push_back(sizesOf(model.config, layouts[k], blobs[k], trained[k], request));

    ModelSizes sizes;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        LayerSizes& layer = sizes.layers.emplace_back(kinds[layoutOf[l]]);
        layer.name = model.layers[l].name;
    }
    const auto isTrained = [](const LayerSizes& layer) { return layer.trainedElements > 0; };
    sizes.firstTrainable = static_cast<int32_t>(std::ranges::find_if(sizes.layers, isTrained) - sizes.layers.begin());
    sizes.packetBytes = bytesOf(request.operandType, request.maxTokens * model.config.hiddenSize);
    sizes.batchBytes = BatchArrays::maxBytes(request.maxTokens, request.maxSequences);
    return sizes;
}

} // namespace roundpipe::geometry
