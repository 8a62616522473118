// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/clipping.h"

#include "base/error.h"
#include "optim/passes.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace roundpipe::optim {
namespace {

constexpr int64_t kPart = 65536; // elements

} // namespace

double sumOfSquares(DType dtype, const void* values, int64_t count, ThreadTeam& team) {
    RP_CHECK(dtype == DType::kF32 || dtype == DType::kF64 || dtype == DType::kBF16);
    const int64_t numParts = (count + kPart - 1) / kPart;
    std::vector<double> sums(static_cast<std::size_t>(numParts));
    team.split(numParts, 1, [&](int64_t first, int64_t last) {
        for (int64_t part = first; part < last; ++part)
            sums[static_cast<std::size_t>(part)] =
                passes().sumOfSquares(dtype, values, part * kPart, std::min(count, (part + 1) * kPart));
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

double clipCoefficient(double norm, double maxNorm) {
    return maxNorm > 0 ? std::min(1.0, maxNorm / (norm + 1e-6)) : 1.0;
}

} // namespace roundpipe::optim
