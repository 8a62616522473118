// SPDX-License-Identifier: GPL-3.0-or-later
// In which order an epoch visits the examples: a function of seed, epoch and position, with no state to save. A run is
// resumed by asking for the next position.
#pragma once

#include <cstdint>

namespace roundpipe::batch {

struct DrawOrder {
    bool shuffle = true; // false: the order of the dataset, in every epoch
    uint64_t seed = 42;
};

// A bijection of [0, size) for each (seed, epoch). All calls from any thread.
class EpochOrder {
public:
    EpochOrder(DrawOrder order, int64_t epoch, int64_t size);
    int64_t at(int64_t position) const; // 0 <= position < size

private:
    bool m_shuffle;
    uint64_t m_key;
    int64_t m_size;
    int m_halfBits;
};

} // namespace roundpipe::batch
