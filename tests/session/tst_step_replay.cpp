// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/rig/rig_notation.h"
#include "session/simulated/step_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace roundpipe::session {
namespace {

using trace::Record;

// A model whose weights take time to upload, cut into five slots for three GPUs, so that a stage's device changes from
// step to step.
plan::ModelRequest request() {
    plan::ModelRequest request;
    request.model = arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":["Qwen3ForCausalLM"],"vocab_size":32000,"hidden_size":2048,"intermediate_size":6144,)"
        R"("num_hidden_layers":8,"head_dim":128,"num_attention_heads":16,"num_key_value_heads":8})",
        "config.json"));
    request.rig = plan::parseRig("3x4090");
    request.training.lora.rank = 8;
    request.sequencesPerStep = 4;
    request.rounds = 1;
    plan::Plan plan;
    plan.numLayers = 10;
    plan.forward = {{0, 4}, {4, 8}};
    plan.fused = {8, 10};
    plan.backward = {{4, 8}, {1, 4}};
    plan.deviceTable = {DeviceId(0), DeviceId(1), DeviceId(2)};
    request.given = plan;
    return request;
}

using Counts = std::map<std::pair<int32_t, trace::Kind>, int>; // by step

class StepReplayTest : public ::testing::Test {
protected:
    static constexpr int64_t kNumSteps = 9;
    // So many steps one after another, as the simulator has them: weights stay on a device until others need their
    // place, so steps of a rotation load different ones.
    std::vector<Record> simulated() const {
        plan::DispatchOptions options;
        options.numSteps = static_cast<int32_t>(kNumSteps);
        options.keepsRecords = true;
        const plan::EvaluatedPlan& choice = m_found.choice;
        std::vector<Record> records =
            plan::simulateDispatch(choice.plan, m_found.costs, m_request.rig, choice.shape, options).records;
        std::erase_if(records, [](const Record& record) {
            return record.kind == trace::Kind::kWait || record.step >= kNumSteps; // for the step after the last one
        });
        return records;
    }

    plan::ModelRequest m_request = request();
    plan::ModelChoice m_found = plan::chooseForModel(m_request);
    StepReplay m_replay{m_found, m_request.rig};
};

TEST_F(StepReplayTest, takesTheSimulatedTime) {
    int64_t ns = 0;
    for (int64_t step = 0; step < kNumSteps; ++step)
        ns += m_replay.step(step, kNumSteps).durationNs;
    int64_t endNs = 0;
    for (const Record& record : simulated())
        endNs = std::max(endNs, record.endNs);
    EXPECT_NEAR(static_cast<double>(ns), static_cast<double>(endNs), 2e-3 * static_cast<double>(endNs));
    EXPECT_EQ(m_replay.step(7, kNumSteps).durationNs, m_replay.step(4, kNumSteps).durationNs);
    EXPECT_GT(m_replay.step(0, kNumSteps).durationNs, m_replay.step(1, kNumSteps).durationNs)
        << "nothing is loaded ahead for the first step";
}

TEST_F(StepReplayTest, joinsStepsWithoutOverlapAndLosesNothing) {
    std::map<int32_t, std::vector<Record>> lanes;
    Counts count;
    int64_t beginNs = 0;
    for (int64_t step = 0; step < kNumSteps; ++step) {
        const ReplayedStretch stretch = m_replay.step(step, kNumSteps);
        for (Record record : stretch.records) {
            EXPECT_LE(record.endNs, stretch.durationNs);
            EXPECT_GT(record.endNs, 0);
            record.startNs += beginNs;
            record.endNs += beginNs;
            lanes[record.lane.value].push_back(record);
            ++count[{record.step, record.kind}];
        }
        beginNs += stretch.durationNs;
    }
    for (auto& [lane, records] : lanes) {
        std::ranges::sort(records, {}, &Record::startNs);
        for (std::size_t i = 1; i < records.size(); ++i)
            EXPECT_GE(records[i].startNs, records[i - 1].endNs) << "lane " << lane;
    }
    Counts expected;
    for (const Record& record : simulated())
        ++expected[{record.step, record.kind}];
    EXPECT_EQ(count, expected);
    EXPECT_FALSE((count.contains({kNumSteps, trace::Kind::kUploadWeights}))) << "nothing is loaded for no step";
}

TEST_F(StepReplayTest, followsTheTableOfDevicesFromStepToStep) {
    for (int64_t step = 0; step < kNumSteps; ++step)
        for (const Record& record : m_replay.step(step, kNumSteps).records)
            if (record.kind == trace::Kind::kFused) {
                EXPECT_EQ(record.lane,
                          trace::laneOf(m_found.choice.plan.deviceOf(5 * step + 2), trace::LaneRole::kCompute));
            }
}

TEST_F(StepReplayTest, evaluatesForwardOnly) {
    const ReplayedStretch evaluation = m_replay.evaluation(2, -3);
    std::set<std::pair<int32_t, MicrobatchId>> evaluated; // slot and microbatch: its pieces have waits between them
    for (const Record& record : evaluation.records) {
        EXPECT_EQ(record.step, -3);
        EXPECT_GE(record.startNs, 0);
        if (record.kind == trace::Kind::kEvaluate) evaluated.emplace(record.slot, record.microbatch);
        EXPECT_NE(record.kind, trace::Kind::kBackward);
    }
    EXPECT_EQ(evaluated.size(), 3U * 2);
    EXPECT_EQ(evaluation.durationNs, evaluation.records.back().endNs);
}

} // namespace
} // namespace roundpipe::session
