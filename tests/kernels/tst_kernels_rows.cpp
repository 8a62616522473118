// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_matrix.h"

namespace roundpipe::kernels {
namespace {

const Target kCpu;

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

double meanSquare(const TestMatrix& x, int64_t row, int64_t first, int64_t count) {
    double sum = 0;
    for (int64_t c = first; c < first + count; ++c)
        sum += x.get(row, c) * x.get(row, c);
    return sum / static_cast<double>(count);
}

TEST_P(EveryType, embedTakesRowsAndMarksUnknownIds) {
    TestMatrix table(GetParam(), 7, 13), out(GetParam(), 4, 13);
    table.random(1);
    const int32_t ids[] = {6, 0, 7, -1};
    embed(kCpu, table.view(), ids, out.view());
    for (int64_t c = 0; c < 13; ++c) {
        EXPECT_EQ(out.get(0, c), table.get(6, c));
        EXPECT_EQ(out.get(1, c), table.get(0, c));
        EXPECT_TRUE(std::isnan(out.get(2, c)));
        EXPECT_TRUE(std::isnan(out.get(3, c)));
    }
    EXPECT_TRUE(out.gapsUntouched());
}

TEST_P(EveryType, rmsNormFollowsTheFormula) {
    for (const int64_t cols : {1, 15, 256, 777}) {
        TestMatrix x(GetParam(), 3, cols), weight(GetParam(), 1, cols), out(GetParam(), 3, cols);
        TestMatrix rstd(statisticsType(GetParam()), 1, 3);
        x.random(2, 3);
        weight.random(3, 2);
        rmsNorm(kCpu, x.view(), weight.data(), 1e-5, out.view(), rstd.data());
        expectNear(out, 3 * roundingOf(GetParam()), [&](int64_t r, int64_t c) {
            return x.get(r, c) / std::sqrt(meanSquare(x, r, 0, cols) + 1e-5) * weight.get(0, c);
        });
        for (int64_t r = 0; r < 3; ++r)
            EXPECT_NEAR(rstd.get(0, r) * std::sqrt(meanSquare(x, r, 0, cols) + 1e-5), 1, 1e-6);
        TestMatrix again(GetParam(), 3, cols);
        rmsNorm(kCpu, x.view(), weight.data(), 1e-5, again.view(), nullptr);
        EXPECT_TRUE(again.sameBitsAs(out));
    }
}

// Gemma's: by 1 + w, and nothing is rounded before that.
TEST(RmsNorm, addsOneToTheWeightAndRoundsOnceWhereItIsAskedTo) {
    TestMatrix x(DType::kBF16, 1, 64), weight(DType::kBF16, 1, 64), out(DType::kBF16, 1, 64);
    x.random(4);
    weight.random(5);
    rmsNorm(kCpu, x.view(), {weight.data(), true}, 1e-6, out.view(), nullptr);
    const float rstd = 1.0f / std::sqrt(static_cast<float>(meanSquare(x, 0, 0, 64)) + 1e-6f);
    for (int64_t c = 0; c < 64; ++c) {
        const float factor = 1.0f + static_cast<float>(weight.get(0, c));
        const float once = static_cast<float>(x.get(0, c)) * rstd * factor;
        EXPECT_EQ(out.get(0, c), static_cast<double>(rounded<BF16>(once)));
    }
}

TEST(RmsNorm, roundsBeforeTheWeightAsHuggingFaceDoes) {
    TestMatrix x(DType::kBF16, 1, 64), weight(DType::kBF16, 1, 64), out(DType::kBF16, 1, 64);
    x.random(4);
    weight.random(5);
    rmsNorm(kCpu, x.view(), weight.data(), 1e-6, out.view(), nullptr);
    const float rstd = 1.0f / std::sqrt(static_cast<float>(meanSquare(x, 0, 0, 64)) + 1e-6f);
    for (int64_t c = 0; c < 64; ++c) {
        const float normed = rounded<BF16>(static_cast<float>(x.get(0, c)) * rstd);
        EXPECT_EQ(out.get(0, c), static_cast<double>(rounded<BF16>(normed * static_cast<float>(weight.get(0, c)))));
    }
}

TEST(RmsNorm, backwardOfOnePlusTheWeightIsTheGradient) {
    TestMatrix x(DType::kF64, 2, 19), weight(DType::kF64, 1, 19), out(DType::kF64, 2, 19), dy(DType::kF64, 2, 19);
    TestMatrix dx(DType::kF64, 2, 19), rstd(DType::kF64, 1, 2);
    x.random(6, 2);
    weight.random(7, 2);
    dy.random(8);
    const auto objective = [&] {
        rmsNorm(kCpu, x.view(), {weight.data(), true}, 1e-5, out.view(), rstd.data());
        return dotOf(out, dy);
    };
    objective();
    rmsNormBackward(kCpu, dy.view(), x.view(), {weight.data(), true}, rstd.data(), nullptr, dx.view());
    expectGradient(x, dx, objective);
}

TEST(RmsNorm, backwardIsTheGradientAndAddsTheResidual) {
    const int64_t rows = 2, cols = 19;
    TestMatrix x(DType::kF64, rows, cols), weight(DType::kF64, 1, cols), out(DType::kF64, rows, cols);
    TestMatrix dy(DType::kF64, rows, cols), dx(DType::kF64, rows, cols), rstd(DType::kF64, 1, rows);
    x.random(6, 2);
    weight.random(7, 2);
    dy.random(8);
    const auto forward = [&] { rmsNorm(kCpu, x.view(), weight.data(), 1e-5, out.view(), rstd.data()); };
    forward();
    rmsNormBackward(kCpu, dy.view(), x.view(), weight.data(), rstd.data(), nullptr, dx.view());
    expectGradient(x, dx, [&] {
        forward();
        return dotOf(out, dy);
    });
    forward();
    TestMatrix residual(DType::kF64, rows, cols);
    residual.random(9);
    Matrix residualView = residual.view();
    TestMatrix sum = dy; // dx may be dy
    rmsNormBackward(kCpu, sum.view(), x.view(), weight.data(), rstd.data(), &residualView, sum.view());
    expectNear(sum, 1e-12, [&](int64_t r, int64_t c) { return dx.get(r, c) + residual.get(r, c); });
    rmsNormBackward(kCpu, dy.view(), x.view(), weight.data(), rstd.data(), &residualView, residual.view());
    EXPECT_EQ(residual.get(1, 3), sum.get(1, 3));
}

TEST_P(EveryType, rotaryTableHoldsCosinesThenSines) {
    const DType type = statisticsType(GetParam());
    const int32_t positions[] = {0, 5, 2047};
    const double frequencies[] = {1.0, 0.125, 0x1p-10};
    TestMatrix table(type, 3, 6);
    rotaryTable(kCpu, positions, frequencies, 3, 1.5, table.view());
    expectNear(table, roundingOf(type), [&](int64_t r, int64_t c) {
        const double angle = positions[r] * frequencies[c % 3];
        return 1.5 * (c < 3 ? std::cos(angle) : std::sin(angle));
    });
}

enum class HeadNorm { kNone, kPlain, kPlusOne };
constexpr HeadNorm kHeadNorms[] = {HeadNorm::kNone, HeadNorm::kPlain, HeadNorm::kPlusOne};

// Heads of 10 columns of which 6 turn.
struct Heads {
    DType dtype;
    TestMatrix x{dtype, 3, 20}, weight{dtype, 1, 10}, table{statisticsType(dtype), 3, 6}, out{dtype, 3, 20};
    TestMatrix rstd{statisticsType(dtype), 1, 6};

