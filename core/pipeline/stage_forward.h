// SPDX-License-Identifier: GPL-3.0-or-later
// Forward stages of training, and all stages of an evaluation.
#pragma once

#include "pipeline/device_state.h"

namespace roundpipe::pipeline {

void forwardSlot(const Turn& turn);
// One layer, not the head, without keeping anything.
void layerForward(const Turn& turn, int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out);
// A block, keeping in `saved` what its backward needs; `out` may be null.
void blockForwardSaving(const Turn& turn, int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out,
                        std::byte* saved, geometry::Saving saving);

} // namespace roundpipe::pipeline
