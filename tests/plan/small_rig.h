// SPDX-License-Identifier: GPL-3.0-or-later
// Rigs and costs for tests: equal devices, layers whose times are given.
#pragma once

#include "plan/cost/costs.h"
#include "plan/rig/rig.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan::testing {

inline constexpr int64_t kPlenty = int64_t{1} << 45;

inline Rig equalRig(int32_t numDevices, double bytesPerSecond = 1e14, double latency = 0) {
    Rig rig;
    rig.name = "test";
    rig.host = {kPlenty, 0, 1e16, 0, 0};
    for (int32_t d = 0; d < numDevices; ++d) {
        rig.devices.push_back({"device", kPlenty, 1e14, 1e12, true});
        rig.links.push_back({bytesPerSecond, bytesPerSecond, latency, true, -1});
    }
    return rig;
}

// One layer for each entry; all devices take the same times. The last layer is the head.
inline Costs costsOf(const std::vector<LayerTimes>& times, int32_t numDevices) {
    Costs costs;
    costs.tokens = 1;
    costs.packetBytes = 1;
    costs.times.assign(static_cast<std::size_t>(numDevices), times);
    costs.contextBytes.assign(static_cast<std::size_t>(numDevices), 0);
    for (std::size_t l = 0; l < times.size(); ++l) {
        geometry::LayerSizes layer;
        layer.name = "layer";
        layer.isBlock = l + 1 < times.size();
        layer.gradients = layer.gradientsDown = 1;
        costs.layers.push_back(layer);
    }
    costs.updateSeconds.assign(times.size(), 0);
    costs.addSeconds.assign(times.size(), 0);
    costs.normSeconds.assign(times.size(), 0);
    return costs;
}

} // namespace roundpipe::plan::testing
