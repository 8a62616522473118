// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/flow.h"

#include <gtest/gtest.h>

namespace roundpipe::trace {
namespace {

// Two forward slots and a backward one on two devices, two microbatches, over and over.
class Flow : public ::testing::Test {
protected:
    Flow() : m_store(makeLanes({"a", "b"}), 0) {
        for (int32_t step = 0; step < 3; ++step)
            addProgram(step);
        for (const int32_t validation : {-2, -3})
            addProgram(validation);
    }

    void addProgram(int32_t step) {
        for (int32_t slot = 0; slot < 3; ++slot)
            for (int m = 0; m < 2; ++m)
                addTurn(step, slot, m);
        m_at += 1000;
    }

    // Slot 2 takes the gradient of layer 4's input, the others the hidden states of 2 and 4.
    void addTurn(int32_t step, int32_t slot, int m) {
        const int64_t at = m_at + slot * 100 + m * 40;
        if (slot > 0)
            add(Kind::kUploadActivation, LaneRole::kActivationsUp, step, slot, m, at, 5, slot == 1 ? 2 : 4, slot == 2);
        add(slot == 2 ? Kind::kBackward : Kind::kForward, LaneRole::kCompute, step, slot, m, at + 5, 20, -1, false);
        if (slot < 2)
            add(Kind::kDownloadActivation, LaneRole::kActivationsDown, step, slot, m, at + 25, 5, slot == 0 ? 2 : 4,
                slot == 1);
    }

    void add(Kind kind, LaneRole role, int32_t step, int32_t slot, int m, int64_t at, int64_t duration, int layer,
             bool isGradient) {
        Record r;
        r.kind = kind;
        r.lane = laneOf(DeviceId(slot % 2), role);
        r.step = step;
        r.slot = slot;
        r.microbatch = MicrobatchId(m);
        r.layer = LayerId(layer);
        r.isGradient = isGradient;
        r.startNs = r.queuedNs = at;
        r.endNs = at + duration;
        m_store.append({&r, 1});
    }

    LaneStore m_store;
    int64_t m_at = 0;
};

TEST_F(Flow, followsAMicrobatchFromStageToStage) {
    const TraceSnapshot trace = m_store.snapshot();
    const SliceList& compute = trace.slices[laneOf(DeviceId(0), LaneRole::kCompute).index()];
    for (std::size_t i = 0; i < compute.size(); ++i) {
        const Record& slice = compute[i];
        const MicrobatchFlow flow = flowOf(trace.slices, trace.lanes, slice);
        ASSERT_EQ(flow.slices.size(), 3U + 2U + 2U) << "slice " << i;
        const int64_t programNs = slice.startNs / 1000;
        for (const Record& r : flow.slices) {
            EXPECT_EQ(r.step, slice.step);
            EXPECT_EQ(r.microbatch, slice.microbatch);
            EXPECT_EQ(r.startNs / 1000, programNs);
        }
        // compute → down → up → compute → down → up → compute
        ASSERT_EQ(flow.links.size(), 6U);
        for (std::size_t l = 0; l < 6; ++l) {
            EXPECT_EQ(flow.links[l].from, l);
            EXPECT_EQ(flow.links[l].to, l + 1);
        }
    }
}

// A device that has nothing to do yet waits for another one that is still at the program before.
TEST_F(Flow, followsFromAWaitThatBeganInTheProgramBefore) {
    addProgram(3);
    const TraceSnapshot trace = m_store.snapshot();
    for (const auto& [step, programBefore] : {std::pair{2, 1}, {-2, 2}, {-3, 3}, {3, 4}}) {
        Record wait;
        wait.kind = Kind::kWait;
        wait.lane = laneOf(DeviceId(1), LaneRole::kCompute);
        wait.step = step;
        wait.slot = 1;
        wait.microbatch = MicrobatchId(0);
        wait.startNs = 1000 * programBefore + 150;
        wait.endNs = 1000 * (programBefore + 1) + 100;
        EXPECT_EQ(flowOf(trace.slices, trace.lanes, wait).slices.size(), 3U + 2U + 2U) << "step " << step;
    }
}

TEST_F(Flow, findsTheDownloadOfEveryUpload) {
    const TraceSnapshot trace = m_store.snapshot();
    for (const int device : {0, 1}) {
        PacketSources sources(trace.slices, trace.lanes);
        const SliceList& uploads = trace.slices[laneOf(DeviceId(device), LaneRole::kActivationsUp).index()];
        ASSERT_EQ(uploads.size(), 5U * 2U);
        for (std::size_t i = 0; i < uploads.size(); ++i) {
            const Record* download = sources.of(uploads[i]);
            ASSERT_NE(download, nullptr);
            EXPECT_EQ(packetOf(*download), packetOf(uploads[i]));
            EXPECT_EQ(download->startNs / 1000, uploads[i].startNs / 1000);
            const Record* reader =
                readerOf(trace.slices[laneOf(DeviceId(device), LaneRole::kCompute).index()], uploads[i]);
            ASSERT_NE(reader, nullptr);
            EXPECT_EQ(reader->startNs, uploads[i].endNs);
        }
    }
}

TEST_F(Flow, whatCarriesNoPacketHasNoId) {
    Record loss;
    loss.kind = Kind::kDownloadActivation;
    loss.microbatch = MicrobatchId(0);
    EXPECT_FALSE(packetOf(loss));
    loss.layer = LayerId(3);
    EXPECT_TRUE(packetOf(loss));
    loss.kind = Kind::kForward;
    EXPECT_FALSE(packetOf(loss));
    const TraceSnapshot trace = m_store.snapshot();
    EXPECT_TRUE(flowOf(trace.slices, trace.lanes, Record{}).slices.empty());
}

} // namespace
} // namespace roundpipe::trace
