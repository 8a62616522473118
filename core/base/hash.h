// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes whose values are kept in files or decide what a run draws: the same on every machine and in every version.
#pragma once

#include <cstdint>
#include <string_view>

namespace roundpipe {

// FNV-1a (Fowler, Noll, Vo) of bytes as they come, in 32 or 64 bits.
template <class Word>
class Fnv1a {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);

public:
    void add(unsigned char byte) { m_hash = (m_hash ^ byte) * kPrime; }
    Word value() const { return m_hash; }

private:
    static constexpr Word kPrime = static_cast<Word>(sizeof(Word) == 8 ? 0x100000001B3u : 0x1000193u);
    Word m_hash = static_cast<Word>(sizeof(Word) == 8 ? 0xCBF29CE484222325u : 0x811C9DC5u);
};

// A name as a number: the key of a module's or tensor's random draws, or a part of a file's name.
inline uint64_t hashName(std::string_view name) {
    Fnv1a<uint64_t> hash;
    for (const char c : name)
        hash.add(static_cast<unsigned char>(c));
    return hash.value();
}

inline constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15u; // of 2^64: what SplitMix64 steps by

// A well-mixed function of its arguments: two rounds of SplitMix64's finaliser (Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014).
inline uint64_t mixed(uint64_t a, uint64_t b) {
    const auto finalised = [](uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    };
    return finalised(finalised(a + kGoldenRatio) ^ (b * kGoldenRatio + 1));
}

} // namespace roundpipe
