// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/block_tensors.h"

namespace roundpipe::arch::dense_block {

bool claims(const ModelConfig&, int64_t) {
    return true;
}

void addTensors(BlockTensors& tensors) {
    using enum TensorRole;
    const ModelConfig& config = tensors.config();
    tensors.addAttention();
    if (config.fusedLinears)
        tensors.addLinear(kGateUp, kGateBias, "mlp.gate_up_proj", 2 * config.intermediateSize, config.hiddenSize,
                          false);
    else
        tensors.addLinears({{kGate, kGateBias, "mlp.gate_proj", config.intermediateSize},
                            {kUp, kUpBias, "mlp.up_proj", config.intermediateSize}},
                           config.hiddenSize, config.mlpBias);
    tensors.addLinear(kDown, kDownBias, "mlp.down_proj", config.hiddenSize, config.intermediateSize, config.mlpBias);
}

} // namespace roundpipe::arch::dense_block
