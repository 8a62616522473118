// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of made-up datasets with random shares.
#pragma once

#include "batch/example_lengths.h"
#include "batch/share.h"
#include "batch/step_rules.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <random>
#include <vector>

namespace roundpipe::batch {

struct Mixture {
    ExampleLengths examples;
    std::vector<Share> shares; // one for each dataset

    const DatasetLengths& dataset(std::size_t i) const { return examples.datasets()[i]; }
    std::size_t datasetOf(int64_t example) const {
        std::size_t i = 0;
        while (example >= dataset(i).first + dataset(i).size)
            ++i;
        return i;
    }
};

inline std::ostream& operator<<(std::ostream& out, const Mixture& mixture) {
    for (std::size_t i = 0; i < mixture.shares.size(); ++i)
        out << (i > 0 ? "; " : "") << mixture.dataset(i).size << " examples, " << spellingOf(mixture.shares[i].kind)
            << "=" << mixture.shares[i].amount;
    return out;
}

class RandomMixtures {
public:
    explicit RandomMixtures(uint64_t seed) : m_random(seed) {}

    int64_t upTo(int64_t most) { return 1 + static_cast<int64_t>(m_random() % static_cast<uint64_t>(most)); }
    double real(double from, double to) { return std::uniform_real_distribution(from, to)(m_random); }

    // One to four datasets of at most so many examples each, an epoch of which draws none more than five times.
    Mixture next(int64_t mostExamples) {
        Mixture mixture;
        for (int64_t i = upTo(4); i > 0; --i) {
            mixture.examples.beginDataset();
            const int64_t longest = upTo(60);
            for (int64_t count = upTo(mostExamples); count > 0; --count) {
                const int64_t length = upTo(longest);
                mixture.examples.add(length, upTo(length + 1) - 1);
            }
            mixture.shares.push_back(shareFor(mixture.examples.datasets().back()));
        }
        return mixture;
    }

    StepRules rulesFor(int64_t longest) {
        StepRules rules{upTo(5), upTo(6), upTo(3)};
        if (upTo(2) == 1) return rules;
        rules.microbatchTokens = longest - 1 + upTo(5 * longest);
        rules.packing = std::array{Packing::kNone, Packing::kByLength, Packing::kBestFit}[m_random() % 3];
        if (upTo(2) == 1) rules.tokensPerStep = longest - 1 + upTo(20 * longest);
        return rules;
    }

private:
    Share shareFor(const DatasetLengths& dataset) {
        const double times = upTo(3) == 1 ? static_cast<double>(upTo(3)) : real(0.01, 5);
        switch (upTo(5)) {
        case 1:
            return {ShareKind::kWeight, real(0.5, 4)};
        case 2:
            return {ShareKind::kRows, times * static_cast<double>(dataset.size)};
        case 3:
            return {ShareKind::kTokens, times * static_cast<double>(dataset.numTokens)};
        case 4:
            return {ShareKind::kEpochs, times};
        default:
            return {};
        }
    }

    std::mt19937_64 m_random;
};

} // namespace roundpipe::batch
