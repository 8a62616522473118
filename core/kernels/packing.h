// SPDX-License-Identifier: GPL-3.0-or-later
// Weights are packed, on the host while they are read: what unpackNf4(), unpackInt8() and unpackFp8() unpack. The same
// bits on every machine. Any thread; values that are no numbers are the caller's to refuse.
#pragma once

#include <cstdint>

namespace roundpipe::kernels {

// Values that follow each other in a tensor, the first at the begin of a block of kNf4Block: their codes, [(count + 1)
// / 2] bytes, and magnitudes, one for each block or part of one.
void packNf4Values(const float* values, int64_t count, uint8_t* codes, float* magnitudes);
// All magnitudes of a tensor: codes [count], scales one for each kNf4Scales, mean [1].
void packNf4Magnitudes(const float* magnitudes, int64_t count, uint8_t* codes, float* scales, float* mean);
// A row: values [count] from -127 to 127, which are such parts of its scale, its largest magnitude.
inline constexpr float kInt8Part = 1.0f / 127;
void packInt8Row(const float* values, int64_t count, int8_t* packed, float* scale);
// Values that follow each other, the first at the begin of a group: codes [(count + 1) / 2] bytes and scales, one for
// each kMxfp4Group values or the rest of them (base/mxfp4.h). The scale has the largest magnitude from 4 to below 8, to
// which the largest code, 6, is nearest; what was packed packs to the same values again.
void packMxfp4Values(const float* values, int64_t count, uint8_t* codes, uint8_t* scales);
// A row: codes [count] of e4m3 (base/fp8.h), each of value / scale; the largest magnitude is the largest code.
void packFp8Row(const float* values, int64_t count, uint8_t* codes, float* scale);

} // namespace roundpipe::kernels
