// SPDX-License-Identifier: GPL-3.0-or-later
// What the self-test compares: each kernel in shapes that reach its fast and its slow paths.
#pragma once

#include "kernels/selftest_run.h"

namespace roundpipe::kernels {

// All cases of one storage type. Inputs follow from the seed.
std::vector<Case> selfTestCases(DType dtype, uint64_t seed);

} // namespace roundpipe::kernels
