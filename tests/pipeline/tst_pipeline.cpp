// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig.h"

#include "base/error.h"
#include "device/device_hung.h"
#include "plan/cost/costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace roundpipe::testing {
namespace {

using trace::Kind;

RigSpec threeDevices() {
    RigSpec spec;
    spec.numDevices = 3;
    spec.microbatches = 4;
    spec.forwardStages = {2, 2};
    spec.backwardStages = {2, 1, 1, 1};
    return spec;
}

std::vector<std::byte> mastersOf(Rig& rig) { // of all layers
    std::vector<std::byte> all;
    for (int32_t l = 0; l < rig.model().numLayers(); ++l)
        std::ranges::copy(rig.store().adapters().masters(LayerId(l)), std::back_inserter(all));
    return all;
}

TEST(Pipeline, learns) {
    Rig rig(threeDevices());
    const double first = rig.runStep(0).loss;
    double last = 0;
    for (int i = 0; i < 30; ++i)
        last = rig.runStep(0).loss; // the same batches again
    EXPECT_LT(last, 0.9 * first);
}

TEST(Pipeline, everySlotAndMicrobatchLeavesItsComputeRecords) {
    const RigSpec spec = threeDevices();
    Rig rig(spec);
    const int64_t numSteps = 3;
    for (int64_t step = 0; step < numSteps; ++step)
        rig.runStep(step);
    rig.takeDown();

    std::map<std::tuple<int, int, int>, std::vector<Kind>> seen; // step, slot, microbatch
    for (const trace::Record& record : rig.takeTrace()) {
        EXPECT_LE(record.queuedNs, record.startNs);
        EXPECT_LE(record.startNs, record.endNs);
        if (!isCompute(record.kind)) continue;
        std::vector<Kind>& kinds = seen[{record.step, record.slot, record.microbatch.value}];
        if (kinds.empty() || kinds.back() != record.kind) kinds.push_back(record.kind); // a wait may have cut it
        const int64_t slotSinceStart = record.step * rig.plan().numStages() + record.slot;
        EXPECT_EQ(record.lane, trace::laneOf(rig.plan().deviceOf(slotSinceStart), trace::LaneRole::kCompute));
    }
    const auto stages = rig.plan().stages();
    for (int step = 0; step < numSteps; ++step)
        for (int slot = 0; slot < rig.plan().numStages(); ++slot)
            for (int m = 0; m < spec.microbatches; ++m) {
                const auto& kinds = seen[{step, slot, m}];
                switch (stages[static_cast<std::size_t>(slot)].kind) {
                case plan::StageKind::kForward:
                    EXPECT_EQ(kinds, std::vector{Kind::kForward});
                    break;
                case plan::StageKind::kFused:
                    EXPECT_EQ(kinds, std::vector{Kind::kFused});
                    break;
                case plan::StageKind::kBackward:
                    EXPECT_EQ(kinds, (std::vector{Kind::kRecompute, Kind::kBackward}));
                    break;
                }
            }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(numSteps * rig.plan().numStages() * spec.microbatches));
}

TEST(Pipeline, theSlotCounterIsCarriedOnFromStepToStep) {
    RigSpec spec = threeDevices();
    spec.numDevices = 5; // six slots
    Rig rig(spec);
    for (int64_t step = 0; step < 5; ++step)
        rig.runStep(step);
    rig.takeDown();
    std::set<int> lanesOfFirstSlot;
    for (const trace::Record& record : rig.takeTrace())
        if (record.kind == Kind::kForward && record.slot == 0) lanesOfFirstSlot.insert(record.lane.value);
    EXPECT_EQ(lanesOfFirstSlot.size(), 5u);
}

