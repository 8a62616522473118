// SPDX-License-Identifier: GPL-3.0-or-later
// Which example each position of each epoch draws, of one dataset or of a mixture: a function of lengths, shares, seed,
// epoch and position, with no state to save.
//
// Of a dataset of s examples an epoch draws n: every example ⌊n / s⌋ times, and the rest, m = n mod s, out of all of
// them. The rest goes round: the examples stand in a circle by their length (equal ones in an order drawn by the seed),
// every (s / m)-th is taken, and the next epoch's are each one further on. So after any number of epochs each example
// was drawn as often as every other, or once more; and every epoch has its part of long and short ones: the tokens of a
// rest differ from the average one's by less than the longest example has more than the shortest.
#pragma once

#include "batch/epoch_order.h"
#include "batch/example_lengths.h"
#include "batch/share.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::batch {

// Immutable; all calls from any thread. Keeps 4 bytes for each example of a shuffled dataset with a rest.
class EpochDraws {
public:
    // Shares and errors as drawsOf() has them; draws nothing where there is no example.
    EpochDraws(const ExampleLengths& examples, std::span<const Share> shares, DrawOrder order);

    int64_t perEpoch() const { return m_perEpoch; }             // draws
    int64_t drawsOfDataset(std::size_t dataset) const;          // of those
    int64_t mostOften(std::size_t dataset) const;               // how often an epoch draws one of its examples at most
    bool isSameInEveryEpoch() const { return m_isSameInEvery; } // in the same order too
    // Shuffled: all datasets' draws mixed. Else the datasets one after another, each in its order as often as it is
    // whole, then its rest in its order. An index into the lengths; 0 <= position < perEpoch().
    int64_t at(int64_t epoch, int64_t position) const;

    double tokensPerEpoch() const { return m_tokens; }      // the average epoch's
    double trainedPerEpoch() const { return m_trained; }    // of these
    int64_t tokensAtMost() const { return m_tokensAtMost; } // of any epoch

private:
    struct Part {
        int64_t first = 0, size = 0;       // of the dataset's examples
        int64_t begin = 0, draws = 0;      // of an epoch's draws, before they are shuffled
        int64_t rest = 0;                  // of those
        int64_t phase = 0;                 // where the first epoch's rest begins in the circle
        std::vector<uint32_t> circle = {}; // of its examples, where they are not in the dataset's order
    };
    Part partOf(const ExampleLengths& examples, const DatasetLengths& dataset, int64_t draws);
    static int64_t ofRest(const Part& part, int64_t epoch, int64_t index);

    DrawOrder m_order;
    std::vector<Part> m_parts;
    int64_t m_perEpoch = 0;
    double m_tokens = 0, m_trained = 0;
    int64_t m_tokensAtMost = 0;
    bool m_isSameInEvery = true;
};

} // namespace roundpipe::batch
