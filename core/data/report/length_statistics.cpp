// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/length_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roundpipe::data {
namespace {

// 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, …
int64_t nextEdge(int64_t edge) {
    if (edge < 2) return edge + 1;
    const bool isPower = (edge & (edge - 1)) == 0;
    return isPower ? edge + edge / 2 : edge / 3 * 4;
}

std::vector<session::LengthBin> histogramOf(const std::vector<int32_t>& sorted) {
    std::vector<session::LengthBin> bins;
    auto position = sorted.begin();
    for (int64_t begin = 0; position != sorted.end(); begin = nextEdge(begin)) {
        const int64_t end = nextEdge(begin);
        const auto after = std::lower_bound(position, sorted.end(), end);
        if (!bins.empty() || after != position) bins.push_back({begin, end, after - position});
        position = after;
    }
    return bins;
}

} // namespace

void describeLengths(std::vector<int32_t> lengths, session::LengthStatistics& statistics) {
    statistics.numRows = static_cast<int64_t>(lengths.size());
    if (lengths.empty()) return;
    std::ranges::sort(lengths);
    const auto count = static_cast<double>(lengths.size());
    const auto percentile = [&](double share) { // the nearest rank
        return lengths[static_cast<std::size_t>(std::ceil(share * count)) - 1];
    };
    statistics.mean = static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), int64_t{0})) / count;
    statistics.p50 = percentile(0.50);
    statistics.p90 = percentile(0.90);
    statistics.p95 = percentile(0.95);
    statistics.p99 = percentile(0.99);
    statistics.max = lengths.back();
    statistics.histogram = histogramOf(lengths);
}

} // namespace roundpipe::data
