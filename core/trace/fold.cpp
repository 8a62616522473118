#include "trace/fold.h"

#include <algorithm>

namespace roundpipe::trace {
namespace {

void foldSlices(const SliceList& slices, int64_t beginNs, int64_t endNs, std::span<Summary> out) {
    std::fill(out.begin(), out.end(), Summary{});
    const double columnNs = static_cast<double>(endNs - beginNs) / static_cast<double>(out.size());
    const auto lastColumn = static_cast<int64_t>(out.size()) - 1;
    const IndexRange range = slices.touching(beginNs, endNs);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const auto from = static_cast<double>(slices[i].startNs - beginNs);
        const auto to = static_cast<double>(slices[i].endNs - beginNs);
        if (to < 0) continue;
        const auto first = static_cast<int64_t>(std::max(from, 0.0) / columnNs);
        const auto last = std::min(lastColumn, static_cast<int64_t>(to / columnNs));
        for (int64_t c = first; c <= last; ++c) {
            const double columnFrom = columnNs * static_cast<double>(c);
            const double covered = std::min(to, columnFrom + columnNs) - std::max(from, columnFrom);
            if (covered > 0 || from == to) out[static_cast<std::size_t>(c)].add(slices[i], std::max(covered, 0.0));
        }
    }
}

} // namespace

bool foldLane(const LaneStore& store, LaneId lane, int64_t beginNs, int64_t endNs, std::span<Summary> out) {
    if (out.empty() || endNs <= beginNs) return true;
    const Pyramid& pyramid = store.pyramid(lane);
    const bool isFar = (endNs - beginNs) / static_cast<int64_t>(out.size()) >= pyramid.finestNs();
    const bool atHand = isFar || store.slices(lane).isAtHand(beginNs, endNs);
    if (isFar || !atHand)
        pyramid.fold(beginNs, endNs, out);
    else
        foldSlices(store.slices(lane), beginNs, endNs, out);
    return atHand;
}

} // namespace roundpipe::trace
