// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes that find duplicates: one of a row's tokens, and MinHashes of its words for near duplicates.
//
// Near duplicates are found by MinHash. A row's words (runs of letters and digits, lower case; beyond ASCII each
// character) give shingles of kShingleWords; a row of fewer words is one shingle. kNumBands × kRowsPerBand hash
// functions each keep their smallest value over the shingles, and a band is the hash of its kRowsPerBand smallest
// values. Two rows whose sets of shingles have the Jaccard similarity s share a function's smallest value with
// probability s, so they share at least one band with
//     P(s) = 1 - (1 - s^kRowsPerBand)^kNumBands:
// 0.999 for s = 0.95, 0.97 for 0.9, 0.60 for 0.8, 0.20 for 0.7, 0.008 for 0.5. Chance collisions of 32-bit bands add
// kNumBands · n / 2^32 for n rows: 0.002 for a million.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace roundpipe::data {

inline constexpr int kShingleWords = 5;
inline constexpr int kNumBands = 8;
inline constexpr int kRowsPerBand = 10;

using Bands = std::array<uint32_t, kNumBands>;

uint64_t hashOfTokens(std::span<const int32_t> ids);

// Takes a row's texts one after another. Used by one thread.
class WordHasher {
public:
    void add(std::string_view text); // a word never reaches from one text into the next
    bool isEmpty() const { return m_words.empty(); }
    Bands takeBands(); // of at least one word; none are left

private:
    std::vector<uint32_t> m_words; // hashes
};

} // namespace roundpipe::data
