#include "kernels/implementation.h"

namespace roundpipe::kernels::RP_LEVEL {

const KernelTable kTable = {
    .embed = embed,
    .rmsNorm = rmsNorm,
    .rmsNormBackward = rmsNormBackward,
    .rotaryTable = rotaryTable,
    .headNormRotary = headNormRotary,
    .headNormRotaryBackward = headNormRotaryBackward,
    .attention = attention,
    .attentionBackward = attentionBackward,
    .attentionCached = attentionCached,
    .swiGlu = swiGlu,
    .swiGluBackward = swiGluBackward,
    .add = add,
    .addBias = addBias,
    .convert = convert,
    .accumulate = accumulate,
    .crossEntropy = crossEntropy,
    .sumInto = sumInto,
    .dropout = dropout,
    .makeRowKeys = makeRowKeys,
};

} // namespace roundpipe::kernels::RP_LEVEL
