// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/passes.h"

#include "optim/levels.h"

#include <vector>

namespace roundpipe::optim {

std::span<const Passes* const> passesHere() {
    static const std::vector<const Passes*> here = [] {
        std::vector<const Passes*> found{&baseline::kPasses};
#ifdef RP_HAS_WIDE_LEVELS
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
            !__builtin_cpu_supports("bmi2"))
            return found;
        found.push_back(&v3::kPasses);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            found.push_back(&v4::kPasses);
#endif
        return found;
    }();
    return here;
}

const Passes& passes() {
    return *passesHere().back();
}

} // namespace roundpipe::optim
