// SPDX-License-Identifier: GPL-3.0-or-later
// What a run asks of a model: how many tokens at a time, in which types, and what is trained.
#pragma once

#include "arch/layers.h"
#include "base/choices.h"
#include "base/dtype.h"

#include <cstdint>

namespace roundpipe::plan {

struct TrainingShape {
    // The largest microbatch: decides memory.
    int64_t maxLength = 2048; // of a sequence
    int64_t sequences = 1;
    int64_t tokenLimit = 0; // of all sequences together; 0: there is none
    // The usual one: decides time.
    double averageLength = 0;    // of a sequence; 0: every sequence is as long as the longest
    double averageSequences = 0; // 0: as many as in the largest
    double trainedShare = 1;     // of the positions; the head computes no others
    DType operandType = DType::kBF16;
    WeightFormat weights = WeightFormat::kAsIs;
    bool trainsBase = false; // the weights; else the adapters of `lora`
    arch::LoraConfig lora;
    bool deterministic = true;
    Moments moments = Moments::kFp32;

    arch::Trained trained() const { return trainsBase ? arch::Trained::weights() : arch::Trained(lora); }

    double lengthOfSequences() const { return averageLength > 0 ? averageLength : static_cast<double>(maxLength); }
    double usualSequences() const { return averageSequences > 0 ? averageSequences : static_cast<double>(sequences); }
    int64_t maxTokens() const { return tokenLimit > 0 ? tokenLimit : maxLength * sequences; }
    double tokens() const { return lengthOfSequences() * usualSequences(); }
    // Of norms, losses, masters, moments and adapter gradients.
    DType statisticsType() const { return roundpipe::statisticsType(operandType); }
};

// Throws kInvalidInput naming the field that is absurd.
void validate(const TrainingShape& shape);

} // namespace roundpipe::plan
