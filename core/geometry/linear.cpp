// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/linear.h"

#include "base/error.h"
#include "base/hash.h"

namespace roundpipe::geometry {

LinearShape::LinearShape(const LayerLayout& layout, arch::TensorRole role, std::optional<arch::TensorRole> biasRole)
    : weight(layout.base.at(role)), isTrained(weight.isTrained()) {
    RP_CHECK(weight.spec.shape.size() == 2);
    if (const TensorPlace* place = biasRole ? layout.base.find(*biasRole) : nullptr) bias = *place;
    if (const AdapterPlace* place = layout.adapter.find(role)) {
        RP_CHECK(place->linear.inFeatures == inFeatures() && place->linear.outFeatures == outFeatures());
        adapter = *place;
        rank = layout.adapter.rank;
        scale = layout.adapter.scale;
        dropout = layout.adapter.dropout;
        moduleKey = hashName(place->linear.fullName);
    }
}

Matrix LinearShape::takeAdapterProduct(Workspace& memory, DType dtype, int64_t numTokens) const {
    return adapter ? memory.takeMatrix(dtype, numTokens, rank) : Matrix{};
}

Matrix takeSumParts(Workspace& memory, bool trainsTensors, DType operandType, int64_t width) {
    return trainsTensors ? memory.takeMatrix(statisticsType(operandType), kSumParts, width) : Matrix{};
}

int64_t gradientScratchBytes(DType operandType, int64_t width) {
    return statisticsType(operandType) == operandType ? 0 : bytesOf(DType::kF32, kWidenedRows * width);
}

} // namespace roundpipe::geometry
