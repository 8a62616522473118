// SPDX-License-Identifier: GPL-3.0-or-later
// Random starting values.
#include "model/init.h"

#include "layer_case.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace roundpipe::testing {
namespace {

std::vector<geometry::LayerLayout> tinyLayouts(DType dtype) {
    return geometry::makeLayouts(arch::makeModelSpec(tinyConfig(arch::Family::kQwen2)), tinyLora(0), dtype);
}

TEST(FillRandom, givesNormalWeightsUnitNormsAndZeroBiases) {
    arch::ModelConfig config = tinyConfig(arch::Family::kQwen2);
    config.hiddenSize = 480;
    config.intermediateSize = 500;
    const auto layout = geometry::makeLayouts(arch::makeModelSpec(config), tinyLora(0), DType::kF32)[1];
    const Buffer base(layout.base.bytes);
    model::fillRandom(layout, 9, base.data());
    for (const geometry::TensorPlace& place : layout.base.tensors) {
        const auto* values = reinterpret_cast<const float*>(base.data() + place.offsetBytes);
        const auto count = static_cast<double>(place.spec.numElements());
        double sum = 0, squares = 0, fourths = 0;
        for (int64_t i = 0; i < place.spec.numElements(); ++i) {
            sum += values[i];
            squares += values[i] * values[i];
            fourths += std::pow(values[i], 4);
        }
        if (place.spec.shape.size() == 1) {
            const double expected = place.spec.name.find("norm") != std::string::npos ? count : 0;
            EXPECT_EQ(sum, expected) << place.spec.name;
            EXPECT_EQ(squares, expected) << place.spec.name;
        } else {
            EXPECT_NEAR(sum / count, 0, 0.02 * 5 / std::sqrt(count)) << place.spec.name;
            EXPECT_NEAR(squares / count, 0.0004, 0.0004 * 8 / std::sqrt(count)) << place.spec.name;
            EXPECT_NEAR(fourths / count / std::pow(squares / count, 2), 3, 0.3) << place.spec.name;
        }
    }
}

TEST(FillRandom, dependsOnSeedAndNameAlone) {
    const auto layouts = tinyLayouts(DType::kBF16);
    const auto fill = [](const geometry::LayerLayout& layout, uint64_t seed) {
        const Buffer base(layout.base.bytes);
        std::memset(base.data(), 0, static_cast<std::size_t>(base.bytes()));
        model::fillRandom(layout, seed, base.data());
        return std::vector<std::byte>(base.data(), base.data() + base.bytes());
    };
    EXPECT_EQ(fill(layouts[1], 1), fill(layouts[1], 1));
    EXPECT_NE(fill(layouts[1], 1), fill(layouts[1], 2));
    EXPECT_NE(fill(layouts[1], 1), fill(layouts[2], 1));
    // Tied: the head's table is the embedding's.
    const auto embedding = fill(layouts.front(), 1), head = fill(layouts.back(), 1);
    const int64_t headTable = layouts.back().base.find(arch::TensorRole::kLmHead)->offsetBytes;
    EXPECT_EQ(std::memcmp(embedding.data(), head.data() + headTable, 37 * 24 * 2), 0);
    // A wider pitch moves values, but changes none.
    const geometry::LayerLayout wide = withWidePitch(layouts.front());
    const auto padded = fill(wide, 1);
    EXPECT_EQ(std::memcmp(padded.data() + wide.base.tensors[0].pitchElements * 2, embedding.data() + 24 * 2, 24 * 2),
              0);
}

TEST(InitAdapter, isUniformInAAndZeroInB) {
    const auto layouts = tinyLayouts(DType::kF32);
    const geometry::AdapterLayout& adapter = layouts[1].adapter;
    std::vector<float> masters(static_cast<std::size_t>(adapter.numElements), 7.0f);
    std::vector<double> wide(masters.size());
    model::initAdapter(layouts[1], 3, masters.data());
    model::initAdapter(layouts[1], 3, wide.data());
    for (const geometry::AdapterPlace& place : adapter.linears) {
        const double bound = 1 / std::sqrt(static_cast<double>(place.linear.inFeatures));
        double largest = 0, squares = 0;
        const int64_t count = adapter.rank * place.linear.inFeatures;
        for (int64_t i = place.offsetA; i < place.offsetA + count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            largest = std::max(largest, std::abs(static_cast<double>(masters[at])));
            squares += masters[at] * masters[at];
            EXPECT_FLOAT_EQ(masters[at], static_cast<float>(wide[at]));
        }
        EXPECT_LE(largest, bound * (1 + 1e-6));
        EXPECT_GT(largest, bound * 0.85);
        EXPECT_NEAR(squares / static_cast<double>(count), bound * bound / 3, bound * bound / 8);
        for (int64_t i = 0; i < adapter.rank * place.linear.outFeatures; ++i)
            EXPECT_EQ(masters[static_cast<std::size_t>(place.offsetB + i)], 0);
    }
}

} // namespace
} // namespace roundpipe::testing
