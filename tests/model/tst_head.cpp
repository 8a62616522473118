// SPDX-License-Identifier: GPL-3.0-or-later
// The head with its loss, the embedding and the whole model.
#include "layer_case.h"
#include "reference.h"

#include <cstring>
#include <numeric>

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace roundpipe::testing {
namespace {

constexpr int64_t kHiddenSize = 24;

struct HeadCase {
    HeadCase(arch::ModelConfig givenConfig, DType givenType, double dropout, TokenBatch tokens)
        : HeadCase(std::move(givenConfig), givenType, arch::Trained(tinyLora(dropout, {"all-linear", "lm_head"})),
                   std::move(tokens)) {}

    HeadCase(arch::ModelConfig givenConfig, DType givenType, const arch::Trained& trained, TokenBatch tokens)
        : config(std::move(givenConfig))
        , dtype(givenType)
        , layout(withWidePitch(geometry::makeLayouts(arch::makeModelSpec(config), trained, dtype).back()))
        , head(config, layout, dtype)
        , batch(std::move(tokens))
        , weights(layout, dtype, 11)
        , device(dtype, head.workspaceBytes(batch.view.numTokens))
        , in(randomValues(batch.view.numTokens * kHiddenSize, dtype, 1.0, 1))
        , dIn(in.bytes())
        , gradients(layout.gradientElements * static_cast<int64_t>(sizeOf(statisticsType(dtype)))) {
        std::memset(dIn.data(), 0x7f, static_cast<std::size_t>(dIn.bytes()));
        std::memset(gradients.data(), 0x7f, static_cast<std::size_t>(gradients.bytes()));
    }

    double forward() {
        double loss = -1;
        head.forward(device.compute, batch.view, weights.view(), in.data(), &loss);
        return loss;
    }
    double forwardBackward() {
        double loss = -1;
        head.forwardBackward(device.compute, batch.view, weights.view(), in.data(), &loss, dIn.data(),
                             {gradients.data(), false});
        return loss;
    }
    at::Tensor hidden(const Buffer& buffer) const {
        return toDouble(buffer.data(), dtype, batch.view.numTokens, kHiddenSize);
    }
    at::Tensor gradient() const {
        return toDouble(gradients.data(), statisticsType(dtype), 1, layout.gradientElements).flatten();
    }

    arch::ModelConfig config;
    DType dtype;
    geometry::LayerLayout layout;
    model::Head head;
    BatchOnHost batch;
    RandomWeights weights;
    CpuCompute device;
    Buffer in, dIn, gradients;
};

TEST(Head, backwardEqualsAutogradInFp64) {
    for (const auto& [family, dropout] : std::vector<std::pair<arch::Family, double>>{
             {arch::Family::kLlama, 0.0}, {arch::Family::kLlama, 0.4}, {arch::Family::kGranite, 0.4}}) {
        const arch::ModelConfig config = tinyConfig(family);
        HeadCase given(config, DType::kF64, dropout, randomBatch({9, 1, 12}, config.vocabSize));
        const double loss = given.forwardBackward();
        const ReferenceLayer reference(config, given.layout, DType::kF64, given.weights.view(), given.batch);
        const at::Tensor input = given.hidden(given.in).requires_grad_();
        const at::Tensor expected = reference.headLoss(input);
        (expected * given.batch.view.gradientScale).backward();
        EXPECT_NEAR(loss, expected.item<double>(), 1e-11 * loss);
        EXPECT_LT(relativeError(given.hidden(given.dIn), input.grad()), 1e-10);
        EXPECT_LT(relativeError(given.gradient(), reference.gradient()), 1e-10);
    }
}

// All, the table alone, the norm beside an adapter of the table.
TEST(Head, gradientsOfItsOwnWeightsEqualAutograd) {
    arch::LoraConfig table = tinyLora(0), norm = tinyLora(0, {"lm_head"});
    table.modulesToSave = {"lm_head"};
    norm.modulesToSave = {"norm"};
    for (const auto& [dtype, tolerance, trained] :
         std::vector<std::tuple<DType, double, arch::Trained>>{{DType::kF64, 1e-10, arch::Trained::weights()},
                                                               {DType::kF32, 1e-5, arch::Trained::weights()},
                                                               {DType::kBF16, 2e-2, arch::Trained::weights()},
                                                               {DType::kF64, 1e-10, table},
                                                               {DType::kBF16, 2e-2, table},
                                                               {DType::kF64, 1e-10, norm}}) {
        const arch::ModelConfig config = tinyConfig(arch::Family::kQwen2);
        HeadCase given(config, dtype, trained, randomBatch({9, 1, 12}, config.vocabSize));
        given.forwardBackward();
        const ReferenceLayer reference(config, given.layout, dtype, given.weights.view(), given.batch);
        const at::Tensor input = given.hidden(given.in).requires_grad_();
        (reference.headLoss(input) * given.batch.view.gradientScale).backward();
        EXPECT_LT(relativeError(given.hidden(given.dIn), input.grad()), tolerance);
        EXPECT_LT(relativeError(given.gradient(), reference.gradient()), tolerance);
    }
}

// A vocabulary of 480,000 in fp64 makes chunks of 69 rows.
TEST(Head, chunksAddUpToTheWholeLoss) {
    arch::ModelConfig config = tinyConfig(arch::Family::kQwen2);
    config.vocabSize = 480'000;
    HeadCase given(config, DType::kF64, 0.0, randomBatch({150}, config.vocabSize));
    ASSERT_EQ(given.batch.rows.size(), 100u);
    EXPECT_LT(given.head.workspaceBytes(150), 300 << 20) << "the whole logits would be 576 MB";
    const double loss = given.forwardBackward();
    const ReferenceLayer reference(config, given.layout, DType::kF64, given.weights.view(), given.batch);
    const at::Tensor input = given.hidden(given.in).requires_grad_();
    const at::Tensor expected = reference.headLoss(input);
    (expected * given.batch.view.gradientScale).backward();
    EXPECT_NEAR(loss, expected.item<double>(), 1e-11 * loss);
    EXPECT_LT(relativeError(given.hidden(given.dIn), input.grad()), 1e-10);
    EXPECT_LT(relativeError(given.gradient(), reference.gradient()), 1e-10);

    HeadCase whole(config, DType::kF64, arch::Trained::weights(), randomBatch({150}, config.vocabSize));
    whole.forwardBackward();
    const ReferenceLayer trained(config, whole.layout, DType::kF64, whole.weights.view(), whole.batch);
    (trained.headLoss(whole.hidden(whole.in)) * whole.batch.view.gradientScale).backward();
    EXPECT_LT(relativeError(whole.gradient(), trained.gradient()), 1e-10);
}

TEST(Head, forwardAndForwardBackwardGiveTheSameLossBits) {
    for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16}) {
        const arch::ModelConfig config = tinyConfig(arch::Family::kMistral);
        HeadCase given(config, dtype, 0.3, randomBatch({9, 12}, config.vocabSize));
        EXPECT_EQ(given.forward(), given.forwardBackward()) << toString(dtype);
    }
}

