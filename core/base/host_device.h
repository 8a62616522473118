// SPDX-License-Identifier: GPL-3.0-or-later
// Small functions that host and device share. Always inlined on the host: what calls them is compiled for several
// instruction sets, and a shared out-of-line copy could be the one that this processor can't run.
#pragma once

#ifdef __CUDACC__
#define RP_HOST_DEVICE __host__ __device__
#else
#define RP_HOST_DEVICE __attribute__((always_inline))
#endif
