// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels as each implementation declares them, in its own namespace: RP_LEVEL is `baseline`, `v3` or `cuda`, set
// by CMakeLists.txt. Arguments were checked by kernels.cpp; matrices are not empty.
#pragma once

#include "kernels/kernel_table.h"

namespace roundpipe::kernels::RP_LEVEL {

#define RP_DECLARE(kernel) decltype(kernels::kernel) kernel;
RP_FOR_EACH_KERNEL(RP_DECLARE)
#undef RP_DECLARE

} // namespace roundpipe::kernels::RP_LEVEL
