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
    const batch::StepRules rules = stepRulesOf(spec);
    if (lengths.training == nullptr || rules.tokensPerStep > 0) return true;
    const std::vector<int64_t> draws = batch::drawsOf(*lengths.training, sharesOf(spec));
    return rules.examplesPerStep() * kLeastUpdates <= std::accumulate(draws.begin(), draws.end(), int64_t{0});
}

// The fewest first.
std::vector<RunSpec> candidates(RunSpec spec, int64_t numDevices, const RunLengths& lengths) {
    spec.batch.microbatches = kFewestMicrobatches;
    std::vector<RunSpec> all{spec};
    for (const int64_t forEach : {1, 2, 4}) {
        spec.batch.microbatches = forEach * numDevices;
        if (numDevices > 1 && spec.batch.microbatches > kFewestMicrobatches && leavesUpdates(spec, lengths))
            all.push_back(spec);
    }
    return all;
}

plan::ModelRequest estimatedRequest(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                                    const RunLengths& lengths) {
    plan::ModelRequest request = planRequestOf(spec, model, rig, stepContentOf(spec, lengths));
    request.profiles.clear();
    return request;
}

// `spec`: with one in a round, so that there are as many rounds as microbatches.
int64_t fastestOfStep(const RunSpec& spec, const arch::ModelSpec& model, const plan::Rig& rig,
                      const RunLengths& lengths, const plan::SearchOptions& options) {
    plan::ModelRequest request = estimatedRequest(spec, model, rig, lengths);
    if (request.rounds == 1) return 1;
    request.rounds = 0;
    try {
        return plan::chooseForModel(request, options).choice.shape.roundSize;
    } catch (const plan::DoesNotFit&) {
        return 1;
    }
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
    if (spec.batch.tokensPerStep > 0) {
        spec = withFewestMicrobatches(std::move(spec));
        spec.batch.microbatches = fastestOfStep(spec, model, rig, lengths, options);
        return spec;
    }
    const std::vector<RunSpec> open = candidates(std::move(spec), rig.numDevices(), lengths);
    if (open.size() == 1) return open.front();
    std::vector<double> rates;
    for (const RunSpec& candidate : open)
        rates.push_back(plan::glanceForModel(estimatedRequest(candidate, model, rig, lengths), options));
    const double enough = kNearlyTheBest * std::ranges::max(rates);
    const auto first = std::ranges::find_if(rates, [&](double rate) { return rate >= enough; });
    return open[static_cast<std::size_t>(first - rates.begin())];
}

} // namespace roundpipe::session
