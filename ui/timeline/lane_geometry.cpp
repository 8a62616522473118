#include "ui/timeline/lane_geometry.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr double kMinPixelsPerSlice = 2.0; // denser lanes are folded

} // namespace

void buildLaneGeometry(const trace::LaneStore& store, LaneId lane, const Viewport& view, int numColumns,
                       LaneGeometry& geometry) {
    geometry.bars.clear();
    geometry.columns.clear();
    const trace::SliceList& slices = store.slices(lane);
    const trace::IndexRange range = slices.touching(view.beginNs(), view.endNs());
    geometry.folded = static_cast<double>(range.size()) * kMinPixelsPerSlice > view.width();
    if (geometry.folded) {
        geometry.columns.resize(static_cast<std::size_t>(std::max(numColumns, 1)));
        trace::foldLane(store, lane, view.beginNs(), view.endNs(), geometry.columns);
        return;
    }
    const double outside = view.width() + 8.0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (slices[i].endNs < view.beginNs()) continue;
        const auto left = static_cast<int>(std::floor(std::clamp(view.xAt(slices[i].startNs), -8.0, outside)));
        const auto right = static_cast<int>(std::floor(std::clamp(view.xAt(slices[i].endNs), -8.0, outside)));
        geometry.bars.push_back({left, std::max(right, left + 1), i});
    }
}

} // namespace roundpipe::ui::timeline
