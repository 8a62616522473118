#include "batch/step_content.h"

#include <algorithm>
#include <vector>

namespace roundpipe::batch {
namespace {

struct Bounds {
    MicrobatchBounds largest;
    int64_t microbatches = 0; // in a step
};

// How many of the examples, the shortest first, fit into so many tokens.
int64_t mostWithin(const std::vector<uint32_t>& shortestFirst, int64_t tokens) {
    int64_t count = 0;
    for (const int64_t length : shortestFirst) {
        if ((tokens -= length) < 0) break;
        ++count;
    }
    return count;
}

Bounds boundsOf(const ExampleLengths& examples, const StepRules& rules) {
    std::vector<uint32_t> shortestFirst(examples.tokens().begin(), examples.tokens().end());
    std::ranges::sort(shortestFirst);
    const int64_t longest = examples.longest();
    const bool byTokens = rules.microbatchTokens > 0;
    Bounds bounds;
    bounds.largest.length = longest;
    bounds.largest.sequences = byTokens ? mostWithin(shortestFirst, rules.microbatchTokens) : rules.microbatchSize;
    bounds.largest.tokens = bounds.largest.sequences * longest;
    if (byTokens) bounds.largest.tokens = std::min(bounds.largest.tokens, rules.microbatchTokens);
    const int64_t inStep = rules.examplesPerStep();
    // A step's ends are the nearest borders between examples, so it may be one example longer than its share.
    const int64_t tokensInStep = rules.tokensPerStep > 0 ? rules.tokensPerStep + longest : inStep * longest;
    const int64_t examplesInStep = rules.tokensPerStep > 0 ? mostWithin(shortestFirst, tokensInStep) : inStep;
    // Two neighbours (with best fit: any two) did not fit into one.
    bounds.microbatches = byTokens ? std::min(examplesInStep, 2 * tokensInStep / rules.microbatchTokens + 1)
                                   : (examplesInStep + rules.microbatchSize - 1) / rules.microbatchSize;
    return bounds;
}

StepContent contentOf(const Bounds& bounds, const StepRules& rules) {
    StepContent content;
    content.largest = bounds.largest;
    content.microbatches = static_cast<int32_t>(rules.microbatches);
    content.rounds = static_cast<int32_t>((bounds.microbatches + rules.microbatches - 1) / rules.microbatches);
    return content;
}

} // namespace

StepContent contentOf(const ExampleLengths& training, const ExampleLengths& validation, const StepRules& rules) {
    validate(rules, training.longest(), validation.longest());
    const MicrobatchBounds validating = boundsOf(validation, rules).largest;
    StepContent content = contentOf(boundsOf(training, rules), rules);
    MicrobatchBounds& largest = content.largest;
    largest.tokens = std::max(largest.tokens, validating.tokens);
    largest.sequences = std::max(largest.sequences, validating.sequences);
    largest.length = std::max(largest.length, validating.length);
    content.averageLength = training.averageLength();
    content.trainedShare = training.trainedShare();
    return content;
}

StepContent contentOf(int64_t length, const StepRules& rules) {
    validate(rules, length);
    const bool byTokens = rules.microbatchTokens > 0;
    const int64_t inMicrobatch = byTokens ? rules.microbatchTokens / length : rules.microbatchSize;
    const int64_t inStep =
        rules.tokensPerStep > 0 ? (rules.tokensPerStep + length - 1) / length : rules.examplesPerStep();
    Bounds bounds;
    bounds.largest = {inMicrobatch * length, inMicrobatch, length};
    bounds.microbatches = (inStep + inMicrobatch - 1) / inMicrobatch;
    StepContent content = contentOf(bounds, rules);
    content.averageLength = static_cast<double>(length);
    return content;
}

} // namespace roundpipe::batch
