// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/lane_geometry.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr double kMinPixelsPerSlice = 2.0; // denser lanes are folded
constexpr std::size_t kSurelyDense = 4096; // that roughlyTouching() may say too much

} // namespace

void buildLaneGeometry(const trace::LaneStore& store, LaneId lane, const Viewport& view, int numColumns,
                       LaneGeometry& geometry) {
    geometry.bars.clear();
    geometry.columns.clear();
    const trace::SliceList& slices = store.slices(lane);
    const auto fold = [&] {
        geometry.folded = true;
        geometry.columns.resize(static_cast<std::size_t>(std::max(numColumns, 1)));
        geometry.complete = trace::foldLane(store, lane, view.beginNs(), view.endNs(), geometry.columns);
    };
    const auto isDense = [&](std::size_t count) {
        return static_cast<double>(count) * kMinPixelsPerSlice > view.width();
    };
    if (slices.numChunksOnDisk() > 0) { // far out, no slice is read
        const std::size_t atMost = slices.roughlyTouching(view.beginNs(), view.endNs());
        if (atMost > kSurelyDense && isDense(atMost - kSurelyDense)) return fold();
        if (!slices.isAtHand(view.beginNs(), view.endNs())) return fold();
    }
    const trace::IndexRange range = slices.touching(view.beginNs(), view.endNs());
    if (isDense(range.size())) return fold();
    geometry.folded = false;
    geometry.complete = true;
    const double outside = view.width() + 8.0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (slices[i].endNs < view.beginNs()) continue;
        const auto left = static_cast<int>(std::floor(std::clamp(view.xAt(slices[i].startNs), -8.0, outside)));
        const auto right = static_cast<int>(std::floor(std::clamp(view.xAt(slices[i].endNs), -8.0, outside)));
        geometry.bars.push_back({left, std::max(right, left + 1), slices[i].kind, i});
    }
}

} // namespace roundpipe::ui::timeline
