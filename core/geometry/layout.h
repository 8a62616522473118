// SPDX-License-Identifier: GPL-3.0-or-later
// Where each tensor of a layer lies: in the immutable base (host and device) and in the compact adapter block.
//
// A base of which tensors are packed lies packed on the host, on the way and in a slot, and is assembled before it is
// computed with, tensor by tensor at its offsetBytes.
#pragma once

#include "arch/layers.h"
#include "base/choices.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::geometry {

struct TensorPlace {
    arch::TensorSpec spec;
    DType dtype = DType::kF32;
    int64_t offsetBytes = 0;                    // where it is computed with, aligned
    int64_t pitchElements = 0;                  // " of its rows (last dimension)
    WeightFormat packing = WeightFormat::kAsIs; // in host memory and in a slot; as it is: as it is computed with
    int64_t slotOffset = 0;                     // bytes, in a slot, aligned
    int64_t gradientOffset = -1;                // elements, in the layer's gradients; -1: frozen
    int64_t spareColumns = 0;                   // behind those of each row, within its pitch: see appendedColumns()
    bool mayMultiplyFp8 = false;                // packed in it: a GPU with FP8 units may multiply it as it is

    bool isTrained() const { return gradientOffset >= 0; }
    int64_t rows() const { return spec.numElements() / spec.shape.back(); }
    int64_t hostBytes() const; // in host memory and on the way; with the pitch behind the last row
};

// Sides of matrices that FP8 products take are multiples of this.
inline constexpr int64_t kFp8Multiple = 16;

// How many columns lie behind each row of gate and up for the B of their adapters: a forward writes those there, on the
// device, and one product gives what both linears and adapters add up to (model/compute/linear.cpp). None unless both
// are adapted and see the same input, as without dropout, nor where there were more than a quarter as many as the input
// has (half of them are zeros, which are multiplied, too), nor in narrow models, where launches take longer than that.
int64_t appendedColumns(const std::vector<arch::LinearSpec>& adapted, const arch::LoraConfig& lora);
// Of rows with so many columns appended: as products of 16-bit operands are fastest with.
constexpr int64_t pitchWith(int64_t columns, int64_t appended) {
    return appended == 0 ? columns : (columns + appended + 7) / 8 * 8;
}

struct BaseLayout {
    std::vector<TensorPlace> tensors;
    int64_t bytes = 0;                                    // where it is computed with
    int64_t slotBytes = 0;                                // in a slot: as many, or fewer where tensors are packed
    const TensorPlace* find(arch::TensorRole role) const; // null when the layer has none
    const TensorPlace& at(arch::TensorRole role) const;   // throws kInternal when the layer has none
};

// One adapted linear: A (rank, in) and B (out, rank), row-major and dense. Offsets count elements, so that fp32
// masters, operand-type copies and gradients share one layout: the A of all linears, then their B, so that the A of
// neighbours with the same input are one matrix.
struct AdapterPlace {
    arch::LinearSpec linear;
    int64_t offsetA = 0;
    int64_t offsetB = 0;
};

struct AdapterLayout {
    std::vector<AdapterPlace> linears;
    int64_t rank = 0;
    double scale = 0; // of B·A·x
    double dropout = 0;
    int64_t numElements = 0;
    const AdapterPlace* find(arch::TensorRole role) const;
    bool empty() const { return linears.empty(); }
};

struct LayerLayout {
    arch::LayerSpec spec;
    BaseLayout base;
    AdapterLayout adapter;
    bool trainsBase = false; // full fine-tuning; then there is no adapter
    // Of the layer's gradients on a device, in the accumulation type: those of the adapter, then those of each trained
    // tensor at its gradientOffset, aligned as the base is (padding included, which is zero). With full fine-tuning
    // they lie as the base does.
    int64_t gradientElements = 0;

    bool hasPacked() const;      // tensors
    bool mayMultiplyFp8() const; // some
    bool trainsTensors() const;  // of the base
};

// Nothing where the layer has none.
std::optional<TensorPlace> optionalPlace(const LayerLayout& layout, arch::TensorRole role);

// A norm's gradient comes of that of the layer's input, which is made then even where nothing below is trained. An
// embedding has no input.
bool needsInputGradient(const LayerLayout& layout);

// A layer of which `parts` are trained, with the base on the device as `operandType`.
LayerLayout makeLayout(const arch::LayerSpec& layer, const arch::TrainedLayer& parts, const arch::Trained& trained,
                       DType operandType, WeightFormat format = WeightFormat::kAsIs);
// All layers. Without LoRA targets none has an adapter.
std::vector<LayerLayout> makeLayouts(const arch::ModelSpec& model, const arch::Trained& trained, DType operandType,
                                     WeightFormat format = WeightFormat::kAsIs);

} // namespace roundpipe::geometry
