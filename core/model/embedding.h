// SPDX-License-Identifier: GPL-3.0-or-later
// The first layer: a row of the table for each token.
#pragma once

#include "geometry/layout.h"
#include "model/compute/batch_view.h"
#include "model/compute/compute.h"

namespace roundpipe::model {

// Immutable and shared by all devices, as every layer: it holds shapes, not weights.
class Embedding {
public:
    explicit Embedding(const arch::ModelConfig& config, geometry::LayerLayout layout);
    void forward(Compute&, const BatchView&, const LayerWeights&, std::byte* out_TD) const;
    // The table's gradient, where it is trained. What dOut points to is used up.
    void backward(Compute&, const BatchView&, std::byte* dOut_TD, GradientView gradients) const;

private:
    geometry::LayerLayout m_layout;
    double m_multiplier; // of what the table gives
};

} // namespace roundpipe::model
