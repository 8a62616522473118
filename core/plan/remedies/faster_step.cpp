// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/faster_step.h"

#include "plan/remedies/variants.h"
#include "plan/search/least_memory.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace roundpipe::plan {
namespace {

struct TriedStep {
    std::vector<Fix> fixes;
    double rate = 0;
};

// Of a step: more take long to look at.
constexpr int64_t kMostMicrobatches = 1024;

int64_t numMicrobatchesOf(const ModelRequest& request) {
    return request.sequencesPerStep / request.training.sequences;
}

// Each is half of the one before at most: those between are as fast, or nearly.
std::vector<Fix> halved(const Change& change, const ModelRequest& request, int64_t from) {
    std::vector<Fix> all;
    for (const int64_t value : change.values(request))
        if (2 * value <= (all.empty() ? from : all.back().value)) all.push_back({change.kind, value, 0});
    return all;
}

// Microbatches as they are and smaller, each in rounds as they are and smaller. A step of limited microbatches has
// tokens to halve, one of others sequences.
std::vector<TriedStep> waysOf(const Variants& variants) {
    const ModelRequest& request = variants.unchanged();
    std::vector<TriedStep> sizes(1);
    for (const auto& [kind, from] : {std::pair(FixKind::kMicrobatch, request.training.sequences),
                                     std::pair(FixKind::kMicrobatchTokens, request.training.tokenLimit)})
        for (const Fix& smaller : halved(changeOf(kind), request, from))
            if (numMicrobatchesOf(variants.changed({&smaller, 1})) <= kMostMicrobatches) sizes.push_back({{smaller}});
    std::vector<TriedStep> all = sizes;
    for (const TriedStep& size : sizes) {
        const ModelRequest made = variants.changed(size.fixes);
        const int64_t perRound = numMicrobatchesOf(made) / std::max(1, made.rounds);
        for (const Fix& smaller : halved(changeOf(FixKind::kRoundSize), made, perRound)) {
            if (smaller.value < request.rig.numDevices()) break; // some would wait for the others' stages
            all.push_back(size);
            all.back().fixes.push_back(smaller);
        }
    }
    return all;
}

} // namespace

std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found, const SearchOptions& options) {
    constexpr double kWorthwhile = 1.05;
    if (hostHoldsAnyCuts(request.rig, found.costs, found.choice.shape)) return std::nullopt;
    std::optional<Fix> best;
    for (const int64_t size : changeOf(FixKind::kRoundSize).values(request)) {
        if (size < request.rig.numDevices()) break; // some would wait for the others' stages
        const Fix smaller{FixKind::kRoundSize, size, 0};
        const auto choice = fitting(withFixes(request, {&smaller, 1}), options);
        const double needed = kWorthwhile * (best ? best->tokensPerSecond : found.tokensPerSecond);
        if (choice && choice->tokensPerSecond >= needed) best = {smaller.kind, size, choice->tokensPerSecond};
    }
    return best;
}

std::vector<Fix> fastestOfSameStep(const ModelRequest& request, const SearchOptions& options, const Following& follow) {
    constexpr std::size_t kInFull = 4; // a part of the effort misses several hundredths
    if (request.choosesMicrobatch || request.rounds == 0 || numMicrobatchesOf(request) > kMostMicrobatches) return {};
    Variants variants(request, follow);
    const SearchOptions quick = quickly(options);
    SearchOptions hasty = quick;
    hasty.effort /= 4;
    std::vector<TriedStep> ways = waysOf(variants);
    const auto rate = [&](const auto& rateOf) {
        for (TriedStep& way : ways)
            way.rate = variants.with(variants.changed(way.fixes), rateOf);
        std::ranges::stable_sort(ways, std::greater(), &TriedStep::rate);
        std::erase_if(ways, [](const TriedStep& way) { return way.rate == 0; });
    };
    const auto by = [](const SearchOptions& effort) { // a search: memory alone does not know what replicas need
        return [&effort](const ModelRequest& made) {
            const auto found = fitting(made, effort);
            return found ? found->tokensPerSecond : 0;
        };
    };
    rate(by(hasty));
    ways.resize(std::min(ways.size(), kInFull));
    rate(by(quick));
    return ways.empty() ? std::vector<Fix>() : ways.front().fixes;
}

} // namespace roundpipe::plan
