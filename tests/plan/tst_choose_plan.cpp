// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/units.h"
#include "plan/search/choose_plan.h"
#include "plan/search/least_memory.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"
#include "plan/simulate/step_estimator.h"
#include "small_rig.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

namespace roundpipe::plan {
namespace {

using Json = nlohmann::json;
using testing::costsOf;
using testing::equalRig;

EvaluatedPlan choose(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options = {}) {
    return choosePlan(rig, costs, std::span(&shape, 1), options);
}

// Random layers: blocks of about the same cost, some of them odd, and a dear head.
struct Case {
    Rig rig;
    Costs costs;
    StepShape shape;
};

Case randomCase(uint32_t seed, int32_t mostLayers, int32_t mostDevices) {
    std::mt19937 random(seed);
    const auto number = [&](int32_t low, int32_t high) {
        return low + static_cast<int32_t>(random() % static_cast<uint32_t>(high - low + 1));
    };
    const auto real = [&](double low, double high) { return low + (high - low) * (random() % 10'000) / 10'000; };
    const int32_t numDevices = number(1, mostDevices);
    std::vector<LayerTimes> times{{1e-5, 1e-5, 0}};
    const double forward = real(1e-3, 5e-3);
    const int32_t numBlocks = number(2, mostLayers - 2);
    for (int32_t b = 0; b < numBlocks; ++b) {
        const double odd = random() % 4 == 0 ? real(0.5, 2) : 1;
        times.push_back({odd * forward, odd * forward * 1.05, odd * forward * real(1.8, 2.2), odd * forward * 0.2,
                         odd * forward * 0.4});
    }
    const double head = real(0.5, 4) * forward;
    times.push_back({head, head, 2 * head});
    Case c{equalRig(numDevices, real(5e9, 50e9), 1e-5),
           costsOf(times, numDevices),
           {number(1, 9), number(1, 2), random() % 2 == 0}};
    c.costs.firstTrainable = 1;
    c.costs.packetBytes = number(1, 30) << 20;
    c.costs.updateSeconds.assign(times.size(), 1e-3 / static_cast<double>(times.size()));
    for (geometry::LayerSizes& layer : c.costs.layers) {
        layer.baseUp = layer.weights = number(20, 60) << 20;
        layer.adapterUp = 1 << 20;
        layer.saved = layer.isBlock ? int64_t{number(1, 8)} << 26 : 0;
        layer.savedWithoutGateUp = layer.saved / 4 * number(1, 4);
        layer.workspace = number(1, 4) << 26;
    }
    c.rig.host.memoryBytesPerSecond = real(20e9, 400e9);
    for (DeviceSpec& device : c.rig.devices)
        device.memoryBytes = int64_t{4} << 30;
    return c;
}

TEST(Planner, coversEveryLayerOnceAndKeepsWithinMemory) {
    int32_t numChosen = 0;
    for (uint32_t seed = 0; seed < 60; ++seed) {
        Case c = randomCase(seed, 14, 4);
        for (DeviceSpec& device : c.rig.devices)
            device.memoryBytes = int64_t{1} << (30 + seed % 4);
        try {
            const EvaluatedPlan choice = choose(c.rig, c.costs, c.shape);
            ++numChosen;
            validate(choice.plan, c.costs.firstTrainable);
            DispatchOptions options;
            options.countsMemory = true;
            const Simulated replay = simulateDispatch(choice.plan, c.costs, c.rig, c.shape, options);
            for (std::size_t d = 0; d < c.rig.devices.size(); ++d) {
                EXPECT_LE(choice.deviceMemory[d].total(), c.rig.devices[d].memoryBytes) << "seed " << seed;
                EXPECT_LE(replay.peakBytes[d], choice.deviceMemory[d].ownBytes()) << "seed " << seed;
            }
            EXPECT_GT(std::ranges::max(replay.peakBytes), 0);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory) << error.what();
        }
    }
    EXPECT_GT(numChosen, 30);
}

TEST(Planner, neverPromisesMoreThanTheDevicesCanDo) {
    for (uint32_t seed = 0; seed < 40; ++seed) {
        const Case c = randomCase(seed, 14, 4);
        const EvaluatedPlan choice = choose(c.rig, c.costs, c.shape);
        EXPECT_GE(choice.step.stepSeconds, choice.fastestThinkable * (1 - 1e-9)) << "seed " << seed;
        EXPECT_GE(choice.step.bubbleShare, -1e-9);
        EXPECT_LT(choice.step.bubbleShare, 1);
    }
}

TEST(Planner, neverPromisesMoreThanTheLinksCanCarry) {
    int32_t numBound = 0;
    for (uint32_t seed = 0; seed < 60; ++seed) {
        Case c = randomCase(seed, 14, 4);
        for (Link& link : c.rig.links)
            link.upBytesPerSecond /= 40;
        for (DeviceSpec& device : c.rig.devices)
            device.memoryBytes =
                5 * deviceMemory(planOfLeastMemory(c.rig, c.costs, c.shape), c.costs, c.shape, DeviceId(0)).total() / 4;
        const EvaluatedPlan choice = choose(c.rig, c.costs, c.shape);
        const double share = busiestLink(choice.step, c.rig).seconds / choice.step.stepSeconds;
        EXPECT_LE(share, 1 + 1e-9) << "seed " << seed;
        numBound += share > 0.9;
    }
    EXPECT_GT(numBound, 10);
}

TEST(Planner, isNeverSlowerOnABetterRig) {
    double worst = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
        const Case c = randomCase(seed, 12, 4);
        const double before = choose(c.rig, c.costs, c.shape).step.stepSeconds;
        const auto compare = [&](const char* what, const Rig& rig, const Costs& costs) {
            const double ratio = choose(rig, costs, c.shape).step.stepSeconds / before;
            worst = std::max(worst, ratio - 1);
            EXPECT_LE(ratio, 1.01) << what << ", seed " << seed;
        };
        Rig more = c.rig;
        for (DeviceSpec& device : more.devices)
            device.memoryBytes *= 3;
        compare("more memory", more, c.costs);
        Rig faster = c.rig;
        for (Link& link : faster.links)
            link.upBytesPerSecond = link.downBytesPerSecond = 2 * link.upBytesPerSecond;
        faster.host.memoryBytesPerSecond *= 2;
        compare("more bandwidth", faster, c.costs);
        Rig larger = c.rig;
        larger.devices.push_back(larger.devices.back());
        larger.links.push_back(larger.links.back());
        Costs costs = c.costs;
        costs.times.push_back(costs.times.back());
        costs.contextBytes.push_back(0);
        compare("another device", larger, costs);
    }
    std::printf("slower by at most %.2f %%\n", 100 * worst);
}

// Every way to cut, replayed on the rig.
double bestOfAll(const Case& c) {
    const int32_t numLayers = c.costs.numLayers();
    double best = std::numeric_limits<double>::infinity();
    const auto cuts = [](LayerRange layers, uint32_t bits) {
        std::vector<LayerRange> stages;
        int32_t begin = layers.begin;
        for (int32_t l = layers.begin + 1; l <= layers.end; ++l)
            if (l == layers.end || (bits >> (l - layers.begin - 1) & 1)) {
                stages.push_back({begin, l});
                begin = l;
            }
        return stages;
    };
    const auto numCuts = [](LayerRange layers) { return layers.size() > 0 ? 1u << (layers.size() - 1) : 1u; };
    for (int32_t fused = 1; fused <= numLayers; ++fused) {
        const LayerRange forward{0, numLayers - fused};
        const LayerRange backward{std::min(1, numLayers - fused), numLayers - fused};
        for (uint32_t f = 0; f < numCuts(forward); ++f)
            for (uint32_t b = 0; b < numCuts(backward); ++b) {
                Plan plan;
                plan.numLayers = numLayers;
                plan.fused = {numLayers - fused, numLayers};
                plan.forward = cuts(forward, f);
                plan.backward = cuts(backward, b);
                std::ranges::reverse(plan.backward);
                for (int32_t d = 0; d < c.rig.numDevices(); ++d)
                    plan.deviceTable.push_back(DeviceId(d));
                const auto fits = [&] {
                    return deviceMemory(plan, c.costs, c.shape, DeviceId(0)).total() <= c.rig.devices[0].memoryBytes;
                };
                if (!fits()) chooseSaving(plan, c.rig, c.costs, c.shape);
                if (!fits()) continue;
                best = std::min(best, evaluatePlan(plan, c.rig, c.costs, c.shape).step.stepSeconds);
            }
    }
    return best;
}

TEST(Planner, agreesWithAnExhaustiveSearch) {
    double worst = 0;
    for (uint32_t seed = 0; seed < 25; ++seed) {
        const Case c = randomCase(seed, 7, 3);
        const double ratio = choose(c.rig, c.costs, c.shape).step.stepSeconds / bestOfAll(c);
        worst = std::max(worst, ratio - 1);
        EXPECT_LE(ratio, 1.01) << "seed " << seed;
    }
    std::printf("at most %.2f %% above the best of all cuts\n", 100 * worst);
}

TEST(Planner, doesNotSlowUnequalDevicesToTheSlowest) {
    const std::vector<LayerTimes> times(26, {1e-3, 1e-3, 2e-3});
    Rig rig = equalRig(3);
    Costs costs = costsOf(times, 3);
    for (LayerTimes& slow : costs.times[2])
        slow = {3e-3, 3e-3, 6e-3}; // a third as fast
    for (geometry::LayerSizes& layer : costs.layers)
        layer.gradients = layer.isBlock ? 50 * kKiB : 0; // twice in a backward stage
    for (DeviceSpec& device : rig.devices)
        device.memoryBytes = 450 * kKiB; // four blocks' worth
    const EvaluatedPlan choice = choose(rig, costs, {12, 1, false});
    const double fast = 2.0 / (2 + 1.0 / 3); // of the two fast ones alone, perfectly shared, to all three
    const Rig pair = equalRig(2);
    Costs two = costs;
    two.times.pop_back();
    two.contextBytes.pop_back();
    Rig limited = pair;
    for (DeviceSpec& device : limited.devices)
        device.memoryBytes = 450 * kKiB;
    const EvaluatedPlan without = choose(limited, two, {12, 1, false});
    std::printf("with the slow device %.3f s, without %.3f s (at best %.3f)\n", choice.step.stepSeconds,
                without.step.stepSeconds, without.step.stepSeconds * fast);
    EXPECT_LT(choice.step.stepSeconds, without.step.stepSeconds);
    EXPECT_GT(choice.step.busySeconds[2], 0);
}

TEST(Planner, saysWhatIsMissingWhereNothingFits) {
    Case c = randomCase(1, 8, 2);
    for (DeviceSpec& device : c.rig.devices)
        device.memoryBytes = 1 << 20;
    try {
        choose(c.rig, c.costs, c.shape);
        FAIL() << "a model without room was planned";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_NE(std::string(error.what()).find("device"), std::string::npos) << error.what();
    }
}

TEST(Planner, usesWhatTheEngineCanDo) {
    Case c = randomCase(3, 10, 3);
    c.shape = {6, 1, false};
    for (Link& link : c.rig.links)
        link.upBytesPerSecond = 2e9; // uploads are what a step waits for
    for (geometry::LayerSizes& layer : c.costs.layers)
        layer.saved = layer.savedWithoutGateUp = layer.workspace = 0; // and bases are what fills the devices
    SearchOptions options;
    options.engine.residency = false;
    const int64_t enough = choose(c.rig, c.costs, c.shape, options).deviceMemory[0].total();
    for (DeviceSpec& device : c.rig.devices)
        device.memoryBytes = enough * 6 / 10; // so that weights come and go
    const double before = choose(c.rig, c.costs, c.shape, options).step.stepSeconds;
    options.engine.residency = true;
    const EvaluatedPlan resident = choose(c.rig, c.costs, c.shape, options);
    EXPECT_LE(resident.step.stepSeconds, before);
    EXPECT_GT(resident.deviceMemory[0].residents, 0);
    EXPECT_LE(resident.deviceMemory[0].total(), c.rig.devices[0].memoryBytes);
}

TEST(Planner, keepsBasesWhereMemoryIsLeft) {
    Case c{equalRig(1), costsOf(std::vector<LayerTimes>(8, {1, 1, 2}), 1), {2, 1, false}};
    for (geometry::LayerSizes& layer : c.costs.layers)
        layer.baseUp = layer.weights = 1 << 20;
    Plan plan;
    plan.numLayers = 8;
    plan.fused = {7, 8};
    for (int32_t l = 0; l < 7; ++l) {
        plan.forward.push_back({l, l + 1});
        plan.backward.insert(plan.backward.begin(), {l, l + 1});
    }
    plan.deviceTable = {DeviceId(0)};
    const EvaluatedPlan streamed = evaluatePlan(plan, c.rig, c.costs, c.shape);
    EXPECT_EQ(streamed.step.bytesUp[0] >> 20, 2 * 7 - 4) << "two blocks are there at each turn";
    for (const int32_t kept : {0, 3, 8}) {
        c.rig.devices[0].memoryBytes = streamed.deviceMemory[0].total() + (kept << 20);
        c.rig.devices[0].memoryBytes = c.rig.devices[0].memoryBytes * 100 / 92 + 1; // what bases may fill
        addResidents(plan, c.rig, c.costs, c.shape);
        const EvaluatedPlan resident = evaluatePlan(plan, c.rig, c.costs, c.shape);
        EXPECT_EQ(resident.deviceMemory[0].residents >> 20, kept);
        EXPECT_LE(resident.deviceMemory[0].total(), c.rig.devices[0].memoryBytes);
        if (kept > 0) {
            EXPECT_LT(resident.step.bytesUp[0], streamed.step.bytesUp[0]);
        }
    }
    c.rig.devices[0].isGpu = false;
    addResidents(plan, c.rig, c.costs, c.shape);
    EXPECT_TRUE(plan.resident.empty()) << "a CPU worker's weights lie in the host's memory already";
}

TEST(Planner, spreadsTheBasesThatStaySoThatTheLinkIsNeverWithoutWork) {
    constexpr int32_t kNumLayers = 25;
    Case c{equalRig(1, 1 << 20), costsOf(std::vector<LayerTimes>(kNumLayers, {0.15, 0.15, 0.3}), 1), {1, 1, false}};
    for (geometry::LayerSizes& layer : c.costs.layers)
        layer.baseUp = layer.weights = 1 << 20; // a second on the link
    Plan plan;
    plan.numLayers = kNumLayers;
    plan.fused = {kNumLayers - 1, kNumLayers};
    for (int32_t l = 0; l + 1 < kNumLayers; ++l) {
        plan.forward.push_back({l, l + 1});
        plan.backward.insert(plan.backward.begin(), {l, l + 1});
    }
    plan.deviceTable = {DeviceId(0)};
    const int64_t none = evaluatePlan(plan, c.rig, c.costs, c.shape).deviceMemory[0].total();
    c.rig.devices[0].memoryBytes = (none + (int64_t{12} << 20)) * 100 / 96;
    plan.prefetchDepth = 1;
    addResidents(plan, c.rig, c.costs, c.shape, Residents::kSpread);
    const EvaluatedPlan spread = evaluatePlan(plan, c.rig, c.costs, c.shape);
    const double linkSeconds = static_cast<double>(spread.step.bytesUp[0] >> 20);

    EXPECT_GE(std::ranges::count(plan.resident[0], true), 10);
    plan.prefetchDepth = 0;
    addResidents(plan, c.rig, c.costs, c.shape);
    const EvaluatedPlan together = evaluatePlan(plan, c.rig, c.costs, c.shape);
    std::printf("%.1f s of the link; spread %.1f s a step, side by side %.1f\n", linkSeconds, spread.step.stepSeconds,
                together.step.stepSeconds);
    EXPECT_LT(spread.step.stepSeconds, 1.15 * linkSeconds);
    EXPECT_GT(together.step.stepSeconds, 1.15 * spread.step.stepSeconds);
}

// The published five on 8 devices, 16 microbatches a step. No more activations at once than the published stages have.
class PublishedModels : public ::testing::Test {
protected:
    void SetUp() override {
        const char* folder = std::getenv("ROUNDPIPE_REFERENCE");
        std::ifstream file(folder ? std::filesystem::path(folder) / "simulator-vectors.json"
                                  : ::roundpipe::testing::fixtures() / ".." / "reference" / "simulator-vectors.json");
        if (!file) GTEST_SKIP() << "simulator-vectors.json is absent; set ROUNDPIPE_REFERENCE to its folder";
        m_vectors = Json::parse(file);
    }
    testing::Workload workload(const Json& m) const {
        return {{m.at("tf"), m.at("tb"), m.at("lf"), m.at("lb")}, m_vectors.at("N"), m_vectors.at("M"), m.at("comm")};
    }
    // In milliseconds, as published.
    Case caseOf(const Json& m, int32_t roundSize, bool stale) const {
        const testing::Workload w = workload(m);
        std::vector<LayerTimes> times(m.at("L"), {w.model.layerForward, w.model.layerForward, w.model.layerBackward});
        times.push_back({w.model.headForward, w.model.headForward, w.model.headBackward});
        Case c{equalRig(w.numDevices, 1e14, w.hop / 2),
               costsOf(times, w.numDevices),
               {roundSize, w.numMicrobatches / roundSize, stale}};
        constexpr int64_t kBlock = kMiB; // anything else together takes less
        for (geometry::LayerSizes& layer : c.costs.layers)
            layer.gradients = layer.isBlock ? kBlock / 2 : 0; // twice in a backward stage
        const std::vector<int32_t> published = m.at("rp_b");
        for (DeviceSpec& device : c.rig.devices)
            device.memoryBytes = kBlock * std::ranges::max(published) + kBlock - 1;
        return c;
    }
    static std::pair<std::vector<int32_t>, std::vector<int32_t>> sizesOf(const Plan& plan) {
        std::vector<int32_t> forward, backward{plan.fused.size() - 1};
        for (const LayerRange& stage : plan.forward)
            forward.push_back(stage.size());
        for (const LayerRange& stage : plan.backward)
            backward.push_back(stage.size());
        return {forward, backward};
    }
    static testing::RoundPipeOptions options(int32_t roundSize) {
        testing::RoundPipeOptions options;
        options.roundSize = roundSize;
        options.headWaitsForInput = true;
        return options;
    }
    Json m_vectors;
};

TEST_F(PublishedModels, leaveAtMostOnePercentBubbleInSteadyState) {
    for (const auto& [name, m] : m_vectors.at("models").items()) {
        const Case c = caseOf(m, 16, true);
        const EvaluatedPlan choice = choose(c.rig, c.costs, c.shape);
        const auto [forward, backward] = sizesOf(choice.plan);
        testing::RoundPipeOptions steady = options(16);
        steady.numSteps = 20; // two whole rotations, whatever the number of slots
        const double bubble =
            testing::simulateRoundPipe(workload(m), forward, backward, steady).steadyBubblePercent(3, 19);
        steady.roundSize = 8;
        const double published =
            testing::simulateRoundPipe(workload(m), m.at("rp_f"), m.at("rp_b"), steady).steadyBubblePercent(3, 19);
        std::printf("%-5s %-70s bubble %.2f %% (published cuts %.2f %%), on links %.2f %%\n", name.c_str(),
                    choice.plan.describe().c_str(), bubble, published, 100 * choice.step.bubbleShare);
        EXPECT_LE(bubble, 1.0) << name;
    }
}

TEST_F(PublishedModels, takeNoLongerThanThePublishedCutsWhenSynchronous) {
    for (const auto& [name, m] : m_vectors.at("models").items()) {
        double ours = std::numeric_limits<double>::infinity();
        for (const int32_t roundSize : {8, 16}) {
            const Case c = caseOf(m, roundSize, false);
            const auto [forward, backward] = sizesOf(choose(c.rig, c.costs, c.shape).plan);
            const testing::Timeline replay =
                testing::simulateRoundPipe(workload(m), forward, backward, options(roundSize));
            ours = std::min(ours, replay.statistics(testing::SwitchRule::kLastForward).makespan);
        }
        const double published = testing::simulateRoundPipe(workload(m), m.at("rp_f"), m.at("rp_b"), options(8))
                                     .statistics(testing::SwitchRule::kLastForward)
                                     .makespan;
        std::printf("%-5s makespan %.1f ms, published cuts %.1f ms (%+.2f %%)\n", name.c_str(), ours, published,
                    100 * (ours / published - 1));
        EXPECT_LE(ours, published * (1 + 1e-9)) << name;
    }
}

} // namespace
} // namespace roundpipe::plan
