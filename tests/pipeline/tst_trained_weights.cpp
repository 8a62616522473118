// SPDX-License-Identifier: GPL-3.0-or-later
// Full fine-tuning: what a step of the pipeline makes of the weights, against its layers called one by one.
#include "rig.h"

#include "base/half_bits.h"
#include "model/compute/compute.h"
#include "model/compute/round_in_place.h"
#include "model/init.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <tuple>

namespace roundpipe::testing {
namespace {

using Block = std::vector<double>; // of a layer's elements

std::byte* bytesOf(Block& block) {
    return reinterpret_cast<std::byte*>(block.data());
}

// The gradients of a step of one microbatch, [layer] as they lie on a device: without a pipeline. `adapters`: null
// where a layer has none.
std::vector<Block> gradientsOf(const model::Model& model, std::vector<Block>& bases,
                               const std::vector<const std::byte*>& adapters, const TokenBatch& batch) {
    const std::vector<int32_t> rows = model::trainedRows(batch);
    model::BatchView view;
    view.numTokens = batch.numTokens();
    view.numSequences = batch.numSequences();
    view.maxLength = batch.maxLength();
    view.ids = batch.ids.data();
    view.labels = batch.labels.data();
    view.positions = batch.positions.data();
    view.starts = batch.starts.data();
    view.exampleIds = batch.exampleIds.data();
    view.trainedRows = rows.data();
    view.startsHost = batch.starts;
    view.trainedRowsHost = rows;
    view.gradientScale = 1.0 / static_cast<double>(rows.size());

    constexpr auto kSaving = geometry::Saving::kAll;
    Block scratch(1 << 20);
    model::Compute compute;
    compute.dtype = DType::kF64;
    compute.workspace = geometry::Workspace(bytesOf(scratch), std::ssize(scratch) * 8);
    const auto last = static_cast<std::size_t>(model.numLayers()) - 1;
    std::vector<Block> inputs(last + 1), saved(last), gradients;
    for (std::size_t l = 0; l <= last; ++l) {
        gradients.emplace_back(static_cast<std::size_t>(model.layouts[l].gradientElements), 1e300);
        inputs[l].resize(static_cast<std::size_t>(model.hiddenBytes(view.numTokens) / 8));
    }
    model.embedding->forward(compute, view, {bytesOf(bases[0]), adapters[0]}, bytesOf(inputs[1]));
    for (std::size_t l = 1; l < last; ++l) {
        saved[l].resize(static_cast<std::size_t>(model.blocks[l - 1]->savedBytes(view.numTokens, kSaving) / 8 + 8));
        model.blocks[l - 1]->forwardSaving(compute, view, {bytesOf(bases[l]), adapters[l]}, bytesOf(inputs[l]),
                                           bytesOf(inputs[l + 1]), bytesOf(saved[l]), kSaving);
    }
    double loss = 0;
    Block dOut(inputs[1].size()), dIn(inputs[1].size());
    model.head->forwardBackward(compute, view, {bytesOf(bases[last]), adapters[last]}, bytesOf(inputs[last]), &loss,
                                bytesOf(dOut), {bytesOf(gradients[last]), false});
    for (std::size_t l = last - 1; l > 0; --l) {
        model.blocks[l - 1]->backward(compute, view, {bytesOf(bases[l]), adapters[l]}, bytesOf(inputs[l]),
                                      bytesOf(saved[l]), kSaving, bytesOf(dOut), bytesOf(dIn),
                                      {bytesOf(gradients[l]), false});
        dOut.swap(dIn);
    }
    if (model.layouts.front().trainsTensors())
        model.embedding->backward(compute, view, bytesOf(dOut), {bytesOf(gradients[0]), false});
    return gradients;
}

// All weights, and whole modules beside adapters.
TEST(TrainedWeights, aStepMovesEveryWeightByItsGradient) {
    using Names = std::vector<std::string>;
    for (const auto& [tied, modules] : std::vector<std::pair<bool, Names>>{{true, {}},
                                                                           {false, {}},
                                                                           {true, {"embed_tokens", "norm"}},
                                                                           {true, {"lm_head"}},
                                                                           {false, {"lm_head", "norm"}}}) {
        SCOPED_TRACE(tied);
        RigSpec spec;
        spec.trainsBase = modules.empty();
        spec.modulesToSave = modules;
        spec.tied = tied;
        spec.dtype = DType::kF64;
        spec.microbatches = 1;
        spec.maxGradNorm = 0;
        Rig rig(spec);
        const model::Model& model = rig.model();
        std::vector<Block> bases;
        for (const geometry::LayerLayout& layout : model.layouts) {
            bases.emplace_back(static_cast<std::size_t>(layout.base.bytes / 8));
            model::fillRandom(layout, 7, bytesOf(bases.back()));
        }
        const transfer::AdapterBlocks& trained = rig.store().adapters();
        std::vector<const std::byte*> adapters; // lie first in their blocks
        for (const geometry::LayerLayout& layout : model.layouts)
            adapters.push_back(layout.adapter.empty() ? nullptr : trained.masters(layout.spec.id).data());
        std::vector<Block> gradients = gradientsOf(model, bases, adapters, rig.batches(0).front());
        std::vector<Block> before, sums;
        for (int32_t l = 0; l < model.numLayers(); ++l) {
            const auto masters = trained.masters(LayerId(l));
            before.emplace_back(masters.size() / 8);
            std::memcpy(before.back().data(), masters.data(), masters.size());
            sums.emplace_back(before.back().size());
        }
        for (int32_t l = 0; l < model.numLayers(); ++l)
            for (const geometry::TrainedPiece& piece : trained.shape(LayerId(l)).pieces)
                for (int64_t i = 0; i < piece.count; ++i)
                    sums[piece.owner][static_cast<std::size_t>(piece.from + i)] +=
                        gradients[static_cast<std::size_t>(l)][static_cast<std::size_t>(piece.to + i)];
        double squares = 0;
        for (const Block& block : sums)
            squares += std::inner_product(block.begin(), block.end(), block.begin(), 0.0);

        constexpr double kLearningRate = 1e-3;
        const pipeline::StepResult step = rig.runStep(0, kLearningRate);
        EXPECT_NEAR(step.gradNorm / std::sqrt(squares), 1, 1e-12);
        int64_t numMoved = 0;
        for (int32_t l = 0; l < model.numLayers(); ++l) {
            const auto* masters = reinterpret_cast<const double*>(trained.masters(LayerId(l)).data());
            const Block& gradient = sums[static_cast<std::size_t>(l)];
            for (std::size_t i = 0; i < gradient.size(); ++i) { // AdamW's first step, without decay
                const double expected = before[static_cast<std::size_t>(l)][i] -
                                        kLearningRate * gradient[i] / (std::abs(gradient[i]) + 1e-8);
                ASSERT_NEAR(masters[i], expected, 1e-9) << "layer " << l << " element " << i;
                numMoved += gradient[i] != 0 ? 1 : 0;
            }
        }
        EXPECT_GT(numMoved, model.numTrainedParameters() * 9 / 10);
    }
}

// What rounding does to each element by itself, in place, whatever the length.
TEST(TrainedWeights, gradientsAreRoundedInPlace) {
    for (const int64_t count : {1, 7, 511, 512, 513, 1023, 1024, 1025, 5000, 100'001}) {
        std::vector<float> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(static_cast<float>(i)) * std::exp2(static_cast<float>(i % 40) - 20);
        std::vector<uint16_t> expected;
        for (const float value : values)
            expected.push_back(toBf16(value));
        std::vector<std::byte> scratch(4096);
        model::Compute compute;
        compute.workspace = geometry::Workspace(scratch.data(), std::ssize(scratch));
        model::roundInPlace(compute, reinterpret_cast<std::byte*>(values.data()), count, DType::kF32, DType::kBF16);
        std::vector<uint16_t> rounded(values.size());
        std::memcpy(rounded.data(), values.data(), 2 * values.size());
        ASSERT_EQ(rounded, expected) << count;
    }
}

// Of weights in bf16 gradients travel in half the bytes; of adapters, and in fp32, as they are added.
TEST(TrainedWeights, gradientsTravelInTheTypeThatDevicesComputeIn) {
    for (const auto& [trainsBase, dtype, bytesOfEach] :
         {std::tuple{true, DType::kBF16, 2}, {true, DType::kF32, 4}, {false, DType::kBF16, 4}}) {
        RigSpec spec;
        spec.trainsBase = trainsBase;
        spec.dtype = dtype;
        spec.rounds = 2;
        Rig rig(spec);
        int64_t expected = 0;
        for (const geometry::TrainedBlock& shape : rig.store().adapters().shapes())
            expected += spec.rounds * bytesOfEach * shape.gradientElements;
        rig.runStep(0);
        rig.takeDown();
        int64_t bytes = 0;
        for (const trace::Record& record : rig.takeTrace())
            if (record.kind == trace::Kind::kDownloadGradient) bytes += record.bytes;
        EXPECT_EQ(bytes, expected);
    }
}

// The loss falls as with moments in fp32. Where both draw from one step's rows again and again, differences grow with
// the steps, as they do between any two roundings; here they stay below a thousandth of how far the loss comes (a tenth
// of one was seen).
TEST(TrainedWeights, momentsInBf16FollowThoseInFp32) {
    constexpr int kNumSteps = 40;
    const auto losses = [](Moments moments) {
        RigSpec spec;
        spec.trainsBase = true;
        spec.moments = moments;
        Rig rig(spec);
        std::vector<double> curve;
        for (int step = 0; step < kNumSteps; ++step)
            curve.push_back(rig.runStep(0, 1e-3).loss);
        return curve;
    };
    const std::vector<double> exact = losses(Moments::kFp32), rounded = losses(Moments::kBf16);
    const double fall = exact.front() - exact.back();
    EXPECT_GT(fall, 0.3 * exact.front());
    double furthest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        furthest = std::max(furthest, std::abs(rounded[i] - exact[i]));
    std::printf("loss %.4f to %.4f, at most %.5f away with moments in bf16\n", exact.front(), exact.back(), furthest);
    EXPECT_LT(furthest, 1e-3 * fall);
}

// The store of a tied model has its table once, and what both uses read is that.
TEST(TrainedWeights, aTiedTableHasOneHome) {
    RigSpec spec;
    spec.trainsBase = true;
    Rig rig(spec);
    int64_t elements = 0;
    for (int32_t l = 0; l < rig.model().numLayers(); ++l)
        elements += rig.store().adapters().numElements(LayerId(l));
    EXPECT_GE(elements, rig.model().spec.numParameters());
    EXPECT_LT(elements, rig.model().spec.numParameters() + 1000) << "padding alone";
    EXPECT_EQ(rig.store().uploadBytes(LayerId(1)), 0) << "nothing is frozen";
}

} // namespace
} // namespace roundpipe::testing
