// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/facts/fingerprint.h"

#include "base/error.h"
#include "base/hash.h"

#include <algorithm>
#include <limits>

namespace roundpipe::data {
namespace {

constexpr std::size_t kNumFunctions = std::size_t{kNumBands} * kRowsPerBand;

// One permutation of 32 bits each: an odd multiplier, and a shift that brings the high bits down.
struct Functions {
    std::array<uint32_t, kNumFunctions> multipliers, offsets;
};

const Functions& functions() {
    static const auto table = [] {
        Functions made{};
        for (std::size_t i = 0; i < kNumFunctions; ++i) {
            const uint64_t random = mixed(0x6d696e68617368, i);
            made.multipliers[i] = static_cast<uint32_t>(random) | 1;
            made.offsets[i] = static_cast<uint32_t>(random >> 32);
        }
        return made;
    }();
    return table;
}

using Smallest = std::array<uint32_t, kNumFunctions>;

// Whole numbers alone: the same on every machine, whatever the compiler makes of the loop.
[[gnu::always_inline]] inline Smallest smallestInLoop(std::span<const uint32_t> shingles) {
    const Functions& by = functions();
    Smallest smallest;
    smallest.fill(std::numeric_limits<uint32_t>::max());
    for (const uint32_t shingle : shingles)
        for (std::size_t f = 0; f < kNumFunctions; ++f) {
            const uint32_t value = (shingle ^ by.offsets[f]) * by.multipliers[f];
            smallest[f] = std::min(smallest[f], (value ^ (value >> 15)) * by.multipliers[f]);
        }
    return smallest;
}

// The processors of 2003, for which the program is built, can neither multiply nor compare several of these at once.
[[gnu::target("avx2")]] Smallest smallestByEights(std::span<const uint32_t> shingles) {
    return smallestInLoop(shingles);
}

Smallest smallestOf(std::span<const uint32_t> shingles) {
    static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
    return hasAvx2 ? smallestByEights(shingles) : smallestInLoop(shingles);
}

template <class Number> // of 32 bits
uint64_t hashOf(std::span<const Number> numbers) {
    const auto at = [&](std::size_t i) { return static_cast<uint64_t>(static_cast<uint32_t>(numbers[i])); };
    uint64_t hash = numbers.size();
    std::size_t i = 0;
    for (; i + 1 < numbers.size(); i += 2) // two at once take half of the time
        hash = mixed(hash, at(i) << 32 | at(i + 1));
    return i < numbers.size() ? mixed(hash, at(i)) : hash;
}

// Letters in lower case, and digits; 0 for what is part of no word. Each byte of all rows is looked up here.
constexpr auto kLowered = [] {
    std::array<unsigned char, 256> table{};
    for (unsigned char c = '0'; c <= '9'; ++c)
        table[c] = c;
    for (unsigned char c = 'a'; c <= 'z'; ++c)
        table[c] = table[c - 'a' + 'A'] = c;
    return table;
}();

} // namespace

uint64_t hashOfTokens(std::span<const int32_t> ids) {
    return hashOf(ids);
}

void WordHasher::add(std::string_view text) {
    constexpr std::size_t kLikelyBytes = 5; // of a word and what follows it
    if (m_words.empty()) m_words.reserve(text.size() / kLikelyBytes);
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        Fnv1a<uint32_t> hash;
        const std::size_t begin = i;
        if (byteAt(i) >= 0x80) {
            do {
                hash.add(byteAt(i++));
            } while (i < text.size() && (byteAt(i) & 0xC0) == 0x80);
        } else {
            for (; i < text.size() && kLowered[byteAt(i)] != 0; ++i)
                hash.add(kLowered[byteAt(i)]);
        }
        if (i == begin)
            ++i; // a blank or a sign
        else
            m_words.push_back(hash.value());
    }
}

Bands WordHasher::takeBands() {
    RP_CHECK(!m_words.empty());
    const std::size_t width = std::min<std::size_t>(kShingleWords, m_words.size());
    const std::span<const uint32_t> words(m_words);
    const std::size_t numShingles = words.size() - width + 1;
    for (std::size_t i = 0; i < numShingles; ++i) // in the place of the words, which no later one has
        m_words[i] = static_cast<uint32_t>(hashOf(words.subspan(i, width)) >> 32);
    const Smallest smallest = smallestOf(words.first(numShingles));
    m_words.clear();
    Bands bands{};
    // Rows are compared band by band: which one a hash is of need not be in it.
    for (std::size_t band = 0; band < bands.size(); ++band) {
        const auto its = std::span<const uint32_t>(smallest).subspan(band * kRowsPerBand, kRowsPerBand);
        bands[band] = static_cast<uint32_t>(hashOf(its) >> 32);
    }
    return bands;
}

} // namespace roundpipe::data
