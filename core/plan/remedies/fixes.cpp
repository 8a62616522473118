// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/fixes.h"

#include "plan/remedies/variants.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace roundpipe::plan {
namespace {

// The first that is enough, if the last one is.
std::vector<int64_t>::const_iterator firstEnough(const std::vector<int64_t>& values,
                                                 const std::function<bool(int64_t)>& isEnough) {
    return !values.empty() && isEnough(values.back()) ? std::ranges::partition_point(values, std::not_fn(isEnough))
                                                      : values.end();
}

// Where devices differ, a search finds more than fitsSurely() by who takes which stage.
bool mayBeSearched(const ModelRequest& request) {
    const std::vector<DeviceSpec>& devices = request.rig.devices;
    return std::ranges::any_of(devices, [&](const DeviceSpec& device) {
        return device.memoryBytes != devices.front().memoryBytes || device.matrixFlops != devices.front().matrixFlops;
    });
}

// A place before `least`, from which on all surely fit, that fits by a search while the one before it does not. What a
// search finds is not in order, so a few of the places before are looked at, too.
std::size_t searchedPlace(std::size_t least, const std::function<bool(std::size_t)>& isFound) {
    constexpr std::size_t kNearby = 4;
    std::size_t tooMuch = 0; // places below are too much
    while (tooMuch < least) {
        const std::size_t tried = std::midpoint(tooMuch, least);
        if (isFound(tried))
            least = tried;
        else
            tooMuch = tried + 1;
    }
    for (std::size_t back = 1; back <= std::min(kNearby, least); ++back)
        if (isFound(least - back)) {
            least -= back;
            back = 0;
        }
    return least;
}

std::optional<Fix> gentlest(Variants& variants, const Change& change, const SearchOptions& options) {
    const auto with = [&](int64_t value, const auto& use) {
        const Fix fix{change.kind, value, 0};
        return variants.with(variants.changed({&fix, 1}), use);
    };
    const auto isEnough = [&](int64_t value) {
        return with(value, [&](const ModelRequest& made) { return fits(made, options); });
    };
    const auto found = [&](int64_t value) {
        return with(value, [&](const ModelRequest& made) { return fitting(made, options); });
    };
    const std::vector<int64_t> values = change.values(variants.unchanged());
    // Smaller microbatches are more of them, which takes memory of the host: what fits need not be the smallest.
    const bool oneByOne = change.kind == FixKind::kMicrobatch || change.kind == FixKind::kMicrobatchTokens ||
                          change.kind == FixKind::kRoundSize;
    if (values.empty()) return std::nullopt;
    auto place = static_cast<std::size_t>(
        (oneByOne ? std::ranges::find_if(values, isEnough) : firstEnough(values, isEnough)) - values.begin());
    const bool isFine = change.kind == FixKind::kLength || change.kind == FixKind::kRank;
    if (isFine && mayBeSearched(variants.unchanged()) && place < values.size())
        place = searchedPlace(place, [&](std::size_t i) { return found(values[i]).has_value(); });
    if (place == values.size()) return std::nullopt;
    return Fix{change.kind, values[place], 0};
}

} // namespace

std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options, const Following& follow) {
    std::vector<Fix> fixes;
    Variants variants(request, follow);
    for (const Change& change : allChanges())
        if (const auto fix = gentlest(variants, change, quickly(options))) fixes.push_back(*fix);
    return fixes;
}

} // namespace roundpipe::plan
