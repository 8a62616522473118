// SPDX-License-Identifier: GPL-3.0-or-later
// How much an epoch takes of each of a run's datasets.
#pragma once

#include "base/choices.h"
#include "batch/example_lengths.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::batch {

struct Share {
    ShareKind kind = ShareKind::kEpochs;
    double amount = 1; // above 0

    bool operator==(const Share&) const = default;
};

// How many examples an epoch draws of each dataset, to the nearest whole one, and at least one where there are any:
//   epochs  amount × the dataset's examples
//   rows    amount
//   tokens  so many that they have that many tokens at the dataset's average length
//   weight  of the examples that all datasets with a weight have together, the part that this weight is of their sum
// A dataset whose share is missing is drawn once; shares without a dataset are passed over. Throws kInvalidInput for an
// amount that is not above 0, and for an epoch of more than 2^32 examples.
std::vector<int64_t> drawsOf(const ExampleLengths& examples, std::span<const Share> shares);

} // namespace roundpipe::batch
