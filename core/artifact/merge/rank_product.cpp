// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/merge/rank_product.h"

#include "base/for_each_processor.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kTile = 512; // columns whose rows of A stay in the first cache while all rows are made

} // namespace

RP_FOR_EACH_PROCESSOR
void addRankProduct(float* out, const float* b, const float* a, int64_t rows, int64_t cols, int64_t rank, float scale) {
    for (int64_t begin = 0; begin < cols; begin += kTile) {
        const int64_t width = std::min(kTile, cols - begin);
        for (int64_t r = 0; r < rows; ++r) {
            std::array<float, kTile> sum{};
            for (int64_t k = 0; k < rank; ++k) {
                const float factor = b[r * rank + k];
                const float* row = a + k * cols + begin;
                for (int64_t c = 0; c < width; ++c)
                    sum[static_cast<std::size_t>(c)] = __builtin_fmaf(factor, row[c], sum[static_cast<std::size_t>(c)]);
            }
            float* into = out + r * cols + begin;
            for (int64_t c = 0; c < width; ++c)
                into[c] += scale * sum[static_cast<std::size_t>(c)];
        }
    }
}

} // namespace roundpipe::artifact
