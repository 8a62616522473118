// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder block against autograd, and the promises of its interface.
#include "geometry/linear.h"
#include "layer_case.h"
#include "model/block/make_block.h"
#include "reference.h"

#include <cstring>

#include <ATen/ops/cat.h>
#include <gtest/gtest.h>
#include <malloc.h>

namespace roundpipe::testing {
namespace {

constexpr int64_t kHiddenSize = 24;
const std::vector<int32_t> kLengths = {9, 1, 12, 4};
using geometry::Saving;

// Block 2 of a model with all that a call needs.
struct BlockCase {
    BlockCase(arch::ModelConfig givenConfig, DType givenType, double dropout, bool training = true,
              std::vector<std::string> targets = kAllTargets)
        : BlockCase(std::move(givenConfig), givenType, tinyLora(dropout, std::move(targets)), training) {}

    BlockCase(arch::ModelConfig givenConfig, DType givenType, const arch::Trained& trained, bool training = true)
        : BlockCase(givenConfig, givenType, withWidePitch(layoutOf(givenConfig, givenType, trained)), training) {}

    BlockCase(arch::ModelConfig givenConfig, DType givenType, geometry::LayerLayout givenLayout, bool training = true,
              const std::vector<int32_t>& lengths = kLengths)
        : config(std::move(givenConfig))
        , dtype(givenType)
        , layout(std::move(givenLayout))
        , block(model::makeBlock(config, layout, dtype))
        , batch(randomBatch(lengths, config.vocabSize), training)
        , weights(layout, dtype, 11)
        , device(dtype, block->workspaceBytes(batch.view.numTokens))
        , in(randomValues(count(), dtype, 1.0, 1))
        , dOut(randomValues(count(), dtype, 1.0, 2))
        , out(hiddenBytes())
        , dIn(hiddenBytes())
        , saved(block->savedBytes(batch.view.numTokens, Saving::kAll))
        , gradients(layout.gradientElements * static_cast<int64_t>(sizeOf(statistics()))) {}

    static geometry::LayerLayout layoutOf(const arch::ModelConfig& config, DType dtype, const arch::Trained& trained) {
        return geometry::makeLayouts(arch::makeModelSpec(config), spelledFor(config.family, trained), dtype)[2];
    }

    int64_t count() const { return batch.view.numTokens * kHiddenSize; }
    int64_t hiddenBytes() const { return count() * static_cast<int64_t>(sizeOf(dtype)); }
    DType statistics() const { return statisticsType(dtype); }

    void forwardSaving(Saving saving = Saving::kAll) {
        block->forwardSaving(device.compute, batch.view, weights.view(), in.data(), out.data(), saved.data(), saving);
    }
    // Nobody reads its output.
    void forwardSavingAlone(Saving saving) {
        block->forwardSaving(device.compute, batch.view, weights.view(), in.data(), nullptr, saved.data(), saving);
    }
    void backward(bool accumulate = false, Saving saving = Saving::kAll) {
        block->backward(device.compute, batch.view, weights.view(), in.data(), saved.data(), saving, dOut.data(),
                        dIn.data(), {gradients.data(), accumulate});
    }
    at::Tensor hidden(const Buffer& buffer) const {
        return toDouble(buffer.data(), dtype, batch.view.numTokens, kHiddenSize);
    }
    at::Tensor gradient() const {
        return toDouble(gradients.data(), statistics(), 1, layout.gradientElements).flatten();
    }

    struct Errors {
        double out, dIn, trained;
    };
    Errors errorsAgainstAutograd() {
        forwardSaving();
        backward();
        const ReferenceLayer reference(config, layout, dtype, weights.view(), batch);
        const at::Tensor input = hidden(in).requires_grad_();
        const at::Tensor expected = reference.block(input);
        expected.backward(hidden(dOut));
        return {relativeError(hidden(out), expected), relativeError(hidden(dIn), input.grad()),
                relativeError(gradient(), reference.gradient())};
    }

