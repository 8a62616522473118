// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/block/block_call.h"

#include "base/error.h"

namespace roundpipe::model {

LinearCall makeLinearCall(const geometry::BlockTrunk& shape, Compute& compute, const BatchView& batch,
                          const LayerWeights& weights, uint64_t* rowKeys, const Matrix& dropped) {
    RP_CHECK(compute.dtype == shape.dtype && weights.base != nullptr);
    LinearCall linear{compute, weights, {}};
    linear.dropped = static_cast<std::byte*>(dropped.data);
    if (shape.dropout == 0 || !batch.training) return linear;
    kernels::makeRowKeys(compute.target, batch.seed, batch.step, batch.exampleIds, batch.starts, batch.numSequences,
                         batch.positions, batch.numTokens, rowKeys);
    linear.rowKeys = rowKeys;
    return linear;
}

// The dynamic type alone depends on the longest sequence.
const Rotary& rotaryOf(const geometry::BlockTrunk& shape, const Rotary& usual, int64_t longest, Rotary& stretched) {
    if (shape.config.rope.type != arch::RopeConfig::Type::kDynamic) return usual;
    stretched = makeRotary(shape.config, longest, statisticsType(shape.dtype));
    return stretched;
}

void makeCosSin(const AttentionCall& call) {
    const std::vector<double>& frequencies = call.rotary.inverseFrequencies;
    const auto half = static_cast<int64_t>(frequencies.size());
    copyToDevice(call.compute(), frequencies.data(), DType::kF64, half, call.scratch.inverseFrequencies);
    kernels::rotaryTable(call.target(), call.batch.positions, call.scratch.inverseFrequencies, half,
                         call.rotary.scaling, call.scratch.cosSin);
}

} // namespace roundpipe::model
