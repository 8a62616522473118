// SPDX-License-Identifier: GPL-3.0-or-later
// Examples → the microbatches of any optimizer step, as a pure function of the step.
//
// An epoch visits the examples that EpochDraws has for it, every one once where nothing else is said, and is cut into
// steps first: after so many examples, or so that all steps have about the same number of tokens. Only then are the
// examples of a step put into microbatches. So packing decides nothing about what a step learns, and every epoch has
// the same number of steps, which no step oversteps.
#pragma once

#include "batch/epoch_draws.h"
#include "batch/example_lengths.h"
#include "batch/step_rules.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace roundpipe::batch {

// Keeps a reference to `examples`, which must outlive it. All calls from any thread.
class Steps {
public:
    // Throws kInvalidInput as validate() and drawsOf() do.
    Steps(const ExampleLengths& examples, const StepRules& rules, DrawOrder order, std::span<const Share> shares = {});

    const EpochDraws& draws() const { return m_draws; }

    int64_t perEpoch() const { return m_perEpoch; }
    // Rounded up, as transformers does; maxSteps wins where it is above 0.
    int64_t total(double epochs, int64_t maxSteps) const;
    double epochAt(int64_t step) const; // how many epochs' draws steps [0, step) have seen
    double meanTokens() const;

    // Indices of examples, by microbatch, in the order in which they run; round r holds those at [r × microbatches,
    // (r + 1) × microbatches) as far as there are any. `step` counts from 0 through all epochs.
    std::vector<std::vector<int64_t>> microbatchesOf(int64_t step) const;

private:
    struct EpochCut {
        int64_t epoch = 0;
        std::vector<int64_t> starts; // first position of each step, and the number of draws
    };
    int64_t positionOf(int64_t epoch, int64_t stepInEpoch) const;
    std::shared_ptr<const EpochCut> cutOf(int64_t epoch) const;
    EpochCut cutByTokens(int64_t epoch) const;

    const ExampleLengths& m_examples;
    StepRules m_rules;
    EpochDraws m_draws;
    int64_t m_perEpoch = 0;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const EpochCut> m_lastCut; // of the epoch asked for last; guarded by m_mutex
};

} // namespace roundpipe::batch
