// SPDX-License-Identifier: GPL-3.0-or-later
// Packed weights (base/nf4.h), each value computed in fp32 with a rounding for each operation, and rounded to T:
//     nf4    magnitude = kDynamicCode[code of it] * scale + mean; value = kNf4Values[code] * magnitude
//     int8   value = code * scale * (1 / 127)
//     fp8    value = value of code * scale
//     mxfp4  value = kE2m1Values[code] * scale (base/mxfp4.h), which is exact
// Blocks go on from row to row. In the order of bitsandbytes, so that the bits are its own.
#include "base/fp8.h"
#include "base/mxfp4.h"
#include "base/nf4.h"
#include "kernels/cpu/twins.h"
#include "kernels/packing.h"

namespace roundpipe::kernels::RP_LEVEL {
namespace {

RP_INLINE float magnitudeOf(const Nf4Parts& parts, int64_t block) {
    return kDynamicCode[parts.magnitudes[block]] * parts.scales[block / kNf4Scales] + *parts.mean;
}

template <class T>
void unpackNf4Rows(const Nf4Parts& parts, const Matrix& out) {
    for (int64_t row = 0; row < out.rows; ++row) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            float values[kChunk];
            const int64_t begin = row * out.cols + first;
            for (int64_t i = 0; i < count;) {
                const int64_t block = (begin + i) / kNf4Block;
                const int64_t rest = (block + 1) * kNf4Block - begin;
                const float magnitude = magnitudeOf(parts, block);
                for (const int64_t end = rest < count ? rest : count; i < end; ++i) {
                    const int64_t at = begin + i;
                    const int code = parts.codes[at / 2] >> (at % 2 == 0 ? 4 : 0) & 15;
                    values[i] = kNf4Values[static_cast<std::size_t>(code)] * magnitude;
                }
            }
            store(values, count, rowOf<T>(out, row) + first);
        });
    }
}

template <class T>
void unpackInt8Rows(const int8_t* codes, const float* scales, const Matrix& out) {
    for (int64_t row = 0; row < out.rows; ++row) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            float values[kChunk];
            const int8_t* from = codes + row * out.cols + first;
            for (int64_t i = 0; i < count; ++i)
                values[i] = static_cast<float>(from[i]) * scales[row] * kInt8Part;
            store(values, count, rowOf<T>(out, row) + first);
        });
    }
}

template <class T>
void unpackFp8Rows(const uint8_t* codes, const float* scales, const Matrix& out) {
    for (int64_t row = 0; row < out.rows; ++row) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            float values[kChunk];
            const uint8_t* from = codes + row * out.cols + first;
            for (int64_t i = 0; i < count; ++i)
                values[i] = fromE4m3(from[i]) * scales[row];
            store(values, count, rowOf<T>(out, row) + first);
        });
    }
}

template <class T>
void unpackMxfp4Rows(const uint8_t* codes, const uint8_t* scales, const Matrix& out) {
    for (int64_t row = 0; row < out.rows; ++row) {
        forChunks(out.cols, [&](int64_t first, int64_t count) {
            float values[kChunk];
            for (int64_t i = 0; i < count; ++i) {
                const int64_t at = row * out.cols + first + i;
                const int code = codes[at / 2] >> (at % 2 == 0 ? 0 : 4) & 15;
                values[i] = kE2m1Values[static_cast<std::size_t>(code)] * fromE8m0(scales[at / kMxfp4Group]);
            }
            store(values, count, rowOf<T>(out, row) + first);
        });
    }
}

template <class T>
T* movedBy(T* data, int64_t bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(data) + static_cast<uintptr_t>(bytes));
}

// unpack(T{}, bytes from the first packed matrix on, its out)
template <class Unpack>
void unpackEach(const Matrix& out, const Repeated& all, Unpack&& unpack) {
    for (int64_t i = 0; i < all.count; ++i) {
        Matrix one = out;
        one.data = static_cast<std::byte*>(out.data) + i * all.outBytes;
        visitFloating(out.dtype, [&]<class T>(T type) { unpack(type, i * all.packedBytes, one); });
    }
}

} // namespace

void unpackNf4(const Target&, const Nf4Parts& parts, const Matrix& out, const Repeated& all) {
    unpackEach(out, all, [&]<class T>(T, int64_t at, const Matrix& one) {
        unpackNf4Rows<T>({movedBy(parts.codes, at), movedBy(parts.magnitudes, at), movedBy(parts.scales, at),
                          movedBy(parts.mean, at)},
                         one);
    });
}

void unpackInt8(const Target&, const int8_t* values, const float* scales, const Matrix& out, const Repeated& all) {
    unpackEach(out, all, [&]<class T>(T, int64_t at, const Matrix& one) {
        unpackInt8Rows<T>(movedBy(values, at), movedBy(scales, at), one);
    });
}

void unpackFp8(const Target&, const uint8_t* codes, const float* scales, const Matrix& out, const Repeated& all) {
    unpackEach(out, all, [&]<class T>(T, int64_t at, const Matrix& one) {
        unpackFp8Rows<T>(movedBy(codes, at), movedBy(scales, at), one);
    });
}

void unpackMxfp4(const Target&, const uint8_t* codes, const uint8_t* scales, const Matrix& out, const Repeated& all) {
    unpackEach(out, all, [&]<class T>(T, int64_t at, const Matrix& one) {
        unpackMxfp4Rows<T>(movedBy(codes, at), movedBy(scales, at), one);
    });
}

} // namespace roundpipe::kernels::RP_LEVEL
