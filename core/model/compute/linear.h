// SPDX-License-Identifier: GPL-3.0-or-later
// The linears of an input with their optional biases and LoRA adapters (Hu et al., "LoRA", 2021), forward and backward.
// For each of them
//
//   y = x Wᵀ + b + s · drop(x) Aᵀ Bᵀ        dx = dy W + drop'(s · dy B A)        dB = s · dyᵀ xA        dA = daᵀ
//   drop(x)
//
// or, where the weights themselves are trained,  dW = dyᵀ x   db = Σ dy,
// with xA = drop(x) Aᵀ and da = s · dy B. dx is the sum over them; y, dy, xA and da have their columns side by side,
// and what lies together is one product (geometry::LinearGroup). Each module has its own dropout mask, as in PEFT.
// Internal to the folder.
#pragma once

#include "geometry/linear.h"
#include "model/compute/products.h"

namespace roundpipe::model {

using geometry::LinearGroup;

// What one layer call hands to all of its linears.
struct LinearCall {
    Compute& compute;
    const LayerWeights& weights;
    GradientView gradients;            // backward only
    const uint64_t* rowKeys = nullptr; // [T]; null: no dropout in this call
    // Scratch, [T, in] of the widest linear; only with dropout.
    std::byte* dropped = nullptr;
    std::byte* mixed = nullptr;             // backward only
    std::byte* delta = nullptr;             // [T, adapter columns]: da; backward only
    std::byte* wideScratch = nullptr;       // of gradientProduct; backward only
    geometry::QuantisedRows quantised = {}; // only where linears multiply FP8
    Matrix sumParts = {};                   // of sums over rows; backward only, where a tensor of the base is trained
};

// A weight or bias in the blob.
const std::byte* dataOf(const LayerWeights& weights, const geometry::TensorPlace& place);
kernels::NormWeight normOf(const LayerWeights& weights, const geometry::TensorPlace& place);
Matrix matrixOf(const LayerWeights& weights, const geometry::TensorPlace& place);

// y from x; the base model's y where the weights come without an adapter. xA receives what backward needs. Where the
// group appends columns they are written behind each row of x.
void linearForward(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA,
                   const Matrix& y);
// The same for a single row, without dropout: in one reading of the weights, y = `residual` (null: nothing) + what
// linearForward() would give for the norm of x, where `input` asks for one.
void rowForward(const LinearCall& call, const LinearGroup& group, const kernels::RowInput& input, const Matrix& xA,
                const Matrix* residual, const Matrix& y);
// act = glu of the outputs of a group of gate and up.
void rowGlu(const LinearCall& call, kernels::Activation activation, const LinearGroup& group,
            const kernels::RowInput& input, const Matrix& xA, const Matrix& act);
// xA alone: what backward needs of linears whose y nobody reads. Nothing without adapter.
void adapterProduct(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA);
// Leaves da in call.delta for trainedGradient(). dx (null: not wanted) is overwritten.
void inputGradient(const LinearCall& call, const LinearGroup& group, const Matrix& dy, const Matrix* dx);
// dA and dB, or dW and db, of the same dy, after inputGradient(). x and xA as in forward; without rows they are zeros.
// Nothing where nothing is trained.
void trainedGradient(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA,
                     const Matrix& dy);

// Of a norm's weight where it is trained, from the gradient `dy` of what the norm gave for `x`.
void normGradient(const LinearCall& call, const geometry::TensorPlace& norm, const Matrix& dy, const Matrix& x,
                  const void* rstd);

// x *= multiplier; nothing where that is 1.
void multiplyInPlace(const kernels::Target& target, const Matrix& x, double multiplier);

// Where the gradient of a tensor of the base gathers.
Matrix gradientOf(const GradientView& gradients, const geometry::TensorPlace& place);
// Readies gradients of a base, `numElements` of them, to be added to, from the first call on: products and sums don't
// reach all of them.
void beginBaseGradients(const Compute& compute, DType operandType, int64_t numElements, GradientView& gradients);

} // namespace roundpipe::model
