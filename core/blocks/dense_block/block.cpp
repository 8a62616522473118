// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/dense_block/sizes.h"
#include "model/block/halves_block.h"
#include "model/block/make_block.h"

namespace roundpipe::model {
namespace {

using geometry::MlpHalf;

struct Mlp {
    using Half = MlpHalf;
    static void forward(const HalfCall<MlpHalf>& call, const Matrix* out);
    static void forwardRow(const HalfCall<MlpHalf>& call, const Matrix& out);
    static void backward(const HalfCall<MlpHalf>& call, const Matrix& dOut, const Matrix& dMiddle);
};

void Mlp::forward(const HalfCall<MlpHalf>& call, const Matrix* out) {
    const auto& [block, mlp, saved, scratch] = call;
    kernels::rmsNorm(block.target(), block.middle, dataOf(block.weights(), mlp.postNorm), block.shape.config.rmsNormEps,
                     block.normed, nullptr);
    linearForward(block.linear, mlp.gateUp, block.normed, saved.gateUpProduct, saved.gateUp);
    if (out == nullptr && !mlp.down.isAdapted()) return; // a trained down needs its input, which backward makes again
    kernels::swiGlu(block.target(), saved.gate, saved.up, scratch.act);
    if (out == nullptr) {
        adapterProduct(block.linear, mlp.down, scratch.act, saved.downProduct);
        return;
    }
    linearForward(block.linear, mlp.down, scratch.act, saved.downProduct, *out);
    addTo(block, block.middle, *out);
}

void Mlp::forwardRow(const HalfCall<MlpHalf>& call, const Matrix& out) {
    const auto& [block, mlp, saved, scratch] = call;
    const kernels::RowInput input{block.middle, dataOf(block.weights(), mlp.postNorm), block.shape.config.rmsNormEps};
    rowSwiGlu(block.linear, mlp.gateUp, input, saved.gateUpProduct, scratch.act);
    addRowTo(block, block.middle, mlp.down, {scratch.act}, saved.downProduct, out);
}

void Mlp::backward(const HalfCall<MlpHalf>& call, const Matrix& dOut, const Matrix& dMiddle) {
    const auto& [block, mlp, saved, scratch] = call;
    const std::byte* normWeight = dataOf(block.weights(), mlp.postNorm);
    geometry::Workspace& memory = block.compute().workspace;
    const int64_t before = memory.usedBytes();
    const MlpHalf::BackwardScratch own(mlp, memory, block.batch.numTokens);

    // Each gradient takes the place of what it is of, which nobody reads any more.
    const Matrix &dAct = scratch.act, &dGateUp = saved.gateUp;
    const Matrix dAdded = gradientOfAdded(block, dOut);
    inputGradient(block.linear, mlp.down, dAdded, &dAct);
    kernels::swiGluBackward(block.target(), dAct, saved.gate, saved.up, saved.gate, saved.up,
                            mlp.down.isAdapted() || mlp.down.isTrained() ? &scratch.act : nullptr);
    trainedGradient(block.linear, mlp.down, scratch.act, saved.downProduct, dAdded);

    kernels::rmsNorm(block.target(), block.middle, normWeight, block.shape.config.rmsNormEps, block.normed, own.rstd);
    inputGradient(block.linear, mlp.gateUp, dGateUp, &dMiddle);
    trainedGradient(block.linear, mlp.gateUp, block.normed, saved.gateUpProduct, dGateUp);
    normGradient(block.linear, mlp.postNorm, dMiddle, block.middle, own.rstd);
    kernels::rmsNormBackward(block.target(), dMiddle, block.middle, normWeight, own.rstd, &dOut, dMiddle);
    memory.reset(before);
}

} // namespace

std::unique_ptr<const Block> dense_block::make(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                               DType operandType) {
    return std::make_unique<HalvesBlock<Mlp>>(config, layout, operandType);
}

} // namespace roundpipe::model
