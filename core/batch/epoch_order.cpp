// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/epoch_order.h"

#include "base/error.h"
#include "base/hash.h"

#include <bit>

namespace roundpipe::batch {
namespace {

constexpr int kRounds = 8;
constexpr int kMinHalfBits = 4; // a Feistel network over fewer bits reaches few of the permutations

} // namespace

EpochOrder::EpochOrder(DrawOrder order, int64_t epoch, int64_t size)
    : m_shuffle(order.shuffle)
    , m_key(mixed(order.seed, static_cast<uint64_t>(epoch)))
    , m_size(size)
    , m_halfBits(kMinHalfBits) {
    const int bits = std::bit_width(static_cast<uint64_t>(size));
    if (bits > 2 * kMinHalfBits) m_halfBits = (bits + 1) / 2;
}

// A Feistel network permutes 2^(2·halfBits) numbers; those beyond the size are sent through again until they land
// inside ("cycle walking"), which leaves a permutation of [0, size).
int64_t EpochOrder::at(int64_t position) const {
    RP_CHECK(position >= 0 && position < m_size);
    if (!m_shuffle) return position;
    const uint64_t mask = (uint64_t{1} << m_halfBits) - 1;
    uint64_t value = static_cast<uint64_t>(position);
    do {
        uint64_t left = value >> m_halfBits, right = value & mask;
        for (uint64_t round = 0; round < kRounds; ++round) {
            const uint64_t next = left ^ (mixed(m_key + round * kGoldenRatio, right) & mask);
            left = right;
            right = next;
        }
        value = (left << m_halfBits) | right;
    } while (value >= static_cast<uint64_t>(m_size));
    return static_cast<int64_t>(value);
}

} // namespace roundpipe::batch
