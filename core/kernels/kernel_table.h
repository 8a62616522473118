// One implementation of every kernel: the CPU twins for plain x86-64, the same for x86-64-v3, and CUDA. kernels.cpp
// checks the arguments, picks a table and calls. The first argument is Target::stream, which the CPU twins ignore.
#pragma once

#include "kernels/kernels.h"

namespace roundpipe::kernels {

using Stream = void*;

struct KernelTable {
    void (*embed)(Stream, const Matrix& table, const int32_t* ids, const Matrix& out);
    void (*rmsNorm)(Stream, const Matrix& x, const void* weight, double eps, const Matrix& out, void* rstd);
    void (*rmsNormBackward)(Stream, const Matrix& dy, const Matrix& x, const void* weight, const void* rstd,
                            const Matrix* residual, const Matrix& dx);
    void (*rotaryTable)(Stream, const int32_t* positions, const double* inverseFrequencies, int64_t halfDim,
                        double scaling, const Matrix& cosSin);
    void (*headNormRotary)(Stream, const Matrix& x, int64_t numHeads, const void* normWeight, double eps,
                           const Matrix& cosSin, const Matrix& out, void* rstd);
    void (*headNormRotaryBackward)(Stream, const Matrix& dy, const Matrix& x, int64_t numHeads, const void* normWeight,
                                   const void* rstd, const Matrix& cosSin, const Matrix& dx);
    void (*attention)(Stream, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k,
                      const Matrix& v, const Matrix& out, void* logSumExp);
    void (*attentionBackward)(Stream, const AttentionShape&, const int32_t* starts, const Matrix& q, const Matrix& k,
                              const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                              const Matrix& dq, const Matrix& dk, const Matrix& dv, void* scratch);
    void (*attentionCached)(Stream, const AttentionShape&, const Matrix& q, const Matrix& keys, const Matrix& values,
                            const Matrix& out);
    void (*swiGlu)(Stream, const Matrix& gate, const Matrix& up, const Matrix& out);
    void (*swiGluBackward)(Stream, const Matrix& dOut, const Matrix& gate, const Matrix& up, const Matrix& dGate,
                           const Matrix& dUp, const Matrix* act);
    void (*add)(Stream, const Matrix& a, const Matrix& b, const Matrix& out);
    void (*addBias)(Stream, const Matrix& x, const void* bias);
    void (*convert)(Stream, const Matrix& in, double scale, const Matrix& out);
    void (*accumulate)(Stream, const Matrix& x, double scale, const Matrix& y);
    void (*crossEntropy)(Stream, const Matrix& logits, const int32_t* labels, double gradientScale, void* losses);
    void (*sumInto)(Stream, const void* values, DType dtype, int64_t count, double* total);
    void (*dropout)(Stream, const Matrix& x, const uint64_t* rowKeys, uint64_t moduleKey, double probability,
                    const Matrix& out);
    void (*makeRowKeys)(Stream, uint64_t seed, int64_t step, const int64_t* exampleIds, const int32_t* starts,
                        int64_t numSequences, const int32_t* positions, int64_t numTokens, uint64_t* rowKeys);
};

inline constexpr int64_t kMaxHeadDim = 256;

// sumInto adds values i, i + kSumLanes, … in lane i, then the lanes pairwise: the same bits on every target.
inline constexpr int kSumLanes = 512;

namespace baseline {
extern const KernelTable kTable;
}
namespace v3 {
extern const KernelTable kTable;
}
namespace cuda {
extern const KernelTable kTable;
}

} // namespace roundpipe::kernels
