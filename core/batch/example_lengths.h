// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run's examples are, how many of their tokens are trained, and where its datasets begin among them: all
// that decides what steps hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::batch {

// The examples [first, first + size) are a dataset's.
struct DatasetLengths {
    int64_t first = 0, size = 0;
    int64_t numTokens = 0, numTrained = 0; // of all of them

    bool operator==(const DatasetLengths&) const = default;
};

// A plain value of 8 bytes an example, in the order of the datasets.
class ExampleLengths {
public:
    void beginDataset();                             // what is added from now on is another one's; it may be nothing
    void add(int64_t numTokens, int64_t numTrained); // an example at the end; both below 2^32
    void append(const ExampleLengths& dataset);      // all of its examples, as one dataset at the end

    int64_t size() const { return static_cast<int64_t>(m_tokens.size()); }
    int64_t lengthOf(int64_t index) const; // tokens; 0 <= index < size()
    std::span<const uint32_t> tokens() const { return m_tokens; }
    std::span<const uint32_t> trained() const { return m_trained; }
    std::span<const DatasetLengths> datasets() const { return m_datasets; }

    int64_t numTokens() const { return m_numTokens; } // of all examples
    int64_t numTrained() const { return m_numTrained; }
    int64_t longest() const { return m_longest; } // 0 without an example
    // Of an example, and of a token; 0 and 1 without an example.
    double averageLength() const;
    double trainedShare() const;

    bool operator==(const ExampleLengths&) const = default;

private:
    std::vector<uint32_t> m_tokens, m_trained;
    std::vector<DatasetLengths> m_datasets;
    int64_t m_numTokens = 0;
    int64_t m_numTrained = 0;
    int64_t m_longest = 0;
};

} // namespace roundpipe::batch
