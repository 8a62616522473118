// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/round_in_place.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::model {
namespace {

constexpr int64_t kRow = 512; // elements; the first ones have no room before them and go by way of the workspace

// [0, count) of both, where they do not overlap.
void convertAll(const Compute& compute, std::byte* in, DType from, std::byte* out, DType to, int64_t count) {
    const auto convertRows = [&](int64_t begin, int64_t rows, int64_t cols) {
        if (rows * cols > 0)
            kernels::convert(compute.target, dense(in + geometry::bytesOf(from, begin), from, rows, cols), 1.0,
                             dense(out + geometry::bytesOf(to, begin), to, rows, cols));
    };
    const int64_t whole = count / kRow * kRow;
    convertRows(0, count / kRow, kRow);
    convertRows(whole, 1, count - whole);
}

} // namespace

// Element i moves from byte 4 i to byte 2 i (8 and 4): what [n, 2 n) becomes lies before all of [n, 2 n), where the
// elements before have been read. So each pass takes as many elements as all before it.
void roundInPlace(const Compute& compute, std::byte* values, int64_t count, DType from, DType to) {
    RP_CHECK(sizeOf(from) == 2 * sizeOf(to));
    const int64_t numFirst = std::min(kRow, count);
    geometry::Workspace workspace = compute.workspace;
    std::byte* first = workspace.take(geometry::bytesOf(to, numFirst));
    convertAll(compute, values, from, first, to, numFirst);
    convertAll(compute, first, to, values, to, numFirst);
    for (int64_t begin = numFirst; begin < count; begin *= 2)
        convertAll(compute, values + geometry::bytesOf(from, begin), from, values + geometry::bytesOf(to, begin), to,
                   std::min(begin, count - begin));
}

} // namespace roundpipe::model
