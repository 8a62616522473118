#include "model/mlp_half.h"

namespace roundpipe::model {

using geometry::MlpHalf;

void mlpHalfForward(const BlockCall& call, const Matrix& out) {
    const MlpHalf& mlp = call.shape.mlp;
    const MlpHalf::Saved& saved = call.saved.mlp;
    const Matrix& middle = call.saved.middle;
    const Matrix& normed = call.scratch.normed;
    const Matrix& act = call.scratch.mlp.act;
    kernels::rmsNorm(call.target(), middle, dataOf(call.weights(), mlp.postNorm), call.shape.config.rmsNormEps, normed,
                     nullptr);
    linearForward(call.linear, mlp.gate, normed, saved.gateProduct, saved.gate);
    linearForward(call.linear, mlp.up, normed, saved.upProduct, saved.up);
    kernels::swiGlu(call.target(), saved.gate, saved.up, act);
    linearForward(call.linear, mlp.down, act, saved.downProduct, out);
    kernels::add(call.target(), middle, out, out);
}

void mlpHalfBackward(const BlockCall& call, const Matrix& dOut, const Matrix& dMiddle) {
    const MlpHalf& mlp = call.shape.mlp;
    const MlpHalf::Saved& saved = call.saved.mlp;
    const Matrix& middle = call.saved.middle;
    const Matrix& normed = call.scratch.normed;
    const Matrix& act = call.scratch.mlp.act;
    const std::byte* normWeight = dataOf(call.weights(), mlp.postNorm);
    geometry::Workspace& memory = call.compute().workspace;
    const int64_t before = memory.usedBytes();
    const MlpHalf::BackwardScratch scratch(mlp, memory, call.batch.numTokens);

    inputGradient(call.linear, mlp.down, dOut, &scratch.dAct, false);
    kernels::swiGluBackward(call.target(), scratch.dAct, saved.gate, saved.up, scratch.dGate, scratch.dUp,
                            mlp.down.adapter ? &act : nullptr);
    adapterGradient(call.linear, mlp.down, act, saved.downProduct, dOut);

    kernels::rmsNorm(call.target(), middle, normWeight, call.shape.config.rmsNormEps, normed, scratch.rstd);
    inputGradient(call.linear, mlp.gate, scratch.dGate, &dMiddle, false);
    adapterGradient(call.linear, mlp.gate, normed, saved.gateProduct, scratch.dGate);
    inputGradient(call.linear, mlp.up, scratch.dUp, &dMiddle, true);
    adapterGradient(call.linear, mlp.up, normed, saved.upProduct, scratch.dUp);
    kernels::rmsNormBackward(call.target(), dMiddle, middle, normWeight, scratch.rstd, &dOut, dMiddle);
    memory.reset(before);
}

} // namespace roundpipe::model
