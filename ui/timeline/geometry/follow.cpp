// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/follow.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kStepsShown = 3;
constexpr std::size_t kStepsRegarded = 15;
constexpr double kShareATick = 0.12;

} // namespace

int64_t newestStepsNs(const trace::LaneStore& store) {
    std::vector<int64_t> durations;
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0 && durations.size() < kStepsRegarded;)
            if (slices[i].kind == trace::Kind::kStep) durations.push_back(slices[i].endNs - slices[i].startNs);
    }
    if (durations.empty()) return 0;
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::ranges::nth_element(durations, middle);
    return kStepsShown * *middle;
}

std::optional<int64_t> newestStepEndNs(const trace::LaneStore& store) {
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0;)
            if (slices[i].kind == trace::Kind::kStep) return slices[i].endNs;
    }
    return std::nullopt;
}

int64_t easedSpanNs(int64_t nowNs, int64_t wantedNs) {
    const double ratio = static_cast<double>(wantedNs) / static_cast<double>(std::max<int64_t>(nowNs, 1));
    if (ratio > 4 || ratio < 0.25 || std::abs(ratio - 1) < 0.02) return wantedNs;
    return static_cast<int64_t>(static_cast<double>(nowNs) * std::pow(ratio, kShareATick));
}

} // namespace roundpipe::ui::timeline
