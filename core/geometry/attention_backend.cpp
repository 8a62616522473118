// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/attention_backend.h"

#include "base/units.h"

#include <algorithm>
#include <bit>

namespace roundpipe::geometry {
namespace {

constexpr int64_t kLargestHead = 256;
constexpr int32_t kHopper = 9; // the major number of its compute capability

// Of flash attention. Of each of the queries' elements: attention's output (2), the gradients of q, of k and v for
// every query head (6).
constexpr int64_t kFlashBytesPerElement = 8;
constexpr int64_t kFlashBytesPerSum = 4;       // of each element, in fp32
constexpr int64_t kFlashRowsOfASequence = 128; // that the sums have beside its tokens, at most

// Of cuDNN. Of each of the queries' elements, in fp32: the gradients of k and v for every query head (8), and the
// gradient of q (4) where scores are not kept.
constexpr int64_t kCudnnBytesPerElement = 8;
constexpr int64_t kCudnnBytesPerSum = 4;
constexpr int64_t kCudnnBytesPerRow = 4; // of each head's
constexpr int64_t kCudnnBytesPerCopied = 2;
constexpr int64_t kMostScoreBytes = kGiB; // in 16 bits

int64_t ceilDiv(int64_t amount, int64_t part) {
    return (amount + part - 1) / part;
}

int64_t roundUp(int64_t amount, int64_t part) {
    return ceilDiv(amount, part) * part;
}

int64_t powerOfTwoFrom(int64_t value) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(value, 1))));
}

// cuDNN (9.19) refuses sequences that are all of one token; to it they are of up to two, without the second.
int64_t lengthForCudnn(int64_t maxLength) {
    return powerOfTwoFrom(std::max<int64_t>(maxLength, 2));
}

int64_t scoreBytes(int64_t sequences, int64_t numHeads, int64_t length) {
    return 2 * sequences * numHeads * length * length;
}

int64_t flashBytes(const BackendLoad& load) {
    int64_t most = 0;
    const int64_t mostSequences = ceilDiv(load.maxTokens, load.maxLength);
    for (int64_t sequences = 1; sequences <= mostSequences; ++sequences) {
        const int64_t blocks = sequences * load.numHeads; // that run beside one another for each part of the keys
        const int64_t sums = load.deterministic ? ceilDiv(load.numMultiprocessors, blocks) : 1;
        const int64_t tokens = std::min(sequences * load.maxLength, load.maxTokens);
        const int64_t bytes =
            kFlashBytesPerElement * tokens + kFlashBytesPerSum * sums * (tokens + kFlashRowsOfASequence * sequences);
        most = std::max(most, bytes * load.numHeads * load.headDim);
    }
    return most;
}

// Of microbatches whose longest sequence is of `load.maxLength`.
int64_t cudnnBytesOfLength(const BackendLoad& load) {
    const int64_t sequences = ceilDiv(load.maxTokens, load.maxLength);
    const int64_t atOnce =
        load.deterministic ? cudnnSequencesAtOnce(load.numHeads, load.maxLength) : powerOfTwoFrom(sequences);
    if (atOnce == 0) return flashBytes(load);
    const CudnnSize size(std::min(atOnce, sequences), load.maxLength, load.maxTokens);
    const int64_t copies = load.deterministic ? 0 : kCudnnBytesPerCopied * load.columnsWithGaps * load.maxTokens;
    return cudnnBackwardBytes(size, load.numHeads, load.headDim, load.deterministic) + copies;
}

} // namespace

AttentionBackend attentionBackend(bool isGpu, int32_t computeCapability, DType operandType, int64_t headDim) {
    const bool halves = operandType == DType::kBF16 || operandType == DType::kF16;
    if (!isGpu || !halves || headDim % 8 != 0 || headDim > kLargestHead) return AttentionBackend::kOwnKernels;
    return computeCapability / 10 == kHopper ? AttentionBackend::kCudnn : AttentionBackend::kFlash;
}

CudnnSize::CudnnSize(int64_t numSequences, int64_t maxLength, int64_t numTokens)
    : sequences(powerOfTwoFrom(numSequences))
    , length(lengthForCudnn(maxLength))
    , tokens(roundUp(numTokens, std::max<int64_t>(powerOfTwoFrom(numTokens) / 8, 1))) {}

int64_t cudnnSequencesAtOnce(int64_t numHeads, int64_t length) {
    const int64_t fitting = kMostScoreBytes / scoreBytes(1, numHeads, lengthForCudnn(length));
    return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(fitting)));
}

int64_t cudnnBackwardBytes(const CudnnSize& size, int64_t numHeads, int64_t headDim, bool deterministic) {
    const int64_t perToken = (kCudnnBytesPerElement + (deterministic ? 0 : kCudnnBytesPerSum)) * headDim;
    return (perToken + kCudnnBytesPerRow) * numHeads * size.tokens +
           (deterministic ? scoreBytes(size.sequences, numHeads, size.length) : 0);
}

int64_t backendBytes(AttentionBackend backend, const BackendLoad& load) {
    switch (backend) {
    case AttentionBackend::kOwnKernels:
        break;
    case AttentionBackend::kFlash:
        return flashBytes(load);
    case AttentionBackend::kCudnn: {
        int64_t most = 0; // shorter sequences may go by cuDNN where the longest can't, and more of them at once
        BackendLoad shorter = load;
        for (; shorter.maxLength > 0; shorter.maxLength = powerOfTwoFrom(shorter.maxLength) / 2)
            most = std::max(most, cudnnBytesOfLength(shorter));
        return most;
    }
    }
    return 0;
}

} // namespace roundpipe::geometry
