// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenised, masked examples: a choice of those in a TokenStore, or in those of several datasets one after another.
#pragma once

#include "batch/example_lengths.h"
#include "data/store/facts/example.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace roundpipe::data {

class TokenStore;

// Where the examples of a set begin in their rows.
struct PieceBegins {
    std::vector<uint32_t> tokens; // of each example; empty: all begin where their rows do
    int64_t context = 0;          // tokens at the start of those that begin later, which are not trained
};

// Immutable; any thread may read it. Copies share the store.
class ExampleSet {
public:
    ExampleSet() = default;                                       // no examples
    explicit ExampleSet(std::shared_ptr<const TokenStore> store); // all of them, whole
    // Those at `members`, in this order, each from its begin on as many tokens as its entry in `lengths` counts.
    ExampleSet(std::shared_ptr<const TokenStore> store, std::vector<uint32_t> members, batch::ExampleLengths lengths,
               PieceBegins begins = {});
    // Adds another dataset's examples, whose ids and files then count from these on.
    void append(ExampleSet dataset, int64_t firstId, int32_t firstFile);

    int64_t size() const { return m_lengths.size(); }
    Example operator[](int64_t index) const; // reads it from the file; throws kIo where that fails
    int64_t idOf(int64_t index) const;       // from memory
    const batch::ExampleLengths& lengths() const { return m_lengths; }
    int64_t numTokens() const { return m_lengths.numTokens(); }
    int64_t numTrained() const { return m_lengths.numTrained(); }

private:
    struct StorePart {
        std::shared_ptr<const TokenStore> store;
        std::vector<uint32_t> members;
        int64_t first = 0; // of the set's examples
        int64_t firstId = 0;
        int32_t firstFile = 0;
        PieceBegins begins = {};

        uint32_t memberAt(int64_t index) const { return members[static_cast<std::size_t>(index - first)]; }
        int64_t beginAt(int64_t index) const;
        int64_t idAt(int64_t index, int64_t rowId) const;
    };
    const StorePart& partOf(int64_t index) const;

    std::vector<StorePart> m_parts;  // none of them empty
    batch::ExampleLengths m_lengths; // of the members, as they are cut
};

} // namespace roundpipe::data