    arch::ModelConfig config;
    DType dtype;
    geometry::LayerLayout layout;
    std::unique_ptr<const model::Block> block;
    BatchOnHost batch;
    RandomWeights weights;
    CpuCompute device;
    Buffer in, dOut, out, dIn, saved, gradients;
};

bool sameBytes(const Buffer& a, const Buffer& b) {
    return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

Buffer copyOf(const Buffer& buffer) {
    Buffer copy(buffer.bytes());
    std::memcpy(copy.data(), buffer.data(), static_cast<std::size_t>(copy.bytes()));
    return copy;
}

// Of a dense block, or of the expert that every token goes through.
void setMlpSize(arch::ModelConfig& config, int64_t size) {
    (config.experts.sharedSize > 0 ? config.experts.sharedSize : config.intermediateSize) = size;
}

// Sizes with which weights, biases and gradients of neighbours lie one below the other, in fp64 and fp32; the MLP's in
// bf16, too.
std::vector<NamedConfig> joinableConfigs() {
    std::vector<NamedConfig> configs = tinyConfigs();
    std::erase_if(configs, [](const NamedConfig& named) {
        return named.config.fusedLinears || (named.config.experts.count > 0 && named.config.experts.sharedSize == 0);
    });
    for (NamedConfig& named : configs) {
        named.config.headDim = 32;
        setMlpSize(named.config, 128);
        named.config.experts.perToken = named.config.experts.count; // a choice would hang on the last bit
        if (named.config.rope.partialRotaryFactor < 1) named.config.rope.partialRotaryFactor = 0.5;
    }
    return configs;
}

// The same layer with a gap behind every tensor, gradient and A: nothing goes on in the next.
geometry::LayerLayout apart(geometry::LayerLayout layout) {
    constexpr int64_t kGap = 64; // elements
    int64_t moved = 0;
    for (geometry::AdapterPlace& place : layout.adapter.linears)
        place.offsetA += kGap * moved++;
    for (geometry::AdapterPlace& place : layout.adapter.linears)
        place.offsetB += kGap * moved;
    layout.adapter.numElements += kGap * moved;
    layout.gradientElements += kGap * moved;
    for (geometry::TensorPlace& place : layout.base.tensors) {
        ++moved;
        place.offsetBytes += kGap * 8 * moved;
        if (place.isTrained()) place.gradientOffset += kGap * moved;
    }
    layout.base.bytes += kGap * 8 * moved;
    layout.gradientElements += kGap * moved;
    return layout;
}

// Of the tensors that `to` and `from` have alike.
void copyWeights(const BlockCase& from, const BlockCase& to) {
    const auto size = static_cast<int64_t>(sizeOf(from.dtype));
    const auto copy = [](const Buffer& source, int64_t at, const Buffer& target, int64_t targetAt, int64_t bytes) {
        std::memcpy(target.data() + targetAt, source.data() + at, static_cast<std::size_t>(bytes));
    };
    for (std::size_t t = 0; t < from.layout.base.tensors.size(); ++t) {
        const geometry::TensorPlace& place = from.layout.base.tensors[t];
        copy(from.weights.base, place.offsetBytes, to.weights.base, to.layout.base.tensors[t].offsetBytes,
             place.hostBytes());
    }
    const int64_t rank = from.layout.adapter.rank;
    for (std::size_t i = 0; i < from.layout.adapter.linears.size(); ++i) {
        const geometry::AdapterPlace &place = from.layout.adapter.linears[i], &other = to.layout.adapter.linears[i];
        copy(from.weights.adapter, place.offsetA * size, to.weights.adapter, other.offsetA * size,
             rank * place.linear.inFeatures * size);
        copy(from.weights.adapter, place.offsetB * size, to.weights.adapter, other.offsetB * size,
             rank * place.linear.outFeatures * size);
    }
}

// All gradients, tensor by tensor.
at::Tensor gradientsInOrder(const BlockCase& given) {
    const at::Tensor all = given.gradient();
    std::vector<at::Tensor> parts;
    for (const geometry::AdapterPlace& place : given.layout.adapter.linears) {
        const int64_t rank = given.layout.adapter.rank;
        parts.push_back(all.narrow(0, place.offsetA, rank * place.linear.inFeatures));
        parts.push_back(all.narrow(0, place.offsetB, rank * place.linear.outFeatures));
    }
    for (const geometry::TensorPlace& place : given.layout.base.tensors)
        if (place.isTrained()) parts.push_back(all.narrow(0, place.gradientOffset, place.spec.numElements()));
    return at::cat(parts);
}

std::size_t numProducts(const geometry::LayerLayout& layout) {
    using enum arch::TensorRole;
    const geometry::LinearGroup qkv(layout, {{kQ, kQBias}, {kK, kKBias}, {kV, kVBias}});
    const geometry::LinearGroup gateUp(layout, {{kGate, kGateBias}, {kUp, kUpBias}});
    return qkv.weights.size() + qkv.adapters.size() + gateUp.weights.size() + gateUp.adapters.size();
}

// One product for q, k, v and one for gate, up, or one for each of them.
TEST(Block, joinedProductsEqualSeparateOnes) {
    double largest = 0;
    for (const NamedConfig& named : joinableConfigs())
        for (const arch::Trained& trained :
             {arch::Trained(tinyLora(0)), arch::Trained(tinyLora(0, {"q_proj", "v_proj", "up_proj"})),
              arch::Trained::weights()})
            for (const DType dtype : {DType::kF64, DType::kF32}) {
                SCOPED_TRACE(named.name + " " + toString(dtype));
                const geometry::LayerLayout layout = BlockCase::layoutOf(named.config, dtype, trained);
                EXPECT_EQ(numProducts(layout), trained.base ? 2u : 4u);
                EXPECT_GT(numProducts(apart(layout)), numProducts(layout) + 2);
                BlockCase joined(named.config, dtype, layout), separate(named.config, dtype, apart(layout));
                copyWeights(joined, separate);
                for (BlockCase* each : {&joined, &separate}) {
                    each->forwardSaving();
                    each->backward();
                }
                const double tolerance = dtype == DType::kF64 ? 1e-13 : 2e-6;
                const double errors[] = {relativeError(joined.hidden(joined.out), separate.hidden(separate.out)),
                                         relativeError(joined.hidden(joined.dIn), separate.hidden(separate.dIn)),
                                         relativeError(gradientsInOrder(joined), gradientsInOrder(separate))};
                for (const double error : errors) {
                    EXPECT_LT(error, tolerance);
                    if (dtype == DType::kF64) largest = std::max(largest, error);
                }
            }
    std::printf("joined and separate products at fp64: at most %.2e apart\n", largest);
}

// Of enough tokens that gate's and up's B are appended to their weights.
TEST(Block, appendedAdaptersEqualSeparateProducts) {
    const std::vector<int32_t> lengths(static_cast<std::size_t>(geometry::kTokensToAppendFor) / 8, 8);
    for (NamedConfig named : joinableConfigs())
        for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16}) {
            SCOPED_TRACE(named.name + " " + toString(dtype));
            setMlpSize(named.config, 2048);
            const auto layout = BlockCase::layoutOf(named.config, dtype, tinyLora(0));
            const geometry::LinearGroup gateUp(layout, {{arch::TensorRole::kGate, arch::TensorRole::kGateBias},
                                                        {arch::TensorRole::kUp, arch::TensorRole::kUpBias}});
            EXPECT_EQ(gateUp.appendedColumns(geometry::kTokensToAppendFor), 6);
            EXPECT_EQ(gateUp.appendedColumns(geometry::kTokensToAppendFor - 1), 0);
            BlockCase appended(named.config, dtype, layout, true, lengths);
            BlockCase separate(named.config, dtype, apart(layout), true, lengths);
            copyWeights(appended, separate);
            for (BlockCase* each : {&appended, &separate}) {
                each->forwardSaving();
                each->backward();
            }
            const double tolerance = dtype == DType::kF64 ? 1e-13 : dtype == DType::kF32 ? 2e-6 : 3e-2;
            EXPECT_LT(relativeError(appended.hidden(appended.out), separate.hidden(separate.out)), tolerance);
            EXPECT_LT(relativeError(appended.hidden(appended.dIn), separate.hidden(separate.dIn)), tolerance);
            EXPECT_LT(relativeError(gradientsInOrder(appended), gradientsInOrder(separate)), tolerance);
            // Whatever lay behind the weights: it is written by each forward.
            const Buffer out = copyOf(appended.out);
            for (const geometry::TensorPlace& place : layout.base.tensors)
                for (int64_t row = 0; place.spareColumns > 0 && row < place.rows(); ++row) {
                    const auto size = static_cast<int64_t>(sizeOf(dtype));
                    const int64_t cols = place.spec.shape.back();
                    std::memset(appended.weights.base.data() + place.offsetBytes +
                                    (row * place.pitchElements + cols) * size,
                                0x7f, static_cast<std::size_t>((place.pitchElements - cols) * size));
                }
            appended.forwardSaving();
            EXPECT_TRUE(sameBytes(out, appended.out));
        }
}

TEST(Block, joinedProductsEqualAutograd) {
    for (const NamedConfig& named : joinableConfigs())
        for (const arch::Trained& trained : {arch::Trained(tinyLora(0)), arch::Trained::weights()}) {
            SCOPED_TRACE(named.name);
            const auto layout = BlockCase::layoutOf(named.config, DType::kF64, trained);
            const auto errors = BlockCase(named.config, DType::kF64, layout).errorsAgainstAutograd();
            EXPECT_LT(errors.out, 1e-12);
            EXPECT_LT(errors.dIn, 1e-10);
            EXPECT_LT(errors.trained, 1e-10);
            const auto half = BlockCase::layoutOf(named.config, DType::kBF16, trained);
            EXPECT_LT(BlockCase(named.config, DType::kBF16, half).errorsAgainstAutograd().trained, 4e-2);
        }
}

TEST(Block, backwardEqualsAutogradInFp64) {
    double largest = 0;
    for (const NamedConfig& named : tinyConfigs()) {
        for (const double dropout : {0.0, 0.4}) {
            SCOPED_TRACE(named.name + (dropout > 0 ? " with dropout" : ""));
            const auto errors = BlockCase(named.config, DType::kF64, dropout).errorsAgainstAutograd();
            EXPECT_LT(errors.out, 1e-12);
            EXPECT_LT(errors.dIn, 1e-10);
            EXPECT_LT(errors.trained, 1e-10);
            largest = std::max({largest, errors.out, errors.dIn, errors.trained});
        }
    }
    std::printf("largest relative error against autograd at fp64: %.2e\n", largest);
}

TEST(Block, backwardEqualsAutogradWithSomeLinearsAdapted) {
    for (const char* target : {"q_proj", "v_proj", "o_proj", "up_proj", "down_proj"}) {
        SCOPED_TRACE(target);
        const auto errors =
            BlockCase(tinyConfig(arch::Family::kQwen3), DType::kF64, 0.0, true, {target}).errorsAgainstAutograd();
        EXPECT_LT(errors.dIn, 1e-10);
        EXPECT_LT(errors.trained, 1e-10);
    }
}

TEST(Block, narrowTypesStayWithinTheirRounding) {
    for (const NamedConfig& named : tinyConfigs()) {
        SCOPED_TRACE(named.name);
        const auto single = BlockCase(named.config, DType::kF32, 0.4).errorsAgainstAutograd();
        EXPECT_LT(single.out, 1e-5);
        EXPECT_LT(single.dIn, 1e-5);
        EXPECT_LT(single.trained, 1e-5);
        const auto half = BlockCase(named.config, DType::kBF16, 0.4).errorsAgainstAutograd();
        EXPECT_LT(half.out, 3e-2);
        EXPECT_LT(half.dIn, 3e-2);
        EXPECT_LT(half.trained, 3e-2);
    }
}

TEST(Block, gradientsOfItsOwnWeightsEqualAutograd) {
    double largest = 0;
    for (const NamedConfig& named : wholeConfigs()) {
        SCOPED_TRACE(named.name);
        const auto errors = BlockCase(named.config, DType::kF64, arch::Trained::weights()).errorsAgainstAutograd();
        EXPECT_LT(errors.out, 1e-12);
        EXPECT_LT(errors.dIn, 1e-10);
        EXPECT_LT(errors.trained, 1e-10);
        largest = std::max({largest, errors.out, errors.dIn, errors.trained});
        const auto single = BlockCase(named.config, DType::kF32, arch::Trained::weights()).errorsAgainstAutograd();
        EXPECT_LT(single.trained, 1e-5);
        const auto half = BlockCase(named.config, DType::kBF16, arch::Trained::weights()).errorsAgainstAutograd();
        EXPECT_LT(half.trained, 3e-2);
    }
    std::printf("largest relative error against autograd at fp64: %.2e\n", largest);
}

// Norms beside adapters: all, and some.
TEST(Block, gradientsOfNormsBesideAdaptersEqualAutograd) {
    for (const NamedConfig& named : tinyConfigs())
        for (const std::string module :
             {"norm", named.config.inputNorms ? "input_layernorm" : "post_attention_layernorm"}) {
            SCOPED_TRACE(named.name + " " + module);
            arch::LoraConfig lora = tinyLora(0.4);
            lora.modulesToSave = {module};
            const auto errors = BlockCase(named.config, DType::kF64, lora).errorsAgainstAutograd();
            EXPECT_LT(errors.out, 1e-12);
            EXPECT_LT(errors.dIn, 1e-10);
            EXPECT_LT(errors.trained, 1e-10);
            EXPECT_LT(BlockCase(named.config, DType::kBF16, lora).errorsAgainstAutograd().trained, 3e-2);
        }
}

// A tensor by itself: what is small does not hide behind what is large.
TEST(Block, gradientOfEveryTensorEqualsAutograd) {
    for (const NamedConfig& named : wholeConfigs()) {
        BlockCase given(named.config, DType::kF64, arch::Trained::weights());
        given.forwardSaving();
        std::memset(given.gradients.data(), 0x7f, static_cast<std::size_t>(given.gradients.bytes()));
        given.backward();
        const ReferenceLayer reference(given.config, given.layout, given.dtype, given.weights.view(), given.batch);
        reference.block(given.hidden(given.in)).backward(given.hidden(given.dOut));
        const at::Tensor expected = reference.gradient(), found = given.gradient();
        for (const geometry::TensorPlace& place : given.layout.base.tensors) {
            SCOPED_TRACE(named.name + " " + place.spec.name);
            const auto part = [&](const at::Tensor& all) {
                const int64_t first = place.gradientOffset;
                return all.slice(0, first, first + place.rows() * place.pitchElements);
            };
            ASSERT_GT(part(expected).norm().item<double>(), 0);
            EXPECT_LT(relativeError(part(found), part(expected)), 1e-10); // zeros between rows included
        }
        EXPECT_LT(relativeError(found, expected), 1e-10);
    }
}

TEST(Block, gradientsOfItsOwnWeightsAddUpOverMicrobatchesAndRepeatBitForBit) {
    for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16}) {
        BlockCase given(tinyConfig(arch::Family::kQwen3), dtype, arch::Trained::weights());
        given.forwardSaving();
        given.backward();
        const at::Tensor once = given.gradient();
        given.forwardSaving();
        given.backward();
        EXPECT_EQ((given.gradient() - once).abs().max().item<double>(), 0);
        given.forwardSaving();
        given.backward(/*accumulate=*/true);
        EXPECT_LT(relativeError(given.gradient(), 2 * once), 1e-6);
    }
}

