// SPDX-License-Identifier: GPL-3.0-or-later
// How GGUF files hold numbers. Format: ggml-org/ggml docs/gguf.md, and the block layouts of ggml's "k-quants" (256
// weights in 8 or 16 parts, each with a scale of 6 or 8 bits, under one or two of 16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace roundpipe::artifact {

// The numbers are the file format's.
enum class GgmlType : uint32_t { kF32 = 0, kF16 = 1, kQ8 = 8, kQ4K = 12, kQ5K = 13, kQ6K = 14, kBF16 = 30 };

const char* toString(GgmlType type);  // "Q4_K"
bool isKnown(uint32_t type);          // one of the above
int64_t blockElements(GgmlType type); // a row has a multiple of so many
int64_t blockBytes(GgmlType type);    // of one block
std::size_t rowBytes(GgmlType type, int64_t cols);

// `rows` rows of `cols` elements, one after another. Rounded to nearest: to even in 16 bits; Q8_0 away from zero at the
// half, as ggml does; in the k-quants scales and minima are searched for the least squared error. False where a value
// is not finite or beyond what the type holds: what is in `into` means nothing then. Any thread.
bool encodeRows(GgmlType type, const float* values, int64_t rows, int64_t cols, std::byte* into);
void decodeRows(GgmlType type, const std::byte* blocks, int64_t rows, int64_t cols, float* into);

} // namespace roundpipe::artifact
