// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/broken_weights.h"

#include "base/thread_team.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

namespace roundpipe::engine {
namespace {

using transfer::HostTensor;

// In NaN and in what is infinite all bits of the exponent are set (IEEE 754, bf16 too).
template <class Bits, Bits kExponent>
bool holdsNoNumber(const HostTensor& tensor) {
    for (int64_t row = 0; row < tensor.rows; ++row) {
        const auto* first = reinterpret_cast<const Bits*>(tensor.data) + row * tensor.place->pitchElements;
        bool found = false; // no early end within a row: the loop is vectorised
        for (int64_t column = 0; column < tensor.cols; ++column)
            found |= (first[column] & kExponent) == kExponent;
        if (found) return true;
    }
    return false;
}

bool isBroken(const HostTensor& tensor) {
    if (isPacked(tensor.place->packing)) return false;
    switch (tensor.place->dtype) {
    case DType::kF64:
        return holdsNoNumber<uint64_t, 0x7FF0'0000'0000'0000>(tensor);
    case DType::kF32:
        return holdsNoNumber<uint32_t, 0x7F80'0000>(tensor);
    case DType::kBF16:
        return holdsNoNumber<uint16_t, 0x7F80>(tensor);
    case DType::kF16:
        return holdsNoNumber<uint16_t, 0x7C00>(tensor);
    default:
        return false;
    }
}

} // namespace

std::string brokenTensor(const transfer::HostWeightStore& store) {
    const std::span<const HostTensor> tensors = store.tensors();
    std::atomic<int64_t> first = std::ssize(tensors);
    forEachIndex(std::ssize(tensors), 0, [&](int64_t i) {
        if (i > first.load() || !isBroken(tensors[static_cast<std::size_t>(i)])) return;
        for (int64_t known = first.load(); i < known && !first.compare_exchange_weak(known, i);)
            ;
    });
    return first.load() == std::ssize(tensors) ? std::string()
                                               : tensors[static_cast<std::size_t>(first.load())].place->spec.name;
}

} // namespace roundpipe::engine
