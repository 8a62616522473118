// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a packed tensor lie, from where its codes begin: in host memory, on the way and in a slot.
#pragma once

#include "base/choices.h"

#include <cstdint>

namespace roundpipe::geometry {

// Bytes. What each part is says kernels.h (unpackNf4, unpackInt8, unpackFp8, unpackMxfp4).
struct PackedParts {
    // Of a packed format.
    PackedParts(WeightFormat format, int64_t rows, int64_t cols);

    int64_t magnitudes = 0; // nf4
    int64_t scales = 0;
    int64_t mean = 0; // nf4
    int64_t bytes = 0;
};

} // namespace roundpipe::geometry
