// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all kernels, and a table of one implementation of them: the CPU twins for plain x86-64, the same for
// x86-64-v3, and CUDA. kernels.cpp checks the arguments, picks a table and calls.
//
// A kernel has the one signature that kernels.h declares. The members of the table, its entries (kernel_table.cpp) and
// the declarations of each implementation (implementation.h) follow from the list, so a definition with other
// parameters is not found by the linker.
#pragma once

#include "kernels/kernels.h"

// Calls `use` with the name of every kernel.
// clang-format off
#define RP_FOR_EACH_KERNEL(use)                                      \
    use(embed) use(embedGradient)                                    \
    use(addColumnSums)                                               \
    use(rmsNorm) use(rmsNormBackward) use(rmsNormWeightGradient)     \
    use(rotaryTable) use(headNormRotary) use(headNormRotaryBackward) \
    use(headNormWeightGradient)                                      \
    use(attention) use(attentionBackward) use(attentionCached)       \
    use(headsIntoCache) use(rowProduct) use(rowGlu)                  \
    use(nextToken)                                                   \
    use(sequenceOffsets)                                             \
    use(sigmoid) use(sigmoidBackward)                                \
    use(glu) use(gluBackward)                                        \
    use(chooseExperts) use(chooseExpertsBackward) use(sortByExpert)  \
    use(gatherRows) use(combineRows) use(scaleRows)                  \
    use(expertSwiGluBackward) use(expertProduct) use(expertGradient) \
    use(addSinks) use(addExpertBias)                                 \
    use(clampedGlu) use(expertClampedGluBackward)                    \
    use(add) use(convert)                                            \
    use(unpackNf4) use(unpackInt8) use(unpackFp8) use(unpackMxfp4)   \
    use(quantiseFp8) use(scaleFp8Product) use(transposeCodes)        \
    use(crossEntropy) use(sumInto)                                   \
    use(dropout) use(makeRowKeys)
// clang-format on

namespace roundpipe::kernels {

// Target says the stream to a CUDA implementation; the CPU twins don't read it.
struct KernelTable {
#define RP_MEMBER(kernel) decltype(&kernels::kernel) kernel;
    RP_FOR_EACH_KERNEL(RP_MEMBER)
#undef RP_MEMBER
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
