// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/cost/memory_table.h"

#include "plan/program.h"
#include "small_rig.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace roundpipe::plan {
namespace {

using testing::costsOf;

constexpr int64_t kKiB = 1024;

// Nine layers, the n-th with n + 1 KiB of gradients.
Costs trainedLayers() {
    Costs costs = costsOf(std::vector<LayerTimes>(9, {1, 1, 2}), 2);
    for (std::size_t l = 0; l < costs.layers.size(); ++l)
        costs.layers[l].gradients = static_cast<int64_t>(l + 1) * kKiB;
    return costs;
}

// An embedding by itself; `backward`: from the deepest.
Plan planOf(std::vector<LayerRange> backward, const std::vector<int32_t>& table, bool restarts = false) {
    Plan plan;
    plan.numLayers = 9;
    plan.forward = {{0, 1}, {1, 6}};
    plan.fused = {6, 9};
    plan.backward = std::move(backward);
    for (const int32_t device : table)
        plan.deviceTable.emplace_back(device);
    plan.tableRestarts = restarts;
    return plan;
}

std::array<int64_t, 2> gradients(const Plan& plan, int32_t device = 0) {
    std::array<int64_t, 2> kib = deviceNeeds(plan, trainedLayers(), {4, 1}, DeviceId(device)).gradients;
    for (int64_t& bytes : kib)
        bytes /= kKiB;
    return kib;
}

using Sizes = std::array<int64_t, 2>;

// Of all weights a second buffer as large as the first was hundreds of MiB that nothing ever wrote to.
TEST(GradientBuffers, areAsLargeAsTheSlotsThatMeetThem) {
    const Plan even = planOf({{3, 6}, {1, 3}, {0, 1}}, {0});
    EXPECT_EQ(gradients(even), (Sizes{24, 15})) << "fused 24 and 5; 15 and the embedding's 1";
    EXPECT_EQ(deviceMemory(even, trainedLayers(), {4, 1}, DeviceId(0)).gradients, (24 + 15) * kKiB);
    EXPECT_EQ(gradients(planOf({{0, 6}}, {0})), (Sizes{24, 21}));
    EXPECT_EQ(gradients(planOf({{1, 6}, {0, 1}}, {0})), (Sizes{24, 24}))
        << "three: the next round begins with the other";
    EXPECT_EQ(gradients(planOf({}, {0})), (Sizes{24, 24})) << "one alone";
}

// Else what a slot meets depends on what went before.
TEST(GradientBuffers, areOneSizeWhereRoundsDiffer) {
    const std::vector<LayerRange> backward = {{3, 6}, {1, 3}, {0, 1}}; // six slots a round
    EXPECT_EQ(gradients(planOf(backward, {0, 1})), (Sizes{24, 24})) << "evaluations turn the table";
    EXPECT_EQ(gradients(planOf(backward, {0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0}, true)), (Sizes{24, 24}));
    EXPECT_EQ(gradients(planOf(backward, {0, 0, 0, 1, 1, 0}, true)), (Sizes{24, 1})) << "each round the same";
    EXPECT_EQ(gradients(planOf(backward, {0, 0, 0, 1, 1, 0}, true), 1), (Sizes{15, 5}));
    EXPECT_EQ(gradients(planOf(backward, {0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0}, true)), (Sizes{24, 1}));
}

} // namespace
} // namespace roundpipe::plan
