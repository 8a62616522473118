// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/packed_parts.h"

#include "base/error.h"
#include "base/mxfp4.h"
#include "base/nf4.h"

namespace roundpipe::geometry {
namespace {

constexpr int64_t kPartAlignment = 16; // what a thread of a GPU reads at most at a time

} // namespace

PackedParts::PackedParts(WeightFormat format, int64_t rows, int64_t cols) {
    RP_CHECK(isPacked(format));
    const auto take = [this](int64_t size) {
        const int64_t at = (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
        bytes = at + size;
        return at;
    };
    constexpr auto kScaleBytes = static_cast<int64_t>(sizeof(float));
    const int64_t count = rows * cols;
    if (format == WeightFormat::kInt8 || format == WeightFormat::kFp8) {
        take(count);
        scales = take(rows * kScaleBytes);
        return;
    }
    take((count + 1) / 2);
    if (format == WeightFormat::kMxfp4) {
        scales = take(numMxfp4Groups(count));
        return;
    }
    const int64_t numBlocks = numNf4Blocks(count);
    magnitudes = take(numBlocks);
    scales = take(numNf4Scales(numBlocks) * kScaleBytes);
    mean = take(kScaleBytes);
}

} // namespace roundpipe::geometry
