// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/combination.h"

#include "plan/remedies/variants.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

namespace roundpipe::plan {
namespace {

// Those that can be combined, in the order in which they are made: adapters have a rank, and a base that may be
// rounded; the limit of a microbatch goes by the length of sequences, that of page-locking by the host's memory.
constexpr std::array kCombined = {
    FixKind::kMethod,     FixKind::kLength,           FixKind::kPrecision, FixKind::kRank,       FixKind::kBits,
    FixKind::kMicrobatch, FixKind::kMicrobatchTokens, FixKind::kRoundSize, FixKind::kHostMemory, FixKind::kPageLock,
    FixKind::kDisk,       FixKind::kDevices};

std::size_t placeOf(FixKind kind) {
    return static_cast<std::size_t>(std::ranges::find(kCombined, kind) - kCombined.begin());
}

// How far each of kCombined goes: the place of its value, counted from 1; 0: not made.
using Extents = std::array<std::size_t, kCombined.size()>;

constexpr std::size_t kAsFarAsItGoes = 1'000'000;

// What a desktop takes can be bought: some 256 GiB on its board, GPUs of some 96 GiB. A large model wants a server.
enum class Machine : uint8_t { kItself, kDesktop, kServer };

std::size_t furthest(FixKind kind, Machine machine) {
    if (isSetting(kind) || machine == Machine::kServer) return kAsFarAsItGoes;
    if (machine == Machine::kItself) return 0;
    return kind == FixKind::kHostMemory ? 8 : 9;
}

// Which kinds may be combined. As many as must be: an adapter that can learn less for a few tokens more is no good
// exchange, nor is a base that is rounded.
struct Kinds {
    Machine machine = Machine::kItself;
    bool ranks = false, bits = false;
    bool limits = false; // that are raised, not bought: of page-locking, and what is free on the disk
    bool method = false; // adapters, where all weights were to be trained

