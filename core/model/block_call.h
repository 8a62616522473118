// One call of a dense block, as its halves see it. Internal to the folder.
#pragma once

#include "model/dense_block.h"
#include "model/linear.h"

namespace roundpipe::model {

struct BlockCall {
    const DenseShape& shape;
    const BatchView& batch;
    LinearCall linear;
    const DenseShape::Saved& saved;
    const DenseShape::Scratch& scratch;

    Compute& compute() const { return linear.compute; }
    const kernels::Target& target() const { return linear.compute.target; }
    const LayerWeights& weights() const { return linear.weights; }
    Matrix hidden(const std::byte* data) const {
        return dense(data, shape.dtype, batch.numTokens, shape.config.hiddenSize);
    }
};

} // namespace roundpipe::model
