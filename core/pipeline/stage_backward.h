// SPDX-License-Identifier: GPL-3.0-or-later
// The fused stage (forward, loss and backward) and backward stages (recompute and backward).
#pragma once

#include "pipeline/device_state.h"

namespace roundpipe::pipeline {

void backwardSlot(const Turn& turn);

} // namespace roundpipe::pipeline
