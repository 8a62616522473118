#include "data/store/fingerprint.h"

#include "base/error.h"
#include "base/hash.h"

#include <algorithm>
#include <limits>

namespace roundpipe::data {
namespace {

constexpr std::size_t kNumFunctions = std::size_t{kNumBands} * kRowsPerBand;

struct Function {
    uint32_t multiplier, offset;
};

// One permutation of 32 bits each: an odd multiplier, and a shift that brings the high bits down.
const std::array<Function, kNumFunctions>& functions() {
    static const auto table = [] {
        std::array<Function, kNumFunctions> made{};
        for (std::size_t i = 0; i < made.size(); ++i) {
            const uint64_t random = mixed(0x6d696e68617368, i);
            made[i] = {static_cast<uint32_t>(random) | 1, static_cast<uint32_t>(random >> 32)};
        }
        return made;
    }();
    return table;
}

uint32_t permuted(uint32_t value, Function function) {
    value = (value ^ function.offset) * function.multiplier;
    return (value ^ (value >> 15)) * function.multiplier;
}

bool isAsciiWord(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

uint64_t hashOfTokens(std::span<const int32_t> ids) {
    uint64_t hash = ids.size();
    for (const int32_t id : ids)
        hash = mixed(hash, static_cast<uint64_t>(static_cast<uint32_t>(id)));
    return hash;
}

void WordHasher::add(std::string_view text) {
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        Fnv1a<uint32_t> hash;
        const std::size_t begin = i;
        if (byteAt(i) >= 0x80) {
            do {
                hash.add(byteAt(i++));
            } while (i < text.size() && (byteAt(i) & 0xC0) == 0x80);
        } else {
            while (i < text.size() && isAsciiWord(byteAt(i))) {
                const unsigned char c = byteAt(i++);
                hash.add(c >= 'A' && c <= 'Z' ? static_cast<unsigned char>(c + 32) : c);
            }
        }
        if (i == begin)
            ++i; // a blank or a sign
        else
            m_words.push_back(hash.value());
    }
}

Bands WordHasher::bands() const {
    RP_CHECK(!m_words.empty());
    std::array<uint32_t, kNumFunctions> smallest;
    smallest.fill(std::numeric_limits<uint32_t>::max());
    const std::size_t width = std::min<std::size_t>(kShingleWords, m_words.size());
    for (std::size_t i = 0; i + width <= m_words.size(); ++i) {
        uint64_t hash = width;
        for (std::size_t k = 0; k < width; ++k)
            hash = mixed(hash, m_words[i + k]);
        const auto shingle = static_cast<uint32_t>(hash >> 32);
        for (std::size_t f = 0; f < kNumFunctions; ++f)
            smallest[f] = std::min(smallest[f], permuted(shingle, functions()[f]));
    }
    Bands bands{};
    for (std::size_t band = 0; band < bands.size(); ++band) {
        uint64_t hash = band;
        for (std::size_t k = 0; k < kRowsPerBand; ++k)
            hash = mixed(hash, smallest[band * kRowsPerBand + k]);
        bands[band] = static_cast<uint32_t>(hash >> 32);
    }
    return bands;
}

} // namespace roundpipe::data
