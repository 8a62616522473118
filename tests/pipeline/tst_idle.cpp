// SPDX-License-Identifier: GPL-3.0-or-later
// Why a device waits, as a run's trace says it: a delay is put where it hurts, and the longest wait must name it.
#include "rig.h"

#include "trace/analysis/idle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace roundpipe::testing {
namespace {

using trace::IdleReason;
using trace::Kind;
using trace::Record;

constexpr auto kDelay = std::chrono::milliseconds(40);
constexpr int64_t kDelayNs = 40'000'000;

RigSpec devices(int count) {
    RigSpec spec;
    spec.numDevices = count;
    spec.microbatches = 2;
    spec.forwardStages = {2, 2};
    spec.backwardStages = {2, 1, 1, 1};
    return spec;
}

// Delays spans for which `delayed` holds, in the second of three steps.
template <class Delayed>
std::vector<Record> recordsWith(RigSpec spec, Delayed delayed) {
    spec.onSpan = [delayed](const Record& span) {
        if (span.step == 1 && delayed(span)) std::this_thread::sleep_for(kDelay);
    };
    Rig rig(spec);
    for (int64_t step = 0; step < 3; ++step)
        rig.runStep(step);
    rig.takeDown();
    return rig.takeTrace();
}

Record longestOf(const std::vector<Record>& records, int32_t step) {
    Record longest;
    for (const Record& wait : trace::idleSlicesOf(records))
        if (wait.step == step && wait.endNs - wait.startNs > longest.endNs - longest.startNs) longest = wait;
    return longest;
}

TEST(Idle, aSlowUploadIsAWaitForThatLayersWeights) {
    // The first layer of slot 2, which backward displaced: the wait is before the slice.
    const Record wait = longestOf(recordsWith(devices(1),
                                              [](const Record& span) {
                                                  return span.kind == Kind::kUploadWeights && span.slot == 2 &&
                                                         span.layer == LayerId(4);
                                              }),
                                  1);
    EXPECT_EQ(wait.reason, IdleReason::kWeights) << toString(wait.reason);
    EXPECT_EQ(wait.slot, 2);
    EXPECT_EQ(wait.blockingSlot, 2);
    EXPECT_EQ(wait.layer, LayerId(4));
    EXPECT_GT(wait.endNs - wait.startNs, kDelayNs / 2);
}

TEST(Idle, aWaitWithinASpanCutsIt) {
    const std::vector<Record> records = recordsWith(devices(1), [](const Record& span) {
        return span.kind == Kind::kUploadWeights && span.slot == 2 && span.layer == LayerId(5);
    });
    const Record wait = longestOf(records, 1);
    EXPECT_EQ(wait.reason, IdleReason::kWeights) << toString(wait.reason);
    EXPECT_EQ(wait.layer, LayerId(5));
    EXPECT_EQ(wait.slot, 2);
    int pieces = 0;
    for (const Record& record : records) {
        if (!isCompute(record.kind) || record.lane != wait.lane) continue;
        EXPECT_TRUE(record.endNs <= wait.startNs || record.startNs >= wait.endNs) << "a wait is not busy time";
        if (record.step == 1 && record.slot == 2 && record.microbatch == MicrobatchId(0)) ++pieces;
    }
    EXPECT_GE(pieces, 2);
}

TEST(Idle, aSlowSlotMakesTheNextOneWaitForItsPacket) {
    const Record wait = longestOf(
        recordsWith(devices(2), [](const Record& span) { return span.kind == Kind::kForward && span.slot == 0; }), 1);
    EXPECT_EQ(wait.reason, IdleReason::kPacket) << toString(wait.reason);
    EXPECT_EQ(wait.slot, 1);
    EXPECT_EQ(wait.blockingSlot, 0);
}

TEST(Idle, aSlowBackwardMakesTheNextOneWaitForItsGradient) {
    const Record wait = longestOf(recordsWith(devices(2),
                                              [](const Record& span) {
                                                  return span.kind == Kind::kBackward && span.slot == 4 &&
                                                         span.microbatch == MicrobatchId(1);
                                              }),
                                  1);
    EXPECT_EQ(wait.reason, IdleReason::kPacket) << toString(wait.reason);
    EXPECT_EQ(wait.slot, 5);
    EXPECT_EQ(wait.blockingSlot, 4);
}

TEST(Idle, theNextStepWaitsForTheUpdateThatWaitsForTheLastGradients) {
    for (const double maxGradNorm : {0.5, 0.0}) {
        RigSpec spec = devices(3);
        spec.maxGradNorm = maxGradNorm;
        const Record wait = longestOf(
            recordsWith(spec,
                        [](const Record& span) { return span.kind == Kind::kDownloadGradient && span.slot == 3; }),
            2);
        EXPECT_EQ(wait.reason, IdleReason::kUpdate) << toString(wait.reason);
        EXPECT_EQ(wait.blockingSlot, 3);
    }
}

// Delays the update of a layer in the first step.
class SlowUpdate final : public optim::Optimizer {
public:
    SlowUpdate(optim::Optimizer& optimizer, LayerId layer) : m_optimizer(optimizer), m_layer(layer) {}
    void update(LayerId layer, const optim::LayerArrays& arrays, const optim::StepFactors& step,
                ThreadTeam& team) override {
        if (layer == m_layer && step.step == 1) std::this_thread::sleep_for(kDelay);
        m_optimizer.update(layer, arrays, step, team);
    }

private:
    optim::Optimizer& m_optimizer;
    LayerId m_layer;
};

// The layer lies within a stage, and it is the host that knows nothing to issue: the stream has no event to wait for.
TEST(Idle, anUpdateThatAStageWaitsForCutsItsSpan) {
    RigSpec spec = devices(1);
    spec.makeOptimizer = [](optim::AdamW& adamw, transfer::HostWeightStore&) {
        return std::make_unique<SlowUpdate>(adamw, LayerId(3));
    };
    Rig rig(spec);
    pipeline::Ticket first = rig.submit(0);
    pipeline::Ticket second = rig.submit(1);
    rig.pipeline().await(first);
    rig.pipeline().await(second);
    rig.takeDown();
    const std::vector<Record> records = rig.takeTrace();
    const Record wait = longestOf(records, 1);
    EXPECT_EQ(wait.reason, IdleReason::kUpdate) << toString(wait.reason);
    EXPECT_GT(wait.endNs - wait.startNs, kDelayNs / 2);
    const auto update = std::ranges::find_if(records, [](const Record& record) {
        return record.kind == Kind::kOptimizer && record.step == 0 && record.layer == LayerId(3);
    });
    ASSERT_NE(update, records.end());
    for (const Record& record : records) {
        if (!isCompute(record.kind)) continue;
        EXPECT_LT(std::min(record.endNs, update->endNs) - std::max(record.startNs, update->startNs), kDelayNs / 2)
            << "computes while the version that it needs is made";
    }
}

TEST(Idle, gradientsThatAreStillOnTheirWayLeaveNoRoomForOthers) {
    // One device: the third stage that makes gradients takes the first one's buffer.
    const Record wait = longestOf(
        recordsWith(devices(1),
                    [](const Record& span) { return span.kind == Kind::kDownloadGradient && span.slot == 2; }),
        1);
    EXPECT_EQ(wait.reason, IdleReason::kGradient) << toString(wait.reason);
    EXPECT_EQ(wait.slot, 4);
    EXPECT_EQ(wait.blockingSlot, 2);
}

TEST(Idle, timeBetweenStepsIsTheHosts) {
    Rig rig(devices(2));
    rig.runStep(0);
    std::this_thread::sleep_for(kDelay);
    rig.runStep(1);
    rig.takeDown();
    const std::vector<Record> records = rig.takeTrace();
    for (int device = 0; device < 2; ++device) {
        int64_t hostNs = 0;
        for (const Record& wait : trace::idleSlicesOf(records))
            if (wait.step == 1 && wait.reason == IdleReason::kHost &&
                wait.lane == trace::laneOf(DeviceId(device), trace::LaneRole::kCompute))
                hostNs += wait.endNs - wait.startNs;
        EXPECT_GT(hostNs, kDelayNs / 2) << "device " << device;
    }
}

TEST(Idle, waitsFillEveryGapOfALaneOnce) {
    const std::vector<Record> records = recordsWith(devices(3), [](const Record&) { return false; });
    std::vector<Record> all = trace::idleSlicesOf(records);
    EXPECT_FALSE(all.empty());
    for (const Record& record : records)
        if (isCompute(record.kind)) all.push_back(record);
    for (int device = 0; device < 3; ++device) {
        const LaneId lane = trace::laneOf(DeviceId(device), trace::LaneRole::kCompute);
        std::vector<Record> slices;
        std::ranges::copy_if(all, std::back_inserter(slices), [&](const Record& r) { return r.lane == lane; });
        std::ranges::sort(slices, {}, &Record::startNs);
        for (std::size_t i = 1; i < slices.size(); ++i) {
            EXPECT_GE(slices[i].startNs, slices[i - 1].endNs);
            EXPECT_LT(slices[i].startNs - slices[i - 1].endNs, trace::kShortestIdleNs);
        }
    }
}

// An evaluation's slices and the device's memory are on the timeline like training's.
TEST(Idle, evaluationsAndMemoryAreRecorded) {
    Rig rig(devices(2));
    rig.pipeline().evaluate(rig.batches(0));
    const int64_t held = rig.device(0).allocatedBytes();
    rig.takeDown();
    int numEvaluated = 0;
    std::vector<int64_t> memory;
    for (const Record& record : rig.takeTrace()) {
        if (record.kind == Kind::kEvaluate && record.microbatch.valid()) ++numEvaluated;
        if (record.lane == trace::laneOf(DeviceId(0), trace::LaneRole::kMemory)) memory.push_back(record.bytes);
    }
    EXPECT_GE(numEvaluated, 3 * 2); // stages by microbatches
    EXPECT_EQ(memory, (std::vector<int64_t>{held, 0}));
    EXPECT_GT(held, 0);
}

} // namespace
} // namespace roundpipe::testing
