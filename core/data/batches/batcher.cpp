#include "data/batches/batcher.h"

#include "base/error.h"
#include "data/batches/epoch_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr int64_t kMaxSize = 1 << 20; // keeps the product of three within 64 bits

void checkSize(const char* field, int64_t value) {
    if (value < 1 || value > kMaxSize)
        throw invalidInput(fmt::format("batch.{} must be from 1 to {}, but is {}.", field, kMaxSize, value));
}

void checkTokens(const char* field, int64_t value, int64_t longest) {
    if (value != 0 && value < longest)
        throw invalidInput(fmt::format("batch.{} is {}, but an example has {} tokens.", field, value, longest),
                           "Raise it, or lower data.max_length.");
}

std::vector<TokenBatch> batchesOf(const ExampleSet& examples, std::span<const int64_t> drawn, const BatchPlan& plan) {
    std::vector<int64_t> lengths;
    for (const int64_t index : drawn)
        lengths.push_back(examples.lengthOf(index));
    const MicrobatchLimit limit{plan.microbatchTokens, plan.microbatchTokens > 0 ? 0 : plan.microbatchSize};
    std::vector<TokenBatch> batches;
    for (std::vector<int64_t>& group : packed(lengths, plan.packing, limit)) {
        for (int64_t& index : group)
            index = drawn[static_cast<std::size_t>(index)];
        batches.push_back(makeTokenBatch(examples, group));
    }
    return batches;
}

// How many of the shortest examples fit into so many tokens.
int64_t mostWithin(const ExampleSet& examples, int64_t tokens) {
    std::vector<int64_t> lengths;
    for (int64_t i = 0; i < examples.size(); ++i)
        lengths.push_back(examples.lengthOf(i));
    std::ranges::sort(lengths);
    int64_t count = 0;
    for (const int64_t length : lengths) {
        if ((tokens -= length) < 0) break;
        ++count;
    }
    return count;
}

} // namespace

TokenBatch makeTokenBatch(const ExampleSet& examples, std::span<const int64_t> indices) {
    TokenBatch batch;
    batch.starts.push_back(0);
    for (const int64_t index : indices) {
        const Example example = examples[index];
        const std::size_t length = example.ids.size();
        for (std::size_t i = 0; i < length; ++i) {
            const bool learnsNext = i + 1 < length && example.trained[i + 1] != 0;
            batch.ids.push_back(example.ids[i]);
            batch.labels.push_back(learnsNext ? example.ids[i + 1] : kIgnoredLabel);
            batch.positions.push_back(static_cast<int32_t>(i));
        }
        batch.starts.push_back(static_cast<int32_t>(batch.ids.size()));
        batch.exampleIds.push_back(example.id);
    }
    return batch;
}

std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, const BatchPlan& plan) {
    std::vector<int64_t> all(static_cast<std::size_t>(examples.size()));
    std::iota(all.begin(), all.end(), 0);
    return batchesOf(examples, all, plan);
}

BatchBounds boundsOf(const ExampleSet& examples, const BatchPlan& plan) {
    const int64_t longest = examples.maxLength();
    checkTokens("microbatch_tokens", plan.microbatchTokens, longest);
    const bool byTokens = plan.microbatchTokens > 0;
    BatchBounds bounds;
    bounds.length = longest;
    bounds.tokens = byTokens ? plan.microbatchTokens : plan.microbatchSize * longest;
    bounds.sequences = byTokens ? mostWithin(examples, plan.microbatchTokens) : plan.microbatchSize;
    const int64_t inStep = plan.microbatchSize * plan.microbatches * plan.rounds;
    // A step's ends are the nearest borders between examples, so it may be one example longer than its share.
    const int64_t tokensInStep = plan.tokensPerStep > 0 ? plan.tokensPerStep + longest : inStep * longest;
    const int64_t examplesInStep = plan.tokensPerStep > 0 ? mostWithin(examples, tokensInStep) : inStep;
    // Two neighbours (with best fit: any two) did not fit into one.
    bounds.microbatches = byTokens ? std::min(examplesInStep, 2 * tokensInStep / plan.microbatchTokens + 1)
                                   : (examplesInStep + plan.microbatchSize - 1) / plan.microbatchSize;
    return bounds;
}