TEST(Block, dropoutIsOffOutsideTraining) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kLlama);
    geometry::LayerLayout layout = withWidePitch(BlockCase::layoutOf(config, DType::kF64, tinyLora(0.4)));
    BlockCase dropping(config, DType::kF64, layout, /*training=*/false);
    layout.adapter.dropout = 0;
    BlockCase plain(config, DType::kF64, layout);
    dropping.forwardSaving();
    plain.forwardSaving();
    EXPECT_TRUE(sameBytes(dropping.out, plain.out));
}

TEST(Block, forwardAndForwardSavingGiveTheSameBits) {
    for (const NamedConfig& named : tinyConfigs()) {
        for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16, DType::kF16}) {
            SCOPED_TRACE(named.name + " " + toString(dtype));
            BlockCase given(named.config, dtype, 0.3);
            given.forwardSaving();
            const Buffer out(given.hiddenBytes());
            given.block->forward(given.device.compute, given.batch.view, given.weights.view(), given.in.data(),
                                 out.data());
            EXPECT_TRUE(sameBytes(out, given.out));
        }
    }
}

// Whatever is saved, and whether somebody reads the output.
TEST(Block, whatIsSavedDoesNotShowInASingleBit) {
    for (const NamedConfig& named : tinyConfigs())
        for (const DType dtype : {DType::kF64, DType::kF32, DType::kBF16})
            for (const arch::Trained& trained :
                 {arch::Trained(tinyLora(0.3)), arch::Trained(tinyLora(0, {"q_proj"})), arch::Trained::weights()}) {
                if (trained.base && named.config.experts.stacked) continue;
                SCOPED_TRACE(named.name + " " + toString(dtype));
                BlockCase given(named.config, dtype, trained);
                const int64_t tokens = given.batch.view.numTokens;
                const int64_t all = given.block->savedBytes(tokens, Saving::kAll);
                EXPECT_EQ(given.saved.bytes(), all);
                EXPECT_LT(given.block->savedBytes(tokens, Saving::kWithoutGateUp), all);
                given.forwardSaving();
                given.backward();
                const Buffer out = copyOf(given.out), gradients = copyOf(given.gradients), dIn = copyOf(given.dIn);
                for (const Saving saving : {Saving::kAll, Saving::kWithoutGateUp})
                    for (const bool isRead : {true, false}) {
                        SCOPED_TRACE(std::string(spellingOf(saving)) + (isRead ? "" : ", unread"));
                        for (const Buffer* buffer : {&given.saved, &given.out, &given.gradients, &given.dIn})
                            std::memset(buffer->data(), 0x7f, static_cast<std::size_t>(buffer->bytes()));
                        if (isRead)
                            given.forwardSaving(saving);
                        else
                            given.forwardSavingAlone(saving);
                        given.backward(false, saving);
                        EXPECT_TRUE(!isRead || sameBytes(out, given.out));
                        EXPECT_TRUE(sameBytes(gradients, given.gradients));
                        EXPECT_TRUE(sameBytes(dIn, given.dIn));
                    }
            }
}

