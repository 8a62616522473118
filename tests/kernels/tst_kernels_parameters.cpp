// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients of parameters that are vectors or rows of a table.
#include "test_matrix.h"

#include <numeric>

namespace roundpipe::kernels {
namespace {

const Target kCpu;

INSTANTIATE_TEST_SUITE_P(Parameters, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

TEST_P(EveryType, columnSumsAddToWhatIsThereWhateverTheParts) {
    const DType wide = statisticsType(GetParam());
    TestMatrix x(GetParam(), 11, 300), before(wide, 1, 300);
    x.random(1);
    before.random(2);
    for (const int64_t numParts : {1, 4, 20}) { // of 20 some have no row
        TestMatrix parts(wide, numParts, 300), out = before;
        addColumnSums(kCpu, x.view(), parts.view(), out.data());
        expectNear(out, 1e-5, [&](int64_t, int64_t c) {
            double sum = before.get(0, c);
            for (int64_t t = 0; t < 11; ++t)
                sum += x.get(t, c);
            return sum;
        });
        EXPECT_TRUE(parts.gapsUntouched());
    }
}

TEST_P(EveryType, embedGradientAddsEveryTokenToItsRow) {
    TestMatrix dOut(GetParam(), 5, 270), before(statisticsType(GetParam()), 4, 270);
    dOut.random(3);
    before.random(4);
    TestMatrix table = before;
    const std::vector<int32_t> ids = {2, 0, 2, 4, -1}; // the last two are none of its
    embedGradient(kCpu, dOut.view(), ids.data(), table.view());
    expectNear(table, 1e-6, [&](int64_t row, int64_t c) {
        double sum = before.get(row, c);
        for (std::size_t t = 0; t < ids.size(); ++t)
            if (ids[t] == row) sum += dOut.get(static_cast<int64_t>(t), c);
        return sum;
    });
}

TEST(RmsNorm, weightGradientIsTheGradient) {
    const int64_t rows = 7, cols = 19;
    TestMatrix x(DType::kF64, rows, cols), weight(DType::kF64, 1, cols), out(DType::kF64, rows, cols);
    TestMatrix dy(DType::kF64, rows, cols), rstd(DType::kF64, 1, rows), parts(DType::kF64, 3, cols);
    x.random(6, 2);
    weight.random(7, 2);
    dy.random(8);
    const auto forward = [&] { rmsNorm(kCpu, x.view(), weight.data(), 1e-5, out.view(), rstd.data()); };
    forward();
    TestMatrix gradient(DType::kF64, 1, cols);
    for (int64_t c = 0; c < cols; ++c)
        gradient.set(0, c, 0);
    rmsNormWeightGradient(kCpu, dy.view(), x.view(), rstd.data(), parts.view(), gradient.data());
    expectGradient(weight, gradient, [&] {
        forward();
        return dotOf(out, dy);
    });
}

TEST(HeadNormRotary, weightGradientIsTheGradient) {
    const int64_t tokens = 4, heads = 3, headDim = 10, half = 3;
    TestMatrix x(DType::kF64, tokens, heads * headDim), weight(DType::kF64, 1, headDim), dy = x, out = x;
    TestMatrix rstd(DType::kF64, 1, tokens * heads), table(DType::kF64, tokens, 2 * half),
        parts(DType::kF64, 2, headDim);
    x.random(9, 2);
    weight.random(10, 2);
    dy.random(11);
    table.random(12);
    const auto forward = [&] {
        headNormRotary(kCpu, x.view(), heads, weight.data(), 1e-5, table.view(), out.view(), rstd.data());
    };
    forward();
    TestMatrix gradient(DType::kF64, 1, headDim);
    for (int64_t c = 0; c < headDim; ++c)
        gradient.set(0, c, 0);
    headNormWeightGradient(kCpu, dy.view(), x.view(), heads, rstd.data(), table.view(), parts.view(), gradient.data());
    expectGradient(weight, gradient, [&] {
        forward();
        return dotOf(out, dy);
    });
}

} // namespace
} // namespace roundpipe::kernels
