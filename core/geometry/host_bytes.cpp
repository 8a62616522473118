// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/host_bytes.h"

#include "geometry/workspace.h"

namespace roundpipe::geometry {

TrainedBytes::TrainedBytes(const TrainedBlock& block, DType operandType)
    : version(bytesOf(operandType, block.numElements))
    , masters(bytesOf(statisticsType(operandType), block.numElements))
    , gradientType(block.isOfTensorsAlone() && sizeOf(operandType) == 2 ? DType::kBF16 : statisticsType(operandType))
    , gradients(bytesOf(gradientType, block.gradientElements)) {}

HostBytes hostBytes(const std::vector<LayerSizes>& layers) {
    constexpr auto kVersions = static_cast<int64_t>(kAdapterVersions);
    HostBytes bytes;
    for (const LayerSizes& layer : layers) {
        bytes.base += layer.hostBase;
        bytes.versions += kVersions * alignUp(layer.version);
        bytes.gradients += alignUp(layer.gradientsDown);
        bytes.masters += alignUp(layer.masters);
        bytes.moments += static_cast<int64_t>(kMoments) * layer.moments;
        (layer.gathersGradients ? bytes.usesSums : bytes.gradientSums) += alignUp(layer.masters);
        bytes.adapterFile += layer.masters + layer.sharedInFile;
    }
    bytes.checkpoint = bytes.adapterFile + bytes.moments;
    return bytes;
}

int64_t updateBytes(const LayerSizes& layer) {
    const int64_t kept = layer.masters + static_cast<int64_t>(kMoments) * layer.moments;
    return normBytes(layer) + 2 * kept + layer.version;
}

int64_t sumBytes(const LayerSizes& layer) {
    return layer.gradientsDown + 2 * layer.gradients;
}

// Of a table that is shared, the sum of its uses, which its owner has.
int64_t normBytes(const LayerSizes& layer) {
    return layer.sharesTable ? layer.masters : layer.gradientsDown;
}

} // namespace roundpipe::geometry
