// SPDX-License-Identifier: GPL-3.0-or-later
// What training sees of a row, or of a piece of one: its tokens and which of them are trained.
#pragma once

#include "session/workbench.h"

#include <cstdint>
#include <vector>

namespace roundpipe::data {

struct Example {
    // Unique in the run and the same for the same files: the key of random draws. The row's position among all rows,
    // and above its 32 bits the token of the row with which a piece of it begins.
    int64_t id = 0;
    session::RowPlace place;
    std::vector<int32_t> ids;
    std::vector<uint8_t> trained; // of each token: whether the model learns to write it
    int64_t numTrained() const;   // the first token has nothing before it and never counts
};

} // namespace roundpipe::data
