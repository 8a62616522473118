// SPDX-License-Identifier: GPL-3.0-or-later
// What may be changed of a run, or of its machine, where a model does not fit a rig, in words.
#pragma once

#include "base/choices.h"

#include <array>
#include <cstdint>
#include <string>

namespace roundpipe::plan {

// What is changed: a setting of the run, or (from kPageLock on) something that no setting does.
enum class FixKind : uint8_t {
    kMicrobatch,
    kMicrobatchTokens,
    kRoundSize,
    kStepTokens,
    kPrecision,
    kRank,
    kLength,
    kBits,
    kMethod,
    kPageLock,
    kDisk,
    kHostMemory,
    kDevices
};
constexpr std::array<const char*, 13> spellings(FixKind) {
    return {"microbatch", "microbatch-tokens", "round-size", "step-tokens", "precision", "rank", "length", "bits",
            "method",     "page-lock",         "disk",       "host-memory", "devices"};
}

constexpr bool isSetting(FixKind kind) {
    return kind < FixKind::kPageLock;
}
// Whether it costs nothing but speed.
constexpr bool keepsResults(FixKind kind) {
    return kind <= FixKind::kRoundSize;
}

// A change of the request that makes it fit, and what it costs.
struct Fix {
    FixKind kind = FixKind::kMicrobatch;
    // Sequences of a microbatch, tokens of one, microbatches of a round, tokens of a step, bits of weights and
    // activations (32: fp32, 16: bf16), rank, tokens of a sequence, bits of the base, 0 for method lora; bytes that may
    // be page-locked, that are free on the disk, of the host, of each device.
    int64_t value = 0;
    double tokensPerSecond = 0; // with it, at least (roundedDown()); 0: nobody has planned with it yet

    std::string change() const; // "sequences of at most 1024 tokens"
    std::string cost() const;   // "at least 4.1 k tokens/s; longer examples are cut off"
};
// To the digits that are shown of it, so that "at least" is no more than there is: three, and two below 1.
double roundedDown(double tokensPerSecond);
constexpr int64_t kBitsOfInt8 = 8, kBitsOfNf4 = 4;
// Of kBits: int8 or nf4.
WeightFormat weightFormatOf(const Fix& fix);

} // namespace roundpipe::plan
