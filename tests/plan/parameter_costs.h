// Costs by parameter counts alone: the cuts of runs that were measured before there was a planner.
#pragma once

#include "arch/layers.h"
#include "base/dtype.h"
#include "plan/plan.h"

#include <vector>

namespace roundpipe::plan {

inline std::vector<LayerCost> parameterCosts(const arch::ModelSpec& model, DType operandType) {
    std::vector<LayerCost> costs;
    for (const arch::LayerSpec& layer : model.layers) {
        double matrixElements = 0;
        for (const arch::TensorSpec& tensor : layer.tensors)
            if (tensor.shape.size() == 2) matrixElements += static_cast<double>(tensor.numElements());
        LayerCost cost;
        cost.bytes = layer.numParameters() * static_cast<int64_t>(sizeOf(operandType));
        // Looking up embeddings moves a row a token: next to nothing beside a product.
        cost.forward = layer.kind == arch::LayerKind::kEmbedding ? 1e-9 * static_cast<double>(model.config.hiddenSize)
                                                                 : 2e-9 * matrixElements;
        cost.recompute = cost.forward;
        cost.backward = layer.kind == arch::LayerKind::kEmbedding ? 0 : cost.forward;
        costs.push_back(cost);
    }
    return costs;
}

} // namespace roundpipe::plan