TEST(Pipeline, movesExactlyTheBytesOfThePlan) {
    RigSpec spec = threeDevices();
    spec.numDevices = 1;
    spec.prefetchDepth = 1;
    Rig rig(spec);
    for (int64_t step = 0; step < 3; ++step)
        rig.runStep(step);
    rig.takeDown();

    // Forward 0, 1 | 2, 3; fused 4, 5; backward 3 | 2 | 1. Embedding and head displace each other; of the four blocks
    // there is room for three, the two of a slot and the one ahead: 4 displaces 1, and at the end 1 displaces 4.
    int64_t weights = 0;
    for (const int32_t layer : {0, 5, 4, 1})
        weights += rig.store().uploadBytes(LayerId(layer));
    int64_t gradients = 0;
    for (const plan::Stage& stage : rig.plan().stages())
        for (int32_t layer = stage.layers.begin; layer < stage.layers.end; ++layer)
            if (stage.kind != plan::StageKind::kForward)
                gradients += static_cast<int64_t>(rig.store().adapters().masters(LayerId(layer)).size());
    // Boundaries: inputs of [2, 4), of the fused [4, 6) and of the backward stages at 3, 2 and 1 go up; 4, 3 and 2 come
    // down as gradients and go up again.
    int64_t hidden = 0;
    for (const TokenBatch& batch : rig.batches(1))
        hidden += rig.model().hiddenBytes(batch.numTokens());

    std::map<Kind, int64_t> moved;
    for (const trace::Record& record : rig.takeTrace())
        if (record.step == 1 && record.stage.valid()) moved[record.kind] += record.bytes;
    EXPECT_EQ(moved[Kind::kUploadWeights], weights);
    EXPECT_EQ(moved[Kind::kDownloadGradient], gradients);
    EXPECT_EQ(moved[Kind::kUploadActivation], hidden * (2 + 3 + 3));
    EXPECT_EQ(moved[Kind::kDownloadActivation], hidden * (4 + 3) + 8 * spec.microbatches);
}

// One device: the fused stage makes gradients of four layers, and while the next slot computes its four microbatches
// they go down, one behind the packets of each, so that no packet waits behind all of them.
TEST(Pipeline, gradientsGoDownInSharesBehindThePacketsOfTheNextSlot) {
    RigSpec spec;
    spec.numBlocks = 7;
    spec.microbatches = 4;
    spec.forwardStages = {4};
    spec.backwardStages = {5, 1, 2}; // the head and four blocks fused: slot 1
    Rig rig(spec);
    for (int64_t step = 0; step < 3; ++step)
        rig.runStep(step);
    rig.takeDown();
    std::vector<trace::Record> gradients, packets;
    for (const trace::Record& record : rig.takeTrace()) {
        if (record.step != 1) continue;
        if (record.kind == Kind::kDownloadGradient && record.slot == 1) gradients.push_back(record);
        const bool isPacket = record.kind == Kind::kDownloadActivation && record.layer.valid();
        if (isPacket && (record.slot == 1 || record.slot == 2)) packets.push_back(record);
    }
    std::ranges::sort(gradients, {}, &trace::Record::startNs);
    std::ranges::sort(packets, {}, &trace::Record::startNs);
    ASSERT_EQ(gradients.size(), 4u);
    ASSERT_EQ(packets.size(), 8u) << "gradients of inputs, of both slots";
    for (std::size_t share = 0; share < 4; ++share) {
        EXPECT_EQ(gradients[share].layer, LayerId(7 - static_cast<int32_t>(share))) << "the deepest first";
        EXPECT_GE(gradients[share].startNs, packets[3 + share].endNs) << "share " << share;
    }
}

