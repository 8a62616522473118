// Tokenised, masked examples, end to end in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

// Where a row stands. `file` indexes the dataset's list of files.
struct RowPlace {
    int32_t file = 0;
    int64_t number = 0; // 1-based line, element or record
};

// A view into an ExampleSet; it lives as long as the set.
struct Example {
    int64_t id = 0; // unique in the dataset and the same for the same files: the key of random draws
    RowPlace place;
    std::span<const int32_t> ids;
    std::span<const uint8_t> trained; // of each token: whether the model learns to write it
    int64_t numTrained() const;       // the first token has nothing before it and never counts
};

class ExampleSet {
public:
    void add(int64_t id, RowPlace place, std::span<const int32_t> ids, std::span<const uint8_t> trained);
    int64_t size() const { return static_cast<int64_t>(m_ids.size()); }
    Example operator[](int64_t index) const;
    int64_t lengthOf(int64_t index) const; // tokens
    int64_t numTokens() const { return static_cast<int64_t>(m_tokens.size()); }
    int64_t numTrained() const { return m_numTrained; }
    int64_t maxLength() const { return m_maxLength; }

private:
    std::vector<int32_t> m_tokens;
    std::vector<uint8_t> m_trained;
    std::vector<std::size_t> m_starts = {0};
    std::vector<int64_t> m_ids;
    std::vector<RowPlace> m_places;
    int64_t m_numTrained = 0;
    int64_t m_maxLength = 0;
};

} // namespace roundpipe::data
