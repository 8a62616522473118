// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a device multiplies weights that are packed in FP8 as they are.
#pragma once

#include "geometry/layout.h"
#include "model/compute/compute.h"

#include <span>

namespace roundpipe::model {

// What Compute::fp8 is to be for these layers: of a GPU with FP8 units (Ada, Hopper, Blackwell) that computes in bf16,
// whose cuBLASLt was asked for a kernel for each of their products. The log says what came of it.
Fp8Products chooseFp8Products(Compute& compute, std::span<const geometry::LayerLayout> layouts);

} // namespace roundpipe::model
