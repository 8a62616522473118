// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/clipping.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::optim {
namespace {

template <class T>
double sumOf(const T* values, int64_t count) {
    double total = 0;
    for (int64_t i = 0; i < count; ++i)
        total += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return total;
}

} // namespace

double sumOfSquares(DType dtype, const void* values, int64_t count) {
    RP_CHECK(dtype == DType::kF32 || dtype == DType::kF64);
    return dtype == DType::kF64 ? sumOf(static_cast<const double*>(values), count)
                                : sumOf(static_cast<const float*>(values), count);
}

double clipCoefficient(double norm, double maxNorm) {
    return maxNorm > 0 ? std::min(1.0, maxNorm / (norm + 1e-6)) : 1.0;
}

} // namespace roundpipe::optim
