// SPDX-License-Identifier: GPL-3.0-or-later
// Who computes attention where, and how much memory it takes for itself.
#pragma once

#include "base/dtype.h"

#include <cstdint>

namespace roundpipe::geometry {

enum class AttentionBackend : uint8_t {
    kOwnKernels,
    kFlash, // LibTorch's flash attention
    kCudnn, // cuDNN's; backward by LibTorch's where cuDNN can't keep the order of sums, see cudnnSequencesAtOnce()
};
// Libraries take 16-bit types on a GPU, and heads of a multiple of eight up to 256. cuDNN's is taken on Hopper, where
// it was measured to be up to three times as fast (tests/bench/RESULTS.md). `computeCapability` as DeviceSpec says it.
AttentionBackend attentionBackend(bool isGpu, int32_t computeCapability, DType operandType, int64_t headDim);

// What a call of cuDNN is made for, each rounded up so that few graphs serve the microbatches of a run: making one
// takes some 50 ms. Sequences beyond those that are there have no tokens.
struct CudnnSize {
    CudnnSize(int64_t numSequences, int64_t maxLength, int64_t numTokens);

    int64_t sequences; // a power of two
    int64_t length;    // of the longest sequence: a power of two, and at least two
    int64_t tokens;    // of all: four sizes for each power of two
};

// cuDNN's backward (9.19, on Hopper) adds the queries' gradients in a fixed order only where it keeps all scores of
// a call. So many sequences of up to `length` tokens may go in one call; 0: their scores take too much.
int64_t cudnnSequencesAtOnce(int64_t numHeads, int64_t length);
// What a call of cuDNN's backward works in. As cuDNN asks for (9.19, on Hopper), where key/value heads are shared.
int64_t cudnnBackwardBytes(const CudnnSize& size, int64_t numHeads, int64_t headDim, bool deterministic);

// What decides how much a backend itself allocates, beside the buffers of AttentionHalf.
struct BackendLoad {
    int64_t maxTokens = 0; // of a microbatch
    int64_t maxLength = 0; // of a sequence
    int64_t numHeads = 0;
    int64_t headDim = 0;
    bool deterministic = true;
    int32_t numMultiprocessors = 0; // of the GPU
    int64_t columnsWithGaps = 0;    // of q, k and v, all heads: those that lie in a wider matrix
};
// The most of any microbatch within those limits. Flash attention with a fixed order of sums keeps as many fp32 sums of
// the queries' gradient as its heads' blocks need to fill the GPU: few sequences of few heads take many times as much.
// cuDNN copies what has gaps where the order is free.
int64_t backendBytes(AttentionBackend backend, const BackendLoad& load);

} // namespace roundpipe::geometry
