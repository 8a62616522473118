// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/hit_test.h"

namespace roundpipe::ui::timeline {

std::optional<Hit> sliceAt(const trace::SliceList& slices, int64_t timeNs, int64_t toleranceNs) {
    const trace::IndexRange range = slices.touching(timeNs - toleranceNs, timeNs + toleranceNs + 1);
    std::optional<std::size_t> covering;
    std::optional<std::size_t> longest;
    std::size_t count = 0;
    const auto duration = [&](std::size_t i) { return slices[i].endNs - slices[i].startNs; };
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (slices[i].endNs < timeNs - toleranceNs) continue;
        ++count;
        if (!longest || duration(i) > duration(*longest)) longest = i;
        if (slices[i].startNs <= timeNs && timeNs < slices[i].endNs &&
            (!covering || duration(i) <= duration(*covering)))
            covering = i;
    }
    if (count == 0) return std::nullopt;
    // A slice wider than the tolerance is what the eye sees; narrower ones stand for their neighbours.
    if (covering && (count == 1 || duration(*covering) > 2 * toleranceNs)) return Hit{*covering, 1};
    return Hit{*longest, count};
}

} // namespace roundpipe::ui::timeline
