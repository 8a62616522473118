// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rehearsal/ways.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace roundpipe::engine {
namespace {

using geometry::LayerSaving;
using geometry::Saving;

Way with(Trains trains, Way way) {
    way.trains = trains;
    return way;
}

Way oneStepStale(Way way) {
    way.updates = Updates::kOneStepStale;
    return way;
}

Way inFp16(Way way) {
    way.inFp16 = true;
    return way;
}

Way packed(Way way, WeightFormat weights) {
    way.weights = weights;
    return way;
}

Way withPacketsKept(Way way) {
    way.keepsPackets = true;
    return way;
}

Way withSaving(Way way, std::vector<LayerSaving> saving) {
    way.saving = std::move(saving);
    return way;
}

Way untied(Way way) {
    way.tied = false;
    return way;
}

Way withMicrobatches(Way way, int32_t microbatches, int32_t rounds = 1) {
    way.microbatches = microbatches;
    way.rounds = rounds;
    return way;
}

Way unevenly(Way way) {
    way.unevenly = true;
    return way;
}

// One choice for all blocks, and one in which stages have all that lie on the device.
const std::array<std::vector<LayerSaving>, 6> kSavings{std::vector<LayerSaving>{Saving::kWithoutGateUp},
                                                       {Saving::kInput},
                                                       {{Saving::kAll, true}},
                                                       {{Saving::kWithoutGateUp, true}},
                                                       {{Saving::kInput, true}},
                                                       {Saving::kInput, Saving::kWithoutGateUp, Saving::kAll}};

std::string savedText(const std::vector<LayerSaving>& saving) {
    std::string text;
    for (const LayerSaving one : saving)
        text += (text.empty() ? ", saved: " : " ") + std::string(one.spelling());
    return text;
}

std::string stepText(const Way& way) {
    const Way usual;
    std::string text;
    if (way.microbatches != usual.microbatches)
        text += fmt::format(", {} microbatch{}", way.microbatches, way.microbatches == 1 ? "" : "es");
    if (way.rounds != usual.rounds) text += fmt::format(" in {} rounds", way.rounds);
    return text;
}

std::string listed(const std::vector<int32_t>& stages) {
    return fmt::format("{}", fmt::join(stages, " "));
}

// Of each cut one: half of the layers resident, one ahead.
std::vector<Way> oneOfEachCut() {
    std::vector<Way> some = plainWays();
    std::erase_if(some, [](const Way& way) { return way.prefetchDepth != 1 || way.residentPercent != 50; });
    return some;
}

// Those in which packets stay on a device.
std::vector<Way> waysOfPackets(std::size_t numDevices) {
    if (numDevices > 1) {
        Way replicated = withPacketsKept(plainWays().back());
        replicated.replicas = true;
        return {replicated};
    }
    std::vector<Way> kept;
    for (const Way& way : oneOfEachCut()) {
        kept.push_back(withPacketsKept(way));
        kept.push_back(oneStepStale(kept.back()));
        kept.push_back(with(Trains::kWeights, withPacketsKept(withSaving(way, kSavings.back()))));
        kept.push_back(withPacketsKept(withSaving(way, kSavings[2]))); // all in host memory
    }
    return kept;
}

// Microbatches as many as devices, fewer and more, and in turns.
std::vector<Way> waysOfSteps(std::size_t numDevices) {
    const auto devices = static_cast<int32_t>(numDevices);
    std::vector<Way> all;
    for (const Way& way : oneOfEachCut())
        for (const Trains trains : {Trains::kAdapters, Trains::kWeights}) {
            const Way trained = with(trains, way);
            all.push_back(withMicrobatches(trained, devices));
            all.push_back(withMicrobatches(trained, devices + 1));
            if (devices > 2) all.push_back(withMicrobatches(trained, devices - 1));
            all.push_back(withMicrobatches(trained, 2 * devices, 2));
            all.push_back(untied(trained));
        }
    return all;
}

std::vector<Way> waysOfReplicas() {
    const Way half = replicas(50);
    return {half,
            replicas(100),
            with(Trains::kWeights, half),
            with(Trains::kWholeModules, half),
            withSaving(half, kSavings.back()),
            inFp16(half),
            oneStepStale(half)};
}

} // namespace

