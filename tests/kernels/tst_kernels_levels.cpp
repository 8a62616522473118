// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernel_table.h"
#include "test_matrix.h"

namespace roundpipe::kernels {
namespace {

#ifdef __x86_64__
class EveryLevel : public ::testing::TestWithParam<DType> {
protected:
    void SetUp() override {
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
            GTEST_SKIP() << "this processor runs only the plain x86-64 code";
    }
};

INSTANTIATE_TEST_SUITE_P(Kernels, EveryLevel, ::testing::Values(DType::kF32, DType::kBF16, DType::kF16), nameOfType);

TEST_P(EveryLevel, normAndActivationGiveTheSameBits) {
    TestMatrix x(GetParam(), 5, 777), y(GetParam(), 5, 777), z(GetParam(), 5, 777), weight(GetParam(), 1, 777);
    x.random(1, 6);
    y.random(2, 3);
    z.random(3);
    weight.random(4);
    std::vector<TestMatrix> results[2];
    const KernelTable* tables[] = {&baseline::kTable, &v3::kTable};
    for (int i = 0; i < 2; ++i) {
        TestMatrix out(GetParam(), 5, 777), gateGradient = out, upGradient = out, backward = out;
        TestMatrix rstd(DType::kF32, 1, 5);
        tables[i]->rmsNorm({}, x.view(), weight.data(), 1e-6, out.view(), rstd.data());
        tables[i]->rmsNormBackward({}, z.view(), x.view(), weight.data(), rstd.data(), nullptr, backward.view());
        tables[i]->gluBackward({}, Activation::kSilu, z.view(), x.view(), y.view(), gateGradient.view(),
                               upGradient.view(), nullptr);
        results[i] = {out, rstd, backward, gateGradient, upGradient};
    }
    for (std::size_t r = 0; r < results[0].size(); ++r)
        EXPECT_TRUE(results[0][r].sameBitsAs(results[1][r])) << r;
}

TEST_P(EveryLevel, attentionGivesTheSameBits) {
    const int32_t starts[] = {0, 90};
    const AttentionShape shape{1, 90, 2, 1, 40, 50, 0.2};
    TestMatrix q(GetParam(), 90, 80), k(GetParam(), 90, 40), v(GetParam(), 90, 40);
    q.random(5, 2);
    k.random(6, 2);
    v.random(7, 2);
    TestMatrix first(GetParam(), 90, 80), second = first;
    baseline::kTable.attention({}, shape, starts, q.view(), k.view(), v.view(), first.view(), nullptr);
    v3::kTable.attention({}, shape, starts, q.view(), k.view(), v.view(), second.view(), nullptr);
    EXPECT_TRUE(first.sameBitsAs(second));
}
#else
TEST(EveryLevel, hasOnlyTheBaseline) {
    GTEST_SKIP() << "not an x86-64 processor";
}
#endif

} // namespace
} // namespace roundpipe::kernels
