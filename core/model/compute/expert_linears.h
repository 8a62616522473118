// SPDX-License-Identifier: GPL-3.0-or-later
// A linear of every expert of a block (or gate and up together), each over the rows that are routed to it: linear.h's
// functions for all experts. Rows lie sorted by expert, [R, …] for all of them. Expert by expert where the host can
// read how many rows each has, else in grouped products of experts whose weights lie at equal distances. Internal to
// the folder and to types of blocks.
#pragma once

#include "model/compute/linear.h"

#include <span>

namespace roundpipe::model {

struct ExpertLinears {
    std::span<const LinearGroup> experts; // without biases
    const int32_t* starts;                // [experts + 1] the first row of each, see kernels::Routing; on the target
    bool grouped;                         // as on CUDA it must be
};

// `call.rowKeys` are those of the rows; what it has as scratch is enough for the rows of one expert, which are no more
// than there are tokens. `delta` [R, adapter columns] is what call.delta is for linear.h. Grouped products
// know no dropout.
void linearForward(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA,
                   const Matrix& y);
void adapterProduct(const LinearCall& call, const ExpertLinears& linears, const Matrix& x, const Matrix& xA);
void inputGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& dy,
                   const Matrix& dx);
void trainedGradient(const LinearCall& call, const ExpertLinears& linears, const Matrix& delta, const Matrix& x,
                     const Matrix& xA, const Matrix& dy);

} // namespace roundpipe::model
