// SPDX-License-Identifier: GPL-3.0-or-later
// Grouped products, as a GPU makes them, against expert by expert: here by the twins of its kernels.
#include "model/compute/expert_linears.h"

#include "base/error.h"
#include "blocks/sparse_block/sizes.h"
#include "layer_case.h"
#include "reference.h"

#include <gtest/gtest.h>

namespace roundpipe::testing {
namespace {

constexpr int64_t kRows = 23;
const std::vector<int32_t> kStarts = {0, 4, 4, 5, 14, 14, 23, 23}; // of 7 experts, some without rows

// Gate and up of all experts of a block, with all that their functions need.
struct LinearsCase {
    explicit LinearsCase(const arch::Trained& trained, bool widePitch = true,
                         arch::Family family = arch::Family::kQwen3Moe)
        : config(configOf(family))
        , layout(geometry::makeLayouts(arch::makeModelSpec(config), trained, DType::kF64)[2])
        , weights((layout = widePitch ? withWidePitch(layout) : layout), DType::kF64, 3)
        , half(config, layout, DType::kF64)
        , view(weights.view())
        , device(DType::kF64, 256) {}

    struct Result {
        at::Tensor y, product, alone, dx, gradients;
    };
    Result run(bool grouped) {
        const model::ExpertLinears linears{half.gateUp, kStarts.data(), grouped};
        const int64_t in = config.hiddenSize, out = 2 * half.width(), columns = half.gateUpColumns;
        const Buffer x = randomValues(kRows * in, DType::kF64, 1, 5), dy = randomValues(kRows * out, DType::kF64, 1, 6);
        const Buffer y = zeros(kRows * out), xA = zeros(kRows * columns), alone = zeros(kRows * columns);
        const Buffer dx = zeros(kRows * in), delta = zeros(kRows * columns), sums = zeros(layout.gradientElements);
        const auto matrix = [](const Buffer& data, int64_t cols) {
            return cols == 0 ? Matrix{} : dense(data.data(), DType::kF64, kRows, cols);
        };
        model::LinearCall call{device.compute, view, {sums.data(), /*accumulate=*/true}};
        linearForward(call, linears, matrix(x, in), matrix(xA, columns), matrix(y, out));
        adapterProduct(call, linears, matrix(x, in), matrix(alone, columns));
        inputGradient(call, linears, matrix(delta, columns), matrix(dy, out), matrix(dx, in));
        for (int i = 0; i < 2; ++i) // added up
            trainedGradient(call, linears, matrix(delta, columns), matrix(x, in), matrix(xA, columns), matrix(dy, out));
        return {toDouble(y.data(), DType::kF64, kRows, out), toDouble(xA.data(), DType::kF64, kRows, columns),
                toDouble(alone.data(), DType::kF64, kRows, columns), toDouble(dx.data(), DType::kF64, kRows, in),
                toDouble(sums.data(), DType::kF64, 1, layout.gradientElements)};
    }
    static arch::ModelConfig configOf(arch::Family family) {
        arch::ModelConfig made = tinyConfig(family);
        made.experts.count = std::ssize(kStarts) - 1;
        return made;
    }
    static Buffer zeros(int64_t count) { return randomValues(count, DType::kF64, 0, 1); }

    arch::ModelConfig config;
    geometry::LayerLayout layout;
    RandomWeights weights;
    geometry::ExpertsHalf half;
    model::LayerWeights view;
    CpuCompute device;
};

void expectAlike(const at::Tensor& grouped, const at::Tensor& each, const char* what) {
    if (each.numel() == 0) return;
    EXPECT_GT(each.norm().item<double>(), 0) << what;
    EXPECT_LT(relativeError(grouped, each), 1e-13) << what;
}

TEST(ExpertLinears, groupedEqualOneByOne) {
    using enum arch::Family;
    const std::vector<std::pair<arch::Family, arch::Trained>> all = {
        {kQwen3Moe, tinyLora(0)},
        {kQwen3Moe, tinyLora(0, {"experts.0.gate_proj", "experts.3.gate_proj", "experts.3.up_proj",
                                 "experts.4.gate_proj", "experts.5.up_proj"})},
        {kQwen3Moe, tinyLora(0, {"up_proj"})},
        {kQwen3Moe, arch::Trained::weights()},
        {kGptOss, tinyLora(0, {"gate_up_proj"})},
    };
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const bool widePitch : {false, true}) {
            SCOPED_TRACE(i);
            LinearsCase given(all[i].second, widePitch, all[i].first);
            const auto each = given.run(false), grouped = given.run(true);
            expectAlike(grouped.y, each.y, "y");
            expectAlike(grouped.product, each.product, "xA");
            expectAlike(grouped.alone, each.alone, "xA alone");
            expectAlike(grouped.dx, each.dx, "dx");
            expectAlike(grouped.gradients, each.gradients, "gradients");
        }
}

TEST(ExpertLinears, withoutRowsGradientsAreZeros) {
    LinearsCase given{arch::Trained(tinyLora(0))};
    const std::vector<int32_t> none(8, 0);
    for (const bool grouped : {false, true}) {
        const Buffer gradients = randomValues(given.layout.gradientElements, DType::kF64, 1, 9);
        model::LinearCall call{given.device.compute, given.view, {gradients.data(), /*accumulate=*/false}};
        const model::ExpertLinears linears{given.half.gateUp, none.data(), grouped};
        const auto empty = [](int64_t cols) { return dense(kStarts.data(), DType::kF64, 0, cols); };
        trainedGradient(call, linears, empty(6), empty(given.config.hiddenSize), empty(6),
                        empty(2 * given.half.width()));
        for (const geometry::LinearGroup& group : given.half.gateUp)
            for (const geometry::LinearShape& linear : group.linears) {
                const auto sumOf = [&](int64_t offset, int64_t count) {
                    return toDouble(gradients.data() + offset * 8, DType::kF64, 1, count).abs().sum().item<double>();
                };
                EXPECT_EQ(sumOf(linear.adapter->offsetA, linear.rank * linear.inFeatures()), 0);
                EXPECT_EQ(sumOf(linear.adapter->offsetB, linear.rank * linear.outFeatures()), 0);
            }
    }
}

TEST(ExpertLinears, ofDropoutAreRefusedForGpusByTheModel) {
    const arch::ModelSpec spec = arch::makeModelSpec(tinyConfig(arch::Family::kQwen3Moe));
    const auto require = [&](double dropout, const std::vector<std::string>& targets, bool isGpu) {
        model::requireTrainableOn(*model::makeModel(spec, tinyLora(dropout, targets), DType::kF32), isGpu);
    };
    EXPECT_THROW(require(0.1, {"experts.3.up_proj"}, true), Error);
    EXPECT_NO_THROW(require(0.1, {"experts.3.up_proj"}, false));
    EXPECT_NO_THROW(require(0.0, {"experts.3.up_proj"}, true));
    EXPECT_NO_THROW(require(0.1, {"q_proj"}, true));
}

} // namespace
} // namespace roundpipe::testing
