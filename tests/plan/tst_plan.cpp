#include "base/error.h"
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace roundpipe::plan {
namespace {

std::vector<LayerCost> evenLayers(int32_t numBlocks, double head) {
    std::vector<LayerCost> layers(static_cast<std::size_t>(numBlocks) + 2, {1, 1, 2, 100});
    layers.front() = {0.1, 0.1, 0, 500};
    layers.back() = {head, head, 2 * head, 500};
    return layers;
}

TEST(BalancedPlan, coversEveryLayerForAllSizesAndDevices) {
    for (int32_t numBlocks = 1; numBlocks <= 40; ++numBlocks)
        for (int32_t numDevices = 1; numDevices <= 8; ++numDevices)
            for (int32_t firstTrainable : {1, numBlocks / 2 + 1, numBlocks + 1}) {
                const Plan plan = balancedPlan(evenLayers(numBlocks, 2.5), numDevices, firstTrainable);
                EXPECT_NO_THROW(validate(plan, firstTrainable)) << plan.describe();
                EXPECT_EQ(plan.numLayers, numBlocks + 2);
                EXPECT_EQ(plan.deviceOf(numDevices), DeviceId(0));
            }
}

TEST(BalancedPlan, leavesNoBackwardStageBelowTheFirstTrainableLayer) {
    const Plan plan = balancedPlan(evenLayers(12, 1), 2, 9);
    ASSERT_FALSE(plan.backward.empty());
    EXPECT_EQ(plan.backward.back().begin, 9);
}

TEST(BalancedPlan, keepsStagesUnderTheMemoryLimit) {
    const auto layers = evenLayers(24, 1);
    const Plan plan = balancedPlan(layers, 1, 1, 600);
    for (const Stage& stage : plan.stages()) {
        int64_t bytes = 0;
        for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l)
            bytes += layers[static_cast<std::size_t>(l)].bytes;
        EXPECT_LE(bytes, 600);
    }
}

TEST(BalancedPlan, saysWhichLayerDoesNotFit) {
    try {
        balancedPlan(evenLayers(4, 1), 1, 1, 400);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_NE(std::string(error.what()).find("Layer 0"), std::string::npos);
    }
}

TEST(BalancedPlan, keepsEqualLayersBalanced) {
    const Plan plan = balancedPlan(evenLayers(32, 1), 4, 1);
    int32_t smallest = 100, largest = 0;
    for (std::size_t i = 0; i + 1 < plan.backward.size(); ++i) {
        smallest = std::min(smallest, plan.backward[i].size());
        largest = std::max(largest, plan.backward[i].size());
    }
    EXPECT_LE(largest - smallest, 1) << plan.describe();
    EXPECT_GE(plan.numStages(), 8);
}

TEST(Plan, refusesGapsAndOverlaps) {
    Plan plan = balancedPlan(evenLayers(12, 1), 2, 1);
    Plan gap = plan;
    gap.forward.back().end -= 1;
    EXPECT_THROW(validate(gap, 1), Error);
    Plan headless = plan;
    headless.fused.end -= 1;
    EXPECT_THROW(validate(headless, 1), Error);
    Plan missing = plan;
    missing.backward.pop_back();
    EXPECT_THROW(validate(missing, 1), Error);
}

} // namespace
} // namespace roundpipe::plan
