// The kernels as each implementation declares them, in its own namespace: RP_LEVEL is `baseline`, `v3` or `cuda`, set
// by CMakeLists.txt. Arguments were checked by kernels.cpp; matrices are not empty.
#pragma once

#include "kernels/kernel_table.h"

namespace roundpipe::kernels::RP_LEVEL {

void embed(Stream, const Matrix& table, const int32_t* ids, const Matrix& out);
void rmsNorm(Stream, const Matrix& x, const void* weight, double eps, const Matrix& out, void* rstd);
void rmsNormBackward(Stream, const Matrix& dy, const Matrix& x, const void* weight, const void* rstd,
                     const Matrix* residual, const Matrix& dx);
void rotaryTable(Stream, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim, double scaling,
                 const Matrix& cosSin);
void headNormRotary(Stream, const Matrix& x, int64_t numHeads, const void* normWeight, double eps, const Matrix& cosSin,
                    const Matrix& out, void* rstd);
void headNormRotaryBackward(Stream, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* normWeight,
                            const void* rstd, const Matrix& cosSin, const Matrix& dx);
void attention(Stream, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k, const Matrix& v,
               const Matrix& out, void* logSumExp);
void attentionBackward(Stream, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k,
                       const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut, const Matrix& dq,
                       const Matrix& dk, const Matrix& dv, void* scratch);
void attentionCached(Stream, const AttentionShape&, const Matrix& q, const Matrix& keys, const Matrix& values,
                     const Matrix& out);
void swiGlu(Stream, const Matrix& gate, const Matrix& up, const Matrix& out);
void swiGluBackward(Stream, const Matrix& dOut, const Matrix& gate, const Matrix& up, const Matrix& dGate,
                    const Matrix& dUp, const Matrix* act);
void add(Stream, const Matrix& a, const Matrix& b, const Matrix& out);
void addBias(Stream, const Matrix& x, const void* bias);
void convert(Stream, const Matrix& in, double scale, const Matrix& out);
void accumulate(Stream, const Matrix& x, double scale, const Matrix& y);
void crossEntropy(Stream, const Matrix& logits, const int32_t* labels, double gradientScale, void* losses);
void sumInto(Stream, const void* values, DType dtype, int64_t count, double* total);
void dropout(Stream, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
             const Matrix& out);
void makeRowKeys(Stream, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                 int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys);

} // namespace roundpipe::kernels::RP_LEVEL
