// What a run asks of a model: how many tokens at a time, in which types, and what is trained.
#pragma once

#include "arch/layers.h"
#include "base/dtype.h"

#include <cstdint>

namespace roundpipe::plan {

// How the frozen matrices of blocks lie in host memory and travel; embedding, head, norms, biases and routers keep the
// operand type. Packed ones are unpacked into the operand type on the device.
struct WeightFormat {
    int32_t bits = 0; // 0: the operand type, as the engine does
    int32_t groupSize = 0;
    int32_t scaleBytes = 0; // of a group
    bool expertsOnly = false;

    bool packed() const { return bits > 0; }
    bool operator==(const WeightFormat&) const = default;
};
inline constexpr WeightFormat kPacked8Bit{8, 64, 2, false};
inline constexpr WeightFormat kPacked4Bit{4, 64, 2, false};
inline constexpr WeightFormat kPackedMxfp4{4, 32, 1, true}; // as gpt-oss is published

struct TrainingShape {
    int64_t maxLength = 2048; // of a sequence: decides memory
    int64_t sequences = 1;    // of a microbatch
    double averageLength = 0; // of a sequence: decides time; 0: every sequence is as long as the longest
    double trainedShare = 1;  // of the positions; the head computes no others
    DType operandType = DType::kBF16;
    WeightFormat weights;
    arch::LoraConfig lora;
    bool deterministic = true;

    double lengthOfSequences() const { return averageLength > 0 ? averageLength : static_cast<double>(maxLength); }
    int64_t maxTokens() const { return maxLength * sequences; }
    double tokens() const { return lengthOfSequences() * static_cast<double>(sequences); }
    // Of norms, losses, masters, moments and adapter gradients.
    DType statisticsType() const { return operandType == DType::kF64 ? DType::kF64 : DType::kF32; }
};

// Throws kInvalidInput naming the field that is absurd.
void validate(const TrainingShape& shape);

} // namespace roundpipe::plan
