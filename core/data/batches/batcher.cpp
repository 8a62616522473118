// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/batches/batcher.h"

#include "batch/packing.h"

namespace roundpipe::data {
namespace {

std::vector<TokenBatch> batchesOf(const ExampleSet& examples, const std::vector<std::vector<int64_t>>& microbatches) {
    std::vector<TokenBatch> batches;
    for (const std::vector<int64_t>& indices : microbatches)
        batches.push_back(makeTokenBatch(examples, indices));
    return batches;
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

std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, const batch::StepRules& rules) {
    return batchesOf(examples, batch::packed(examples.lengths().tokens(), rules));
}

std::vector<TokenBatch> Batcher::step(int64_t step) const {
    return batchesOf(m_examples, m_steps.microbatchesOf(step));
}

} // namespace roundpipe::data