TEST(Block, leavesNothingOfWhatItSavesBeyondItsBytes) {
    BlockCase given(tinyConfig(arch::Family::kQwen3), DType::kF32, 0.3);
    const int64_t less = given.block->savedBytes(given.batch.view.numTokens, Saving::kWithoutGateUp);
    std::memset(given.saved.data(), 0x55, static_cast<std::size_t>(given.saved.bytes()));
    given.forwardSaving(Saving::kWithoutGateUp);
    given.backward(false, Saving::kWithoutGateUp);
    for (int64_t i = less; i < given.saved.bytes(); ++i)
        ASSERT_EQ(given.saved.data()[i], std::byte{0x55}) << i;
}

TEST(Block, gradientsAccumulateOverMicrobatches) {
    for (const DType dtype : {DType::kF64, DType::kBF16}) {
        BlockCase given(tinyConfig(arch::Family::kQwen2), dtype, 0.3);
        given.forwardSaving();
        given.backward();
        const at::Tensor once = given.gradient();
        given.forwardSaving();
        given.backward(/*accumulate=*/true);
        EXPECT_LT(relativeError(given.gradient(), 2 * once), 1e-6);
    }
}

TEST(Block, adapterGradientIsTheSameWhenNothingBelowIsTrained) {
    BlockCase given(tinyConfig(arch::Family::kMistral), DType::kF64, 0.3);
    given.forwardSaving();
    given.backward();
    const Buffer gradients(given.gradients.bytes());
    given.forwardSaving();
    given.block->backward(given.device.compute, given.batch.view, given.weights.view(), given.in.data(),
                          given.saved.data(), Saving::kAll, given.dOut.data(), nullptr, {gradients.data(), false});
    EXPECT_TRUE(sameBytes(gradients, given.gradients));
}

