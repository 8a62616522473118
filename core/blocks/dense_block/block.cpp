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
    normInto(block, mlp.postNorm, block.middle, nullptr);
    linearForward(block.linear, mlp.gateUp, block.normed, saved.gateUpProduct, saved.gateUp);
    const bool needsAdded = out != nullptr || mlp.outNorm; // which backward reads
    if (!needsAdded && !mlp.down.isAdapted()) return;      // a trained down needs its input, which backward makes again
    kernels::glu(block.target(), gateOf(block), saved.gate, saved.up, scratch.act);
    if (!needsAdded) {
        adapterProduct(block.linear, mlp.down, scratch.act, saved.downProduct);
        return;
    }
    const Matrix& added = mlp.outNorm ? saved.added : *out;
    linearForward(block.linear, mlp.down, scratch.act, saved.downProduct, added);
    if (out != nullptr) addTo(block, block.middle, mlp.outNorm, added, *out);
}

void Mlp::forwardRow(const HalfCall<MlpHalf>& call, const Matrix& out) {
    const auto& [block, mlp, saved, scratch] = call;
    rowGlu(block.linear, gateOf(block), mlp.gateUp, rowInput(block, mlp.postNorm, block.middle), saved.gateUpProduct,
           scratch.act);
    addRowTo(block, block.middle, mlp.outNorm, mlp.down, {scratch.act}, saved.downProduct, saved.added, out);
}

void Mlp::backward(const HalfCall<MlpHalf>& call, const Matrix& dOut, const Matrix& dMiddle) {
    const auto& [block, mlp, saved, scratch] = call;
    geometry::Workspace& memory = block.compute().workspace;
    const int64_t before = memory.usedBytes();
    const MlpHalf::BackwardScratch own(mlp, memory, block.batch.numTokens);

    // Each gradient takes the place of what it is of, which nobody reads any more.
    const Matrix &dAct = scratch.act, &dGateUp = saved.gateUp;
    const Matrix dAdded = gradientOfAdded(block, mlp.outNorm, saved.added, own.rstd, dOut);
    inputGradient(block.linear, mlp.down, dAdded, &dAct);
    kernels::gluBackward(block.target(), gateOf(block), dAct, saved.gate, saved.up, saved.gate, saved.up,
                         mlp.down.isAdapted() || mlp.down.isTrained() ? &scratch.act : nullptr);
    trainedGradient(block.linear, mlp.down, scratch.act, saved.downProduct, dAdded);

    normInto(block, mlp.postNorm, block.middle, own.rstd);
    inputGradient(block.linear, mlp.gateUp, dGateUp, &dMiddle);
    trainedGradient(block.linear, mlp.gateUp, block.normed, saved.gateUpProduct, dGateUp);
    normBackward(block, mlp.postNorm, block.middle, own.rstd, dOut, dMiddle);
    memory.reset(before);
}

} // namespace

std::unique_ptr<const Block> dense_block::make(const arch::ModelConfig& config, const geometry::LayerLayout& layout,
                                               DType operandType) {
    return std::make_unique<HalvesBlock<Mlp>>(config, layout, operandType);
}

} // namespace roundpipe::model
