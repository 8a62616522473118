// SPDX-License-Identifier: GPL-3.0-or-later
// One-step-stale updates: every step reads the weights of one step earlier, whatever the devices, and never waits for
// the update of the step before it.
#include "rig.h"

#include <gtest/gtest.h>
#include <tuple>

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace roundpipe::testing {
namespace {

constexpr int64_t kNumSteps = 6;

struct Curve {
    std::vector<double> losses;
    std::vector<double> norms;
    void add(const pipeline::StepResult& result) {
        losses.push_back(result.loss);
        norms.push_back(result.gradNorm);
    }
    bool operator==(const Curve&) const = default;
};

// Each step is submitted while the one before it is under way, as a run does.
Curve train(const RigSpec& spec) {
    Rig rig(spec);
    Curve curve;
    pipeline::Ticket step = rig.submit(0);
    for (int64_t next = 1; next <= kNumSteps; ++next) {
        std::optional<pipeline::Ticket> following;
        if (next < kNumSteps) following = rig.submit(next);
        curve.add(rig.pipeline().await(step));
        if (following) step = *following;
    }
    return curve;
}

// The plain way: a synchronous trainer whose optimizer keeps what it made to itself for a step, and hands out what it
// made the time before.
class LateHandOut final : public optim::Optimizer {
public:
    LateHandOut(optim::AdamW& adamw, transfer::HostWeightStore& store) : m_adamw(adamw) {
        for (const geometry::LayerLayout& layout : store.layouts()) {
            const auto masters = std::as_const(store).adapters().masters(layout.spec.id);
            const auto version = std::as_const(store).adapters().newest(layout.spec.id);
            m_newest.push_back({{masters.begin(), masters.end()}, {version.begin(), version.end()}});
        }
    }
    void update(LayerId layer, const optim::LayerArrays& arrays, const optim::StepFactors& step,
                ThreadTeam& team) override {
        Made& newest = m_newest[layer.index()];
        const Made before = newest;
        optim::LayerArrays hidden = arrays;
        hidden.masters = newest.masters.data();
        hidden.version = newest.version.data();
        m_adamw.update(layer, hidden, step, team);
        std::memcpy(arrays.masters, before.masters.data(), before.masters.size());
        std::memcpy(arrays.version, before.version.data(), before.version.size());
    }

private:
    struct Made {
        std::vector<std::byte> masters, version;
    };
    optim::AdamW& m_adamw;
    std::vector<Made> m_newest; // [layer]
};

RigSpec oneStage() {
    RigSpec spec;
    spec.microbatches = 3;
    spec.dropout = 0.1;
    spec.backwardStages = {6};
    return spec;
}

Curve plain(RigSpec spec) {
    spec.makeOptimizer = [](optim::AdamW& adamw, transfer::HostWeightStore& store) {
        return std::make_unique<LateHandOut>(adamw, store);
    };
    Rig rig(spec);
    Curve curve;
    for (int64_t step = 0; step < kNumSteps; ++step)
        curve.add(rig.runStep(step));
    return curve;
}

struct Cut {
    std::vector<int32_t> forward;
    std::vector<int32_t> backward; // the fused stage first
};

// Of six layers: embedding, four blocks, head.
const std::vector<Cut> kCuts = {{{}, {6}}, {{2, 2}, {2, 1, 1, 1}}, {{3}, {3, 2}}, {{1, 1, 1, 1, 1}, {1, 2, 3}}};

TEST(OneStepStale, hasTheCurveOfAPlainTrainerWithTheSameStaleness) {
    using Names = std::vector<std::string>;
    for (const auto& [rounds, dtype, trainsBase, modules] :
         std::vector<std::tuple<int32_t, DType, bool, Names>>{{1, DType::kF32, false, {}},
                                                              {1, DType::kBF16, false, {}},
                                                              {3, DType::kF32, false, {}},
                                                              {3, DType::kBF16, false, {}},
                                                              {2, DType::kBF16, false, {"embed_tokens", "norm"}},
                                                              {1, DType::kBF16, true, {}},
                                                              {2, DType::kF32, true, {}}}) {
        RigSpec spec = oneStage();
        spec.modulesToSave = modules;
        spec.rounds = rounds;
        spec.dtype = dtype;
        spec.trainsBase = trainsBase;
        const Curve expected = plain(spec);
        Curve synchronous = train(spec);
        EXPECT_EQ(synchronous.losses[0], expected.losses[0]);
        EXPECT_EQ(synchronous.losses[1] == expected.losses[1], false) << "the second step reads the first weights";

        spec.updates = Updates::kOneStepStale;
        for (const int numDevices : {1, 2, 3, 5})
            for (const Cut& cut : kCuts) {
                spec.numDevices = numDevices;
                spec.forwardStages = cut.forward;
                spec.backwardStages = cut.backward;
                EXPECT_EQ(train(spec), expected)
                    << numDevices << " devices, " << cut.backward.size() << " backward stages, " << rounds << " rounds";
            }
    }
}

TEST(OneStepStale, residencyAndDelaysDoNotShow) {
    RigSpec spec = oneStage();
    const Curve expected = plain(spec);
    spec.updates = Updates::kOneStepStale;
    spec.numDevices = 3;
    using trace::LaneRole;
    for (const LaneRole victim : {LaneRole::kCompute, LaneRole::kWeightsUp, LaneRole::kActivationsUp,
                                  LaneRole::kActivationsDown, LaneRole::kGradientsDown})
        for (const int32_t percent : {0, 100})
            for (const Cut& cut : kCuts) {
                spec.forwardStages = cut.forward;
                spec.backwardStages = cut.backward;
                spec.prefetchDepth = 1; // weight slots change hands all the time
                spec.residentPercent = percent;
                spec.onSpan = [victim](const trace::Record& span) {
                    if (span.lane == trace::laneOf(trace::deviceOf(span.lane), victim))
                        std::this_thread::sleep_for(std::chrono::microseconds(200));
                };
                EXPECT_EQ(train(spec), expected) << "delays on streams of role " << static_cast<int>(victim);
            }
}

// An evaluation sees the newest weights, and the next step the same as without it; nor does it matter when the pipeline
// is made anew.
TEST(OneStepStale, evaluationsAndNewPipelinesDoNotShow) {
    RigSpec spec = oneStage();
    const Curve expected = plain(spec);
    spec.updates = Updates::kOneStepStale;
    spec.numDevices = 2;
    Rig rig(spec);
    Curve curve;
    std::vector<double> evaluated;
    for (int64_t step = 0; step < kNumSteps; ++step) {
        curve.add(rig.runStep(step));
        evaluated.push_back(rig.pipeline().evaluate(rig.batches(99)).loss);
        if (step % 2 == 0) continue;
        rig.takeDown();
        rig.makePipeline(step + 1);
    }
    EXPECT_EQ(curve, expected);
    EXPECT_NE(evaluated[0], evaluated[1]);

    RigSpec afterOne = oneStage(); // a first step is the same in both modes
    Rig synchronous(afterOne);
    synchronous.runStep(0);
    EXPECT_EQ(synchronous.pipeline().evaluate(synchronous.batches(99)).loss, evaluated[0]);
}

// Updates of the step before are held up until a device computes the next step: in the synchronous mode that would
// never come.
TEST(OneStepStale, devicesGoOnWhileTheStepBeforeIsUpdated) {
    std::atomic<int32_t> lastComputed = -1;
    class Patient final : public optim::Optimizer {
    public:
        Patient(optim::AdamW& adamw, std::atomic<int32_t>& computed) : m_adamw(adamw), m_computed(computed) {}
        void update(LayerId layer, const optim::LayerArrays& arrays, const optim::StepFactors& factors,
                    ThreadTeam& team) override {
            const int64_t step = factors.step;
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
            while (step < kNumSteps && m_computed < step && std::chrono::steady_clock::now() < deadline)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            EXPECT_TRUE(step >= kNumSteps || m_computed >= step) << "step " << step << " was not begun";
            m_adamw.update(layer, arrays, factors, team);
        }

    private:
        optim::AdamW& m_adamw;
        std::atomic<int32_t>& m_computed;
    };
    RigSpec spec = oneStage();
    spec.updates = Updates::kOneStepStale;
    spec.numDevices = 2;
    spec.forwardStages = {2, 2};
    spec.backwardStages = {2, 1, 1, 1};
    spec.onSpan = [&](const trace::Record& span) {
        if (!trace::isCompute(span.kind)) return;
        int32_t before = lastComputed;
        while (before < span.step && !lastComputed.compare_exchange_weak(before, span.step)) {
        }
    };
    spec.makeOptimizer = [&](optim::AdamW& adamw, transfer::HostWeightStore&) {
        return std::make_unique<Patient>(adamw, lastComputed);
    };
    train(spec);
}

} // namespace
} // namespace roundpipe::testing
