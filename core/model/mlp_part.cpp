#include "model/block_shape.h"

namespace roundpipe::model {
namespace {

using kernels::Matrix;

struct MlpScratch {
    MlpScratch(const BlockShape& shape, Workspace& memory, int64_t numTokens)
        : dAct(takeMatrix(memory, shape.dtype, numTokens, shape.config.intermediateSize))
        , dGate(takeMatrix(memory, shape.dtype, numTokens, shape.config.intermediateSize))
        , dUp(takeMatrix(memory, shape.dtype, numTokens, shape.config.intermediateSize))
        , rstd(takeMatrix(memory, kernels::statisticsType(shape.dtype), numTokens, 1).data) {}

    Matrix dAct, dGate, dUp;
    void* rstd;
};

} // namespace

void mlpPartForward(const BlockCall& call, const Matrix& out) {
    const BlockShape& shape = call.shape;
    const SavedBlock& saved = call.saved;
    const Matrix& normed = call.scratch.normed;
    kernels::rmsNorm(call.target(), saved.middle, dataOf(call.weights(), shape.postNorm), shape.config.rmsNormEps,
                     normed, nullptr);
    linearForward(call.linear, shape.gate, normed, saved.xA.gate, saved.gate);
    linearForward(call.linear, shape.up, normed, saved.xA.up, saved.up);
    kernels::swiGlu(call.target(), saved.gate, saved.up, call.scratch.act);
    linearForward(call.linear, shape.down, call.scratch.act, saved.xA.down, out);
    kernels::add(call.target(), saved.middle, out, out);
}

void mlpPartBackward(const BlockCall& call, Workspace& memory, const Matrix& dOut, const Matrix& dMiddle) {
    const BlockShape& shape = call.shape;
    const SavedBlock& saved = call.saved;
    const Matrix& normed = call.scratch.normed;
    const std::byte* normWeight = dataOf(call.weights(), shape.postNorm);
    const int64_t before = memory.usedBytes();
    const MlpScratch scratch(shape, memory, call.batch.numTokens);

    inputGradient(call.linear, shape.down, dOut, &scratch.dAct, false);
    kernels::swiGluBackward(call.target(), scratch.dAct, saved.gate, saved.up, scratch.dGate, scratch.dUp,
                            shape.down.adapter ? &call.scratch.act : nullptr);
    adapterGradient(call.linear, shape.down, call.scratch.act, saved.xA.down, dOut);

    kernels::rmsNorm(call.target(), saved.middle, normWeight, shape.config.rmsNormEps, normed, scratch.rstd);
    inputGradient(call.linear, shape.gate, scratch.dGate, &dMiddle, false);
    adapterGradient(call.linear, shape.gate, normed, saved.xA.gate, scratch.dGate);
    inputGradient(call.linear, shape.up, scratch.dUp, &dMiddle, true);
    adapterGradient(call.linear, shape.up, normed, saved.xA.up, scratch.dUp);
    kernels::rmsNormBackward(call.target(), dMiddle, saved.middle, normWeight, scratch.rstd, &dOut, dMiddle);
    memory.reset(before);
}

int64_t mlpPartBackwardBytes(const BlockShape& shape, int64_t numTokens) {
    Workspace counting;
    const MlpScratch scratch(shape, counting, numTokens);
    return counting.usedBytes();
}

} // namespace roundpipe::model