TEST(Block, resultOfASequenceDoesNotDependOnItsNeighbours) {
    BlockCase given(tinyConfig(arch::Family::kQwen3), DType::kF64, 0.3);
    given.forwardSaving();
    TokenBatch alone = randomBatch({kLengths[2]}, given.config.vocabSize);
    alone.exampleIds = {given.batch.batch.exampleIds[2]};
    const BatchOnHost batch(std::move(alone));
    const int64_t first = given.batch.batch.starts[2];
    const Buffer out(given.hiddenBytes());
    given.block->forward(given.device.compute, batch.view, given.weights.view(),
                         given.in.data() + first * kHiddenSize * static_cast<int64_t>(sizeof(double)), out.data());
    const at::Tensor expected = given.hidden(given.out).slice(0, first, first + kLengths[2]);
    EXPECT_LT(relativeError(toDouble(out.data(), DType::kF64, kLengths[2], kHiddenSize), expected), 1e-13);
}

TEST(Block, forwardCachedEqualsForward) {
    for (const NamedConfig& named : tinyConfigs()) {
        SCOPED_TRACE(named.name);
        arch::ModelConfig config = named.config;
        config.maxPositions = 64; // the dynamic type would turn earlier keys by other angles
        BlockCase given(config, DType::kF64, 0.0);
        const BatchOnHost whole(randomBatch({20}, config.vocabSize), /*training=*/false);
        const Buffer expected(given.hiddenBytes()), out(given.hiddenBytes());
        given.block->forward(given.device.compute, whole.view, given.weights.view(), given.in.data(), expected.data());

        const int64_t keyBytes = 32 * config.numKvHeads * config.headDim * static_cast<int64_t>(sizeof(double));
        const Buffer keys(keyBytes), values(keyBytes);
        model::KvCacheView cache{keys.data(), values.data(), 32, 0};
        for (const int64_t numTokens : {8, 1, 1, 7, 3}) {
            model::BatchView part = whole.view;
            part.numTokens = part.maxLength = numTokens;
            part.positions += cache.past;
            const std::vector<int32_t> starts = {0, static_cast<int32_t>(numTokens)};
            part.starts = starts.data();
            part.startsHost = starts;
            const int64_t offset = cache.past * kHiddenSize * static_cast<int64_t>(sizeof(double));
            given.block->forwardCached(given.device.compute, part, given.weights.view(), given.in.data() + offset,
                                       out.data() + offset, cache);
            cache.past += numTokens;
        }
        EXPECT_LT(relativeError(toDouble(out.data(), DType::kF64, 20, kHiddenSize),
                                toDouble(expected.data(), DType::kF64, 20, kHiddenSize)),
                  1e-13);
    }
}

