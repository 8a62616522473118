// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/link_use.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace roundpipe::trace {
namespace {

// Of the slices of two lanes, what at least one of them covers.
int64_t coveredNs(const LaneStore& store, DeviceId device, std::initializer_list<LaneRole> roles, int64_t beginNs,
                  int64_t endNs) {
    std::vector<std::pair<int64_t, int64_t>> copies;
    for (const LaneRole role : roles) {
        const SliceList& slices = store.slices(laneOf(device, role));
        const IndexRange range = slices.touching(beginNs, endNs);
        for (std::size_t i = range.begin; i < range.end; ++i)
            copies.emplace_back(slices[i].startNs, slices[i].endNs);
    }
    std::ranges::sort(copies);
    int64_t covered = 0, untilNs = beginNs;
    for (const auto& [startNs, stopNs] : copies) {
        const int64_t to = std::min(stopNs, endNs);
        covered += std::max<int64_t>(0, to - std::max(startNs, untilNs));
        untilNs = std::max(untilNs, to);
    }
    return covered;
}

} // namespace

LinkUse linkUseOf(const LaneStore& store, DeviceId device, int64_t beginNs, int64_t endNs) {
    return {coveredNs(store, device, {LaneRole::kWeightsUp, LaneRole::kActivationsUp}, beginNs, endNs),
            coveredNs(store, device, {LaneRole::kActivationsDown, LaneRole::kGradientsDown}, beginNs, endNs)};
}

} // namespace roundpipe::trace
