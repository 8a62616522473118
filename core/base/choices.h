// SPDX-License-Identifier: GPL-3.0-or-later
// The closed choices of a run. RunSpec holds them, and the folders below it work by them.
#pragma once

#include "base/dtype.h"
#include "base/spelling.h"

namespace roundpipe {

// What is trained.
enum class Method {
    kLora, // adapters beside frozen weights
    kFull, // the weights themselves
};
constexpr std::array<const char*, 2> spellings(Method) {
    return {"lora", "full"};
}

// How the columns of a row are read.
enum class DataFormat { kAuto, kMessages, kShareGpt, kAlpaca, kCompletion, kText, kSegments };
constexpr std::array<const char*, 7> spellings(DataFormat) {
    return {"auto", "messages", "sharegpt", "alpaca", "completion", "text", "segments"};
}

// When the system prompt of the settings is a conversation's own.
enum class SystemPromptUse {
    kDefault,  // where the row has none
    kOverride, // in place of the row's too
};
constexpr std::array<const char*, 2> spellings(SystemPromptUse) {
    return {"default", "override"};
}

// Which tokens the loss counts.
enum class TrainOn { kAssistant, kLastAssistant, kCompletion, kAll };
constexpr std::array<const char*, 4> spellings(TrainOn) {
    return {"assistant", "last-assistant", "completion", "all"};
}

// What happens to rows above the length limit.
enum class OverLength {
    kTruncate,
    kDrop,
    kSplit, // rows that are trained from end to end become pieces; others are truncated
};
constexpr std::array<const char*, 3> spellings(OverLength) {
    return {"truncate", "drop", "split"};
}

// Rows that are not trained on, though they could be.
enum class LeaveOut {
    kDuplicates,     // to train on, and the same as an earlier one
    kNearDuplicates, // or nearly so
    kLeaks,          // to validate on, and the same as one to train on
    kNearLeaks,      // or nearly so
    kEmptyTurns,     // with a message that says nothing
};
constexpr std::array<const char*, 5> spellings(LeaveOut) {
    return {"duplicates", "near-duplicates", "leaks", "near-leaks", "empty-turns"};
}

// What says how much an epoch takes of a dataset.
enum class ShareKind {
    kEpochs, // how often it goes over the dataset
    kWeight, // a part of the rows that all datasets with a weight have together
    kRows,
    kTokens,
};
constexpr std::array<const char*, 4> spellings(ShareKind) {
    return {"epochs", "weight", "rows", "tokens"};
}

// Which rows of a dataset are taken where not all are.
enum class Subset { kRandom, kFirst };
constexpr std::array<const char*, 2> spellings(Subset) {
    return {"random", "first"};
}

// Which weights a step reads.
enum class Updates {
    kSynchronous, // those that the step before it made: devices wait for the update
    kOneStepStale // those of one step earlier: steps flow into each other
};
constexpr std::array<const char*, 2> spellings(Updates) {
    return {"synchronous", "one-step-stale"};
}

// In what AdamW keeps its moments.
enum class Moments { kFp32, kBf16 };
constexpr std::array<const char*, 2> spellings(Moments) {
    return {"fp32", "bf16"};
}

// What is done about a run whose loss grows out of bounds.
enum class WhenDiverging {
    kEnd,     // it is saved, and ends in words
    kRollBack // it goes on from the weights of its last checkpoint, with the rows that follow
};
constexpr std::array<const char*, 2> spellings(WhenDiverging) {
    return {"end", "roll-back"};
}

// Whether several devices take whole models and their parts of a step, rather than stages in turn.
enum class Replicas {
    kAuto, // where that is faster and all devices are GPUs
    kNever,
    kAlways,
};
constexpr std::array<const char*, 3> spellings(Replicas) {
    return {"auto", "never", "always"};
}

// Which examples of a step share a microbatch.
enum class Packing {
    kNone,     // in the order in which they were drawn
    kByLength, // longest first, so that those of a microbatch are alike
    kBestFit,  // best-fit-decreasing: the fewest microbatches that a quick method finds
};
constexpr std::array<const char*, 3> spellings(Packing) {
    return {"none", "by-length", "best-fit"};
}

// How the learning rate goes on after the warm-up.
enum class ScheduleKind { kConstant, kLinear, kCosine };
constexpr std::array<const char*, 3> spellings(ScheduleKind) {
    return {"constant", "linear", "cosine"};
}

// The type of weights and activations.
enum class Precision { kAuto, kBf16, kFp16, kFp32, kFp64 };
constexpr std::array<const char*, 5> spellings(Precision) {
    return {"auto", "bf16", "fp16", "fp32", "fp64"};
}
// Auto is bf16 where all devices are GPUs, else fp32.
DType operandTypeOf(Precision precision, bool onGpusOnly);
// The type of the moments of masters for such operands: an fp64 run has fp64 ones, whatever was chosen.
DType momentTypeOf(Moments moments, DType operandType);

// How the frozen matrices of blocks are kept: in host memory, on the way to devices and in their slots. Embedding,
// head, norms, biases and routers keep the operand type. Packed ones are unpacked into it where they are computed with.
enum class WeightFormat {
    kAsIs,  // in the operand type
    kNf4,   // 4 bits, base/nf4.h
    kInt8,  // 8 bits, a scale for each row
    kFp8,   // 8 bits, base/fp8.h, a scale for each row; GPUs with FP8 units multiply them as they are
    kMxfp4, // of experts alone, base/mxfp4.h, as gpt-oss is published
};
constexpr std::array<const char*, 5> spellings(WeightFormat) {
    return {"as-is", "nf4", "int8", "fp8", "mxfp4"};
}
constexpr bool isPacked(WeightFormat format) {
    return format != WeightFormat::kAsIs;
}

// Whether two runs of one spec give the same bits.
enum class Determinism { kStrict, kFast };
constexpr std::array<const char*, 2> spellings(Determinism) {
    return {"strict", "fast"};
}

} // namespace roundpipe
