// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "published_schedules.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

namespace roundpipe::plan::testing {
namespace {

using Json = nlohmann::json;
using Layers = std::vector<int32_t>;

std::filesystem::path vectorsFile() {
    if (const char* folder = std::getenv("ROUNDPIPE_REFERENCE"))
        return std::filesystem::path(folder) / "simulator-vectors.json";
    return roundpipe::testing::fixtures() / ".." / "reference" / "simulator-vectors.json";
}

const std::map<std::string, BoundSchedule> kBound = {{"gpipe", BoundSchedule::kGpipe},
                                                     {"1f1b", BoundSchedule::k1f1b},
                                                     {"interleaved-1f1b", BoundSchedule::kInterleaved1f1b},
                                                     {"looped-bfs", BoundSchedule::kLoopedBfs}};
const std::vector<std::string> kModels = {"1.7b", "8b", "20b", "32b", "235b"};

class PublishedSimulation : public ::testing::Test {
protected:
    void SetUp() override {
        std::ifstream file(vectorsFile());
        if (!file) GTEST_SKIP() << "simulator-vectors.json is absent; set ROUNDPIPE_REFERENCE to its folder";
        m_vectors = Json::parse(file);
    }
    const Json& model(const std::string& name) const { return m_vectors.at("models").at(name); }
    Workload workload(const std::string& name) const {
        const Json& m = model(name);
        return {{m.at("tf"), m.at("tb"), m.at("lf"), m.at("lb")}, m_vectors.at("N"), m_vectors.at("M"), m.at("comm")};
    }
    Timeline bound(const std::string& schedule, const std::string& name, bool early = false) const {
        const bool single = schedule == "gpipe" || schedule == "1f1b";
        return simulateBound(kBound.at(schedule), workload(name), model(name).at(single ? "plain" : "loop"), early);
    }
    Timeline roundPipe(const std::string& name, const RoundPipeOptions& options = {}) const {
        return simulateRoundPipe(workload(name), model(name).at("rp_f"), model(name).at("rp_b"), options);
    }
    double steadyBubble(const std::string& name, bool headWaits, int32_t roundSize, int32_t first, int32_t last) const {
        RoundPipeOptions options;
        options.numSteps = 12;
        options.headWaitsForInput = headWaits;
        options.roundSize = roundSize;
        return roundPipe(name, options).steadyBubblePercent(first, last);
    }
    // Compares with the two decimals of the derived table, one value a model.
    template <class Simulate>
    void expectTable(const char* row, const std::vector<double>& expected, Simulate&& simulate) const {
        std::printf("%-44s", row);
        for (std::size_t i = 0; i < kModels.size(); ++i) {
            const double value = simulate(kModels[i]);
            std::printf(" %6.2f", value);
            EXPECT_NEAR(value, expected[i], 0.005 + 1e-9) << row << ", " << kModels[i];
        }
        std::printf("\n");
    }
    Json m_vectors;
};

double bubblePercent(const Timeline& replay) {
    const Statistics s = replay.statistics(SwitchRule::kWarmUp);
    return s.percent(s.bubble);
}

// The published log counts one event a layer and direction, and two for the head.
int64_t numLayerEvents(const Timeline& replay, const Json& model) {
    const UniformModel m{model.at("tf"), model.at("tb"), model.at("lf"), model.at("lb")};
    double events = 0;
    for (const Executed& e : replay.executed()) {
        const Operation& op = e.operation;
        const auto count = [&](double time, double layer, double head) {
            const double whole = std::round(time / layer);
            return std::abs(time - whole * layer) < 1e-6 ? whole : 1 + std::round((time - head) / layer);
        };
        events += count(op.forward, m.layerForward, m.headForward) + std::round(op.recompute / m.layerForward) +
                  count(op.backward, m.layerBackward, m.headBackward);
    }
    return std::llround(events);
}

std::map<std::string, double> fieldsOf(const Timeline& replay, const Json& model, bool isRoundPipe) {
    const Statistics s = replay.statistics(isRoundPipe ? SwitchRule::kLastForward : SwitchRule::kWarmUp);
    return {{"events", static_cast<double>(numLayerEvents(replay, model))},
            {"makespan", s.makespan},
            {"bubble_time", s.bubble},
            {"bubble_ratio", s.percent(s.bubble)},
            {"fill_bubble_time", s.fill},
            {"fill_bubble_ratio", s.percent(s.fill)},
            {"switch_bubble_time", s.switching},
            {"switch_bubble_ratio", s.percent(s.switching)},
            {"drain_bubble_time", s.drain},
            {"drain_bubble_ratio", s.percent(s.drain)},
            {"intra_bubble_time", s.intra},
            {"intra_bubble_ratio", s.percent(s.intra)},
            {"comm_time_per_hop", replay.hop()},
            {"comm_total_time", s.commTotal},
            {"comm_exposed_time", s.commExposed},
            {"comm_exposed_ratio", s.percent(s.commExposed)}};
}

TEST_F(PublishedSimulation, reproducesEveryFieldOfAllRecords) {
    ASSERT_EQ(m_vectors.at("expected").size(), 25u);
    std::map<std::string, double> largest;
    for (const Json& record : m_vectors.at("expected")) {
        const std::string schedule = record.at("scheduler");
        const std::string name = record.at("model");
        const bool isRoundPipe = schedule == "roundpipe";
        const Timeline replay = isRoundPipe ? roundPipe(name) : bound(schedule, name);
        const auto fields = fieldsOf(replay, model(name), isRoundPipe);
        ASSERT_EQ(record.size(), fields.size() + 2) << "a field of the record is not compared";
        for (const auto& [field, value] : fields) {
            const double difference = std::abs(value - record.at(field).get<double>());
            largest[field] = std::max(largest[field], difference);
            EXPECT_LE(difference, 1e-4) << schedule << " " << name << " " << field << ": " << value;
        }
    }
    for (const auto& [field, difference] : largest)
        std::printf("%-20s largest absolute difference %.2e\n", field.c_str(), difference);
}

TEST_F(PublishedSimulation, agreesWithTheDerivedTableOnCorrectedVariants) {
    RoundPipeOptions head;
    head.headWaitsForInput = true;
    RoundPipeOptions wide;
    wide.roundSize = 16;
    expectTable("interleaved 1F1B, early recompute", {21.66, 28.69, 29.48, 13.48, 4.31},
                [&](const auto& m) { return bubblePercent(bound("interleaved-1f1b", m, true)); });
    expectTable("looped BFS, early recompute", {22.20, 27.93, 29.20, 12.73, 3.52},
                [&](const auto& m) { return bubblePercent(bound("looped-bfs", m, true)); });
    expectTable("RoundPipe, head waits for its input", {19.07, 14.28, 15.02, 6.91, 3.29},
                [&](const auto& m) { return bubblePercent(roundPipe(m, head)); });
    expectTable("RoundPipe", {19.07, 14.28, 13.98, 6.67, 3.29},
                [&](const auto& m) { return bubblePercent(roundPipe(m)); });
    expectTable("RoundPipe, one round of 16", {23.79, 15.43, 16.91, 6.91, 3.03},
                [&](const auto& m) { return bubblePercent(roundPipe(m, wide)); });
}

TEST_F(PublishedSimulation, agreesWithTheDerivedTableInSteadyState) {
    expectTable("RoundPipe, one step stale", {4.50, 2.22, 4.20, 3.45, 1.10},
                [&](const auto& m) { return steadyBubble(m, false, 0, 3, 9); });
    expectTable("  and the head waits", {5.38, 2.22, 5.48, 3.72, 1.10},
                [&](const auto& m) { return steadyBubble(m, true, 0, 3, 9); });
}

// One round of 16 a step: the rotation repeats after up to 8 steps, so a whole one is measured.
TEST_F(PublishedSimulation, losesLessInSteadyStateWithWiderRounds) {
    for (const std::string& name : kModels) {
        const double wide = steadyBubble(name, true, 16, 2, 10);
        std::printf("%s, rounds of 16, head waits: %.2f %%\n", name.c_str(), wide);
        EXPECT_LT(wide, steadyBubble(name, true, 8, 2, 10) / 2) << name;
    }
}

// Small cases of every schedule, on 3 devices.
const Workload kSmall{{1, 2, 1.5, 2.5}, 3, 6, 0.25};
std::vector<Timeline> smallReplays() {
    std::vector<Timeline> replays;
    for (const bool early : {false, true})
        for (const auto& [name, schedule] : kBound)
            replays.push_back(
                simulateBound(schedule, kSmall,
                              name == "gpipe" || name == "1f1b" ? Layers{3, 2, 2} : Layers{1, 1, 2, 1, 2, 0}, early));
    for (const bool waits : {false, true})
        for (const int32_t roundSize : {1, 3, 4, 6}) {
            RoundPipeOptions options;
            options.headWaitsForInput = waits;
            options.roundSize = roundSize;
            replays.push_back(simulateRoundPipe(kSmall, {4, 3}, {0, 1, 2, 2, 2}, options));
        }
    return replays;
}

TEST(Simulator, doesTheSameWorkInEverySchedule) {
    const double perMicrobatch = 7 * (2 * 1 + 2) + 1.5 + 2.5;
    for (const Timeline& replay : smallReplays())
        EXPECT_NEAR(replay.statistics(SwitchRule::kWarmUp).busy, 6 * perMicrobatch, 1e-9);
}

TEST(Simulator, neverBeatsTheTrivialLowerBounds) {
    const double perMicrobatch = 7 * (2 * 1 + 2) + 1.5 + 2.5;
    const double recompute = 7; // may hide behind the critical path of one microbatch, and the head's forward too
    for (const Timeline& replay : smallReplays()) {
        const double makespan = replay.statistics(SwitchRule::kWarmUp).makespan;
        EXPECT_GE(makespan, 6 * perMicrobatch / 3);
        EXPECT_GE(makespan, perMicrobatch - recompute - 1.5);
    }
}

TEST(Simulator, keepsDependenciesAndNeverOverlaps) {
    constexpr double kRounding = 1e-9;
    for (const Timeline& replay : smallReplays()) {
        std::map<int32_t, double> deviceEnd;
        for (const Executed& e : replay.executed()) {
            EXPECT_GE(e.start, deviceEnd[e.operation.device.value] - kRounding);
            EXPECT_GE(e.end, e.start);
            deviceEnd[e.operation.device.value] = e.end;
            const double gated = e.operation.preparesEarly ? e.backwardStart() : e.start;
            for (const int32_t input : e.operation.inputs) {
                const Executed& producer = replay.executed()[static_cast<std::size_t>(input)];
                const double hop = producer.operation.device == e.operation.device ? 0 : replay.hop();
                EXPECT_GE(gated, producer.end + hop - kRounding);
            }
        }
    }
}

TEST(Simulator, matchesTheFormulaOfGpipeOnEqualStages) {
    for (int32_t devices = 1; devices <= 5; ++devices)
        for (int32_t microbatches = 1; microbatches <= 8; ++microbatches) {
            const Workload w{{1, 2, 0, 0}, devices, microbatches, 0};
            const Timeline replay =
                simulateBound(BoundSchedule::kGpipe, w, Layers(static_cast<std::size_t>(devices), 1));
            EXPECT_NEAR(bubblePercent(replay), 100.0 * (devices - 1) / (microbatches + devices - 1), 1e-9);
        }
}

TEST(Simulator, splitsTheBubbleIntoItsFourParts) {
    for (const Timeline& replay : smallReplays()) {
        const Statistics s = replay.statistics(SwitchRule::kLastForward);
        for (const double part : {s.fill, s.switching, s.drain, s.intra})
            EXPECT_GE(part, -1e-9);
        EXPECT_NEAR(s.fill + s.switching + s.drain + s.intra, s.bubble, 1e-9);
    }
}

TEST(Simulator, refusesWhatCannotRun) {
    EXPECT_THROW(boundOperations(BoundSchedule::kGpipe, 1, 0, 1), Error);
    EXPECT_THROW(boundOperations(BoundSchedule::kGpipe, 1, 1, 0), Error);
    EXPECT_THROW(simulateBound(BoundSchedule::kGpipe, kSmall, {1, 1}), Error);
    EXPECT_THROW(simulateBound(BoundSchedule::kLoopedBfs, kSmall, {1, 1, 1, 1}), Error);
    EXPECT_THROW(simulateRoundPipe(kSmall, {4, 3}, {0, 1, 2}), Error);
    EXPECT_THROW(simulateRoundPipe(kSmall, {4, 3}, {1, 6}), Error); // 7 + 1 layers forward, 7 backward
}

} // namespace
} // namespace roundpipe::plan::testing