// Each of them goes down once and comes up once, whatever a microbatch has of tokens; no stage goes forward again for
// them, and where their inputs alone are there, nothing goes beside packets.
TEST(Pipeline, whatIsSavedInHostMemoryGoesThereOnceAndComesBackOnce) {
    for (const geometry::Saving what :
         {geometry::Saving::kAll, geometry::Saving::kWithoutGateUp, geometry::Saving::kInput}) {
        SCOPED_TRACE(spellingOf(what));
        RigSpec spec;
        spec.saving = {what};
        spec.microbatches = 3;
        spec.numDevices = 2;
        spec.forwardStages = {2, 2};
        spec.backwardStages = {2, 2, 1};
        spec.onHost = 2; // blocks 3 and 2, and 1
        Rig rig(spec);
        for (int64_t step = 0; step < 3; ++step)
            rig.runStep(step);
        rig.takeDown();
        int64_t saved = 0;
        for (const TokenBatch& batch : rig.batches(1))
            for (int32_t block = 0; block < 3; ++block)
                if (what != geometry::Saving::kInput)
                    saved += rig.model().blocks[static_cast<std::size_t>(block)]->savedBytes(batch.numTokens(), what);
        int64_t down = 0, up = 0;
        for (const trace::Record& record : rig.takeTrace()) {
            if (record.step != 1) continue;
            EXPECT_NE(record.kind, Kind::kRecompute) << "what backward begins with is there";
            if (record.layer.valid() || !record.stage.valid()) continue; // packets, and ids
            const bool isLoss =
                record.lane == trace::laneOf(trace::deviceOf(record.lane), trace::LaneRole::kActivationsDown);
            if (record.kind == Kind::kDownloadActivation && !isLoss) down += record.bytes;
            if (record.kind == Kind::kUploadActivation) up += record.bytes;
        }
        EXPECT_EQ(down, saved);
        EXPECT_EQ(up, saved);
    }
}

TEST(Pipeline, evaluationGivesTheBitsOfTheTrainingLoss) {
    for (const auto& stages : {std::vector<int32_t>{2, 1, 1, 1}, std::vector<int32_t>{2, 3}}) {
        RigSpec spec = threeDevices();
        spec.backwardStages = stages;
        Rig rig(spec);
        for (int64_t step = 0; step < 3; ++step) {
            const double evaluated = rig.pipeline().evaluate(rig.batches(step)).loss;
            EXPECT_EQ(rig.pipeline().evaluate(rig.batches(step)).loss, evaluated);
            EXPECT_EQ(rig.runStep(step).loss, evaluated);
        }
    }
}

TEST(Pipeline, evaluationTakesAnyNumberOfBatchesAndNoDropout) {
    RigSpec spec = threeDevices();
    const double expected = Rig(spec).pipeline().evaluate(Rig(spec).batches(0)).loss;
    spec.dropout = 0.5;
    Rig rig(spec);
    EXPECT_EQ(rig.pipeline().evaluate(rig.batches(0)).loss, expected);
    EXPECT_NE(rig.runStep(0).loss, expected);

    std::vector<TokenBatch> many;
    for (int64_t step = 0; step < 3; ++step)
        for (TokenBatch& batch : rig.batches(step))
            many.push_back(std::move(batch));
    many.pop_back();
    double sum = 0;
    int64_t trained = 0;
    for (const TokenBatch& batch : many) {
        const auto one = rig.pipeline().evaluate({batch});
        sum += one.loss * static_cast<double>(one.trainedTokens);
        trained += one.trainedTokens;
    }
    const auto all = rig.pipeline().evaluate(many);
    EXPECT_EQ(all.trainedTokens, trained);
    EXPECT_NEAR(all.loss, sum / static_cast<double>(trained), 1e-12);
}

TEST(Pipeline, allocatesNothingOnDevicesWhileTraining) {
    RigSpec spec = threeDevices();
    spec.rounds = 2;
    Rig rig(spec);
    std::vector<int64_t> before;
    for (int d = 0; d < 3; ++d)
        before.push_back(rig.device(d).numAllocations());
    for (int64_t step = 0; step < 3; ++step)
        rig.runStep(step);
    rig.pipeline().evaluate(rig.batches(0));
    for (int d = 0; d < 3; ++d)
        EXPECT_EQ(rig.device(d).numAllocations(), before[static_cast<std::size_t>(d)]);
}