    std::size_t furthest(FixKind kind) const {
        switch (kind) {
        case FixKind::kRank:
            return ranks ? kAsFarAsItGoes : 0;
        case FixKind::kBits:
            return bits ? kAsFarAsItGoes : 0;
        case FixKind::kMethod:
            return method ? kAsFarAsItGoes : 0;
        case FixKind::kPageLock:
        case FixKind::kDisk:
            return limits ? kAsFarAsItGoes : 0;
        default:
            return plan::furthest(kind, machine);
        }
    }
};

// One set after the other, until one helps: what is there already before what must be bought.
std::vector<Kinds> setsAmong(Among among) {
    if (among == Among::kSettings)
        return {{Machine::kItself},
                {Machine::kItself, true},
                {Machine::kItself, true, true},
                {Machine::kItself, false, false, false, true},
                {Machine::kItself, true, true, false, true}};
    return {{Machine::kItself, true, false, true},
            {Machine::kItself, true, true, true},
            {Machine::kDesktop, true, false, true},
            {Machine::kServer, true, false, true},
            {Machine::kServer, true, true, true}};
}

struct Changes {
    std::vector<Fix> fixes;
    Extents extents{}; // as far as values go
    ModelRequest request;
};

Changes makeAll(const Variants& variants, const Extents& extents) {
    Changes made{{}, {}, variants.unchanged()};
    for (std::size_t k = 0; k < extents.size(); ++k) {
        const Change& change = changeOf(kCombined[k]);
        if (extents[k] == 0) continue;
        const std::vector<int64_t> values = change.values(made.request);
        made.extents[k] = std::min(extents[k], values.size());
        if (values.empty()) continue;
        made.fixes.push_back({change.kind, values[made.extents[k] - 1], 0});
        made.request = variants.changed(made.fixes);
    }
    return made;
}

// Each kind as little as it may be beside the others, what hurts most first: GPUs, then quality, memory of the host,
// which is bought easily, and more rounds and smaller microbatches, which cost nothing but speed.
constexpr std::array kWorstFirst = {
    FixKind::kDevices, FixKind::kMethod,    FixKind::kLength,           FixKind::kBits,
    FixKind::kRank,    FixKind::kPrecision, FixKind::kHostMemory,       FixKind::kPageLock,
    FixKind::kDisk,    FixKind::kRoundSize, FixKind::kMicrobatchTokens, FixKind::kMicrobatch};

void leastOfEach(Extents& extents, std::span<const FixKind> kinds,
                 const std::function<bool(const Extents&)>& isEnough) {
    for (const FixKind kind : kinds) {
        const std::size_t which = placeOf(kind);
        std::size_t least = 0;
        while (least < extents[which]) {
            Extents half = extents;
            half[which] = std::midpoint(least, extents[which]);
            if (isEnough(half))
                extents = half;
            else
                least = half[which] + 1;
        }
    }
}

// What a run is left with of what these may take from it.
struct Left {
    double length = 0, rank = 0;
};

Left leftBy(const Variants& variants, const Extents& extents) {
    const TrainingShape& training = makeAll(variants, extents).request.training;
    return {static_cast<double>(training.maxLength), static_cast<double>(training.lora.rank)};
}

// A few tokens less than could be may leave an adapter many times the rank: then they do.
void spareRank(const Variants& variants, Extents& extents, const std::function<bool(const Extents&)>& isEnough) {
    constexpr double kFewTokens = 0.9, kManyTimes = 2;
    constexpr std::array kRankAlone = {FixKind::kRank}, kLengthAlone = {FixKind::kLength};
    if (extents[placeOf(FixKind::kRank)] == 0) return;
    const Left before = leftBy(variants, extents);
    Extents spared = extents;
    for (Extents next = extents; isEnough(next); ++next[placeOf(FixKind::kLength)]) {
        if (leftBy(variants, next).length < kFewTokens * before.length) break;
        spared = next;
        if (makeAll(variants, next).extents != next) break; // it goes no further
    }
    leastOfEach(spared, kRankAlone, isEnough);
    if (leftBy(variants, spared).rank < kManyTimes * before.rank) return;
    leastOfEach(spared, kLengthAlone, isEnough);
    extents = spared;
}

// The least that helps of such kinds; none where all of them do not.
std::optional<Extents> leastOf(const Variants& variants, const Kinds& kinds,
                               const std::function<bool(const Extents&)>& isEnough) {
    Extents extents{};
    std::ranges::transform(kCombined, extents.begin(), [&](FixKind kind) { return kinds.furthest(kind); });
    if (!isEnough(extents)) return std::nullopt;
    extents = makeAll(variants, extents).extents; // as far as values go
    // Several times over: microbatches that are smaller are more of them, which takes host memory, so what was needed
    // beside the smallest ones may be needed no more beside those that are kept.
    for (Extents before{}; before != extents;) {
        before = extents;
        leastOfEach(extents, kWorstFirst, isEnough);
    }
    spareRank(variants, extents, isEnough);
    return extents;
}

// Whether a base that is rounded leaves so much more that it is the better exchange.
bool sparesMore(const Variants& variants, const Extents& rounded, const Extents& asItIs) {
    constexpr double kLonger = 1.5, kHigher = 4;
    const Left with = leftBy(variants, rounded), without = leftBy(variants, asItIs);
    return with.length >= kLonger * without.length ||
           (with.length >= without.length && with.rank >= kHigher * without.rank);
}

} // namespace

std::vector<Fix> smallestCombination(const ModelRequest& request, Among among, const SearchOptions& options,
                                     const Following& follow) {
    const SearchOptions quick = quickly(options);
    Variants variants(request, follow);
    std::map<Extents, bool> known; // they are asked for several times over
    const auto isEnough = [&](const Extents& extents) {
        const auto [asked, isNew] = known.try_emplace(extents, false);
        if (isNew)
            asked->second = variants.with(makeAll(variants, extents).request,
                                          [&](const ModelRequest& made) { return fits(made, quick); });
        return asked->second;
    };
    std::optional<Extents> best;
    for (const Kinds& kinds : setsAmong(among)) {
        if (best && (!kinds.bits || kinds.method)) break; // what must be bought, or is another method
        const auto found = leastOf(variants, kinds, isEnough);
        if (found && (!best || sparesMore(variants, *found, *best))) best = found;
        if (best && kinds.bits) break;
    }
    if (!best) return {};
    return makeAll(variants, *best).fixes;
}

std::vector<Fix> bitsAndLessMemory(const ModelRequest& request, const Fix& memory, const SearchOptions& options,
                                   const Following& follow) {
    const SearchOptions quick = quickly(options);
    Variants variants(request, follow);
    std::vector<int64_t> amounts = changeOf(FixKind::kHostMemory).values(request);
    std::erase_if(amounts, [&](int64_t bytes) { return bytes > memory.value / 2; });
    for (const int64_t bits : changeOf(FixKind::kBits).values(request)) {
        const auto together = [&](int64_t bytes) {
            return std::vector<Fix>{{FixKind::kBits, bits, 0}, {FixKind::kHostMemory, bytes, 0}};
        };
        const auto isTooLittle = [&](int64_t bytes) {
            return !variants.with(variants.changed(together(bytes)),
                                  [&](const ModelRequest& made) { return fits(made, quick); });
        };
        const auto least = std::ranges::partition_point(amounts, isTooLittle);
        if (least != amounts.end()) return together(*least);
    }
    return {};
}

bool isBeside(std::span<const Fix> together, std::span<const Fix> alone) {
    constexpr double kClearlyMore = 1.05;
    return std::ranges::none_of(alone, [&](const Fix& one) {
        if (!isSetting(one.kind)) return false;
        if (keepsResults(one.kind) || together.size() < 2) return true;
        const auto same = std::ranges::find(together, one.kind, &Fix::kind);
        return same != together.end() &&
               static_cast<double>(same->value) < kClearlyMore * static_cast<double>(one.value);
    });
}

} // namespace roundpipe::plan
