// SPDX-License-Identifier: GPL-3.0-or-later
// The product of two thin matrices, added to a large one: what an adapter is to its linear layer.
#pragma once

#include <cstdint>

namespace roundpipe::artifact {

// out[r][c] += scale * (sum over k of b[r][k] * a[k][c]) for `rows` rows of `cols`, all row-major without gaps, in
// fp32: the sum in the order of k by fused multiply-add, then one rounding for the product with `scale` and one for the
// addition. The same bits on every processor.
void addRankProduct(float* out, const float* b, const float* a, int64_t rows, int64_t cols, int64_t rank, float scale);

} // namespace roundpipe::artifact
