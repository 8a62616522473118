// SPDX-License-Identifier: GPL-3.0-or-later
// The loops over all trained elements: each reads and writes its arrays once, at the pace of the host's memory. They
// are compiled for several instruction sets, without fused multiply-add and with sums in fixed lanes, so every
// processor and every team gets the same bits.
#pragma once

#include "base/dtype.h"

#include <cstdint>
#include <span>

namespace roundpipe::optim {

// What is the same for all elements of an update, worked out in double and rounded to the masters' type.
struct AdamWFactors {
    double decay = 1;
    double take1 = 0;
    double keep2 = 0;
    double take2 = 0;
    double stepSize = 0;
    double root2 = 1;
    double epsilon = 0;
    double gradientScale = 1;
};

// fp64 masters go with fp64 alone; fp32 ones with gradients and moments of fp32 or bf16 and versions of fp32, bf16 or
// fp16.
struct AdamWArrays {
    DType type = DType::kF32; // of the masters
    void* masters = nullptr;
    void* first = nullptr;
    void* second = nullptr;
    DType momentType = DType::kF32;
    uint64_t draws = 0; // the key of how bf16 moments are rounded
    const void* gradients = nullptr;
    DType gradientType = DType::kF32;
    void* version = nullptr; // written: the new masters, rounded
    DType versionType = DType::kF32;
};

// One implementation. Elements [begin, end); in the calling thread.
struct Passes {
    const char* name; // of the instruction set
    void (*adamw)(const AdamWFactors& factors, const AdamWArrays& arrays, int64_t begin, int64_t end);
    // Of fp64, fp32 or bf16 values, in fp64.
    double (*sumOfSquares)(DType type, const void* values, int64_t begin, int64_t end);
    // sums = values where `begins`, else sums += values. Sums are fp32 or fp64; values of that type, or bf16.
    void (*addTo)(DType sumsType, void* sums, DType type, const void* values, bool begins, int64_t begin, int64_t end);
};

std::span<const Passes* const> passesHere(); // those that this processor runs, the plainest first
const Passes& passes();                      // the last of them

} // namespace roundpipe::optim
