// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/example_lengths.h"

#include "base/error.h"

#include <algorithm>
#include <limits>

namespace roundpipe::batch {

void ExampleLengths::beginDataset() {
    m_datasets.push_back({size()});
}

void ExampleLengths::add(int64_t numTokens, int64_t numTrained) {
    constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
    RP_CHECK(numTokens >= 0 && numTokens <= kMost && numTrained >= 0 && numTrained <= kMost);
    if (m_datasets.empty()) beginDataset();
    DatasetLengths& dataset = m_datasets.back();
    ++dataset.size;
    dataset.numTokens += numTokens;
    dataset.numTrained += numTrained;
    m_tokens.push_back(static_cast<uint32_t>(numTokens));
    m_trained.push_back(static_cast<uint32_t>(numTrained));
    m_numTokens += numTokens;
    m_numTrained += numTrained;
    m_longest = std::max(m_longest, numTokens);
}

void ExampleLengths::append(const ExampleLengths& dataset) {
    beginDataset();
    for (std::size_t i = 0; i < dataset.m_tokens.size(); ++i)
        add(dataset.m_tokens[i], dataset.m_trained[i]);
}

int64_t ExampleLengths::lengthOf(int64_t index) const {
    RP_CHECK(index >= 0 && index < size());
    return m_tokens[static_cast<std::size_t>(index)];
}

double ExampleLengths::averageLength() const {
    return size() == 0 ? 0 : static_cast<double>(m_numTokens) / static_cast<double>(size());
}

double ExampleLengths::trainedShare() const {
    return m_numTokens == 0 ? 1 : static_cast<double>(m_numTrained) / static_cast<double>(m_numTokens);
}

} // namespace roundpipe::batch
