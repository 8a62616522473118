// The split into training and validation rows: validated on are those with the smallest hash of seed and id, whatever
// the threads and the order in which rows arrive.
#pragma once

#include "data/options.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::data {

// Per id: whether it is among the `count` ones with the smallest hash.
std::vector<bool> chosenBySeed(std::span<const int64_t> ids, int64_t count, uint64_t seed);

// How many of `numRows` usable rows are split off: at least one if the fraction is above 0, and one is always left.
int64_t numValidationRows(int64_t numRows, const DataOptions& options);

} // namespace roundpipe::data
