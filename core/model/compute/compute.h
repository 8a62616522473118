// SPDX-License-Identifier: GPL-3.0-or-later
// What every call of a layer is given beside its batch: where it computes, the weights, and where gradients go.
//
// Calls enqueue on the device's compute stream (CUDA) or run in the calling thread (CPU). Buffers are device memory,
// 64-byte (CPU) or 256-byte (CUDA) aligned, dense rows. hidden_TD means [T, D] of the operand type.
#pragma once

#include "geometry/workspace.h"
#include "kernels/kernels.h"

#include <cstddef>

namespace roundpipe::model {

// Where and how a layer computes. One per device, used by its compute thread only.
struct Compute {
    kernels::Target target;
    int cudaIndex = -1;            // -1: CPU
    int32_t computeCapability = 0; // as device::Device says it
    DType dtype = DType::kF32;     // operand type
    bool deterministic = true;
    geometry::Workspace workspace; // scratch for one call at a time: each gives back what it took before it returns
};

// A layer's parameters as they lie on a device. Views only; the owner is a weight slot (transfer). Spare columns of the
// base (TensorPlace) are scratch of the layer's calls, which follow each other on a device.
struct LayerWeights {
    const std::byte* base = nullptr; // BaseLayout::bytes
    // AdapterLayout::numElements of the operand type; null: forward of the base model.
    const std::byte* adapter = nullptr;
};

// Gradients of what is trained of one layer, on the device: LayerLayout::gradientElements of the accumulation type
// (fp32, fp64 for fp64). `accumulate` false: overwritten, true: added to. Null `data`: not wanted.
struct GradientView {
    std::byte* data = nullptr;
    bool accumulate = false;
};

} // namespace roundpipe::model
