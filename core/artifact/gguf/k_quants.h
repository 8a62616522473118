// SPDX-License-Identifier: GPL-3.0-or-later
// ggml's blocks of 256 weights in 4, 5 and 6 bits (internal to the folder). Layouts as ggml's own files define them:
// low bits and high bits of a weight apart, weights of two or four parts side by side in a byte.
#pragma once

#include <cstdint>

namespace roundpipe::artifact {

inline constexpr int64_t kSuperBlock = 256;

// Parts of 32: weight = scale * part's scale * q - minimum * part's minimum, q from 0 to 15.
struct BlockOfQ4K {
    uint16_t scale, minimum; // fp16
    uint8_t parts[12];       // scales and minima of 8 parts in 6 bits
    uint8_t low[128];        // parts 0 and 1, 2 and 3, … share bytes
};
static_assert(sizeof(BlockOfQ4K) == 144);

// The same, q from 0 to 31.
struct BlockOfQ5K {
    uint16_t scale, minimum;
    uint8_t parts[12];
    uint8_t high[32]; // bit p of byte i is the fifth of weight i in part p
    uint8_t low[128];
};
static_assert(sizeof(BlockOfQ5K) == 176);

// Parts of 16: weight = scale * part's scale * q, q from -32 to 31, stored plus 32.
struct BlockOfQ6K {
    uint8_t low[128]; // of each half of 128: weights 0 and 64, 1 and 65, …, 32 and 96, … share bytes
    uint8_t high[64]; // of each half: two bits of weights i, i + 32, i + 64, i + 96
    int8_t parts[16];
    uint16_t scale;
};
static_assert(sizeof(BlockOfQ6K) == 210);

// Of 256 finite values of at most 65504. The same bits on every processor.
void encode(const float* values, BlockOfQ4K& block);
void encode(const float* values, BlockOfQ5K& block);
void encode(const float* values, BlockOfQ6K& block);
void decode(const BlockOfQ4K& block, float* values);
void decode(const BlockOfQ5K& block, float* values);
void decode(const BlockOfQ6K& block, float* values);

} // namespace roundpipe::artifact
