// SPDX-License-Identifier: GPL-3.0-or-later
// The split into training and validation rows: validated on are those with the smallest hash of seed and id, whatever
// the threads and the order in which rows arrive.
#pragma once

#include "data/options.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::data {

// What a row that can be used is for.
enum class Side : uint8_t { kTraining, kValidation, kNeither };

// `ids`: of all rows that can be used; those behind the first `numFromFiles` stand in the validation file, of which no
// more than the options want are taken. Else at least one is drawn if the fraction is above 0, and one is always left.
std::vector<Side> sidesOf(std::span<const int64_t> ids, std::size_t numFromFiles, const DataOptions& options);

} // namespace roundpipe::data
