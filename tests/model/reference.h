// SPDX-License-Identifier: GPL-3.0-or-later
// The same layers as differentiable tensor operations in fp64, straight from their definition. Tests only.
#pragma once

#include "layer_case.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

namespace roundpipe::testing {

// The parameters of a layer as fp64 tensors; what is trained of them, the adapters or all, are leaves that gather
// gradients.
struct ReferenceLayer {
    struct Adapter {
        at::Tensor a, b, dropout; // dropout [T, in]: 0 or 1 / (1 - p); undefined without
        double scale = 0;
    };
    ReferenceLayer(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType dtype,
                   const model::LayerWeights& weights, const BatchOnHost& batch);

    at::Tensor block(const at::Tensor& in) const;      // [T, D] → [T, D]
    at::Tensor headLogits(const at::Tensor& in) const; // [T, D] → [T, V]
    at::Tensor headLoss(const at::Tensor& in) const;   // summed cross-entropy of the trained tokens

    // Gradients of what is trained, as the layer's GradientView has them, after backward().
    at::Tensor gradient() const;

private:
    // `expert`: which of the linears of the role.
    at::Tensor linear(const at::Tensor& x, arch::TensorRole role, std::optional<arch::TensorRole> bias,
                      int64_t expert = 0, const at::Tensor& tokens = {}) const;
    at::Tensor mlp(const at::Tensor& normed) const;
    at::Tensor expert(const at::Tensor& x, int64_t e, const at::Tensor& tokens) const;
    at::Tensor expertOfStack(const at::Tensor& x, int64_t e) const;
    at::Tensor experts(const at::Tensor& normed) const;
    at::Tensor gated(const at::Tensor& gate, const at::Tensor& up) const;
    at::Tensor norm(const at::Tensor& x, arch::TensorRole role) const;
    at::Tensor normedWith(const at::Tensor& x, arch::TensorRole role) const;
    at::Tensor rotated(const at::Tensor& x_THK) const;
    at::Tensor attention(const at::Tensor& normed) const;

    const arch::ModelConfig& m_config;
    const geometry::LayerLayout& m_layout;
    const BatchOnHost& m_batch;
    int64_t m_window = 0;
    bool m_hasRotary = true;
    arch::RopeConfig m_rope;
    std::map<arch::TensorRole, std::vector<at::Tensor>> m_weights; // several where there are experts
    std::map<std::string, Adapter> m_adapters;                     // by module
    std::map<arch::TensorRole, std::vector<std::string>> m_modules;
};

// [rows, cols] of dtype at `data` as an fp64 tensor of its own.
at::Tensor toDouble(const void* data, DType dtype, int64_t rows, int64_t cols);
// |a - b| / |b|
double relativeError(const at::Tensor& a, const at::Tensor& b);

} // namespace roundpipe::testing
