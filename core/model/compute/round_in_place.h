// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds values where they lie, so that they travel in half the bytes.
#pragma once

#include "model/compute/compute.h"

namespace roundpipe::model {

// `count` values of type `from` become values of type `to`, half its size, side by side at the front of the same
// memory.
void roundInPlace(const Compute& compute, std::byte* values, int64_t count, DType from, DType to);

} // namespace roundpipe::model
