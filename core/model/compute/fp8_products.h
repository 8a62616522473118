// SPDX-License-Identifier: GPL-3.0-or-later
// Linears of frozen weights in FP8 (e4m3, a scale a row), multiplied as they are: the other operand is quantised by
// rows right before, forward the input and backward the gradient of the output, and sums are of fp32.
//
//     y = diag(sx) (X Wᵀ) diag(sw) + b              X, sx of x; W, sw of the weights
//     dx = diag(sd) (D W)                           D, sd of dy diag(sw)
//
// GPUs before Blackwell's servers multiply rows by rows alone: so W lies transposed, too, and its scales, which are in
// the way of the second sum, go into dy before that is quantised. The gradient is e4m3 as well: with a scale of its own
// for every row a larger exponent gains nothing, and the bit of mantissa halves the error (tests/model/tst_fp8_linear).
// Internal to the folder; call under a ComputeScope.
#pragma once

#include "model/compute/linear.h"

namespace roundpipe::model {

// Whether calls of the group go this way.
bool multipliesFp8(const LinearCall& call, const LinearGroup& group);

// Whether they may add to what adapters gave before: a pass over memory less, as an adapter's product then writes what
// it else would read and write, and what this one reads hides behind its arithmetic.
bool addsInFp8(const LinearCall& call, const LinearGroup& group);

// y of the base, from x. `adds`: to y of the linears that are adapted.
void fp8Forward(const LinearCall& call, const LinearGroup& group, const Matrix& x, bool adds, const Matrix& y);
// dx of the base. `adds`: to dx.
void fp8InputGradient(const LinearCall& call, const LinearGroup& group, const Matrix& dy, bool adds, const Matrix& dx);

} // namespace roundpipe::model
