// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer needs token by token: linears of a single row, heads on their way into the cache, the next token.
#include "test_matrix.h"

#include <algorithm>
#include <array>
#include <limits>

namespace roundpipe::kernels {
namespace {

const Target kCpu;

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

// A linear with an adapter, of random numbers.
struct TestLinear {
    TestLinear(DType dtype, int64_t out, int64_t in, int64_t rank, uint64_t seed)
        : weight(dtype, out, in), bias(dtype, 1, out), b(dtype, out, rank), product(dtype, 1, rank) {
        weight.random(seed, 0.5);
        bias.random(seed + 1);
        b.random(seed + 2);
        product.random(seed + 3);
    }
    RowLinear whole() {
        RowLinear linear = bare();
        linear.bias = bias.data();
        linear.b = b.view();
        linear.product = product.data();
        linear.scale = 0.5;
        return linear;
    }
    RowLinear bare() { return {weight.view()}; }
    // Of the whole one where `isWhole`, for the input that `x` says.
    double y(int64_t row, bool isWhole, const std::function<double(int64_t)>& x) const {
        double sum = 0;
        for (int64_t c = 0; c < weight.cols(); ++c)
            sum += x(c) * weight.get(row, c);
        for (int64_t i = 0; isWhole && i < b.cols(); ++i)
            sum += 0.5 * b.get(row, i) * product.get(0, i);
        return isWhole ? sum + bias.get(0, row) : sum;
    }
    TestMatrix weight, bias, b, product;
};

TEST_P(EveryType, rowProductIsAllLinearsWithNormBiasAdapterAndResidual) {
    constexpr double kEps = 1e-5;
    for (const int64_t in : {3, 256, 777}) {
        TestMatrix x(GetParam(), 1, in), norm(GetParam(), 1, in), residual(GetParam(), 1, 12), out(GetParam(), 1, 12);
        x.random(1);
        norm.random(2, 2);
        residual.random(3);
        TestLinear first(GetParam(), 7, in, 4, 10), second(GetParam(), 1, in, 3, 20), third(GetParam(), 4, in, 35, 30);
        const RowLinear linears[] = {first.whole(), second.bare(), third.whole()};
        const Matrix added = residual.view();
        double squares = 0;
        for (int64_t c = 0; c < in; ++c)
            squares += x.get(0, c) * x.get(0, c);
        const double rstd = 1 / std::sqrt(squares / static_cast<double>(in) + kEps);
        for (const bool normed : {false, true}) {
            const auto input = [&](int64_t c) { return x.get(0, c) * (normed ? rstd * norm.get(0, c) : 1.0); };
            rowProduct(kCpu, {x.view(), normed ? norm.data() : nullptr, kEps}, linears, normed ? &added : nullptr,
                       out.view());
            // Rounded once, but for the norm, whose roundings meet a sum of many.
            expectNear(out, (normed ? 4 : 1) * roundingOf(GetParam()), [&](int64_t, int64_t c) {
                const double y = c < 7   ? first.y(c, true, input)
                                 : c < 8 ? second.y(c - 7, false, input)
                                         : third.y(c - 8, true, input);
                return normed ? y + residual.get(0, c) : y;
            });
        }
    }
}

TEST(RowProduct, normsAsRmsNormDoes) {
    for (const bool addsOne : {false, true}) {
        TestMatrix x(DType::kBF16, 1, 300), norm(DType::kBF16, 1, 300), normed(DType::kBF16, 1, 300);
        TestMatrix once(DType::kBF16, 1, 9), twice(DType::kBF16, 1, 9);
        x.random(1, 4);
        norm.random(2);
        TestLinear linear(DType::kBF16, 9, 300, 4, 10);
        rmsNorm(kCpu, x.view(), {norm.data(), addsOne}, 1e-6, normed.view(), nullptr);
        rowProduct(kCpu, {normed.view()}, std::array{linear.whole()}, nullptr, twice.view());
        rowProduct(kCpu, {x.view(), {norm.data(), addsOne}, 1e-6}, std::array{linear.whole()}, nullptr, once.view());
        EXPECT_TRUE(once.sameBitsAs(twice));
    }
}

TEST_P(EveryType, rowProductMayTakeTheResidualsPlace) {
    TestMatrix x(GetParam(), 1, 40), apart(GetParam(), 1, 6), inPlace(GetParam(), 1, 6), residual(GetParam(), 1, 6);
    x.random(1);
    residual.random(2);
    inPlace.random(2);
    TestLinear linear(GetParam(), 6, 40, 2, 10);
    const Matrix added = residual.view(), same = inPlace.view();
    rowProduct(kCpu, {x.view()}, std::array{linear.whole()}, &added, apart.view());
    rowProduct(kCpu, {x.view()}, std::array{linear.whole()}, &same, inPlace.view());
    EXPECT_TRUE(apart.sameBitsAs(inPlace));
}

TEST_P(EveryType, rowGluIsGluOfTheProducts) {
    for (const auto& [width, activation] :
         {std::pair<int64_t, Activation>(1, Activation::kSilu), {6, Activation::kSilu}, {33, Activation::kGeluTanh}}) {
        TestMatrix x(GetParam(), 1, 120), gateUp(GetParam(), 1, 2 * width, 0);
        TestMatrix expected(GetParam(), 1, width), out(GetParam(), 1, width);
        x.random(1);
        TestLinear gate(GetParam(), width, 120, 4, 10), up(GetParam(), width, 120, 4, 20);
        rowProduct(kCpu, {x.view()}, std::array{gate.whole(), up.whole()}, nullptr, gateUp.view());
        glu(kCpu, activation, columnsOf(gateUp.view(), 0, width), columnsOf(gateUp.view(), width, width),
            expected.view());
        rowGlu(kCpu, activation, {x.view()}, gate.whole(), up.whole(), out.view());
        EXPECT_TRUE(out.sameBitsAs(expected)) << width;
    }
}

TEST_P(EveryType, headsIntoCacheGivesTheBitsOfTableAndRotation) {
    constexpr int64_t kHeads = 3, kKvHeads = 2, kDim = 12, kHalf = 5, kTokens = 4, kRows = 9;
    const std::vector<int32_t> positions = {2, 3, 4, 8};
    const std::vector<double> frequencies = {1, 0.3, 0.1, 0.03, 0.01};
    for (const auto& [norm, addsOne] : {std::pair(false, false), {true, false}, {true, true}}) {
        TestMatrix qkv(GetParam(), kTokens, (kHeads + 2 * kKvHeads) * kDim),
            table(statisticsType(GetParam()), kTokens, 2 * kHalf);
        TestMatrix qNorm(GetParam(), 1, kDim), kNorm(GetParam(), 1, kDim), queries(GetParam(), kTokens, kHeads * kDim);
        TestMatrix keys(GetParam(), kRows, kKvHeads * kDim), values = keys, before = keys, q = queries;
        TestMatrix k(GetParam(), kTokens, kKvHeads * kDim);
        qkv.random(1, 2);
        qNorm.random(2);
        kNorm.random(3);
        CachedHeads heads{kHeads,
                          kKvHeads,
                          kDim,
                          {norm ? qNorm.data() : nullptr, addsOne},
                          {norm ? kNorm.data() : nullptr, addsOne},
                          1e-6,
                          frequencies,
                          1.5};
        headsIntoCache(kCpu, heads, qkv.view(), positions.data(), queries.view(), keys.view(), values.view());

        rotaryTable(kCpu, positions.data(), frequencies.data(), kHalf, 1.5, table.view());
        headNormRotary(kCpu, columnsOf(qkv.view(), 0, kHeads * kDim), kHeads, heads.qNorm, 1e-6, table.view(), q.view(),
                       nullptr);
        headNormRotary(kCpu, columnsOf(qkv.view(), kHeads * kDim, kKvHeads * kDim), kKvHeads, heads.kNorm, 1e-6,
                       table.view(), k.view(), nullptr);
        EXPECT_TRUE(queries.sameBitsAs(q));
        for (int64_t row = 0; row < kRows; ++row) {
            const auto token = std::ranges::find(positions, static_cast<int32_t>(row)) - positions.begin();
            for (int64_t c = 0; c < kKvHeads * kDim; ++c) {
                const bool isNew = token < kTokens;
                EXPECT_EQ(keys.get(row, c), isNew ? k.get(token, c) : before.get(row, c));
                EXPECT_EQ(values.get(row, c),
                          isNew ? qkv.get(token, (kHeads + kKvHeads) * kDim + c) : before.get(row, c));
            }
        }
        EXPECT_TRUE(keys.gapsUntouched() && values.gapsUntouched());
    }
}

TEST_P(EveryType, nextTokenIsTheFirstOfTheLargestLogits) {
    TestMatrix logits(GetParam(), 1, 500);
    logits.random(1, 8);
    logits.set(0, 77, std::numeric_limits<double>::quiet_NaN());
    for (const int64_t at : {499, 300, 0}) {
        logits.set(0, at, 9);
        int32_t id = -1, position = 12;
        nextToken(kCpu, logits.view(), &id, &position);
        EXPECT_EQ(id, at);
        EXPECT_EQ(position, 13);
    }
}

TEST(NextToken, isTheFirstWhereNoneIsLargerThanNothing) {
    TestMatrix logits(DType::kF32, 1, 5);
    for (int64_t c = 0; c < 5; ++c)
        logits.set(0, c,
                   c % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : -std::numeric_limits<double>::infinity());
    int32_t id = 7, position = 0;
    nextToken(kCpu, logits.view(), &id, &position);
    EXPECT_EQ(id, 0);
}

TEST(Kernels, answersRefuseWhatDoesNotFit) {
    TestMatrix x(DType::kF32, 1, 8), out(DType::kF32, 1, 5), wide(DType::kF32, 2, 8);
    TestLinear linear(DType::kF32, 5, 8, 2, 1), other(DType::kF32, 5, 9, 2, 1), half(DType::kBF16, 5, 8, 2, 1);
    const auto refuses = [&](const Matrix& input, const RowLinear& given) {
        EXPECT_THROW(rowProduct(kCpu, {input}, std::array{given}, nullptr, out.view()), Error);
    };
    refuses(x.view(), other.whole());
    refuses(x.view(), half.whole());
    refuses(wide.view(), linear.whole());
    RowLinear alone = linear.whole();
    alone.product = nullptr;
    refuses(x.view(), alone);
    EXPECT_THROW(rowProduct(kCpu, {x.view()}, {}, nullptr, out.view()), Error);
    EXPECT_THROW(rowGlu(kCpu, Activation::kSilu, {x.view()}, linear.whole(), other.whole(), out.view()), Error);
    TestMatrix qkv(DType::kF32, 1, 8), queries(DType::kF32, 1, 4), keys(DType::kF32, 3, 2), odd(DType::kF32, 3, 3);
    const std::vector<double> frequencies = {1};
    const CachedHeads heads{2, 1, 2, nullptr, nullptr, 1e-6, frequencies, 1};
    const int32_t position = 0;
    headsIntoCache(kCpu, heads, qkv.view(), &position, queries.view(), keys.view(), keys.view());
    EXPECT_THROW(headsIntoCache(kCpu, heads, qkv.view(), &position, queries.view(), odd.view(), odd.view()), Error);
}

} // namespace
} // namespace roundpipe::kernels