Batcher::Batcher(const ExampleSet& examples, BatchPlan plan) : m_examples(examples), m_plan(plan) {
    checkSize("microbatch_size", plan.microbatchSize);
    checkSize("microbatches", plan.microbatches);
    checkSize("rounds", plan.rounds);
    if (examples.size() == 0) throw invalidInput("There is no example to train on.");
    checkTokens("microbatch_tokens", plan.microbatchTokens, examples.maxLength());
    checkTokens("tokens_per_step", plan.tokensPerStep, examples.maxLength());
    m_stepsPerEpoch = plan.tokensPerStep > 0 ? (examples.numTokens() - 1) / plan.tokensPerStep + 1
                                             : (examples.size() - 1) / examplesPerStep() + 1;
}

int64_t Batcher::totalSteps(double epochs, int64_t maxSteps) const {
    if (maxSteps > 0) return maxSteps;
    return static_cast<int64_t>(std::ceil(epochs * static_cast<double>(m_stepsPerEpoch)));
}

double Batcher::epochAt(int64_t step) const {
    const int64_t epoch = step / m_stepsPerEpoch;
    const int64_t seen = positionOf(epoch, step % m_stepsPerEpoch);
    return static_cast<double>(epoch) + static_cast<double>(seen) / static_cast<double>(m_examples.size());
}

BatchBounds Batcher::bounds() const {
    return boundsOf(m_examples, m_plan);
}

double Batcher::meanTokensPerStep() const {
    return static_cast<double>(m_examples.numTokens()) / static_cast<double>(m_stepsPerEpoch);
}

// Position in the epoch's order at which a step begins; stepInEpoch may be stepsPerEpoch.
int64_t Batcher::positionOf(int64_t epoch, int64_t stepInEpoch) const {
    if (m_plan.tokensPerStep == 0) return std::min(stepInEpoch * examplesPerStep(), m_examples.size());
    return cutOf(m_plan.shuffle ? epoch : 0)->starts[static_cast<std::size_t>(stepInEpoch)];
}

std::shared_ptr<const Batcher::EpochCut> Batcher::cutOf(int64_t epoch) const {
    {
        const std::lock_guard lock(m_mutex);
        if (m_lastCut && m_lastCut->epoch == epoch) return m_lastCut;
    }
    auto cut = std::make_shared<const EpochCut>(cutByTokens(epoch)); // outside the lock: it takes O(examples)
    const std::lock_guard lock(m_mutex);
    return m_lastCut = std::move(cut);
}

// Step s begins at the border between examples that is nearest to s / stepsPerEpoch of the tokens, but leaves at least
// one example to every step.
Batcher::EpochCut Batcher::cutByTokens(int64_t epoch) const {
    const EpochOrder order(m_plan.seed, epoch, m_examples.size());
    const int64_t size = m_examples.size();
    const double share = meanTokensPerStep();
    EpochCut cut{epoch, {0}};
    double before = 0; // tokens in front of `position`
    for (int64_t position = 0, step = 1; step < m_stepsPerEpoch; ++position) {
        const auto length = static_cast<double>(m_examples.lengthOf(m_plan.shuffle ? order.at(position) : position));
        for (; step < m_stepsPerEpoch; ++step) {
            const double border = share * static_cast<double>(step);
            const bool mustEnd = position == size - (m_stepsPerEpoch - step);
            const bool mayEnd = position > cut.starts.back() && border - before <= before + length - border;
            if (!mustEnd && !mayEnd) break;
            cut.starts.push_back(position);
        }
        before += length;
    }
    cut.starts.push_back(size);
    return cut;
}

std::vector<TokenBatch> Batcher::step(int64_t step) const {
    RP_CHECK(step >= 0);
    const int64_t epoch = step / m_stepsPerEpoch;
    const int64_t first = positionOf(epoch, step % m_stepsPerEpoch);
    const int64_t last = positionOf(epoch, step % m_stepsPerEpoch + 1);
    const EpochOrder order(m_plan.seed, epoch, m_examples.size());
    std::vector<int64_t> drawn;
    for (int64_t position = first; position < last; ++position)
        drawn.push_back(m_plan.shuffle ? order.at(position) : position);
    return batchesOf(m_examples, drawn, m_plan);
}

} // namespace roundpipe::data
