// SPDX-License-Identifier: GPL-3.0-or-later
// Training in fp16: as near to fp64 as bf16 at least, and a loss scale that is too large costs steps, nothing else.
#include "rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace roundpipe::testing {
namespace {

constexpr double kTooLarge = 0x1p25; // a logit's gradient is a twentieth of it at most, and fp16 ends at 65,504
constexpr int64_t kNumSteps = 24;

RigSpec inFp16(double scale = LossScale().scale) {
    RigSpec spec;
    spec.dtype = DType::kF16;
    spec.microbatches = 3;
    spec.lossScale.scale = spec.lossScale.before = scale;
    return spec;
}

struct Curve {
    std::vector<double> losses, norms, scales;
    void add(const pipeline::StepResult& result) {
        losses.push_back(result.loss);
        norms.push_back(result.gradNorm);
        scales.push_back(result.usedScale);
    }
    bool operator==(const Curve&) const = default;
};

// From step `first` of the batches. `leavesNoGap`: each step is submitted while the one before it is under way.
Curve train(Rig& rig, int64_t first, int64_t end, bool leavesNoGap) {
    Curve curve;
    std::optional<pipeline::Ticket> step = rig.submit(first);
    for (int64_t next = first + 1; step; ++next) {
        std::optional<pipeline::Ticket> following;
        if (leavesNoGap && next < end) following = rig.submit(next);
        curve.add(rig.pipeline().await(*step));
        if (!leavesNoGap && next < end) following = rig.submit(next);
        step = following;
    }
    return curve;
}

Curve train(const RigSpec& spec, bool leavesNoGap = false) {
    Rig rig(spec);
    return train(rig, 0, kNumSteps, leavesNoGap);
}

int64_t skippedIn(const Curve& curve) {
    return std::ranges::count_if(curve.norms, [](double norm) { return !std::isfinite(norm); });
}

std::vector<std::byte> mastersOf(Rig& rig) { // of all layers
    std::vector<std::byte> all;
    for (int32_t l = 0; l < rig.model().numLayers(); ++l)
        std::ranges::copy(rig.store().adapters().masters(LayerId(l)), std::back_inserter(all));
    return all;
}

// Keeps what it gets, without the loss scale, and updates nothing.
class Keeping final : public optim::Optimizer {
public:
    explicit Keeping(const transfer::HostWeightStore& store, std::vector<double>& gradients)
        : m_store(store), m_gradients(gradients) {}
    void update(LayerId layer, const optim::LayerArrays& arrays, const optim::StepFactors& step, ThreadTeam&) override {
        const std::span<const std::byte> newest = m_store.adapters().newest(layer);
        std::memcpy(arrays.version, newest.data(), newest.size());
        for (int64_t i = 0; i < m_store.adapters().numElements(layer); ++i)
            m_gradients.push_back(valueAt(arrays, i) * step.gradientScale);
    }

private:
    static double valueAt(const optim::LayerArrays& arrays, int64_t i) {
        if (arrays.gradientType == DType::kF64) return static_cast<const double*>(arrays.gradients)[i];
        return static_cast<const float*>(arrays.gradients)[i];
    }
    const transfer::HostWeightStore& m_store;
    std::vector<double>& m_gradients;
};

struct Computed {
    double loss = 0, norm = 0;
    std::vector<double> gradients;
};

Computed computedIn(DType dtype) {
    RigSpec spec;
    spec.dtype = dtype;
    spec.maxGradNorm = 0;
    Computed computed;
    spec.makeOptimizer = [&](optim::AdamW&, transfer::HostWeightStore& store) {
        return std::make_unique<Keeping>(store, computed.gradients);
    };
    Rig rig(spec);
    const pipeline::StepResult result = rig.runStep(0);
    computed.loss = result.loss;
    computed.norm = result.gradNorm;
    return computed;
}

double distance(const std::vector<double>& found, const std::vector<double>& expected) {
    double difference = 0, whole = 0;
    EXPECT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        whole += expected[i] * expected[i];
    }
    return std::sqrt(difference / whole);
}

TEST(Fp16, isAsNearToFp64AsBf16) {
    const Computed exact = computedIn(DType::kF64), bf16 = computedIn(DType::kBF16), fp16 = computedIn(DType::kF16);
    EXPECT_LE(distance(fp16.gradients, exact.gradients), distance(bf16.gradients, exact.gradients));
    EXPECT_LT(distance(fp16.gradients, exact.gradients), 2e-3);
    EXPECT_NEAR(fp16.loss / exact.loss, 1, 1e-4);
    EXPECT_NEAR(fp16.norm / exact.norm, 1, 1e-3);
}

TEST(Fp16, trainsWeightsAsFp64Does) {
    RigSpec spec = inFp16();
    spec.trainsBase = true;
    const pipeline::StepResult found = Rig(spec).runStep(0);
    spec.dtype = DType::kF64;
    const pipeline::StepResult exact = Rig(spec).runStep(0);
    EXPECT_NEAR(found.loss / exact.loss, 1, 1e-4);
    EXPECT_NEAR(found.gradNorm / exact.gradNorm, 1, 1e-3);
}

