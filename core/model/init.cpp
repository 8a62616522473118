// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/init.h"

#include "base/error.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "kernels/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <span>
#include <vector>

namespace roundpipe::model {
namespace {

constexpr double kWeightDeviation = 0.02; // initializer_range of the architectures at hand
constexpr std::size_t kNumQuantiles = 65536;

// The x with P(normal < x) = p, by Newton's method on the logarithm of the lower tail (convergent from the left).
double lowerNormalQuantile(double p) {
    double x = -std::sqrt(-2 * std::log(p));
    for (int i = 0; i < 60; ++i) {
        const double tail = 0.5 * std::erfc(-x / std::numbers::sqrt2);
        const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        const double step = tail / density * std::log(p / tail);
        x += step;
        if (std::abs(step) < 1e-13) break;
    }
    return x;
}

std::vector<float> makeNormalQuantiles() {
    std::vector<float> values(kNumQuantiles);
    for (std::size_t i = 0; i < kNumQuantiles / 2; ++i) {
        const double p = (static_cast<double>(i) + 0.5) / kNumQuantiles;
        values[i] = static_cast<float>(kWeightDeviation * lowerNormalQuantile(p));
        values[kNumQuantiles - 1 - i] = -values[i];
    }
    return values;
}

// `values` in the bytes of `dtype`.
std::vector<std::byte> converted(std::span<const float> values, DType dtype) {
    std::vector<std::byte> bytes(values.size() * sizeOf(dtype));
    const auto size = static_cast<int64_t>(values.size());
    kernels::convert({}, {const_cast<float*>(values.data()), DType::kF32, 1, size, size}, 1.0,
                     {bytes.data(), dtype, 1, size, size});
    return bytes;
}

// A table lookup for each 16 random bits: eight values a draw, gigabytes in seconds.
template <class Bits>
void fillQuantiles(const geometry::TensorPlace& place, uint64_t key, const std::byte* table, int64_t first,
                   int64_t count, std::byte* data) {
    const int64_t cols = place.spec.shape.back();
    const int64_t groups = (cols + 7) / 8; // each row starts a draw of its own
    for (int64_t row = first; row < first + count; ++row) {
        std::byte* out = data + (row - first) * place.pitchElements * static_cast<int64_t>(sizeof(Bits));
        for (int64_t group = 0; group < groups; ++group) {
            const kernels::Philox4 draw =
                kernels::philox(key, static_cast<uint64_t>(group), static_cast<uint64_t>(row));
            const int64_t drawn = std::min<int64_t>(8, cols - group * 8);
            for (int64_t i = 0; i < drawn; ++i) {
                const uint32_t quantile = (draw.values[i / 2] >> (i % 2 * 16)) & 0xFFFFu;
                std::memcpy(out + (group * 8 + i) * static_cast<int64_t>(sizeof(Bits)), table + quantile * sizeof(Bits),
                            sizeof(Bits));
            }
        }
    }
}

} // namespace

void fillRandomRows(const geometry::TensorPlace& place, uint64_t seed, int64_t first, int64_t count, std::byte* data) {
    static const std::vector<float> quantiles = makeNormalQuantiles();
    const std::vector<std::byte> table = converted(quantiles, place.dtype);
    const uint64_t key = kernels::mixKey(seed, hashName(place.spec.name), 0, 0);
    switch (sizeOf(place.dtype)) {
    case 2:
        return fillQuantiles<uint16_t>(place, key, table.data(), first, count, data);
    case 4:
        return fillQuantiles<uint32_t>(place, key, table.data(), first, count, data);
    case 8:
        return fillQuantiles<uint64_t>(place, key, table.data(), first, count, data);
    default:
        RP_CHECK(!"weights of another size");
    }
}

namespace {

// A norm or a bias: one row of equal values.
void fillConstant(const geometry::TensorPlace& place, float value, std::byte* data) {
    const std::vector<float> values(static_cast<std::size_t>(place.spec.numElements()), value);
    const std::vector<std::byte> bytes = converted(values, place.dtype);
    std::memcpy(data, bytes.data(), bytes.size());
}

} // namespace

void fillRandom(const geometry::TensorPlace& place, uint64_t seed, std::byte* data) {
    if (place.spec.shape.size() > 1)
        fillRandomRows(place, seed, 0, place.spec.numElements() / place.spec.shape.back(), data);
    else
        fillConstant(place, place.spec.kind == arch::TensorKind::kNorm ? 1.0f : 0.0f, data);
}

void fillRandom(const geometry::LayerLayout& layout, uint64_t seed, std::byte* base) {
    for (const geometry::TensorPlace& place : layout.base.tensors)
        fillRandom(place, seed, base + place.offsetBytes);
}

template <class T>
void initAdapter(const geometry::LayerLayout& layout, uint64_t seed, T* masters) {
    const geometry::AdapterLayout& adapter = layout.adapter;
    std::fill_n(masters, adapter.numElements, T{0});
    for (const geometry::AdapterPlace& place : adapter.linears) {
        const uint64_t key = kernels::mixKey(seed, hashName(place.linear.fullName), 1, 0);
        const double bound = 1 / std::sqrt(static_cast<double>(place.linear.inFeatures));
        T* a = masters + place.offsetA;
        const int64_t size = adapter.rank * place.linear.inFeatures;
        for (int64_t i = 0; i < size; ++i) {
            const kernels::Philox4 draw = kernels::philox(key, static_cast<uint64_t>(i / 4), 0);
            a[i] = static_cast<T>(bound * (2.0 * kernels::uniform(draw.values[i % 4]) - 1.0));
        }
    }
}

template void initAdapter<float>(const geometry::LayerLayout&, uint64_t, float*);
template void initAdapter<double>(const geometry::LayerLayout&, uint64_t, double*);

} // namespace roundpipe::model