// A fault in each kind of stream ends the step at once with that fault, and the pipeline is taken down without hanging.
TEST(Pipeline, aFaultInAnyStreamEndsTheStepWithItsError) {
    for (const Kind kind :
         {Kind::kForward, Kind::kFused, Kind::kRecompute, Kind::kBackward, Kind::kUploadWeights, Kind::kUploadAdapter,
          Kind::kUploadActivation, Kind::kDownloadActivation, Kind::kDownloadGradient}) {
        RigSpec spec = threeDevices();
        spec.numDevices = 1;
        spec.prefetchDepth = 1; // so that weights are uploaded in every step
        spec.onSpan = [kind](const trace::Record& span) {
            if (span.kind == kind && span.step == 1) throw Error(ErrorKind::kDevice, "injected");
        };
        Rig rig(spec);
        // What step 0 prefetches for step 1 may fail already in it.
        if (kind != Kind::kUploadWeights) {
            EXPECT_NO_THROW(rig.runStep(0)) << toString(kind);
        }
        const auto begin = std::chrono::steady_clock::now();
        try {
            if (kind == Kind::kUploadWeights) rig.runStep(0);
            rig.runStep(1);
            ADD_FAILURE() << "no error from " << toString(kind);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kDevice);
            EXPECT_EQ(error.message(), "injected");
        }
        try {
            rig.runStep(2);
            ADD_FAILURE() << "a failed pipeline went on";
        } catch (const Error& error) {
            EXPECT_EQ(error.message(), "injected");
        }
        rig.takeDown();
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << toString(kind);
    }
}

TEST(Pipeline, aDeviceThatHangsIsNamedAndLeavesTheWeightsOfTheLastStep) {
    RigSpec spec = threeDevices();
    spec.hangSeconds = 4; // longer than a step takes where sanitizers slow it down
    std::latch goesOn(1);
    std::atomic<int> hanging{-1};
    spec.onSpan = [&](const trace::Record& span) {
        if (span.kind != Kind::kFused || span.step != 1) return;
        hanging = trace::deviceOf(span.lane).value;
        goesOn.wait();
    };
    Rig rig(spec);
    rig.runStep(0);
    const std::vector<std::byte> before = mastersOf(rig);
    for (int64_t step = 1; step <= 2; ++step) // the second time at once
        try {
            rig.runStep(step);
            ADD_FAILURE() << "no error";
        } catch (const device::DeviceHung& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kDevice);
            ASSERT_GE(hanging.load(), 0);
            EXPECT_NE(error.message().find(rig.device(hanging.load()).name()), std::string::npos) << error.message();
            EXPECT_NE(error.message().find("in 4.0 s"), std::string::npos) << error.message();
        }
    EXPECT_TRUE(rig.pipeline().hangs());
    EXPECT_EQ(mastersOf(rig), before);
    goesOn.count_down();
    EXPECT_FALSE(rig.pipeline().hangs());
    rig.takeDown();
}

// A step is updated and returned, or neither: whoever goes on with what was not returned has the bits of a run without
// a failure.
TEST(Pipeline, whatIsReturnedAfterAFaultIsWhatWasUpdated) {
    for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
        for (const Kind kind : {Kind::kForward, Kind::kFused, Kind::kBackward, Kind::kDownloadGradient}) {
            RigSpec spec = threeDevices();
            spec.updates = updates;
            Rig whole(spec);
            std::vector<std::vector<std::byte>> masters; // [steps done], of all layers
            std::vector<double> losses;
            for (int64_t step = 0; step <= 3; ++step) {
                masters.push_back(mastersOf(whole));
                losses.push_back(whole.runStep(step).loss);
            }

            spec.onSpan = [kind](const trace::Record& span) {
                if (span.kind == kind && span.step == 2) throw Error(ErrorKind::kDevice, "injected");
            };
            Rig rig(spec);
            std::size_t done = 0;
            try {
                pipeline::Ticket before = rig.submit(0);
                for (int64_t step = 1;; ++step) {
                    std::optional<pipeline::Ticket> next;
                    try {
                        next = rig.submit(step);
                    } catch (const Error&) {
                    }
                    EXPECT_EQ(rig.pipeline().await(before).loss, losses[done]);
                    ++done;
                    if (!next) break;
                    before = *next;
                }
            } catch (const Error& error) {
                EXPECT_EQ(error.message(), "injected");
            }
            rig.takeDown();
            EXPECT_LE(done, 2u);
            EXPECT_TRUE(mastersOf(rig) == masters[done]) << toString(kind) << " after " << done << " steps";
        }
}

