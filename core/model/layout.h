// Where each tensor of a layer lies: in the immutable base blob (host and device) and in the compact adapter block.
#pragma once

#include "arch/layers.h"
#include "base/dtype.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::model {

struct TensorPlace {
    arch::TensorSpec spec;
    DType dtype = DType::kF32;
    int64_t offsetBytes = 0;   // 256-byte aligned
    int64_t pitchElements = 0; // of its rows (last dimension)
};

struct BaseLayout {
    std::vector<TensorPlace> tensors;
    int64_t bytes = 0;
    const TensorPlace* find(arch::TensorRole role) const; // null when the layer has none
};

// One adapted linear: A (rank, in) and B (out, rank), row-major and dense. Offsets count elements, so that fp32
// masters, operand-type copies and gradients share one layout.
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
};

// Layouts of all layers with the base stored as `operandType`. Without LoRA targets no layer has an adapter.
std::vector<LayerLayout> makeLayouts(const arch::ModelSpec& model, const arch::LoraConfig& lora, DType operandType);

// A layer's parameters as they lie on a device. Views only; the owner is a weight slot (transfer).
struct LayerWeights {
    const std::byte* base = nullptr; // BaseLayout::bytes
    const std::byte* adapter =
        nullptr; // AdapterLayout::numElements of the operand type; null: forward of the base model
};

} // namespace roundpipe::model
