// SPDX-License-Identifier: GPL-3.0-or-later
// How dropout uses random.h, shared by the CPU twins and CUDA so that masks are the same bit for bit.
#pragma once

#include "kernels/random.h"

namespace roundpipe::kernels {

RP_HOST_DEVICE inline uint64_t rowKey(uint64_t seed, int64_t step, int64_t exampleId, int32_t position) {
    return mixKey(seed, static_cast<uint64_t>(step), static_cast<uint64_t>(exampleId), static_cast<uint32_t>(position));
}

// The draws of columns 4 * group … 4 * group + 3 of a row.
RP_HOST_DEVICE inline Philox4 dropoutDraws(uint64_t key, uint64_t moduleKey, int64_t group) {
    return philox(key, static_cast<uint64_t>(group), moduleKey);
}

// What kept elements are multiplied by.
template <class S>
RP_HOST_DEVICE inline S keptScale(double probability) {
    return probability < 1 ? static_cast<S>(1 / (1 - probability)) : S{0};
}

} // namespace roundpipe::kernels
