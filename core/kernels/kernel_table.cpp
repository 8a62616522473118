// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernel_table.h"

#include "kernels/implementation.h"

namespace roundpipe::kernels::RP_LEVEL {

#define RP_ENTRY(kernel) .kernel = kernel,
const KernelTable kTable = {RP_FOR_EACH_KERNEL(RP_ENTRY)};
#undef RP_ENTRY

} // namespace roundpipe::kernels::RP_LEVEL