// Whether steps wait for each other or follow each other without a gap may not show.
TEST(Pipeline, stepsThatFollowWithoutAGapKeepTheirBits) {
    constexpr int64_t kNumSteps = 6;
    for (const double maxGradNorm : {0.5, 0.0})
        for (const int numDevices : {1, 3}) {
            RigSpec spec = threeDevices();
            spec.numDevices = numDevices;
            spec.maxGradNorm = maxGradNorm;
            spec.prefetchDepth = 1;
            spec.dropout = 0.1;
            Rig waiting(spec);
            std::vector<double> expected;
            for (int64_t step = 0; step < kNumSteps; ++step)
                expected.push_back(waiting.runStep(step).loss);
            for (const bool asLateAsCanBe : {false, true}) {
                Rig rig(spec);
                std::vector<double> losses;
                pipeline::Ticket ticket = rig.submit(0);
                for (int64_t step = 1; step < kNumSteps; ++step) {
                    if (asLateAsCanBe) rig.pipeline().awaitDevices(ticket);
                    const pipeline::Ticket next = rig.submit(step);
                    EXPECT_EQ(next.step, step);
                    losses.push_back(rig.pipeline().await(ticket).loss);
                    ticket = next;
                }
                losses.push_back(rig.pipeline().await(ticket).loss);
                EXPECT_EQ(losses, expected);
                EXPECT_EQ(rig.pipeline().evaluate(rig.batches(0)).loss,
                          waiting.pipeline().evaluate(waiting.batches(0)).loss);
            }
        }
}

TEST(Pipeline, aStepIsAwaitedOnceAndInOrder) {
    Rig rig(threeDevices());
    const pipeline::Ticket first = rig.submit(0);
    const pipeline::Ticket second = rig.submit(1);
    EXPECT_THROW(rig.submit(2), Error) << "two are under way";
    Rig other(threeDevices());
    EXPECT_THROW(other.pipeline().await(second), Error);
    EXPECT_EQ(first.step + 1, second.step);
}

TEST(Pipeline, updatesNothingWhereAGradientIsNotFinite) {
    for (const double maxGradNorm : {0.5, 0.0}) {
        RigSpec spec = threeDevices();
        spec.maxGradNorm = maxGradNorm;
        Rig rig(spec);
        for (const transfer::HostTensor& tensor : rig.store().tensors())
            if (tensor.layer == LayerId(2))
                std::fill_n(reinterpret_cast<float*>(tensor.data), 1, std::numeric_limits<float>::quiet_NaN());
        std::vector<std::vector<std::byte>> before;
        const auto mastersOf = [&](int32_t layer) {
            const auto masters = rig.store().adapters().masters(LayerId(layer));
            return std::vector<std::byte>(masters.begin(), masters.end());
        };
        for (int32_t l = 0; l < rig.model().numLayers(); ++l)
            before.push_back(mastersOf(l));
        for (int64_t step = 0; step < 2; ++step) { // and goes on
            const pipeline::StepResult result = rig.runStep(step);
            EXPECT_TRUE(result.skipped);
            EXPECT_TRUE(std::isnan(result.gradNorm));
            EXPECT_FALSE(result.notFinite.empty());
            ASSERT_TRUE(result.lossScale);
            EXPECT_EQ(result.lossScale->skippedSteps, step + 1);
        }
        for (int32_t l = 0; l < rig.model().numLayers(); ++l)
            EXPECT_EQ(mastersOf(l), before[static_cast<std::size_t>(l)]) << l;
    }
}

struct Calls {
    std::atomic<int64_t> forward = 0, backward = 0;
};

