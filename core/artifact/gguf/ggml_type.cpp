// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/ggml_type.h"

#include "artifact/gguf/k_quants.h"
#include "base/error.h"
#include "base/half_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kQ8Elements = 32;

struct BlockOfQ8 {
    uint16_t scale; // fp16
    int8_t values[kQ8Elements];
};
static_assert(sizeof(BlockOfQ8) == 34);

struct Layout {
    GgmlType type;
    const char* name;
    int64_t elements, bytes;
};
constexpr Layout kLayouts[] = {{GgmlType::kF32, "F32", 1, 4},
                               {GgmlType::kF16, "F16", 1, 2},
                               {GgmlType::kBF16, "BF16", 1, 2},
                               {GgmlType::kQ8, "Q8_0", kQ8Elements, sizeof(BlockOfQ8)},
                               {GgmlType::kQ4K, "Q4_K", kSuperBlock, sizeof(BlockOfQ4K)},
                               {GgmlType::kQ5K, "Q5_K", kSuperBlock, sizeof(BlockOfQ5K)},
                               {GgmlType::kQ6K, "Q6_K", kSuperBlock, sizeof(BlockOfQ6K)}};

const Layout& layoutOf(GgmlType type) {
    const auto* const found = std::ranges::find(kLayouts, type, &Layout::type);
    RP_CHECK(found != std::end(kLayouts));
    return *found;
}

// ggml's own arithmetic, so that files are the same: the scale's inverse is taken before it is rounded to fp16.
void encode(const float* values, BlockOfQ8& block) {
    float largest = 0;
    for (int64_t i = 0; i < kQ8Elements; ++i)
        largest = std::max(largest, std::abs(values[i]));
    const float scale = largest / 127.0f;
    const float inverse = scale != 0 ? 1.0f / scale : 0.0f;
    block.scale = toF16(scale);
    for (int64_t i = 0; i < kQ8Elements; ++i)
        block.values[i] = static_cast<int8_t>(std::round(values[i] * inverse));
}

void decode(const BlockOfQ8& block, float* values) {
    const float scale = fromF16(block.scale);
    for (int64_t i = 0; i < kQ8Elements; ++i)
        values[i] = scale * static_cast<float>(block.values[i]);
}

// Blocks have no alignment in a file.
template <class Block>
void encodeBlocks(const float* values, int64_t count, int64_t elements, std::byte* into) {
    for (int64_t i = 0; i < count; ++i) {
        Block block;
        encode(values + i * elements, block);
        std::memcpy(into + i * static_cast<int64_t>(sizeof block), &block, sizeof block);
    }
}

template <class Block>
void decodeBlocks(const std::byte* blocks, int64_t count, int64_t elements, float* into) {
    for (int64_t i = 0; i < count; ++i) {
        Block block;
        std::memcpy(&block, blocks + i * static_cast<int64_t>(sizeof block), sizeof block);
        decode(block, into + i * elements);
    }
}

using ToBits = uint16_t (*)(float);
template <ToBits toBits>
void encodeHalves(const float* values, int64_t count, std::byte* into) {
    for (int64_t i = 0; i < count; ++i) {
        const uint16_t bits = toBits(values[i]);
        std::memcpy(into + 2 * i, &bits, 2);
    }
}

using FromBits = float (*)(uint16_t);
template <FromBits fromBits>
void decodeHalves(const std::byte* halves, int64_t count, float* into) {
    for (int64_t i = 0; i < count; ++i) {
        uint16_t bits = 0;
        std::memcpy(&bits, halves + 2 * i, 2);
        into[i] = fromBits(bits);
    }
}

// Of the scale of a block, which is in fp16 and multiplied by up to 63: the largest value that every type holds.
bool areWithin(const float* values, int64_t count, float most) {
    float largest = 0;
    bool areNumbers = true;
    for (int64_t i = 0; i < count; ++i) {
        largest = std::max(largest, std::abs(values[i]));
        areNumbers &= values[i] == values[i];
    }
    return areNumbers && largest <= most;
}

} // namespace

const char* toString(GgmlType type) {
    return layoutOf(type).name;
}
bool isKnown(uint32_t type) {
    return std::ranges::find(kLayouts, static_cast<GgmlType>(type), &Layout::type) != std::end(kLayouts);
}
int64_t blockElements(GgmlType type) {
    return layoutOf(type).elements;
}
int64_t blockBytes(GgmlType type) {
    return layoutOf(type).bytes;
}
std::size_t rowBytes(GgmlType type, int64_t cols) {
    const Layout& layout = layoutOf(type);
    RP_CHECK(cols % layout.elements == 0);
    return static_cast<std::size_t>(cols / layout.elements * layout.bytes);
}

bool encodeRows(GgmlType type, const float* values, int64_t rows, int64_t cols, std::byte* into) {
    const int64_t count = rows * cols;
    constexpr float kMostOfHalf = 65504;
    constexpr float kMost = 3.4e38f;
    if (!areWithin(values, count, type == GgmlType::kF32 || type == GgmlType::kBF16 ? kMost : kMostOfHalf))
        return false;
    const int64_t elements = blockElements(type), blocks = count / elements;
    switch (type) {
    case GgmlType::kF32:
        std::memcpy(into, values, static_cast<std::size_t>(count) * sizeof(float));
        break;
    case GgmlType::kF16:
        encodeHalves<toF16>(values, count, into);
        break;
    case GgmlType::kBF16:
        encodeHalves<toBf16>(values, count, into);
        break;
    case GgmlType::kQ8:
        encodeBlocks<BlockOfQ8>(values, blocks, elements, into);
        break;
    case GgmlType::kQ4K:
        encodeBlocks<BlockOfQ4K>(values, blocks, elements, into);
        break;
    case GgmlType::kQ5K:
        encodeBlocks<BlockOfQ5K>(values, blocks, elements, into);
        break;
    case GgmlType::kQ6K:
        encodeBlocks<BlockOfQ6K>(values, blocks, elements, into);
        break;
    }
    return true;
}

void decodeRows(GgmlType type, const std::byte* data, int64_t rows, int64_t cols, float* into) {
    const int64_t count = rows * cols;
    const int64_t elements = blockElements(type), blocks = count / elements;
    switch (type) {
    case GgmlType::kF32:
        std::memcpy(into, data, static_cast<std::size_t>(count) * sizeof(float));
        break;
    case GgmlType::kF16:
        decodeHalves<fromF16>(data, count, into);
        break;
    case GgmlType::kBF16:
        decodeHalves<fromBf16>(data, count, into);
        break;
    case GgmlType::kQ8:
        decodeBlocks<BlockOfQ8>(data, blocks, elements, into);
        break;
    case GgmlType::kQ4K:
        decodeBlocks<BlockOfQ4K>(data, blocks, elements, into);
        break;
    case GgmlType::kQ5K:
        decodeBlocks<BlockOfQ5K>(data, blocks, elements, into);
        break;
    case GgmlType::kQ6K:
        decodeBlocks<BlockOfQ6K>(data, blocks, elements, into);
        break;
    }
}

} // namespace roundpipe::artifact
