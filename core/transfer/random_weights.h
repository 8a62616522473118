// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that are made instead of read.
#pragma once

#include "transfer/host_weight_store.h"

#include <cstdint>

namespace roundpipe::transfer {

// All of a tensor, as model/init.h makes it; a packed one from what it would be in fp32. Any thread.
void fillRandomly(const HostTensor& tensor, uint64_t seed);

} // namespace roundpipe::transfer