// A block that counts how often it is computed.
class CountedBlock final : public model::Block {
public:
    CountedBlock(std::unique_ptr<const model::Block> block, Calls& calls) : m_block(std::move(block)), m_calls(calls) {}
    int64_t savedBytes(int64_t numTokens, geometry::Saving saving) const override {
        return m_block->savedBytes(numTokens, saving);
    }
    int64_t workspaceBytes(int64_t numTokens) const override { return m_block->workspaceBytes(numTokens); }
    void forward(model::Compute& compute, const model::BatchView& batch, const model::LayerWeights& weights,
                 const std::byte* in, std::byte* out) const override {
        ++m_calls.forward;
        m_block->forward(compute, batch, weights, in, out);
    }
    void forwardSaving(model::Compute& compute, const model::BatchView& batch, const model::LayerWeights& weights,
                       const std::byte* in, std::byte* out, std::byte* saved, geometry::Saving saving) const override {
        ++m_calls.forward;
        m_block->forwardSaving(compute, batch, weights, in, out, saved, saving);
    }
    void backward(model::Compute& compute, const model::BatchView& batch, const model::LayerWeights& weights,
                  const std::byte* in, std::byte* saved, geometry::Saving saving, const std::byte* dOut, std::byte* dIn,
                  model::GradientView gradients) const override {
        ++m_calls.backward;
        m_block->backward(compute, batch, weights, in, saved, saving, dOut, dIn, gradients);
    }
    void forwardCached(model::Compute& compute, const model::BatchView& batch, const model::LayerWeights& weights,
                       const std::byte* in, std::byte* out, const model::KvCacheView& cache) const override {
        m_block->forwardCached(compute, batch, weights, in, out, cache);
    }

private:
    std::unique_ptr<const model::Block> m_block;
    Calls& m_calls;
};

// How often a plan says that a layer is computed forth, a microbatch.
double timesForth(const plan::Plan& plan, int32_t layer) {
    const plan::LayerTimes once{1, 1, 0};
    double times = 0;
    for (const plan::Stage& stage : plan.stages()) {
        if (!stage.layers.contains(LayerId(layer))) continue;
        const bool makesOutput = stage.kind == plan::StageKind::kFused || layer + 1 < stage.layers.end;
        const plan::PassTimes pass = plan::passTimes(once, plan.savingOf(layer), makesOutput);
        times += stage.kind == plan::StageKind::kForward ? 1 : pass.forward + pass.backward;
    }
    return times;
}

TEST(Pipeline, computesLayersAgainAsOftenAsThePlanSays) {
    using geometry::Saving;
    for (const std::vector<Saving>& saving : {std::vector<Saving>{},
                                              {Saving::kWithoutGateUp},
                                              {Saving::kInput},
                                              {Saving::kInput, Saving::kAll, Saving::kWithoutGateUp}}) {
        RigSpec spec = threeDevices();
        spec.numBlocks = 6;
        spec.forwardStages = {2, 3};
        spec.backwardStages = {3, 3, 1};
        spec.saving = saving;
        std::map<int32_t, Calls> calls;
        spec.replaceBlock = [&](std::unique_ptr<const model::Block> block, int32_t layer) {
            return std::make_unique<CountedBlock>(std::move(block), calls[layer]);
        };
        Rig rig(spec);
        for (int64_t step = 0; step < 2; ++step)
            rig.runStep(step);
        const int64_t microbatches = 2 * spec.microbatches * spec.rounds;
        for (auto& [layer, counted] : calls) {
            EXPECT_EQ(static_cast<double>(counted.forward),
                      static_cast<double>(microbatches) * timesForth(rig.plan(), layer))
                << "layer " << layer << ", " << rig.plan().describe();
            EXPECT_EQ(counted.backward, microbatches) << layer;
        }
    }
}

TEST(Pipeline, refusesWhatItWasNotPlannedFor) {
    Rig rig(threeDevices());
    std::vector<TokenBatch> batches = rig.batches(0);
    for (TokenBatch& batch : batches)
        batch.labels.assign(batch.labels.size(), kIgnoredLabel);
    EXPECT_THROW(rig.pipeline().submit(batches, 1e-3), Error);

    batches = rig.batches(0);
    TokenBatch& batch = batches.front();
    while (batch.numTokens() <= 24) {
        batch.ids.push_back(1);
        batch.labels.push_back(1);
        batch.positions.push_back(batch.positions.back() + 1);
        ++batch.starts.back();
    }
    EXPECT_THROW(rig.pipeline().submit(batches, 1e-3), Error);
    EXPECT_NO_THROW(rig.runStep(0)); // neither broke anything
}

} // namespace
} // namespace roundpipe::testing
