// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/findings.h"

#include "base/units.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace roundpipe::session {
namespace {

using trace::IdleReason;
using trace::Kind;
using trace::LaneRole;
using Code = RunFinding::Code;

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kStepNs = 1'000 * kMs;

trace::Record slice(LaneId lane, Kind kind, int64_t startNs, int64_t endNs, int32_t step, int64_t bytes = 0) {
    trace::Record record;
    record.lane = lane;
    record.kind = kind;
    record.startNs = startNs;
    record.endNs = endNs;
    record.step = step;
    record.bytes = bytes;
    return record;
}

// Steps of a second on GPUs; each waits at the beginning of each step, and computes for the rest of it.
class MadeRun {
public:
    explicit MadeRun(std::vector<std::string> devices)
        : m_numDevices(static_cast<int32_t>(devices.size())), m_store(trace::makeLanes(devices), 0) {
        m_machine.devices.resize(devices.size());
        for (DeviceStatus& device : m_machine.devices) {
            device.totalBytes = 24 * kGiB;
            device.gpu.emplace();
            device.gpu->pcieLanes = 16;
        }
        m_machine.host = {8 * kGiB, 0, 40 * kGiB, 64 * kGiB};
    }
    void addSteps(int32_t number, const std::vector<std::pair<IdleReason, int64_t>>& waits) {
        std::vector<trace::Record> records;
        for (int32_t i = 0; i < number; ++i, ++m_step, m_timeNs += kStepNs) {
            records.push_back(slice(trace::hostLane(m_numDevices, LaneRole::kSession), Kind::kStep, m_timeNs,
                                    m_timeNs + kStepNs, m_step));
            for (int32_t d = 0; d < m_numDevices; ++d) {
                const auto [reason, waitNs] = waits[static_cast<std::size_t>(d)];
                const LaneId compute = trace::laneOf(DeviceId(d), LaneRole::kCompute);
                trace::Record wait = slice(compute, Kind::kWait, m_timeNs, m_timeNs + waitNs, m_step);
                wait.reason = reason;
                wait.blockingSlot = 7;
                if (waitNs > 0) records.push_back(wait);
                records.push_back(slice(compute, Kind::kForward, m_timeNs + waitNs, m_timeNs + kStepNs, m_step));
            }
        }
        m_store.append(records);
    }
    // Steps of a second in which the first device computes two stages, one after the other.
    void addStages(int32_t number, std::array<int64_t, 2> stageNs) {
        std::vector<trace::Record> records;
        for (int32_t i = 0; i < number; ++i, ++m_step, m_timeNs += kStepNs) {
            records.push_back(slice(trace::hostLane(m_numDevices, LaneRole::kSession), Kind::kStep, m_timeNs,
                                    m_timeNs + kStepNs, m_step));
            int64_t ns = m_timeNs;
            for (int32_t stage = 0; stage < 2; ++stage) {
                const int64_t endNs = ns + stageNs[static_cast<std::size_t>(stage)];
                records.push_back(
                    slice(trace::laneOf(DeviceId(0), LaneRole::kCompute), Kind::kForward, ns, endNs, m_step));
                records.back().stage = StageId(stage);
                ns = endNs;
            }
        }
        m_store.append(records);
    }
    void upload(int32_t device, int64_t bytesPerSecond) { // in each step so far
        for (int64_t ns = 0; ns < m_timeNs; ns += kStepNs)
            m_store.append(std::vector{slice(trace::laneOf(DeviceId(device), LaneRole::kWeightsUp),
                                             Kind::kUploadWeights, ns, ns + kStepNs / 2, 0, bytesPerSecond / 2)});
    }
    MachineStatus& machine() { return m_machine; }
    StepMetrics& last() { return m_last; }
    std::vector<LossPoint>& validations() { return m_validations; }
    RunFindings findings(const PredictedTimeline* planned = nullptr, bool isOver = false) const {
        return findingsOf({m_store, m_machine, m_last, m_validations, planned, isOver});
    }

private:
    int32_t m_numDevices;
    int32_t m_step = 0;
    int64_t m_timeNs = 0;
    trace::LaneStore m_store;
    MachineStatus m_machine;
    StepMetrics m_last;
    std::vector<LossPoint> m_validations;
};

TEST(Findings, nothingIsFoundWhereNothingIsWrong) {
    MadeRun run({"GPU 0", "GPU 1"});
    run.addSteps(8, {{IdleReason::kWeights, 30 * kMs}, {IdleReason::kPacket, 30 * kMs}});
    run.validations() = {{10, 1.0}, {20, 0.8}, {30, 0.7}};
    const RunFindings found = run.findings();
    EXPECT_TRUE(found.all.empty());
    EXPECT_EQ(found.numSteps, 5);
    EXPECT_NEAR(found.busyShare, 0.97, 1e-9);
}

TEST(Findings, aDeviceThatWaitsForItsWeightsIsNamedWithItsLink) {
    MadeRun run({"GPU 0", "GPU 1", "GPU 2"});
    run.addSteps(6, {{IdleReason::kNone, 0}, {IdleReason::kNone, 0}, {IdleReason::kWeights, 180 * kMs}});
    run.upload(0, 13'000'000'000);
    run.upload(1, 13'000'000'000);
    run.upload(2, 3'000'000'000);
    run.machine().devices[2].gpu->pcieLanes = 4;
    const RunFindings found = run.findings();
    ASSERT_EQ(found.all.size(), 1U);
    const RunFinding& finding = found.all[0];
    EXPECT_EQ(finding.code, Code::kWaits);
    EXPECT_TRUE(finding.isSerious);
    EXPECT_EQ(finding.reason, IdleReason::kWeights);
    EXPECT_EQ(finding.device, 2);
    EXPECT_EQ(finding.numDevices, 1);
    EXPECT_EQ(finding.slot, 7);
    EXPECT_NEAR(finding.share, 0.18, 1e-9);
    EXPECT_NEAR(finding.value, 3e9, 1);
    EXPECT_NEAR(finding.usual, 13e9, 1);
    EXPECT_EQ(finding.lanes, 4);
    EXPECT_EQ(finding.lanesOfOthers, 16);
    EXPECT_EQ(finding.endNs - finding.beginNs, 180 * kMs);
    EXPECT_EQ(finding.beginNs % kStepNs, 0) << "the example is a wait that there is";
}

TEST(Findings, aLinkAsFastAsTheOthersIsNotBlamed) {
    MadeRun run({"GPU 0", "GPU 1"});
    run.addSteps(4, {{IdleReason::kWeights, 90 * kMs}, {IdleReason::kWeights, 100 * kMs}});
    run.upload(0, 13'000'000'000);
    run.upload(1, 12'000'000'000);
    run.machine().devices[1].gpu->pcieLanes = 8;
    const RunFindings found = run.findings();
    ASSERT_EQ(found.all.size(), 1U) << "one finding for both";
    EXPECT_EQ(found.all[0].device, 1);
    EXPECT_EQ(found.all[0].numDevices, 2);
    EXPECT_FALSE(found.all[0].lanes);
    EXPECT_FALSE(found.all[0].isSerious);
}

TEST(Findings, theFirstStepAndWhatIsNotSettledAreLeftOut) {
    MadeRun run({"GPU 0"});
    run.addSteps(1, {{IdleReason::kHost, 500 * kMs}});
    EXPECT_EQ(run.findings().numSteps, 0);
    run.addSteps(1, {{IdleReason::kHost, 500 * kMs}});
    EXPECT_EQ(run.findings().numSteps, 0) << "the newest step's waits may still be worked out";
    EXPECT_EQ(run.findings(nullptr, true).numSteps, 1) << "the run has ended, and they have been";
    EXPECT_EQ(run.findings(nullptr, true).all.size(), 1U);
    run.addSteps(1, {{IdleReason::kNone, 0}});
    const RunFindings found = run.findings();
    EXPECT_EQ(found.numSteps, 1);
    ASSERT_EQ(found.all.size(), 1U);
    EXPECT_EQ(found.all[0].reason, IdleReason::kHost);
}

// Two steps as the plan sees them: `stageNs` for each of two stages on GPU 0.
PredictedTimeline plannedSteps(int64_t stepNs, std::array<int64_t, 2> stageNs) {
    PredictedTimeline timeline;
    timeline.lanes = trace::makeLanes({"GPU 0"});
    for (int32_t step = 0; step < 2; ++step) {
        int64_t ns = step * stepNs;
        timeline.records.push_back(slice(trace::hostLane(1, LaneRole::kSession), Kind::kStep, ns, ns + stepNs, step));
        for (int32_t stage = 0; stage < 2; ++stage) {
            trace::Record record = slice(trace::laneOf(DeviceId(0), LaneRole::kCompute), Kind::kForward, ns,
                                         ns + stageNs[static_cast<std::size_t>(stage)], step);
            record.stage = StageId(stage);
            ns = record.endNs;
            timeline.records.push_back(record);
        }
    }
    timeline.steadyToNs = 2 * stepNs;
    return timeline;
}

TEST(Findings, whatIsSlowerThanPlannedIsNamedWithItsFigures) {
    MadeRun run({"GPU 0"});
    run.addStages(5, {200 * kMs, 700 * kMs}); // of steps of a second
    EXPECT_TRUE(run.findings().all.empty()) << "no plan is known";
    const PredictedTimeline right = plannedSteps(950 * kMs, {220 * kMs, 640 * kMs});
    EXPECT_TRUE(run.findings(&right).all.empty()) << "as near as predictions are";
    const PredictedTimeline wrong = plannedSteps(640 * kMs, {190 * kMs, 350 * kMs});
    const RunFindings found = run.findings(&wrong);
    ASSERT_EQ(found.all.size(), 2U);
    EXPECT_EQ(found.all[0].code, Code::kSlowerThanPlanned);
    EXPECT_FALSE(found.all[0].stage.valid());
    EXPECT_TRUE(found.all[0].isSerious);
    EXPECT_DOUBLE_EQ(found.all[0].value, 1);
    EXPECT_DOUBLE_EQ(found.all[0].usual, 0.64);
    EXPECT_DOUBLE_EQ(found.all[0].share, 1 / 0.64 - 1);
    EXPECT_EQ(found.all[0].endNs - found.all[0].beginNs, kStepNs);
    EXPECT_EQ(found.all[1].stage, StageId(1));
    EXPECT_EQ(found.all[1].kind, Kind::kForward);
    EXPECT_NEAR(found.all[1].value, 0.7, 1e-9);
    EXPECT_NEAR(found.all[1].usual, 0.35, 1e-9);
}

TEST(Findings, seriousOnesComeFirst) {
    MadeRun run({"GPU 0", "GPU 1"});
    run.addSteps(5, {{IdleReason::kUpdate, 160 * kMs}, {IdleReason::kPacket, 300 * kMs}});
    const RunFindings found = run.findings();
    ASSERT_EQ(found.all.size(), 2U);
    EXPECT_EQ(found.all[0].reason, IdleReason::kUpdate);
    EXPECT_EQ(found.all[1].reason, IdleReason::kPacket) << "waiting for microbatches is a pipeline's nature";
}

TEST(Findings, whatTheMachineSaysOfItself) {
    MadeRun run({"GPU 0", "GPU 1"});
    run.machine().devices[1].gpu->temperatureCelsius = 88;
    run.machine().devices[0].usedBytes = 20 * kGiB;
    run.machine().devices[0].gpu->usedBytes = 23'900 * kMiB;
    run.machine().host.availableBytes = kGiB;
    const RunFindings found = run.findings();
    ASSERT_EQ(found.all.size(), 3U);
    EXPECT_EQ(found.all[0].code, Code::kMemoryTaken);
    EXPECT_EQ(found.all[0].device, 0);
    EXPECT_EQ(found.all[0].value, 23'900.0 * kMiB - 20.0 * kGiB);
    EXPECT_EQ(found.all[1].code, Code::kHostMemoryLow);
    EXPECT_EQ(found.all[2].code, Code::kHot);
    EXPECT_EQ(found.all[2].value, 88);
    run.machine().devices[0].usedBytes = 23 * kGiB; // the run's own: as it was planned
    EXPECT_EQ(run.findings().all.size(), 2U);
}

TEST(Findings, aLossThatIsNoNumberAndAValidationThatRises) {
    MadeRun run({"GPU 0"});
    run.last().step = 12;
    run.last().loss = std::numeric_limits<double>::quiet_NaN();
    run.validations() = {{5, 1.0}, {10, 0.8}, {15, 0.83}};
    ASSERT_EQ(run.findings().all.size(), 1U) << "one worse value is chance";
    EXPECT_EQ(run.findings().all[0].code, Code::kLossNotFinite);
    EXPECT_EQ(run.findings().all[0].step, 12);
    run.validations().push_back({20, 0.9});
    const RunFindings found = run.findings();
    ASSERT_EQ(found.all.size(), 2U);
    EXPECT_EQ(found.all[1].code, Code::kValidationRises);
    EXPECT_EQ(found.all[1].usual, 0.8);
    EXPECT_EQ(found.all[1].value, 0.9);
    EXPECT_EQ(found.all[1].step, 10);
}

} // namespace
} // namespace roundpipe::session