// Too large: steps are skipped, at half the scale each, and nothing shows of them. Then it is the run that begins with
// the scale that does, and with the batches of that step.
TEST(LossScale, thatIsTooLargeCostsStepsAndNothingElse) {
    for (const bool trainsBase : {false, true}) {
        RigSpec spec = inFp16(kTooLarge);
        spec.trainsBase = trainsBase;
        Rig rig(spec);
        const std::vector<std::byte> before = mastersOf(rig);
        int64_t step = 0;
        pipeline::StepResult result = rig.runStep(step);
        for (; result.skipped; result = rig.runStep(++step)) {
            ASSERT_LT(step, kNumSteps);
            EXPECT_EQ(result.usedScale, std::ldexp(kTooLarge, static_cast<int>(-step)));
            EXPECT_EQ(result.lossScale->scale, result.usedScale / 2);
            EXPECT_EQ(result.lossScale->skippedSteps, step + 1);
            EXPECT_EQ(mastersOf(rig), before);
        }
        EXPECT_GE(step, 5);
        EXPECT_NE(mastersOf(rig), before);
        Curve found;
        found.add(result);
        for (int64_t next = step + 1; next < kNumSteps; ++next)
            found.add(rig.runStep(next));

        spec.lossScale.scale = result.usedScale;
        Rig good(spec);
        EXPECT_EQ(found, train(good, step, kNumSteps, false));
        EXPECT_EQ(mastersOf(rig), mastersOf(good));
    }
}

// The forward has none of it, and norms are without it.
TEST(LossScale, doesNotShowInResults) {
    const pipeline::StepResult expected = Rig(inFp16(0x1p8)).runStep(0), found = Rig(inFp16(0x1p14)).runStep(0);
    EXPECT_EQ(found.usedScale, 0x1p14);
    EXPECT_EQ(found.loss, expected.loss);
    EXPECT_NEAR(found.gradNorm / expected.gradNorm, 1, 1e-3);
}

// Neither devices nor cuts show, and neither does whether the next step is submitted early.
TEST(LossScale, isTheSameOnAllDevicesInAllCuts) {
    for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
        for (const bool trainsBase : {false, true}) {
            RigSpec spec = inFp16(kTooLarge);
            spec.trainsBase = trainsBase;
            spec.updates = updates;
            spec.dropout = trainsBase ? 0 : 0.1;
            spec.backwardStages = {6};
            const Curve expected = train(spec);
            EXPECT_GE(skippedIn(expected), 5);
            EXPECT_LT(skippedIn(expected), kNumSteps - 5);
            EXPECT_EQ(train(spec, true), expected);
            for (const int numDevices : {1, 2, 3})
                for (const auto& [forward, backward] :
                     {std::pair<std::vector<int32_t>, std::vector<int32_t>>{{2, 2}, {2, 1, 1, 1}}, {{3}, {3, 2}}}) {
                    spec.numDevices = numDevices;
                    spec.forwardStages = forward;
                    spec.backwardStages = backward;
                    EXPECT_EQ(train(spec, numDevices % 2 == 1), expected) << numDevices << " devices";
                }
            spec.rounds = 3;
            spec.microbatches = 1;
            const Curve rounds = train(spec);
            spec.microbatches = 3;
            spec.rounds = 1;
            spec.replicas = true;
            spec.numDevices = 3;
            spec.forwardStages = {};
            spec.backwardStages = {6};
            EXPECT_EQ(train(spec, true), rounds);
        }
}

// Taken down after each step in turn, skipped ones and others: what is kept is all that there is to know.
TEST(LossScale, goesOnAfterAnyStep) {
    for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
        RigSpec spec = inFp16(kTooLarge);
        spec.updates = updates;
        const Curve expected = train(spec, true);
        Rig rig(spec);
        Curve found;
        for (int64_t step = 0; step < kNumSteps; ++step) {
            const pipeline::StepResult result = rig.runStep(step);
            found.add(result);
            rig.takeDown();
            rig.makePipeline(step + 1, *result.lossScale);
        }
        EXPECT_GE(skippedIn(expected), 5);
        EXPECT_EQ(found, expected);
    }
}

TEST(LossScale, staysWhereNoneWouldDo) {
    Rig rig(inFp16());
    transfer::AdapterBlocks& adapters = rig.store().adapters();
    const auto masters = adapters.masters(LayerId(2));
    auto* const values = reinterpret_cast<float*>(masters.data());
    std::fill(values, values + adapters.numElements(LayerId(2)), 6e4F);
    adapters.publishAll();
    rig.takeDown();
    rig.makePipeline(0);
    const std::vector<std::byte> before = mastersOf(rig);
    const pipeline::StepResult result = rig.runStep(0);
    EXPECT_TRUE(result.skipped);
    EXPECT_FALSE(result.notFinite.empty());
    EXPECT_EQ(result.lossScale->scale, LossScale().scale);
    EXPECT_EQ(result.lossScale->skippedSteps, 1);
    EXPECT_EQ(mastersOf(rig), before);
}

TEST(LossScale, isDoubledAfterManyGoodSteps) {
    LossScale scale{1024, 1024};
    for (int32_t step = 0; step < LossScale::kGoodSteps; ++step) {
        EXPECT_EQ(scale.scale, 1024);
        scale.stepDone(1024, true);
    }
    EXPECT_EQ(scale, (LossScale{2048, 1024, 0, 0}));
    scale.stepDone(2048, true);
    scale.stepDone(2048, false);
    EXPECT_EQ(scale, (LossScale{1024, 2048, 0, 1}));
    scale.stepDone(2048, false); // one step stale: it was under way
    EXPECT_EQ(scale, (LossScale{1024, 1024, 0, 2}));
}

} // namespace
} // namespace roundpipe::testing