std::string nameOf(const Way& way, std::size_t numDevices) {
    constexpr std::array kTrained{"", "whole modules, ", "weights, "}; // [Trains]
    const char* const trained = kTrained[static_cast<std::size_t>(way.trains)];
    const std::string more = stepText(way) + (way.unevenly ? ", the first twice" : "") + (way.tied ? "" : ", untied") +
                             savedText(way.saving) + (way.keepsPackets ? ", packets stay" : "") +
                             (way.updates == Updates::kOneStepStale ? ", one step stale" : "") +
                             (way.inFp16 ? ", fp16" : "") +
                             (isPacked(way.weights) ? std::string(", ") + spellingOf(way.weights) : "");
    if (way.replicas)
        return fmt::format("{}{} replicas, {} % resident{}", trained, numDevices, way.residentPercent, more);
    return fmt::format("{}{} device{}, {} | {}, {} % resident, {}{}{}{}", trained, numDevices,
                       numDevices == 1 ? "" : "s", listed(way.forward), listed(way.backward), way.residentPercent,
                       way.prefetchDepth == 0 ? "a slot ahead" : fmt::format("{} ahead", way.prefetchDepth),
                       way.leavesNoGap ? ", no gap" : "", way.checksSlots ? "" : ", no memory taken meanwhile", more);
}

Way simplestLike(const Way& way) {
    Way simplest = plainWays().front();
    simplest.trains = way.trains;
    simplest.inFp16 = way.inFp16;
    simplest.updates = way.updates;
    simplest.weights = way.weights;
    simplest.tied = way.tied;
    simplest.microbatches = way.microbatches;
    simplest.rounds = way.rounds;
    return simplest;
}

std::vector<Way> plainWays() {
    const std::vector<Way> cuts{{{}, {8}}, {{1}, {7}}, {{2, 2, 2}, {2, 2, 2, 1}}, {{5}, {3, 4}}};
    std::vector<Way> all;
    for (const Way& cut : cuts)
        for (const int32_t percent : {0, 50, 100})
            for (const int32_t depth : {0, 1, 2, 3})
                all.push_back({cut.forward, cut.backward, percent, depth, (percent / 50 + depth) % 2 == 1});
    return all;
}

Way replicas(int32_t residentPercent) {
    Way way = plainWays().front();
    way.residentPercent = residentPercent;
    way.replicas = true;
    return way;
}

std::vector<Way> waysOfTeam(std::size_t numDevices) {
    std::vector<Way> all = plainWays();
    for (const Way& way : plainWays()) {
        if (way.prefetchDepth != 1) continue;
        all.push_back(with(Trains::kWeights, way));
        for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8})
            all.push_back(packed(way, weights));
    }
    for (const Way& way : oneOfEachCut()) {
        all.push_back(with(Trains::kWholeModules, way));
        for (const Trains trains : {Trains::kAdapters, Trains::kWeights}) {
            const Way trained = with(trains, way);
            for (const std::vector<LayerSaving>& saving : kSavings)
                all.push_back(withSaving(trained, saving));
            all.push_back(inFp16(trained));
            all.push_back(oneStepStale(trained));
        }
    }
    const Way last = with(Trains::kWholeModules, plainWays().back());
    all.push_back(withSaving(last, kSavings.back()));
    all.push_back(packed(last, WeightFormat::kNf4));
    std::ranges::copy(waysOfPackets(numDevices), std::back_inserter(all));
    std::ranges::copy(waysOfSteps(numDevices), std::back_inserter(all));
    if (numDevices > 1) {
        std::ranges::copy(waysOfReplicas(), std::back_inserter(all));
        for (const Way& way : oneOfEachCut())
            for (const Way& uneven :
                 {unevenly(way), unevenly(with(Trains::kWeights, way)), unevenly(oneStepStale(way))})
                all.push_back(uneven);
    }
    all.push_back(plainWays().back());
    all.back().checksSlots = false;
    return all;
}

std::vector<Way> waysToLog(std::size_t numDevices) {
    const std::vector<Way> plain = plainWays();
    std::vector<Way> some;
    for (const Way& way : plain) {
        if (way.prefetchDepth != 1) continue;
        some.push_back(way);
        some.push_back(with(Trains::kWeights, way));
    }
    for (const std::vector<LayerSaving>& saving : kSavings)
        some.push_back(withSaving(plain.back(), saving));
    std::ranges::copy(waysOfPackets(numDevices), std::back_inserter(some));
    some.push_back(with(Trains::kWholeModules, plain.back()));
    some.push_back(inFp16(plain.back()));
    some.push_back(withMicrobatches(plain.back(), 4, 2));
    for (const WeightFormat weights : {WeightFormat::kNf4, WeightFormat::kInt8, WeightFormat::kFp8})
        some.push_back(packed(plain[plain.size() / 2], weights));
    for (const Trains trains : {Trains::kAdapters, Trains::kWeights})
        some.push_back(oneStepStale(with(trains, plain.back())));
    if (numDevices > 1) {
        some.push_back(replicas(50));
        some.push_back(oneStepStale(replicas(50)));
        some.push_back(unevenly(oneOfEachCut().back()));
    }
    return some;
}

} // namespace roundpipe::engine
