// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_matrix.h"

namespace roundpipe::kernels {
namespace {

const Target kCpu;

struct Case {
    DType dtype;
    std::vector<int32_t> starts;
    int64_t heads, kvHeads, dim, window;
};

struct Attention {
    AttentionShape shape;
    std::vector<int32_t> starts;
    DType dtype;
    int64_t tokens;
    TestMatrix q, k, v, out, logSumExp;

    explicit Attention(const Case& c)
        : shape{static_cast<int64_t>(c.starts.size()) - 1, 0, c.heads, c.kvHeads, c.dim, c.window,
                1 / std::sqrt(static_cast<double>(c.dim))}
        , starts(c.starts)
        , dtype(c.dtype)
        , tokens(c.starts.back())
        , q(c.dtype, tokens, c.heads * c.dim)
        , k(c.dtype, tokens, c.kvHeads * c.dim)
        , v(c.dtype, tokens, c.kvHeads * c.dim)
        , out(c.dtype, tokens, c.heads * c.dim)
        , logSumExp(statisticsType(c.dtype), 1, c.heads * tokens) {
        for (std::size_t s = 0; s + 1 < starts.size(); ++s)
            shape.maxLength = std::max<int64_t>(shape.maxLength, starts[s + 1] - starts[s]);
        q.random(70, 3);
        k.random(71, 3);
        v.random(72, 2);
    }
    void forward() {
        attention(kCpu, shape, starts.data(), q.view(), k.view(), v.view(), out.view(), logSumExp.data());
    }
    double score(int64_t h, int64_t i, int64_t j) const {
        double sum = 0;
        const int64_t g = h / (shape.numHeads / shape.numKvHeads);
        for (int64_t c = 0; c < shape.headDim; ++c)
            sum += q.get(i, h * shape.headDim + c) * k.get(j, g * shape.headDim + c);
        return sum * shape.scale;
    }
    bool sees(int64_t i, int64_t j) const {
        for (std::size_t s = 0; s + 1 < starts.size(); ++s)
            if (i >= starts[s] && i < starts[s + 1])
                return j >= starts[s] && j <= i && (shape.window == 0 || i - shape.window < j);
        return false;
    }
    // The plain formula for one query: expected output of head h, and its log of the sum of exponentials.
    std::vector<double> expected(int64_t h, int64_t i, double* lse) const {
        std::vector<double> result(static_cast<std::size_t>(shape.headDim));
        const int64_t g = h / (shape.numHeads / shape.numKvHeads);
        double total = 0, largest = -1e300;
        for (int64_t j = 0; j < tokens; ++j)
            if (sees(i, j)) largest = std::max(largest, score(h, i, j));
        for (int64_t j = 0; j < tokens; ++j) {
            if (!sees(i, j)) continue;
            const double weight = std::exp(score(h, i, j) - largest);
            total += weight;
            for (int64_t c = 0; c < shape.headDim; ++c)
                result[static_cast<std::size_t>(c)] += weight * v.get(j, g * shape.headDim + c);
        }
        for (double& value : result)
            value /= total;
        *lse = largest + std::log(total);
        return result;
    }
};

class AttentionCases : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionCases,
    ::testing::Values(Case{DType::kF64, {0, 70}, 2, 2, 16, 0}, Case{DType::kF32, {0, 33, 33, 34, 80}, 4, 2, 20, 0},
                      Case{DType::kF32, {0, 100, 131}, 3, 1, 64, 7}, Case{DType::kF64, {0, 90}, 2, 1, 5, 40},
                      Case{DType::kBF16, {0, 1, 50}, 2, 1, 32, 0}, Case{DType::kF16, {0, 64}, 2, 2, 24, 32},
                      Case{DType::kF32, {0, 40}, 1, 1, 256, 1}));

TEST_P(AttentionCases, forwardFollowsTheFormula) {
    Attention run(GetParam());
    run.forward();
    const double tolerance = 3 * roundingOf(run.dtype);
    for (int64_t h = 0; h < run.shape.numHeads; ++h)
        for (int64_t i = 0; i < run.tokens; ++i) {
            double lse = 0;
            const std::vector<double> expected = run.expected(h, i, &lse);
            EXPECT_NEAR(run.logSumExp.get(0, h * run.tokens + i), lse,
                        (run.dtype == DType::kF64 ? 1e-12 : 2e-6) * (1 + std::abs(lse)));
            for (int64_t c = 0; c < run.shape.headDim; ++c)
                ASSERT_NEAR(run.out.get(i, h * run.shape.headDim + c), expected[static_cast<std::size_t>(c)], tolerance)
                    << "head " << h << " query " << i << " column " << c;
        }
    EXPECT_TRUE(run.out.gapsUntouched());
    const TestMatrix first = run.out;
    run.forward();
    EXPECT_TRUE(run.out.sameBitsAs(first));
}

TEST_P(AttentionCases, backwardAgreesWithDouble) {
    Attention run(GetParam());
    Case wideCase = GetParam();
    wideCase.dtype = DType::kF64;
    Attention wide(wideCase);
    for (const auto& [from, to] : {std::pair{&run.q, &wide.q}, {&run.k, &wide.k}, {&run.v, &wide.v}})
        for (int64_t r = 0; r < from->rows(); ++r)
            for (int64_t c = 0; c < from->cols(); ++c)
                to->set(r, c, from->get(r, c));
    TestMatrix dOut(run.dtype, run.tokens, run.q.cols()), dOutWide(DType::kF64, run.tokens, run.q.cols());
    dOut.random(73);
    for (int64_t r = 0; r < dOut.rows(); ++r)
        for (int64_t c = 0; c < dOut.cols(); ++c)
            dOutWide.set(r, c, dOut.get(r, c));
    const auto backward = [](Attention& a, TestMatrix& gradient) {
        a.forward();
        TestMatrix dq(a.dtype, a.tokens, a.q.cols()), dk(a.dtype, a.tokens, a.k.cols());
        TestMatrix dv(a.dtype, a.tokens, a.k.cols());
        std::vector<std::byte> scratch(static_cast<std::size_t>(a.shape.numHeads * a.tokens) *
                                       sizeOf(statisticsType(a.dtype)));
        attentionBackward(kCpu, a.shape, a.starts.data(), a.q.view(), a.k.view(), a.v.view(), a.out.view(),
                          a.logSumExp.data(), gradient.view(), dq.view(), dk.view(), dv.view(), scratch.data());
        return std::vector<TestMatrix>{dq, dk, dv};
    };
    const std::vector<TestMatrix> narrowGradients = backward(run, dOut), wideGradients = backward(wide, dOutWide);
    for (std::size_t i = 0; i < 3; ++i)
        expectNear(narrowGradients[i], 12 * roundingOf(run.dtype),
                   [&](int64_t r, int64_t c) { return wideGradients[i].get(r, c); });
}

TEST(Attention, backwardIsTheGradient) {
    for (const int64_t window : {0, 5}) {
        Attention run({DType::kF64, {0, 3, 41}, 4, 2, 6, window});
        TestMatrix dOut(DType::kF64, run.tokens, run.q.cols()), dq = dOut, dk(DType::kF64, run.tokens, run.k.cols());
        TestMatrix dv = dk;
        dOut.random(74);
        std::vector<std::byte> scratch(static_cast<std::size_t>(run.shape.numHeads * run.tokens) * sizeof(double));
        run.forward();
        attentionBackward(kCpu, run.shape, run.starts.data(), run.q.view(), run.k.view(), run.v.view(), run.out.view(),
                          run.logSumExp.data(), dOut.view(), dq.view(), dk.view(), dv.view(), scratch.data());
        const auto objective = [&] {
            run.forward();
            return dotOf(run.out, dOut);
        };
        expectGradient(run.q, dq, objective);
        expectGradient(run.k, dk, objective);
        expectGradient(run.v, dv, objective);
    }
}

TEST(Attention, cachedQueriesGetTheBitsOfTheWholeSequence) {
    for (const int64_t window : {0, 9}) {
        Attention run({DType::kF64, {0, 77}, 4, 2, 16, window});
        run.forward();
        for (const int64_t numNew : {1, 5, 77}) {
            TestMatrix out(DType::kF64, numNew, run.q.cols());
            Matrix queries = run.q.view();
            queries.data = static_cast<double*>(queries.data) + (77 - numNew) * queries.pitch;
            queries.rows = numNew;
            const auto position = static_cast<int32_t>(77 - numNew);
            std::vector<double> sums(static_cast<std::size_t>(4 * numNew));
            attentionCached(kCpu, run.shape, &position, queries, run.k.view(), run.v.view(), out.view(), sums.data());
            expectNear(out, 1e-13, [&](int64_t r, int64_t c) { return run.out.get(77 - numNew + r, c); });
            for (int64_t h = 0; h < 4; ++h)
                for (int64_t r = 0; r < numNew; ++r)
                    EXPECT_NEAR(sums[static_cast<std::size_t>(h * numNew + r)],
                                run.logSumExp.get(0, h * 77 + 77 - numNew + r), 1e-13);
        }
    }
}

TEST(Attention, refusesHeadsThatAreTooWide) {
    Attention run({DType::kF32, {0, 2}, 1, 1, 257, 0});
    try {
        run.forward();
        FAIL() << "257 columns were accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    }
}

} // namespace
} // namespace roundpipe::kernels
