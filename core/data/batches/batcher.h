// Examples → the microbatches of any optimizer step, as a pure function of the step.
//
// An epoch visits every example once, in file order or in EpochOrder, and is cut into steps first: after so many
// examples, or so that all steps have about the same number of tokens. Only then are the examples of a step put into
// microbatches. So packing decides nothing about what a step learns, and every epoch has the same number of steps,
// which no step oversteps.
#pragma once

#include "base/token_batch.h"
#include "data/batches/batch_plan.h"
#include "data/store/examples.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace roundpipe::data {

// What any step may hold at most: upper bounds for every seed and epoch.
struct BatchBounds {
    int64_t microbatches = 0; // in a step
    int64_t tokens = 0;       // in a microbatch
    int64_t sequences = 0;    // in a microbatch
    int64_t length = 0;       // of a sequence
};

// Keeps a reference to `examples`, which must outlive it. All calls from any thread.
class Batcher {
public:
    // Throws kInvalidInput for no examples, sizes below 1, and token limits that an example alone exceeds.
    Batcher(const ExampleSet& examples, BatchPlan plan);

    int64_t stepsPerEpoch() const { return m_stepsPerEpoch; }
    // Rounded up, as transformers does; maxSteps wins where it is above 0.
    int64_t totalSteps(double epochs, int64_t maxSteps) const;
    double epochAt(int64_t step) const; // how much of the data steps [0, step) have seen
    BatchBounds bounds() const;
    double meanTokensPerStep() const;

    // `step` counts from 0 through all epochs. Microbatches in the order in which they run; round r holds those at
    // [r × microbatches, (r + 1) × microbatches) as far as there are any.
    std::vector<TokenBatch> step(int64_t step) const;

private:
    struct EpochCut {
        int64_t epoch = 0;
        std::vector<int64_t> starts; // first position of each step, and the number of examples
    };
    int64_t examplesPerStep() const { return m_plan.microbatchSize * m_plan.microbatches * m_plan.rounds; }
    int64_t positionOf(int64_t epoch, int64_t stepInEpoch) const;
    std::shared_ptr<const EpochCut> cutOf(int64_t epoch) const;
    EpochCut cutByTokens(int64_t epoch) const;

    const ExampleSet& m_examples;
    BatchPlan m_plan;
    int64_t m_stepsPerEpoch = 0;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const EpochCut> m_lastCut; // of the epoch asked for last; guarded by m_mutex
};

// Sequences laid end to end, labels shifted within each.
TokenBatch makeTokenBatch(const ExampleSet& examples, std::span<const int64_t> indices);
// The examples in file order, in microbatches as `plan` has them: for validation.
std::vector<TokenBatch> batchesInOrder(const ExampleSet& examples, const BatchPlan& plan);
// The bounds of batchesInOrder(), or of a Batcher's steps. Throws kInvalidInput where an example alone exceeds
// microbatchTokens.
BatchBounds boundsOf(const ExampleSet& examples, const BatchPlan& plan);

} // namespace roundpipe::data