    explicit Heads(DType type) : dtype(type) {
        const int32_t positions[] = {0, 1, 9};
        const double frequencies[] = {1.0, 0.3, 0.01};
        rotaryTable(kCpu, positions, frequencies, 3, 1.25, table.view());
        x.random(20, 2);
        weight.random(21, 2);
    }
    NormWeight weightOf(HeadNorm norm) {
        return {norm == HeadNorm::kNone ? nullptr : weight.data(), norm == HeadNorm::kPlusOne};
    }
    void forward(HeadNorm norm) {
        headNormRotary(kCpu, x.view(), 2, weightOf(norm), 1e-6, table.view(), out.view(),
                       norm == HeadNorm::kNone ? nullptr : rstd.data());
    }
    double normed(int64_t row, int64_t col, HeadNorm norm) const {
        if (norm == HeadNorm::kNone) return x.get(row, col);
        const double rms = std::sqrt(meanSquare(x, row, col / 10 * 10, 10) + 1e-6);
        return x.get(row, col) / rms * (weight.get(0, col % 10) + (norm == HeadNorm::kPlusOne ? 1 : 0));
    }
    double expected(int64_t row, int64_t col, HeadNorm norm) const {
        const int64_t i = col % 10, head = col - i;
        if (i >= 6) return normed(row, col, norm);
        const double partner = i < 3 ? -normed(row, head + i + 3, norm) : normed(row, head + i - 3, norm);
        return normed(row, col, norm) * table.get(row, i % 3) + partner * table.get(row, 3 + i % 3);
    }
};

TEST_P(EveryType, headNormRotaryFollowsTheFormula) {
    for (const HeadNorm norm : kHeadNorms) {
        Heads heads(GetParam());
        heads.forward(norm);
        expectNear(heads.out, 8 * roundingOf(GetParam()),
                   [&](int64_t r, int64_t c) { return heads.expected(r, c, norm); });
    }
    Heads heads(GetParam());
    heads.forward(HeadNorm::kNone);
    headNormRotary(kCpu, heads.x.view(), 2, nullptr, 0, heads.table.view(), heads.x.view(), nullptr);
    EXPECT_TRUE(heads.x.sameBitsAs(heads.out));
}

TEST(HeadNormRotary, backwardIsTheGradient) {
    for (const HeadNorm norm : kHeadNorms) {
        Heads heads(DType::kF64);
        TestMatrix dy(DType::kF64, 3, 20), dx(DType::kF64, 3, 20);
        dy.random(22);
        heads.forward(norm);
        headNormRotaryBackward(kCpu, dy.view(), heads.x.view(), 2, heads.weightOf(norm), heads.rstd.data(),
                               heads.table.view(), dx.view());
        expectGradient(heads.x, dx, [&] {
            heads.forward(norm);
            return dotOf(heads.out, dy);
        });
        heads.forward(norm);
        headNormRotaryBackward(kCpu, dy.view(), heads.x.view(), 2, heads.weightOf(norm), heads.rstd.data(),
                               heads.table.view(), dy.view());
        EXPECT_TRUE(dy.sameBitsAs(dx));
    }
}

TEST_P(EveryType, sigmoidFollowsTheFormulaAlsoFarFromZero) {
    for (const double scale : {4.0, 60.0}) {
        TestMatrix x(GetParam(), 3, 301), out(GetParam(), 3, 301);
        x.random(28, scale);
        sigmoid(kCpu, x.view(), out.view());
        expectNear(out, 2 * roundingOf(GetParam()),
                   [&](int64_t r, int64_t c) { return 1 / (1 + std::exp(-x.get(r, c))); });
        EXPECT_TRUE(out.gapsUntouched());
        sigmoid(kCpu, x.view(), x.view());
        EXPECT_TRUE(x.sameBitsAs(out));
    }
}

TEST(Sigmoid, backwardIsTheGradientAndMayWriteOverIt) {
    TestMatrix x(DType::kF64, 21, 1), out(DType::kF64, 21, 1), dOut(DType::kF64, 21, 1), dX(DType::kF64, 21, 1);
    x.random(29, 3);
    dOut.random(35);
    const auto objective = [&] {
        sigmoid(kCpu, x.view(), out.view());
        return dotOf(out, dOut);
    };
    objective();
    sigmoidBackward(kCpu, dOut.view(), out.view(), dX.view());
    expectGradient(x, dX, objective);
    objective();
    sigmoidBackward(kCpu, dOut.view(), out.view(), dOut.view());
    EXPECT_TRUE(dOut.sameBitsAs(dX));
}

// One expert for all tokens is said without numbers, or by those of the tokens.
TEST(Routing, withoutNumbersIsThatOfTheTokens) {
    constexpr int64_t kTokens = 5, kCols = 67;
    std::vector<int32_t> choices(kTokens, 0), starts = {0, kTokens}, same = {0, 1, 2, 3, 4};
    const Routing none{kTokens, 1, 1}, numbered{kTokens, 1, 1, choices.data(), starts.data(), same.data(), same.data()};
    const auto random = [](int64_t cols, uint64_t seed) {
        TestMatrix matrix(DType::kF32, kTokens, cols);
        matrix.random(seed);
        return matrix;
    };
    TestMatrix weights = random(1, 50);
    const auto results = [&](const Routing& routing) {
        std::vector<TestMatrix> all;
        for (const uint64_t seed : {51, 52, 53, 54, 55})
            all.push_back(random(kCols, seed));
        all.push_back(random(1, 56));
        const Matrix factors = weights.view(), base = all[0].view();
        combineRows(kCpu, &base, all[1].view(), routing, &factors, all[0].view());
        scaleRows(kCpu, all[1].view(), routing, factors);
        expertSwiGluBackward(kCpu, all[2].view(), all[3].view(), all[4].view(), routing, factors, all[3].view(),
                             all[4].view(), nullptr, all[5].view());
        return all;
    };
    const auto without = results(none), with = results(numbered);
    for (std::size_t i = 0; i < with.size(); ++i)
        EXPECT_TRUE(without[i].sameBitsAs(with[i])) << i;
    const Routing two{kTokens, 2, 1};
    EXPECT_THROW(scaleRows(kCpu, random(kCols, 51).view(), two, weights.view()), Error);
}

double silu(double x) {
    return x / (1 + std::exp(-x));
}

double geluTanh(double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

TEST_P(EveryType, gluFollowsTheFormulaAlsoFarFromZero) {
    for (const auto& [activation, formula] : {std::pair(Activation::kSilu, &silu), {Activation::kGeluTanh, &geluTanh}})
        for (const double scale : {4.0, 60.0}) {
            TestMatrix gate(GetParam(), 3, 301), up(GetParam(), 3, 301), out(GetParam(), 3, 301);
            gate.random(30, scale);
            up.random(31, 2);
            glu(kCpu, activation, gate.view(), up.view(), out.view());
            expectNear(out, 3 * roundingOf(GetParam()),
                       [&](int64_t r, int64_t c) { return formula(gate.get(r, c)) * up.get(r, c); });
        }
}

class EveryActivation : public ::testing::TestWithParam<Activation> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryActivation, ::testing::Values(Activation::kSilu, Activation::kGeluTanh));

TEST_P(EveryActivation, backwardIsTheGradientMayWriteOverItsInputsAndGivesTheProductAgain) {
    TestMatrix gate(DType::kF64, 2, 21), up(DType::kF64, 2, 21), out(DType::kF64, 2, 21), dOut(DType::kF64, 2, 21);
    TestMatrix dGate(DType::kF64, 2, 21), dUp(DType::kF64, 2, 21), act(DType::kF64, 2, 21);
    gate.random(32, 3);
    up.random(33, 2);
    dOut.random(34);
    Matrix actView = act.view();
    gluBackward(kCpu, GetParam(), dOut.view(), gate.view(), up.view(), dGate.view(), dUp.view(), &actView);
    const auto objective = [&] {
        glu(kCpu, GetParam(), gate.view(), up.view(), out.view());
        return dotOf(out, dOut);
    };
    expectGradient(gate, dGate, objective);
    expectGradient(up, dUp, objective);
    objective();
    EXPECT_TRUE(act.sameBitsAs(out));
    const Matrix actInPlace = dOut.view();
    gluBackward(kCpu, GetParam(), dOut.view(), gate.view(), up.view(), gate.view(), up.view(), &actInPlace);
    EXPECT_TRUE(dOut.sameBitsAs(act));
    EXPECT_TRUE(gate.sameBitsAs(dGate));
    EXPECT_TRUE(up.sameBitsAs(dUp));
}

TEST_P(EveryType, sumsRoundOnce) {
    TestMatrix a(GetParam(), 3, 259), b(GetParam(), 3, 259), out(GetParam(), 3, 259);
    a.random(40);
    b.random(41);
    add(kCpu, a.view(), b.view(), out.view());
    expectNear(out, roundingOf(GetParam()), [&](int64_t r, int64_t c) { return a.get(r, c) + b.get(r, c); });
    add(kCpu, a.view(), b.view(), a.view());
    EXPECT_TRUE(a.sameBitsAs(out));
}

TEST_P(EveryType, convertReachesEveryOtherType) {
    for (const DType other : kFloatingTypes) {
        TestMatrix from(GetParam(), 3, 270), to(other, 3, 270);
        from.random(50);
        convert(kCpu, from.view(), -0.75, to.view());
        expectNear(to, roundingOf(other) + 1e-7, [&](int64_t r, int64_t c) { return -0.75 * from.get(r, c); });
    }
}

TEST(Kernels, convertToTheSameTypeKeepsBits) {
    TestMatrix from(DType::kF64, 2, 300), to(DType::kF64, 2, 300);
    from.random(52);
    convert(kCpu, from.view(), 1, to.view());
    EXPECT_TRUE(to.sameBitsAs(from));
}

TEST(Kernels, noRowsAreFine) {
    TestMatrix empty(DType::kF32, 0, 8), weight(DType::kF32, 1, 8);
    EXPECT_NO_THROW(rmsNorm(kCpu, empty.view(), weight.data(), 1e-6, empty.view(), nullptr));
    EXPECT_NO_THROW(add(kCpu, empty.view(), empty.view(), empty.view()));
    EXPECT_NO_THROW(crossEntropy(kCpu, empty.view(), nullptr, 1, nullptr));
    double total = 3;
    sumInto(kCpu, nullptr, DType::kF32, 0, &total);
    EXPECT_EQ(total, 3);
}

TEST(Kernels, refuseWhatDoesNotFit) {
    TestMatrix a(DType::kF32, 2, 8), b(DType::kF32, 2, 9), half(DType::kBF16, 2, 8);
    EXPECT_THROW(add(kCpu, a.view(), b.view(), a.view()), Error);
    EXPECT_THROW(add(kCpu, a.view(), half.view(), a.view()), Error);
    Matrix integers = a.view();
    integers.dtype = DType::kI32;
    try {
        add(kCpu, integers, integers, integers);
        FAIL() << "integers were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    }
}

} // namespace
} // namespace roundpipe::kernels
