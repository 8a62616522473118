// SPDX-License-Identifier: GPL-3.0-or-later
// One microbatch: examples laid end to end, no padding. What data makes and the pipeline runs.
#pragma once

#include <cstdint>
#include <vector>

namespace roundpipe {

inline constexpr int32_t kIgnoredLabel = -100; // a position that is not trained

// T tokens in S sequences. Attention never crosses a sequence; positions restart with each.
struct TokenBatch {
    std::vector<int32_t> ids;        // [T]
    std::vector<int32_t> labels;     // [T] the next token where it is trained, else kIgnoredLabel (already shifted)
    std::vector<int32_t> positions;  // [T] 0-based within the sequence
    std::vector<int32_t> starts;     // [S + 1] first token of each sequence; the last entry is T
    std::vector<int64_t> exampleIds; // [S] data::Example::id: the key of random draws, whatever the packing

    int64_t numTokens() const { return static_cast<int64_t>(ids.size()); }
    int64_t numSequences() const { return static_cast<int64_t>(exampleIds.size()); }
    int64_t numTrained() const; // labels that are not ignored
    int64_t maxLength() const;  // of its sequences
};

} // namespace roundpipe
