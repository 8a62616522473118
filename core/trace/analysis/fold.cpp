// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/fold.h"

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

void foldRecords(const SliceList& counts, int64_t beginNs, int64_t endNs, std::span<InUse> out) {
    const double columnNs = static_cast<double>(endNs - beginNs) / static_cast<double>(out.size());
    const std::size_t end = counts.firstStartingFrom(endNs);
    for (std::size_t i = counts.firstStartingFrom(beginNs); i < end; ++i) {
        const auto column = static_cast<std::size_t>(static_cast<double>(counts[i].startNs - beginNs) / columnNs);
        out[std::min(column, out.size() - 1)].add(counts[i], 0);
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

bool foldCounter(const LaneStore& store, LaneId lane, int64_t beginNs, int64_t endNs, std::span<int64_t> out) {
    std::ranges::fill(out, 0);
    if (out.empty() || endNs <= beginNs) return true;
    const SliceList& counts = store.slices(lane);
    const CounterPyramid& pyramid = store.counterPyramid(lane);
    const bool isFar = (endNs - beginNs) / static_cast<int64_t>(out.size()) >= pyramid.finestNs();
    const bool atHand = counts.isAtHand(beginNs, isFar ? beginNs + 1 : endNs);
    std::vector<InUse> columns(out.size());
    if (isFar || !atHand)
        pyramid.fold(beginNs, endNs, columns);
    else
        foldRecords(counts, beginNs, endNs, columns);
    const std::size_t first = atHand ? counts.firstStartingFrom(beginNs) : 0;
    int64_t held = first > 0 ? counts[first - 1].bytes : 0;
    for (std::size_t c = 0; c < out.size(); ++c) {
        out[c] = std::max(held, columns[c].mostBytes);
        if (columns[c].mostBytes >= 0) held = columns[c].lastBytes;
    }
    return atHand;
}

} // namespace roundpipe::trace
