// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's attention tried on this GPU before anything is trained with it. Its version is the one that LibTorch brought,
// and versions have had faults of their own for some shapes. Internal to the folder.
#pragma once

#include "model/compute/compute.h"

namespace roundpipe::model {

// Whether forward and backward of a small case like `shape` (types, head size, shared key/value heads, window, order of
// sums) give what our own kernels give. Found out once in a process for each kind; a disagreement is logged. Waits for
// the GPU then. Called where a ComputeScope is open.
bool cudnnAgrees(const Compute& compute, const kernels::AttentionShape& shape);

} // namespace roundpipe::model
