#include "data/batcher.h"

#include "base/error.h"
#include "data/epoch_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace roundpipe::data {

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

std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, int64_t microbatchSize) {
    RP_CHECK(microbatchSize > 0);
    std::vector<TokenBatch> batches;
    for (int64_t first = 0; first < examples.size(); first += microbatchSize) {
        std::vector<int64_t> indices(static_cast<std::size_t>(std::min(microbatchSize, examples.size() - first)));
        std::iota(indices.begin(), indices.end(), first);
        batches.push_back(makeTokenBatch(examples, indices));
    }
    return batches;
}

Batcher::Batcher(const ExampleSet& examples, BatchPlan plan) : m_examples(examples), m_plan(plan) {
    const auto check = [](const char* field, int64_t value) {
        if (value < 1 || value > (1 << 20)) // keeps their product within 64 bits
            throw invalidInput(fmt::format("batch.{} must be from 1 to {}, but is {}.", field, 1 << 20, value));
    };
    check("microbatch_size", plan.microbatchSize);
    check("microbatches", plan.microbatches);
    check("rounds", plan.rounds);
    if (examples.size() == 0) throw invalidInput("There is no example to train on.");
}

int64_t Batcher::examplesPerStep() const {
    return m_plan.microbatchSize * m_plan.microbatches * m_plan.rounds;
}

int64_t Batcher::stepsPerEpoch() const {
    return (m_examples.size() - 1) / examplesPerStep() + 1;
}

int64_t Batcher::totalSteps(double epochs, int64_t maxSteps) const {
    if (maxSteps > 0) return maxSteps;
    return static_cast<int64_t>(std::ceil(epochs * static_cast<double>(stepsPerEpoch())));
}

double Batcher::epochAt(int64_t step) const {
    const int64_t seen = std::min(step % stepsPerEpoch() * examplesPerStep(), m_examples.size());
    return static_cast<double>(step / stepsPerEpoch()) +
           static_cast<double>(seen) / static_cast<double>(m_examples.size());
}

std::vector<TokenBatch> Batcher::step(int64_t step) const {
    RP_CHECK(step >= 0);
    const int64_t epoch = step / stepsPerEpoch();
    const int64_t first = step % stepsPerEpoch() * examplesPerStep();
    const int64_t last = std::min(first + examplesPerStep(), m_examples.size());
    const EpochOrder order(m_plan.seed, epoch, m_examples.size());
    std::vector<TokenBatch> batches;
    for (int64_t begin = first; begin < last; begin += m_plan.microbatchSize) {
        std::vector<int64_t> indices;
        for (int64_t i = begin; i < std::min(begin + m_plan.microbatchSize, last); ++i)
            indices.push_back(m_plan.shuffle ? order.at(i) : i);
        batches.push_back(makeTokenBatch(m_examples, indices));
    }
    return batches;
}

} // namespace roundpipe::data
