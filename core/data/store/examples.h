// Tokenised, masked examples: a choice of those in a TokenStore.
#pragma once

#include "batch/example_lengths.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace roundpipe::data {

class TokenStore;

// Where a row stands. `file` indexes the dataset's list of files.
struct RowPlace {
    int32_t file = 0;
    int64_t number = 0; // 1-based line, element or record
};

struct Example {
    int64_t id = 0; // unique in the dataset and the same for the same files: the key of random draws
    RowPlace place;
    std::vector<int32_t> ids;
    std::vector<uint8_t> trained; // of each token: whether the model learns to write it
    int64_t numTrained() const;   // the first token has nothing before it and never counts
};

// Immutable; any thread may read it. Copies share the store.
class ExampleSet {
public:
    ExampleSet() = default;                                       // no examples
    explicit ExampleSet(std::shared_ptr<const TokenStore> store); // all of them
    // Those at `members`, in this order.
    ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members);

    int64_t size() const { return static_cast<int64_t>(m_members.size()); }
    Example operator[](int64_t index) const; // reads it from the file; throws kIo where that fails
    int64_t idOf(int64_t index) const;       // from memory
    const batch::ExampleLengths& lengths() const { return m_lengths; }
    int64_t numTokens() const { return m_lengths.numTokens(); }
    int64_t numTrained() const { return m_lengths.numTrained(); }

private:
    uint32_t memberAt(int64_t index) const;

    std::shared_ptr<const TokenStore> m_store;
    std::vector<uint32_t> m_members;
    batch::ExampleLengths m_lengths; // of the members
};

} // namespace roundpipe::data
