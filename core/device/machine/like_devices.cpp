// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/like_devices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace roundpipe::device {
namespace {

constexpr double kLikeRates = 0.1, kLikeMemories = 0.01;

// `partOf` gives a device's rate by its index.
template <class PartOf>
void evenOut(const std::vector<std::size_t>& group, const PartOf& partOf) {
    double mean = 0;
    for (const std::size_t d : group)
        mean += partOf(d) / static_cast<double>(group.size());
    const auto isLike = [&](std::size_t d) { return std::abs(partOf(d) - mean) <= kLikeRates * mean; };
    if (!std::ranges::all_of(group, isLike)) return;
    for (const std::size_t d : group)
        partOf(d) = mean;
}

} // namespace

void evenOutLikeDevices(plan::Rig& rig) {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t d = 0; d < rig.devices.size(); ++d)
        if (rig.devices[d].isGpu) groups[rig.devices[d].name].push_back(d);
    for (const auto& [name, group] : groups) {
        evenOut(group, [&](std::size_t d) -> double& { return rig.devices[d].matrixFlops; });
        evenOut(group, [&](std::size_t d) -> double& { return rig.devices[d].memoryBytesPerSecond; });
        evenOut(group, [&](std::size_t d) -> double& { return rig.links[d].upBytesPerSecond; });
        evenOut(group, [&](std::size_t d) -> double& { return rig.links[d].downBytesPerSecond; });
        const auto memoryOf = [&](std::size_t d) -> int64_t& { return rig.devices[d].memoryBytes; };
        const auto [least, most] = std::ranges::minmax(group, {}, memoryOf);
        const int64_t smallest = memoryOf(least);
        if (static_cast<double>(memoryOf(most) - smallest) > kLikeMemories * static_cast<double>(smallest)) continue;
        for (const std::size_t d : group)
            memoryOf(d) = smallest;
    }
}

} // namespace roundpipe::device
