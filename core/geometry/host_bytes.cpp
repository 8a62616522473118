// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/host_bytes.h"

#include "geometry/workspace.h"

namespace roundpipe::geometry {

TrainedBytes::TrainedBytes(const TrainedBlock& block, DType operandType)
    : version(bytesOf(operandType, block.numElements))
    , masters(bytesOf(statisticsType(operandType), block.numElements))
    , gradients(bytesOf(statisticsType(operandType), block.gradientElements)) {}

HostBytes hostBytes(const std::vector<LayerSizes>& layers) {
    constexpr auto kVersions = static_cast<int64_t>(kAdapterVersions), kRounds = static_cast<int64_t>(kGradientRounds);
    HostBytes bytes;
    for (const LayerSizes& layer : layers) {
        bytes.base += layer.hostBase;
        bytes.versions += kVersions * alignUp(layer.version);
        bytes.gradients += kRounds * alignUp(layer.gradientsDown);
        bytes.masters += alignUp(layer.masters);
        bytes.moments += static_cast<int64_t>(kMoments) * layer.masters;
        (layer.gathersGradients ? bytes.usesSums : bytes.gradientSums) += alignUp(layer.masters);
        bytes.adapterFile += layer.masters;
    }
    bytes.checkpoint = static_cast<int64_t>(1 + kMoments) * bytes.adapterFile;
    return bytes;
}

} // namespace roundpipe::geometry
