// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/step_content.h"

#include "base/error.h"
#include "batch/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace roundpipe::batch {
namespace {

struct Bounds {
    MicrobatchBounds largest;
    int64_t microbatches = 0; // in a step
};

// Examples of a length, as often as an epoch may have them.
struct Copies {
    int64_t length = 0;
    int64_t count = 0;
};

// How many of the examples, the shortest first, fit into so many tokens.
int64_t mostWithin(const std::vector<Copies>& shortestFirst, int64_t tokens) {
    int64_t count = 0;
    for (const auto& [length, copies] : shortestFirst) {
        const int64_t fitting = length == 0 ? copies : std::min(copies, tokens / length);
        count += fitting;
        tokens -= fitting * length;
        if (fitting < copies) break;
    }
    return count;
}

std::vector<Copies> shortestFirstOf(const ExampleLengths& examples, const EpochDraws& draws) {
    std::vector<Copies> all;
    for (std::size_t i = 0; i < examples.datasets().size(); ++i) {
        const auto& [first, size, numTokens, numTrained] = examples.datasets()[i];
        for (const uint32_t length :
             examples.tokens().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)))
            all.push_back({length, draws.mostOften(i)});
    }
    std::ranges::sort(all, {}, &Copies::length);
    return all;
}

Bounds boundsOf(const ExampleLengths& examples, const StepRules& rules, const EpochDraws& draws,
                int64_t tokensInShare) {
    const std::vector<Copies> shortestFirst = shortestFirstOf(examples, draws);
    const int64_t longest = examples.longest();
    const bool byTokens = rules.microbatchTokens > 0;
    Bounds bounds;
    bounds.largest.length = longest;
    bounds.largest.sequences = byTokens ? mostWithin(shortestFirst, rules.microbatchTokens) : rules.microbatchSize;
    bounds.largest.tokens = bounds.largest.sequences * longest;
    if (byTokens) bounds.largest.tokens = std::min(bounds.largest.tokens, rules.microbatchTokens);
    const int64_t inStep = rules.examplesPerStep();
    // A step's ends are the nearest borders between examples, so it may be one example longer than its share.
    const int64_t tokensInStep = rules.tokensPerStep > 0 ? tokensInShare + longest : inStep * longest;
    const int64_t examplesInStep = rules.tokensPerStep > 0 ? mostWithin(shortestFirst, tokensInStep) : inStep;
    // Two neighbours (with best fit: any two) did not fit into one.
    bounds.microbatches = byTokens ? std::min(examplesInStep, 2 * tokensInStep / rules.microbatchTokens + 1)
                                   : (examplesInStep + rules.microbatchSize - 1) / rules.microbatchSize;
    return bounds;
}

// How many microbatches packing makes of a step is counted, in steps from all over an epoch.
double countedMicrobatches(const Steps& steps) {
    constexpr int64_t kMostCounted = 16;
    const int64_t numCounted = std::min(kMostCounted, steps.perEpoch());
    std::size_t microbatches = 0;
    for (int64_t i = 0; i < numCounted; ++i)
        microbatches += steps.microbatchesOf(i * steps.perEpoch() / numCounted).size();
    return static_cast<double>(microbatches) / static_cast<double>(numCounted);
}

// What a share of an epoch's tokens comes to at most. A rest may have more than the average one that shares go by.
int64_t tokensInShare(const Steps& steps, const StepRules& rules) {
    return std::max(rules.tokensPerStep, (steps.draws().tokensAtMost() - 1) / steps.perEpoch() + 1);
}

AverageStep averageOf(const Steps& steps, const StepRules& rules) {
    const EpochDraws& draws = steps.draws();
    const auto perEpoch = static_cast<double>(steps.perEpoch());
    const auto examples = static_cast<double>(draws.perEpoch());
    AverageStep average;
    average.examples = examples / perEpoch;
    if (rules.tokensPerStep > 0 || rules.microbatchTokens > 0)
        average.microbatches = countedMicrobatches(steps);
    else // all of an epoch but its last one are full
        average.microbatches = static_cast<double>((draws.perEpoch() - 1) / rules.microbatchSize + 1) / perEpoch;
    average.length = draws.tokensPerEpoch() / examples;
    average.trainedShare = draws.trainedPerEpoch() / draws.tokensPerEpoch();
    return average;
}

