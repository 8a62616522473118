// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/chosen_microbatches.h"

#include "plan/search/model_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace roundpipe::session {
namespace {

constexpr int64_t kForEach = 4; // device, microbatches of a step

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
    return spec.batch.examplesPerStep() <= kMostExamplesChosen || spec.batch.microbatches <= kForEach * numDevices;
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

// Devices that differ take a step in rounds of one microbatch, too, each as many as it is fast; where the run says its
// rounds they are kept. What lies between is looked at once it is known what a step holds.
std::vector<RunSpec> groupingsOf(const RunSpec& step, const plan::Rig& rig) {
    std::vector<RunSpec> all{step};
    if (!devicesDiffer(rig) || step.batch.rounds > 1) return all;
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

// Whether devices are too small for the step in these rounds, and so in any: what they hold is the same. Packets of
// many small rounds take more host memory than those of a large one now and then.
bool isTooLargeForDevices(const plan::ModelRequest& request, const plan::SearchOptions& options) {
    if (plan::fitsSurely(request, options)) return false;
    try {
        plan::chooseForModel(request, options);
        return false;
    } catch (const plan::DoesNotFit& error) {
        return error.misfit().isOfDevices();
    }
}

// With each size of microbatches that is worth a look, the smallest first; its own, where it says one. Others than
// these are seldom better by a percent: they are a third larger, or a quarter smaller.
std::vector<RunSpec> sizesOf(RunSpec spec) {
    constexpr int64_t kMostTokens = 32'768, kFewTokens = 1024; // more at a time are no faster on any GPU, fewer slower
    if (spec.batch.microbatchSize > 0 || spec.batch.tokensPerStep == 0 || spec.batch.microbatchTokens > 0)
        return {withFewestMicrobatches(std::move(spec))};
    const int64_t most = std::min(kMostTokens, spec.batch.tokensPerStep) / spec.data.maxLength;
    std::vector<RunSpec> all;
    for (int64_t power = 1; all.empty() || power <= most; power *= 2)
        for (const int64_t size : {power, power + power / 2}) {
            const bool isFirst = all.empty(); // which takes the least memory
            if (!isFirst && (size > most || size * spec.data.maxLength < kFewTokens)) continue;
            if (!isFirst && size == all.back().batch.microbatchSize) continue;
            all.push_back(spec);
            all.back().batch.microbatchSize = size;
        }
    return all;
}

// The step that `spec` says, in the rounds and microbatches that are fastest for it; in rounds of one microbatch, where
// none fits.
RunSpec inFastestRounds(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                        const plan::SearchOptions& options) {
    const int64_t all = std::exchange(spec.batch.microbatches, 1);
    if (spec.batch.tokensPerStep == 0) spec.batch.rounds = all;
    std::vector<RunSpec> sizes = sizesOf(std::move(spec));
    std::vector<plan::ModelRequest> requests;
    for (const RunSpec& size : sizes)
        requests.push_back(estimatedRequest(size, model, rig, lengths));
    if (requests.size() == 1 && requests.front().rounds == 1) return sizes.front();
    if (isTooLargeForDevices(requests.front(), options)) return sizes.front();
    for (plan::ModelRequest& request : requests)
        request.rounds = 0;
    try {
        const plan::ModelChoice found = plan::chooseForModel(requests, options);
        RunSpec& chosen = sizes[found.request];
        chosen.batch.microbatches = found.choice.shape.roundSize;
        if (chosen.batch.tokensPerStep == 0) chosen.batch.rounds = all / chosen.batch.microbatches;
        return chosen;
    } catch (const plan::DoesNotFit&) {
    }
    return sizes.front();
}

struct Rated {
    RunSpec spec;
    double rate = 0;     // tokens a second; 0: it does not fit
    int64_t numIdle = 0; // devices that have no part in it; not known of a glance
};

Rated inFull(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
             const plan::SearchOptions& options) {
    try {
        const plan::ModelChoice found = plan::chooseForModel(estimatedRequest(spec, model, rig, lengths), options);
        return {spec, found.tokensPerSecond, std::ssize(plan::idleDevices(found.choice.step))};
    } catch (const plan::DoesNotFit&) {
        return {spec};
    }
}

// A step whose rounds are open, too: one, unless others are clearly faster. Every round more sends all weights and
// gradients once more, and the host adds them up. CPU workers, for which nothing travels, have one.
RunSpec inRoundsWorthIt(const RunSpec& step, const arch::ModelSpec& model, const plan::Rig& rig,
                        const RunLengths& lengths, const plan::SearchOptions& options) {
    constexpr double kWorthRounds = 1.005;
    if (std::ranges::none_of(rig.devices, &plan::DeviceSpec::isGpu)) return step;
    RunSpec whole = step;
    whole.batch.microbatches *= std::exchange(whole.batch.rounds, 1);
    RunSpec fastest = inFastestRounds(whole, model, rig, lengths, options);
    if (fastest.batch.rounds == 1) return fastest;
    const double rate = inFull(fastest, model, rig, lengths, options).rate;
    return rate > kWorthRounds * inFull(whole, model, rig, lengths, options).rate ? fastest : whole;
}

// By a glance, in each of its groupings.
std::vector<Rated> glancesAt(const RunSpec& step, const arch::ModelSpec& model, const plan::Rig& rig,
                             const RunLengths& lengths, const plan::SearchOptions& options) {
    std::vector<Rated> all;
    for (RunSpec& grouped : groupingsOf(step, rig)) {
        const double rate = plan::glanceForModel(estimatedRequest(grouped, model, rig, lengths), options);
        all.push_back({std::move(grouped), rate});
    }
    return all;
}

// Whether a step that holds more is worth it: each doubling of what an update learns from should pay, unless it gives
// work to devices that have none.
bool isWorthIt(const Rated& larger, const Rated& smaller) {
    constexpr double kOfDoubling = 0.01;
    if (larger.numIdle < smaller.numIdle) return larger.rate > smaller.rate;
    const double doublings = std::log2(static_cast<double>(larger.spec.batch.examplesPerStep()) /
                                       static_cast<double>(smaller.spec.batch.examplesPerStep()));
    return larger.rate > (1 + kOfDoubling * doublings) * smaller.rate;
}

// The fewest that no larger step is worth leaving; nothing, where it fits in none. A glance may miss several
// hundredths, so those that it finds to be among the fastest are searched in full.
std::optional<RunSpec> fewestNearTheBest(std::vector<Rated> steps, const arch::ModelSpec& model, const plan::Rig& rig,
                                         const RunLengths& lengths, const plan::SearchOptions& options) {
    constexpr double kHopeful = 0.9;
    const double hopeful = kHopeful * std::ranges::max(steps, {}, &Rated::rate).rate;
    if (hopeful == 0) return std::nullopt;
    std::erase_if(steps, [&](const Rated& one) { return one.rate < hopeful; });
    for (Rated& one : steps)
        if (steps.size() > 1) one = inFull(one.spec, model, rig, lengths, options);
    const auto isEnough = [&](const Rated& one) {
        return std::ranges::none_of(steps, [&](const Rated& other) {
            return other.spec.batch.examplesPerStep() > one.spec.batch.examplesPerStep() && isWorthIt(other, one);
        });
    };
    std::ranges::stable_sort(steps, std::greater(), &Rated::rate); // of a step the faster grouping first
    std::ranges::stable_sort(steps, {}, [](const Rated& one) { return one.spec.batch.examplesPerStep(); });
    return std::ranges::find_if(steps, isEnough)->spec;
}

RunSpec ofUsualSize(RunSpec spec) {
    if (spec.batch.microbatchSize == 0) spec.batch.microbatchSize = kUsualSize;
    return spec;
}

} // namespace

RunSpec withFewestMicrobatches(RunSpec spec) {
    const bool isOpen = spec.batch.microbatches == 0, isInTokens = spec.batch.tokensPerStep > 0;
    if (isOpen) spec.batch.microbatches = isInTokens ? 1 : kFewestMicrobatches;
    if (spec.batch.microbatchSize == 0) spec.batch.microbatchSize = isOpen && isInTokens ? 1 : kUsualSize;
    return spec;
}

RunSpec withLeastMemory(RunSpec spec, const plan::Rig& rig) {
    const bool isOpen = spec.batch.microbatches == 0 && spec.batch.tokensPerStep == 0;
    spec = withFewestMicrobatches(std::move(spec));
    return isOpen ? groupingsOf(spec, rig).back() : spec;
}

RunSpec withMicrobatches(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                         const plan::SearchOptions& options) {
    if (spec.batch.microbatches > 0) return withFewestMicrobatches(std::move(spec));
    if (spec.batch.tokensPerStep > 0) return inFastestRounds(std::move(spec), model, rig, lengths, options);
    const bool roundsAreOpen = spec.batch.rounds == 1;
    std::vector<Rated> open;
    for (const RunSpec& step : steps(ofUsualSize(spec), rig.numDevices(), lengths))
        std::ranges::move(glancesAt(step, model, rig, lengths, options), std::back_inserter(open));
    const auto chosen = fewestNearTheBest(std::move(open), model, rig, lengths, options);
    if (!chosen) return withLeastMemory(std::move(spec), rig); // what is said of it is then true of all
    return roundsAreOpen ? inRoundsWorthIt(*chosen, model, rig, lengths, options) : *chosen;
}

RunSpec withAboutAsMany(RunSpec spec, const arch::ModelSpec& model, const plan::Rig& rig, const RunLengths& lengths,
                        const plan::SearchOptions& options) {
    if (spec.batch.microbatches > 0) return withFewestMicrobatches(std::move(spec));
    const std::vector<RunSpec> all = steps(ofUsualSize(std::move(spec)), rig.numDevices(), lengths);
    const auto lastUpTo = [&](int64_t forEach) { // of the fewest on
        const auto isMore = [&](const RunSpec& step) { return step.batch.microbatches > forEach * rig.numDevices(); };
        return std::prev(std::ranges::find_if(all.begin() + 1, all.end(), isMore));
    };
    const auto few = lastUpTo(1), usual = lastUpTo(kForEach);
    const auto rated = [&](const RunSpec& step) {
        return std::ranges::max(glancesAt(step, model, rig, lengths, options), {}, &Rated::rate);
    };
    Rated best = rated(*usual);
    if (few != usual)
        if (Rated ofFew = rated(*few); ofFew.rate > best.rate) best = std::move(ofFew);
    return best.rate > 0 ? std::move(best.spec) : all.front();
}

} // namespace roundpipe::session
