// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/chosen_microbatches.h"

#include "plan/search/model_choice.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace roundpipe::session {
namespace {

// What a step may hold for an epoch to keep its updates.
bool leavesUpdates(const RunSpec& spec, const RunLengths& lengths) {
    constexpr int64_t kLeastUpdates = 16;
    if (lengths.training == nullptr) return true;
    const std::vector<int64_t> draws = batch::drawsOf(*lengths.training, sharesOf(spec));
    return stepRulesOf(spec).examplesPerStep() * kLeastUpdates <=
           std::accumulate(draws.begin(), draws.end(), int64_t{0});
}

// More examples a step than published recipes of fine-tuning have are not taken for speed alone, but as many as give
// each device its usual four microbatches.
bool isUsualStep(const RunSpec& spec, int64_t numDevices) {
    constexpr int64_t kMostExamples = 128, kForEach = 4;
    return spec.batch.examplesPerStep() <= kMostExamples || spec.batch.microbatches <= kForEach * numDevices;
}

// The fewest first: four, then some for each device, twice as many each time.
std::vector<RunSpec> steps(RunSpec spec, int64_t numDevices, const RunLengths& lengths) {
    spec.batch.microbatches = kFewestMicrobatches;
    std::vector<RunSpec> all{spec};
    for (spec.batch.microbatches = numDevices; isUsualStep(spec, numDevices); spec.batch.microbatches *= 2) {
        if (spec.batch.microbatches <= kFewestMicrobatches) continue;
        if (!leavesUpdates(spec, lengths)) break;
        all.push_back(spec);
    }
    return all;
}

bool devicesDiffer(const plan::Rig& rig) {
    const plan::DeviceSpec& first = rig.devices.front();
    return std::ranges::any_of(rig.devices, [&](const plan::DeviceSpec& device) {
        return device.matrixFlops != first.matrixFlops || device.memoryBytes != first.memoryBytes;
    });
}

// Of a step that is not said in tokens. Where the run says its rounds they are kept; devices that are alike need no
// more than one.
bool roundsAreOpen(const RunSpec& spec, const plan::Rig& rig) {
    return spec.batch.rounds == 1 && devicesDiffer(rig);
}

// Devices that differ take a step in rounds of one microbatch, too, each as many as it is fast. What lies between is
// looked at once it is known what a step holds.
std::vector<RunSpec> groupingsOf(const RunSpec& step, const plan::Rig& rig) {
    std::vector<RunSpec> all{step};
    if (!roundsAreOpen(step, rig)) return all;
    all.push_back(step);
    std::swap(all.back().batch.microbatches, all.back().batch.rounds);
    return all;
}

plan::ModelRequest estimatedRequest(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                                    const RunLengths& lengths) {
    plan::ModelRequest request = planRequestOf(spec, model, rig, stepContentOf(spec, lengths));
    request.profiles.clear();
    return request;
}

// The step that `spec` says, in the rounds that are fastest for it; in rounds of one microbatch, where none fits.
RunSpec inFastestRounds(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                        const plan::SearchOptions& options) {
    const int64_t all = std::exchange(spec.batch.microbatches, 1);
    if (spec.batch.tokensPerStep == 0) spec.batch.rounds = all;
    plan::ModelRequest request = estimatedRequest(spec, model, rig, lengths);
    if (request.rounds == 1) return spec;
    request.rounds = 0;
    try {
        const plan::StepShape found = plan::chooseForModel(request, options).choice.shape;
        spec.batch.microbatches = found.roundSize;
        if (spec.batch.tokensPerStep == 0) spec.batch.rounds = all / found.roundSize;
    } catch (const plan::DoesNotFit&) {
    }
    return spec;
}

} // namespace

RunSpec withFewestMicrobatches(RunSpec spec) {
    if (spec.batch.microbatches == 0) spec.batch.microbatches = spec.batch.tokensPerStep > 0 ? 1 : kFewestMicrobatches;
    return spec;
}

RunSpec withMicrobatches(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                         const plan::SearchOptions& options) {
    constexpr double kNearlyTheBest = 0.95;
    if (spec.batch.microbatches > 0) return spec;
    if (spec.batch.tokensPerStep > 0) return inFastestRounds(std::move(spec), model, rig, lengths, options);
    struct Rated {
        RunSpec spec;
        double rate = 0;
    };
    const bool regroups = roundsAreOpen(spec, rig);
    std::vector<Rated> open; // the fastest grouping of each step
    for (const RunSpec& step : steps(std::move(spec), rig.numDevices(), lengths)) {
        open.push_back({step, 0});
        for (RunSpec& grouped : groupingsOf(step, rig)) {
            const double rate = plan::glanceForModel(estimatedRequest(grouped, model, rig, lengths), options);
            if (rate > open.back().rate) open.back() = {std::move(grouped), rate};
        }
    }
    const double enough = kNearlyTheBest * std::ranges::max(open, {}, &Rated::rate).rate;
    RunSpec chosen = std::ranges::find_if(open, [&](const Rated& one) { return one.rate >= enough; })->spec;
    if (!regroups || enough == 0) return chosen;
    chosen.batch.microbatches *= std::exchange(chosen.batch.rounds, 1);
    return inFastestRounds(std::move(chosen), model, rig, lengths, options);
}

} // namespace roundpipe::session
