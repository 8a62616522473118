#include "geometry/host_bytes.h"

#include "geometry/workspace.h"

namespace roundpipe::geometry {

AdapterBytes::AdapterBytes(int64_t trainedElements, DType operandType)
    : version(bytesOf(operandType, trainedElements)), full(bytesOf(statisticsType(operandType), trainedElements)) {}

HostBytes hostBytes(const std::vector<LayerSizes>& layers) {
    constexpr auto kVersions = static_cast<int64_t>(kAdapterVersions), kRounds = static_cast<int64_t>(kGradientRounds);
    HostBytes bytes;
    for (const LayerSizes& layer : layers) {
        bytes.base += layer.hostBase;
        bytes.versions += kVersions * alignUp(layer.adapterUp);
        bytes.gradients += kRounds * alignUp(layer.gradientsDown);
        bytes.masters += alignUp(layer.gradientsDown);
        bytes.moments += static_cast<int64_t>(kMoments) * layer.gradientsDown;
        bytes.gradientSums += alignUp(layer.gradientsDown);
        bytes.adapterFile += layer.gradientsDown;
    }
    bytes.checkpoint = static_cast<int64_t>(1 + kMoments) * bytes.adapterFile;
    return bytes;
}

} // namespace roundpipe::geometry