void expectAsAutograd(BlockCase& given) {
    const auto errors = given.errorsAgainstAutograd();
    EXPECT_LT(errors.out, 1e-12);
    EXPECT_LT(errors.dIn, 1e-10);
    EXPECT_LT(errors.trained, 1e-10);
}

// With a router of zeros all experts are alike, and the first ones get all tokens.
TEST(Block, expertsThatGetAllTokensOrNoneEqualAutograd) {
    for (const int64_t perToken : {1, 2, 7})
        for (const arch::Trained& trained : {arch::Trained(tinyLora(0.4)), arch::Trained::weights()}) {
            SCOPED_TRACE(std::to_string(perToken) + " of 7 a token");
            arch::ModelConfig config = tinyConfig(arch::Family::kQwen3Moe);
            config.experts.perToken = perToken;
            BlockCase given(config, DType::kF64, trained);
            const geometry::TensorPlace& router = given.layout.base.at(arch::TensorRole::kRouter);
            std::memset(given.weights.base.data() + router.offsetBytes, 0,
                        static_cast<std::size_t>(router.hostBytes()));
            std::memset(given.gradients.data(), 0x7f, static_cast<std::size_t>(given.gradients.bytes()));
            expectAsAutograd(given);
        }
}

TEST(Block, expertsOfASingleTokenEqualAutograd) {
    const arch::ModelConfig config = tinyConfig(arch::Family::kQwen3Moe);
    for (const double dropout : {0.0, 0.4}) {
        BlockCase given(config, DType::kF64, withWidePitch(BlockCase::layoutOf(config, DType::kF64, tinyLora(dropout))),
                        true, {1});
        expectAsAutograd(given);
    }
}

