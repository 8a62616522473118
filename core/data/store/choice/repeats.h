// SPDX-License-Identifier: GPL-3.0-or-later
// Finds duplicates, near duplicates and leaks by the hashes that each row has. Internal to this folder.
#pragma once

#include "data/store/facts/fingerprint.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::data {

struct RowHashes {
    uint64_t tokens = 0;
    std::optional<Bands> bands; // absent: a row without words, which resembles nothing
    bool isValidation = false;
};

// For each row the first row to train on that it repeats (another one, earlier in the case of rows to train on), or -1.
struct Repeats {
    std::vector<int64_t> exact; // the same tokens
    std::vector<int64_t> near;  // a band in common; -1 where exact has a row
};

// Takes O(rows) time: a radix sort by the tokens' hash and one by each band.
Repeats repeatsOf(const std::vector<RowHashes>& rows);

} // namespace roundpipe::data
