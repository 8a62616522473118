// SPDX-License-Identifier: GPL-3.0-or-later
// What gpt-oss alone has: its gated unit, biases of experts, sinks of attention.
#include "test_matrix.h"

#include <algorithm>
#include <limits>

namespace roundpipe::kernels {
namespace {

const Target kCpu;
constexpr ClampedGate kGate{1.702, 2};

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

double unit(double gate, double up) {
    const double g = std::min(gate, kGate.limit), u = std::clamp(up, -kGate.limit, kGate.limit);
    return g / (1 + std::exp(-kGate.slope * g)) * (u + 1);
}

TEST_P(EveryType, clampedGluFollowsTheFormulaOnBothSidesOfTheLimit) {
    for (const int64_t cols : {1, 301}) {
        TestMatrix gateUp(GetParam(), 3, 2 * cols), out(GetParam(), 3, cols);
        gateUp.random(30, 5);
        clampedGlu(kCpu, kGate, gateUp.view(), out.view());
        expectNear(out, 4 * roundingOf(GetParam()),
                   [&](int64_t r, int64_t c) { return unit(gateUp.get(r, 2 * c), gateUp.get(r, 2 * c + 1)); });
    }
}

// Two tokens, of three experts two each.
struct Routed {
    std::vector<int32_t> choices = {0, 2, 1, 2}, starts = {0, 1, 2, 4}, rows = {0, 2, 1, 3}, sources = {0, 2, 1, 3};
    Routing routing() { return {2, 3, 2, choices.data(), starts.data(), rows.data(), sources.data()}; }
    int32_t expertOf(int64_t row) const {
        return choices[static_cast<std::size_t>(sources[static_cast<std::size_t>(row)])];
    }
};

TEST_P(EveryType, addExpertBiasTakesThatOfTheRowsExpert) {
    Routed routed;
    TestMatrix x(GetParam(), 4, 19), biases(GetParam(), 3, 19);
    x.random(31);
    biases.random(32);
    const TestMatrix before = x;
    addExpertBias(kCpu, x.view(), routed.routing(), biases.view());
    expectNear(x, roundingOf(GetParam()),
               [&](int64_t r, int64_t c) { return before.get(r, c) + biases.get(routed.expertOf(r), c); });
}

// The objective is what combineRows gives of W act + bias: W is what dAct is of dRows.
TEST(ExpertClampedGlu, backwardIsTheGradientMayWriteOverItsInputsAndGivesTheProductAgain) {
    constexpr int64_t kActs = 5, kOut = 4;
    Routed routed;
    TestMatrix gateUp(DType::kF64, 4, 2 * kActs), w(DType::kF64, kOut, kActs), biases(DType::kF64, 3, kOut);
    TestMatrix weights(DType::kF64, 2, 2), dOut(DType::kF64, 2, kOut), act(DType::kF64, 4, kActs);
    gateUp.random(33, 4);
    w.random(34);
    biases.random(35);
    weights.random(36);
    dOut.random(37);
    const auto objective = [&] {
        clampedGlu(kCpu, kGate, gateUp.view(), act.view());
        TestMatrix routedOut(DType::kF64, 4, kOut), out(DType::kF64, 2, kOut);
        for (int64_t r = 0; r < 4; ++r)
            for (int64_t o = 0; o < kOut; ++o) {
                double sum = 0;
                for (int64_t c = 0; c < kActs; ++c)
                    sum += w.get(o, c) * act.get(r, c);
                routedOut.set(r, o, sum);
            }
        addExpertBias(kCpu, routedOut.view(), routed.routing(), biases.view());
        const Matrix factors = weights.view();
        combineRows(kCpu, nullptr, routedOut.view(), routed.routing(), &factors, out.view());
        return dotOf(out, dOut);
    };
    TestMatrix dRows(DType::kF64, 4, kOut), dAct(DType::kF64, 4, kActs), dGateUp(DType::kF64, 4, 2 * kActs);
    TestMatrix again(DType::kF64, 4, kActs), dWeights(DType::kF64, 2, 2);
    gatherRows(kCpu, dOut.view(), routed.routing(), dRows.view());
    for (int64_t r = 0; r < 4; ++r)
        for (int64_t c = 0; c < kActs; ++c) {
            double sum = 0;
            for (int64_t o = 0; o < kOut; ++o)
                sum += w.get(o, c) * dRows.get(r, o);
            dAct.set(r, c, sum);
        }
    const Matrix actAgain = again.view();
    expertClampedGluBackward(kCpu, kGate, dAct.view(), gateUp.view(), routed.routing(), weights.view(), dRows.view(),
                             biases.view(), dGateUp.view(), &actAgain, dWeights.view());
    expectGradient(gateUp, dGateUp, objective);
    expectGradient(weights, dWeights, objective);
    objective();
    for (int64_t r = 0; r < 4; ++r) {
        const int32_t choice = routed.sources[static_cast<std::size_t>(r)];
        for (int64_t c = 0; c < kActs; ++c)
            EXPECT_EQ(again.get(r, c), act.get(r, c) * weights.get(choice / 2, choice % 2));
    }
    const Matrix inPlace = dAct.view();
    expertClampedGluBackward(kCpu, kGate, dAct.view(), gateUp.view(), routed.routing(), weights.view(), dRows.view(),
                             biases.view(), gateUp.view(), &inPlace, dWeights.view());
    EXPECT_TRUE(gateUp.sameBitsAs(dGateUp));
    EXPECT_TRUE(dAct.sameBitsAs(again));
}

// A softmax over one logit more, whose value is 0.
TEST_P(EveryType, addSinksIsASoftmaxWithOneMoreLogit) {
    constexpr int64_t kTokens = 3, kHeads = 2, kDim = 5;
    for (const bool byToken : {false, true}) {
        const DType statistics = statisticsType(GetParam());
        TestMatrix sinks(GetParam(), 1, kHeads), out(GetParam(), kTokens, kHeads * kDim);
        TestMatrix sums(statistics, 1, kTokens * kHeads);
        sinks.random(38, 6);
        out.random(39);
        sums.random(40, 6);
        sinks.set(0, 1, 40); // far above: the head gives next to nothing
        const TestMatrix before = out, sumsBefore = sums;
        addSinks(kCpu, sinks.data(), kHeads, byToken, sums.data(), out.view());
        const auto placeOf = [&](int64_t t, int64_t h) { return byToken ? t * kHeads + h : h * kTokens + t; };
        const auto expected = [&](int64_t t, int64_t h) {
            const double own = sumsBefore.get(0, placeOf(t, h)), sink = sinks.get(0, h), most = std::max(own, sink);
            return most + std::log(std::exp(own - most) + std::exp(sink - most));
        };
        for (int64_t t = 0; t < kTokens; ++t)
            for (int64_t h = 0; h < kHeads; ++h)
                EXPECT_NEAR(sums.get(0, placeOf(t, h)), expected(t, h), 50 * roundingOf(statistics));
        expectNear(out, 3 * roundingOf(GetParam()), [&](int64_t t, int64_t c) {
            return before.get(t, c) * std::exp(sumsBefore.get(0, placeOf(t, c / kDim)) - expected(t, c / kDim));
        });
    }
}

// attentionBackward() of what addSinks() makes is that of attention with them.
TEST(AddSinks, keepsTheBackwardOfAttentionTheGradient) {
    constexpr int64_t kTokens = 7, kDim = 4;
    AttentionShape shape{1, kTokens, 2, 1, kDim, 3, 0.5};
    const std::vector<int32_t> starts = {0, kTokens};
    TestMatrix q(DType::kF64, kTokens, 2 * kDim), k(DType::kF64, kTokens, kDim), v(DType::kF64, kTokens, kDim);
    TestMatrix out(DType::kF64, kTokens, 2 * kDim), dOut(DType::kF64, kTokens, 2 * kDim), sinks(DType::kF64, 1, 2);
    TestMatrix dq(DType::kF64, kTokens, 2 * kDim), dk(DType::kF64, kTokens, kDim), dv(DType::kF64, kTokens, kDim);
    std::vector<double> sums(2 * kTokens), scratch(2 * kTokens);
    uint64_t seed = 41;
    for (TestMatrix* matrix : {&q, &k, &v, &dOut, &sinks})
        matrix->random(seed++, 2);
    const auto objective = [&] {
        attention(kCpu, shape, starts.data(), q.view(), k.view(), v.view(), out.view(), sums.data());
        addSinks(kCpu, sinks.data(), 2, false, sums.data(), out.view());
        return dotOf(out, dOut);
    };
    objective();
    attentionBackward(kCpu, shape, starts.data(), q.view(), k.view(), v.view(), out.view(), sums.data(), dOut.view(),
                      dq.view(), dk.view(), dv.view(), scratch.data());
    expectGradient(q, dq, objective);
    expectGradient(k, dk, objective);
    expectGradient(v, dv, objective);
}

TEST(ClampedKernels, refuseWhatDoesNotFit) {
    TestMatrix gateUp(DType::kF32, 2, 6), act(DType::kF32, 2, 4), biases(DType::kF32, 2, 6);
    EXPECT_THROW(clampedGlu(kCpu, kGate, gateUp.view(), act.view()), Error);
    EXPECT_THROW(clampedGlu(kCpu, {1, 0}, gateUp.view(), rowsOf(act.view(), 0, 2)), Error);
    Routed routed;
    EXPECT_THROW(addExpertBias(kCpu, gateUp.view(), routed.routing(), biases.view()), Error);
    EXPECT_THROW(addSinks(kCpu, nullptr, 2, false, act.data(), gateUp.view()), Error);
}

} // namespace
} // namespace roundpipe::kernels
