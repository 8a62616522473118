// Examples → the microbatches of any optimizer step, as a pure function of the step.
//
// An epoch visits every example once, in file order or in EpochOrder. A step takes the next microbatchSize ×
// microbatches × rounds examples and fills its microbatches one after another. The last step of an epoch takes what is
// left: it has fewer microbatches, and the last of them may hold fewer examples; no step reaches into the next epoch.
// That is what transformers' Trainer does, so the count of steps is the same.
#pragma once

#include "base/token_batch.h"
#include "data/examples.h"

#include <cstdint>
#include <vector>

namespace roundpipe::data {

struct BatchPlan {
    int64_t microbatchSize = 1; // examples in a microbatch
    int64_t microbatches = 1;   // microbatches in a round
    int64_t rounds = 1;         // rounds in an optimizer step
    bool shuffle = true;
    uint64_t seed = 42;
};

// Keeps a reference to `examples`, which must outlive it. All calls from any thread.
class Batcher {
public:
    Batcher(const ExampleSet& examples, BatchPlan plan); // throws kInvalidInput for no examples or sizes below 1

    int64_t examplesPerStep() const;
    int64_t stepsPerEpoch() const;
    // Rounded up, as transformers does; maxSteps wins where it is above 0.
    int64_t totalSteps(double epochs, int64_t maxSteps) const;
    double epochAt(int64_t step) const; // how much of the data steps [0, step) have seen

    // `step` counts from 0 through all epochs. Microbatches in the order in which they run; round r holds those at
    // [r × microbatches, (r + 1) × microbatches) as far as there are any.
    std::vector<TokenBatch> step(int64_t step) const;

private:
    const ExampleSet& m_examples;
    BatchPlan m_plan;
};

// Sequences laid end to end, labels shifted within each.
TokenBatch makeTokenBatch(const ExampleSet& examples, std::span<const int64_t> indices);
// The examples in file order, `microbatchSize` at a time: for validation.
std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, int64_t microbatchSize);

} // namespace roundpipe::data
