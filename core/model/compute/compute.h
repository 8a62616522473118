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

// How a device multiplies weights that are packed in FP8 (geometry::TensorPlace::mayMultiplyFp8).
enum class Fp8Products : uint8_t {
    kNone,        // unpacked, as other packed weights: they lie in LayerWeights::base
    kScaled,      // as they are (fp8_products.h), by LayerWeights::packed; the product applies the scales of rows
    kScaledAfter, // the same, but a pass of ours applies them
};

// Where and how a layer computes. One per device, used by its compute thread only.
struct Compute {
    kernels::Target target;
    int cudaIndex = -1;            // -1: CPU
    int32_t computeCapability = 0; // as device::Device says it
    DType dtype = DType::kF32;     // operand type
    bool deterministic = true;
    geometry::Workspace workspace; // scratch for one call at a time: each gives back what it took before it returns
    Fp8Products fp8 = Fp8Products::kNone;
};

// A layer's parameters as they lie on a device. Views only; the owner is a weight slot (transfer). Spare columns of the
// base (TensorPlace) are scratch of the layer's calls, which follow each other on a device.
struct LayerWeights {
    // BaseLayout::bytes. Where linears multiply FP8, their weights' places have the transposed codes, for a backward.
    const std::byte* base = nullptr;
    // AdapterLayout::numElements of the operand type; null: forward of the base model.
    const std::byte* adapter = nullptr;
    // BaseLayout::slotBytes, as a packed base travels; read by FP8 products alone.
    const std::byte* packed = nullptr;
};

// Gradients of what is trained of one layer, on the device: LayerLayout::gradientElements of the accumulation type
// (fp32, fp64 for fp64). `accumulate` false: overwritten, true: added to. Null `data`: not wanted.
struct GradientView {
    std::byte* data = nullptr;
    bool accumulate = false;
};

} // namespace roundpipe::model