StepContent contentOf(const Bounds& bounds, const StepRules& rules) {
    StepContent content;
    content.largest = bounds.largest;
    content.microbatches = static_cast<int32_t>(rules.microbatches);
    content.rounds = static_cast<int32_t>((bounds.microbatches + rules.microbatches - 1) / rules.microbatches);
    return content;
}

// As many of the largest microbatches as the average step fills, by tokens or by examples: no whole number.
double leastMicrobatches(const StepContent& content) {
    return std::max(content.average.tokens() / static_cast<double>(content.largest.tokens),
                    content.average.examples / static_cast<double>(content.largest.sequences));
}

} // namespace

int32_t StepContent::usualMicrobatches() const {
    constexpr double kRounding = 1e-9;
    const double needed = std::ceil(leastMicrobatches(*this) - kRounding);
    return static_cast<int32_t>(std::max({1.0, std::round(average.microbatches), needed}));
}

double StepContent::examplesInEach(double numMicrobatches) const {
    return std::min(average.examples / numMicrobatches, static_cast<double>(largest.sequences));
}

StepContent contentOf(const ExampleLengths& training, const ExampleLengths& validation, const StepRules& rules,
                      std::span<const Share> shares) {
    validate(rules, training.longest(), validation.longest());
    const Steps steps(training, rules, {}, shares);
    const MicrobatchBounds validating = boundsOf(validation, rules, EpochDraws(validation, {}, {}), 0).largest;
    StepContent content = contentOf(boundsOf(training, rules, steps.draws(), tokensInShare(steps, rules)), rules);
    MicrobatchBounds& largest = content.largest;
    largest.tokens = std::max(largest.tokens, validating.tokens);
    largest.sequences = std::max(largest.sequences, validating.sequences);
    largest.length = std::max(largest.length, validating.length);
    content.average = averageOf(steps, rules);
    // Those that were not counted may have had more.
    content.average.microbatches = std::max(content.average.microbatches, leastMicrobatches(content));
    return content;
}

StepContent contentOf(const AssumedLengths& lengths, const StepRules& rules) {
    validate(rules, lengths.longest);
    const auto longest = static_cast<double>(lengths.longest);
    const double length = lengths.average == 0 ? longest : lengths.average;
    if (!(length >= 1 && length <= longest))
        throw invalidInput(fmt::format("The average length must be from 1 to {} tokens, the most that an example may "
                                       "have, but is {}.",
                                       lengths.longest, lengths.average));
    const bool byTokens = rules.microbatchTokens > 0;
    const auto tokensAtMost = static_cast<double>(rules.microbatchTokens);
    const int64_t inMicrobatch = byTokens ? static_cast<int64_t>(tokensAtMost / length) : rules.microbatchSize;
    AverageStep average{static_cast<double>(rules.examplesPerStep()), 0, length, lengths.trainedShare};
    if (rules.tokensPerStep > 0) average.examples = static_cast<double>(rules.tokensPerStep) / length;
    average.microbatches = std::ceil(std::ceil(average.examples) / static_cast<double>(inMicrobatch));
    Bounds bounds;
    bounds.largest = {inMicrobatch * lengths.longest, inMicrobatch, lengths.longest};
    if (byTokens) // which shorter examples may fill
        bounds.largest = {rules.microbatchTokens, static_cast<int64_t>(std::ceil(tokensAtMost / length)),
                          lengths.longest};
    bounds.microbatches = static_cast<int64_t>(average.microbatches);
    StepContent content = contentOf(bounds, rules);
    content.average = average;
    return content;
}

} // namespace roundpipe::batch
