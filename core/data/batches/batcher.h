// SPDX-License-Identifier: GPL-3.0-or-later
// Examples → the token batches of any optimizer step: batch::Steps says which, this reads them and lays them out.
#pragma once

#include "base/token_batch.h"
#include "batch/steps.h"
#include "data/store/examples.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::data {

// Keeps a reference to `examples`, which must outlive it. All calls from any thread.
class Batcher {
public:
    // Throws as batch::Steps does.
    Batcher(const ExampleSet& examples, const batch::StepRules& rules, batch::DrawOrder order,
            std::span<const batch::Share> shares = {})
        : m_examples(examples), m_steps(examples.lengths(), rules, order, shares) {}

    const batch::Steps& steps() const { return m_steps; }
    // steps().microbatchesOf(step), each read and laid out. Throws kIo.
    std::vector<TokenBatch> step(int64_t step) const;

private:
    const ExampleSet& m_examples;
    batch::Steps m_steps;
};

// Sequences laid end to end, labels shifted within each.
TokenBatch makeTokenBatch(const ExampleSet& examples, std::span<const int64_t> indices);
// The examples in file order, in microbatches as `rules` have them: for validation.
std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, const batch::StepRules& rules);

} // namespace roundpipe::data