TEST(Head, narrowTypesStayWithinTheirRounding) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kLlama);
    for (const auto& [dtype, tolerance] : {std::pair{DType::kF32, 1e-5}, std::pair{DType::kBF16, 2e-2}}) {
        HeadCase given(config, dtype, 0.3, randomBatch({9, 12}, config.vocabSize));
        const double loss = given.forwardBackward();
        const ReferenceLayer reference(config, given.layout, dtype, given.weights.view(), given.batch);
        const at::Tensor input = given.hidden(given.in).requires_grad_();
        const at::Tensor expected = reference.headLoss(input);
        (expected * given.batch.view.gradientScale).backward();
        EXPECT_NEAR(loss, expected.item<double>(), tolerance * loss);
        EXPECT_LT(relativeError(given.hidden(given.dIn), input.grad()), tolerance);
        EXPECT_LT(relativeError(given.gradient(), reference.gradient()), tolerance);
    }
}

TEST(Head, microbatchWithoutTrainedTokensGivesZeros) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kLlama);
    TokenBatch tokens = randomBatch({5, 3}, config.vocabSize);
    std::ranges::fill(tokens.labels, kIgnoredLabel);
    for (const arch::Trained& trained : {arch::Trained(tinyLora(0, {"lm_head"})), arch::Trained::weights()}) {
        HeadCase given(config, DType::kF64, trained, tokens);
        EXPECT_EQ(given.forward(), 0);
        EXPECT_EQ(given.forwardBackward(), 0);
        EXPECT_EQ(given.hidden(given.dIn).abs().max().item<double>(), 0);
        EXPECT_EQ(given.gradient().abs().max().item<double>(), 0);
    }
}

TEST(Head, logitsOfChosenRows) {
    for (const arch::Family family : {arch::Family::kQwen3, arch::Family::kGranite})
        for (const std::vector<int32_t>& rows : {std::vector<int32_t>{20, 0, 8}, {7}}) {
            const arch::ModelConfig config = tinyConfig(family);
            HeadCase given(config, DType::kF64, 0.0, randomBatch({9, 12}, config.vocabSize));
            const ReferenceLayer reference(config, given.layout, DType::kF64, given.weights.view(), given.batch);
            const at::Tensor expected = reference.headLogits(given.hidden(given.in));
            const auto count = static_cast<int64_t>(rows.size());
            const Buffer logits(count * config.vocabSize * static_cast<int64_t>(sizeof(double)));
            given.head.logits(given.device.compute, given.weights.view(), given.in.data(), 21, rows, logits.data());
            EXPECT_LT(relativeError(toDouble(logits.data(), DType::kF64, count, config.vocabSize),
                                    expected.index_select(0, at::tensor(rows).to(at::kLong)).detach()),
                      1e-13);
        }
}