TEST(Block, someAdaptedExpertsEqualAutograd) {
    for (const std::vector<std::string>& targets : std::vector<std::vector<std::string>>{
             {"experts.3.gate_proj"}, {"experts.0.up_proj", "experts.6.down_proj", "q_proj"}, {"down_proj"}}) {
        SCOPED_TRACE(targets.front());
        BlockCase given(tinyConfig(arch::Family::kQwen3Moe), DType::kF64, 0.4, true, targets);
        expectAsAutograd(given);
    }
}

TEST(Block, adaptedStacksOfExpertsEqualAutograd) {
    for (const std::vector<std::string>& targets : std::vector<std::vector<std::string>>{
             {"gate_up_proj"}, {"down_proj"}, {"experts.gate_up_proj", "experts.down_proj", "q_proj"}}) {
        SCOPED_TRACE(targets.front());
        BlockCase given(tinyConfig(arch::Family::kGptOss), DType::kF64, 0.0, true, targets);
        expectAsAutograd(given);
    }
}

TEST(Block, withoutAdapterWeightsComputesTheBaseModel) {
    BlockCase given(tinyConfig(arch::Family::kLlama), DType::kF64, 0.0);
    BlockCase zeroed(tinyConfig(arch::Family::kLlama), DType::kF64, 0.0);
    std::memset(zeroed.weights.adapter.data(), 0, static_cast<std::size_t>(zeroed.weights.adapter.bytes()));
    zeroed.forwardSaving();
    given.block->forward(given.device.compute, given.batch.view, {given.weights.base.data(), nullptr}, given.in.data(),
                         given.out.data());
    EXPECT_LT(relativeError(given.hidden(given.out), zeroed.hidden(zeroed.out)), 1e-14);
}

TEST(Block, callsGiveBackTheWorkspaceAndAllocateNothing) {
    for (const arch::Trained& trained : {arch::Trained(tinyLora(0.3)), arch::Trained::weights()}) {
        BlockCase given(tinyConfig(arch::Family::kQwen3), DType::kF32, trained);
        const auto step = [&] {
            given.forwardSaving();
            given.backward();
        };
        step(); // libraries set themselves up
        step();
        const std::size_t before = ::mallinfo2().uordblks;
        for (int i = 0; i < 3; ++i)
            step();
        EXPECT_EQ(::mallinfo2().uordblks, before);
        EXPECT_EQ(given.device.compute.workspace.usedBytes(), 0);
    }
}

} // namespace
} // namespace roundpipe::testing
