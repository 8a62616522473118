// SPDX-License-Identifier: GPL-3.0-or-later
// Weights from a model folder into host memory.
#pragma once

#include "arch/checkpoint.h"
#include "transfer/host_weight_store.h"

#include <cstdint>
#include <functional>

namespace roundpipe::transfer {

// Called now and then with bytes read and bytes in all, by one thread at a time; false cancels.
using CheckpointProgress = std::function<bool(int64_t, int64_t)>;

// Fills every tensor of the store with a few reading threads, converted to the type of its place, or
// packed as it says. Throws kInvalidInput
// naming a tensor that is missing, of another shape or type; kIo; kCancelled.
void loadCheckpoint(HostWeightStore& store, const arch::Checkpoint& checkpoint,
                    const CheckpointProgress& progress = {});

} // namespace roundpipe::transfer