TEST(Embedding, takesRowsOfTheTable) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kLlama);
    const geometry::LayerLayout layout =
        withWidePitch(geometry::makeLayouts(arch::makeModelSpec(config), tinyLora(0), DType::kF32).front());
    const RandomWeights weights(layout, DType::kF32, 3);
    const BatchOnHost batch(randomBatch({4, 2}, config.vocabSize));
    CpuCompute device(DType::kF32, 0);
    const Buffer out(6 * kHiddenSize * static_cast<int64_t>(sizeof(float)));
    model::Embedding(config, layout).forward(device.compute, batch.view, weights.view(), out.data());
    const auto* table = reinterpret_cast<const float*>(weights.base.data());
    for (std::size_t t = 0; t < 6; ++t)
        EXPECT_EQ(std::memcmp(out.data() + t * kHiddenSize * sizeof(float),
                              table + batch.batch.ids[t] * layout.base.tensors[0].pitchElements,
                              kHiddenSize * sizeof(float)),
                  0);
}

TEST(Embedding, isMultipliedBothWays) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kGranite);
    const geometry::LayerLayout layout =
        geometry::makeLayouts(arch::makeModelSpec(config), arch::Trained::weights(), DType::kF64).front();
    const RandomWeights weights(layout, DType::kF64, 3);
    const BatchOnHost batch(randomBatch({4, 2}, config.vocabSize));
    CpuCompute device(DType::kF64, 0);
    const Buffer rows = randomValues(6 * kHiddenSize, DType::kF64, 1, 5);
    const Buffer gradients(layout.gradientElements * static_cast<int64_t>(sizeof(double)));
    const model::Embedding embedding(config, layout);
    const auto sum = [](const Buffer& values) {
        const auto* first = reinterpret_cast<const double*>(values.data());
        return std::accumulate(first, first + values.bytes() / static_cast<int64_t>(sizeof(double)), 0.0);
    };
    const double before = sum(rows);
    embedding.backward(device.compute, batch.view, rows.data(), {gradients.data(), false});
    EXPECT_NEAR(sum(gradients), 12 * before, 1e-10);
    embedding.forward(device.compute, batch.view, weights.view(), rows.data());
    const auto* table = reinterpret_cast<const double*>(weights.base.data());
    const auto* out = reinterpret_cast<const double*>(rows.data());
    for (int64_t t = 0; t < 6; ++t)
        EXPECT_EQ(out[t * kHiddenSize],
                  12 * table[batch.batch.ids[static_cast<std::size_t>(t)] * layout.base.tensors[0].pitchElements]);
}

TEST(Embedding, gradientGathersTheTokensOfARow) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kLlama);
    const geometry::LayerLayout layout = withWidePitch(
        geometry::makeLayouts(arch::makeModelSpec(config), arch::Trained::weights(), DType::kF64).front());
    TokenBatch tokens = randomBatch({4, 2}, config.vocabSize);
    tokens.ids = {3, 36, 3, 0, 36, 3};
    const BatchOnHost batch(std::move(tokens));
    CpuCompute device(DType::kF64, 0);
    const Buffer dOut = randomValues(6 * kHiddenSize, DType::kF64, 1, 5);
    const Buffer gradients(layout.gradientElements * static_cast<int64_t>(sizeof(double)));
    std::memset(gradients.data(), 0x7f, static_cast<std::size_t>(gradients.bytes()));
    const model::Embedding embedding(config, layout);
    const auto* given = reinterpret_cast<const double*>(dOut.data());
    const auto* found = reinterpret_cast<const double*>(gradients.data());
    for (const bool accumulate : {false, true}) {
        embedding.backward(device.compute, batch.view, dOut.data(), {gradients.data(), accumulate});
        const double times = accumulate ? 2 : 1;
        for (int64_t row = 0; row < config.vocabSize; ++row)
            for (int64_t c = 0; c < kHiddenSize; ++c) {
                double expected = 0;
                for (std::size_t t = 0; t < 6; ++t)
                    if (batch.batch.ids[t] == row) expected += given[static_cast<int64_t>(t) * kHiddenSize + c];
                ASSERT_NEAR(found[row * layout.base.tensors[0].pitchElements + c], times * expected, 1e-13)
                    << row << " " << c;
            }
    }
}

TEST(Model, hasEveryLayerAndKnowsTheFirstTrainedOne) {
    const arch::ModelSpec spec = arch::makeModelSpec(tinyConfig(arch::Family::kQwen2));
    const auto model = model::makeModel(spec, tinyLora(0), DType::kBF16);
    EXPECT_EQ(model->numLayers(), 4);
    EXPECT_EQ(model->blocks.size(), 2u);
    EXPECT_EQ(model->hiddenBytes(5), 5 * kHiddenSize * 2);
    EXPECT_EQ(model->firstTrainableLayer(), 1);
    EXPECT_EQ(model::makeModel(spec, tinyLora(0, {"lm_head"}), DType::kBF16)->firstTrainableLayer(), 3);
    EXPECT_EQ(model::makeModel(spec, tinyLora(0, {}), DType::kBF16)->firstTrainableLayer(), 4);
    EXPECT_EQ(model::makeModel(spec, arch::Trained::weights(), DType::kBF16)->firstTrainableLayer(), 0);
}

} // namespace
} // namespace roundpipe::testing
