// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/program.h"

#include "base/error.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace roundpipe::plan {
namespace {

// Seven layers in two forward stages, a fused one and two backward stages.
Plan planOf(std::vector<int32_t> table, bool restarts = false) {
    Plan plan;
    plan.numLayers = 7;
    plan.forward = {{0, 2}, {2, 5}};
    plan.fused = {5, 7};
    plan.backward = {{3, 5}, {0, 3}};
    for (const int32_t device : table)
        plan.deviceTable.emplace_back(device);
    plan.tableRestarts = restarts;
    return plan;
}

std::string describe(const Program& program) {
    constexpr const char* kNames = "fFbe";
    std::string text;
    for (const Slot& slot : program.slots)
        text += std::string(1, kNames[static_cast<std::size_t>(slot.work)]) + std::to_string(slot.layers.begin) + "-" +
                std::to_string(slot.layers.end) + "@" + std::to_string(slot.device.value) + " ";
    return text;
}

TEST(Program, listsARoundsStagesAfterEachOther) {
    const Program program = trainingProgram(planOf({0, 1, 2}), 0, 5, 3, 0);
    EXPECT_EQ(describe(program), "f0-2@0 f2-5@1 F5-7@2 b3-5@0 b0-3@1 f0-2@2 f2-5@0 F5-7@1 b3-5@2 b0-3@0 ");
    EXPECT_EQ(program.numRounds, 2);
    for (int32_t i = 0; i < program.numSlots(); ++i) {
        const Slot& slot = program.slots[static_cast<std::size_t>(i)];
        EXPECT_EQ(slot.index, i);
        EXPECT_EQ(slot.stage.value, i % 5);
        EXPECT_EQ(slot.round, i / 5);
        EXPECT_EQ(program.firstMicrobatch(slot), 3 * slot.round);
        EXPECT_EQ(program.endMicrobatch(slot), slot.round == 0 ? 3 : 5) << "the last round has fewer";
    }
}

TEST(Program, ofALaterStepIsOnTheDevicesThatItMeetsThen) {
    for (const Plan& plan : {planOf({0, 1, 2}), planOf({0, 1, 2, 3}), planOf({0, 1, 2, 0, 1}, true)}) {
        Program program = trainingProgram(plan, 0, 5, 3, 0);
        for (const int64_t before : {10, 20, 70}) {
            dispatchLater(program, plan, before);
            EXPECT_EQ(describe(program), describe(trainingProgram(plan, 0, 5, 3, before)));
        }
    }
}

TEST(Program, sharesAStepOutToReplicas) {
    Plan plan;
    plan.numLayers = 7;
    plan.fused = {0, 7};
    plan.deviceTable = {DeviceId(0), DeviceId(1), DeviceId(2)};
    plan.tableRestarts = true;
    plan.replicas = 3;
    validate(plan, 0);
    const auto sharesOf = [&](int32_t numMicrobatches) {
        const Program program = trainingProgram(plan, 0, numMicrobatches, numMicrobatches, 1);
        std::string text;
        for (const Slot& slot : program.slots)
            text += std::to_string(program.firstMicrobatch(slot)) + "-" + std::to_string(program.endMicrobatch(slot)) +
                    "@" + std::to_string(slot.device.value) + " ";
        return text;
    };
    EXPECT_EQ(sharesOf(7), "0-3@0 3-6@1 6-7@2 ");
    EXPECT_EQ(sharesOf(6), "0-2@0 2-4@1 4-6@2 ");
    EXPECT_EQ(sharesOf(2), "0-1@0 1-2@1 ") << "the third has nothing to do";
    EXPECT_EQ(describe(evaluationProgram(plan, 5, 4)), "e0-7@0 e0-7@1 e0-7@2 ");
    for (int32_t d = 0; d < 3; ++d) {
        ASSERT_EQ(roundOn(plan, 0, DeviceId(d)).slots.size(), 1U);
        EXPECT_EQ(roundOn(plan, 0, DeviceId(d)).orders.size(), 1U);
    }
    plan.backward = {{0, 3}};
    plan.fused = {3, 7};
    plan.forward = {{0, 3}};
    validate(plan, 0);
    EXPECT_EQ(describe(trainingProgram(plan, 0, 2, 2, 9)), "f0-3@0 F3-7@0 b0-3@0 f0-3@1 F3-7@1 b0-3@1 ");
    EXPECT_EQ(describe(evaluationProgram(plan, 5, 4)), "e0-3@0 e3-7@0 e0-3@1 e3-7@1 e0-3@2 e3-7@2 ");
    ASSERT_EQ(roundOn(plan, 0, DeviceId(2)).orders.size(), 1U);
    EXPECT_EQ(roundOn(plan, 0, DeviceId(2)).orders.front().size(), 3U);
    EXPECT_TRUE(roundOn(plan, 0, DeviceId(3)).slots.empty());
    plan.deviceTable.pop_back();
    EXPECT_THROW(validate(plan, 0), Error) << "two devices for three replicas";
}

TEST(Program, goesOnWithTheDevicesUnlessTheTableRestarts) {
    EXPECT_EQ(describe(trainingProgram(planOf({0, 1, 2}), 0, 1, 1, 5)), "f0-2@2 f2-5@0 F5-7@1 b3-5@2 b0-3@0 ");
    EXPECT_EQ(describe(trainingProgram(planOf({0, 1, 2}, true), 0, 1, 1, 5)), "f0-2@0 f2-5@1 F5-7@2 b3-5@0 b0-3@1 ");
    EXPECT_EQ(stepsOfRotation(planOf({0, 1, 2}), 5), 3);
    EXPECT_EQ(stepsOfRotation(planOf({0, 1, 2}), 6), 1);
    EXPECT_EQ(stepsOfRotation(planOf({0, 1, 2}, true), 5), 1);
}

// Neither recompute nor gradient where nothing deeper is trained: stages are cut, and those that are left empty go.
TEST(Program, cutsBackwardStagesAtTheFirstTrainedLayer) {
    EXPECT_EQ(describe(trainingProgram(planOf({0, 1}), 1, 1, 1, 0)), "f0-2@0 f2-5@1 F5-7@0 b3-5@1 b1-3@0 ");
    EXPECT_EQ(describe(trainingProgram(planOf({0, 1}), 4, 1, 1, 0)), "f0-2@0 f2-5@1 F5-7@0 b4-5@1 ");
    const Program second = trainingProgram(planOf({0, 1}), 4, 2, 1, 0);
    EXPECT_EQ(describe(second), "f0-2@0 f2-5@1 F5-7@0 b4-5@1 f0-2@0 f2-5@1 F5-7@0 b4-5@1 ");
    EXPECT_EQ(stepsOfRotation(planOf({0, 1}), second.numSlots()), 1);
}

TEST(Program, countsTheReadersOfEveryPacket) {
    const Program program = trainingProgram(planOf({0, 1}), 1, 4, 2, 0);
    EXPECT_EQ(program.inputReaders, (std::vector<int32_t>{0, 1, 1, 1, 0, 1, 0, 0}));
    EXPECT_EQ(program.gradientReaders, (std::vector<int32_t>{0, 0, 0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(trainingProgram(planOf({0, 1}), 2, 4, 2, 0).inputReaders[2], 2) << "the next stage, and the recompute";
}

// On one device: the host has what a backward stage begins with, and all of an evaluation's.
TEST(Program, countsNoReadersOnTheHostOfWhatStaysOnTheDevice) {
    Plan plan = planOf({0});
    plan.keepsPackets = true;
    validate(plan, 0);
    const Program program = trainingProgram(plan, 0, 4, 2, 0);
    EXPECT_EQ(program.inputReaders, (std::vector<int32_t>{0, 0, 0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(program.gradientReaders, std::vector<int32_t>(8));
    EXPECT_TRUE(program.isSent(program.slots[0], 2)) << "to the next slot";
    EXPECT_TRUE(program.isSent(program.slots[1], 3)) << "to the host";
    EXPECT_FALSE(program.isSent(program.slots[1], 4));
    EXPECT_EQ(evaluationProgram(plan, 6, 1).inputReaders, (std::vector<int32_t>{0, 0, 1, 0, 0, 1, 0, 0}));
    plan.deviceTable = {DeviceId(0), DeviceId(1)};
    EXPECT_THROW(validate(plan, 0), Error);
}

TEST(Program, evaluatesForwardOnly) {
    const Program program = evaluationProgram(planOf({0, 1}), 6, 1);
    EXPECT_EQ(describe(program), "e0-2@1 e2-5@0 e5-7@1 ");
    EXPECT_EQ(program.endMicrobatch(program.slots.back()), 6);
    EXPECT_EQ(program.inputReaders, (std::vector<int32_t>{0, 0, 1, 0, 0, 1, 0, 0}));
}

TEST(Program, leavesTheDeviceOpenWhereThereIsNoTable) {
    for (const Slot& slot : trainingProgram(planOf({}), 0, 2, 1, 0).slots)
        EXPECT_FALSE(slot.device.valid());
}

// By going through many steps and rounds; evaluations in between shift a table that does not restart.
TEST(SlotsOn, areAllThatADeviceMeets) {
    for (const bool restarts : {false, true})
        for (const int32_t firstTrainable : {0, 2, 4})
            for (const auto& table : {std::vector<int32_t>{0}, {0, 1}, {0, 1, 2}, {0, 0, 1, 0, 2}, {1, 0, 0, 1}}) {
                const Plan plan = planOf(table, restarts);
                std::vector<std::set<int32_t>> met(3);
                for (int64_t before = 0; before < 60; ++before)
                    for (const Slot& slot : trainingProgram(plan, firstTrainable, 60, 1, before).slots)
                        met[slot.device.index()].insert(slot.stage.value);
                for (int32_t d = 0; d < 3; ++d) {
                    std::set<int32_t> listed;
                    for (const Slot& slot : roundOn(plan, firstTrainable, DeviceId(d)).slots)
                        EXPECT_TRUE(listed.insert(slot.stage.value).second);
                    if (!met[static_cast<std::size_t>(d)].empty() || restarts) {
                        EXPECT_EQ(listed, met[static_cast<std::size_t>(d)]);
                    }
                }
            }
}

// A link that waits for the slot before a step's first one to begin leaves devices waiting for the embedding.
TEST(LayersAhead, goOnPastSlotsOfWhichAllLayersAreThere) {
    Plan plan = planOf({0});
    plan.resident = {{false, true, true, true, true, false, false}};
    const std::vector<Slot> step = trainingProgram(plan, 0, 1, 1, 0).slots; // f0-2 f2-5 F5-7 b3-5 b0-3
    std::vector<Slot> twice = step;
    twice.insert(twice.end(), step.begin(), step.end());
    std::vector<int32_t> there;
    const auto isThere = [&](int32_t layer) { return std::ranges::find(there, layer) != there.end(); };
    const auto ahead = [&](std::size_t now, bool far) {
        const auto coming = std::span<const Slot>(twice).subspan(now + 1, step.size() - 1);
        std::string text;
        for (const LayerAhead& one :
             far ? layersFarAhead(plan, DeviceId(0), coming, isThere) : layersAhead(plan, DeviceId(0), coming))
            text += std::to_string(one.slot->index) + ":" + std::to_string(one.layer) + " ";
        return text;
    };
    EXPECT_EQ(ahead(0, false), "1:2 1:3 1:4 ");
    EXPECT_EQ(ahead(0, true), "1:2 1:3 1:4 2:5 2:6 ") << "on to the first slot that needs room";
    EXPECT_EQ(ahead(1, true), ahead(1, false)) << "the next one needs some";
    EXPECT_EQ(ahead(2, true), "3:3 3:4 4:0 4:1 4:2 ") << "once each";
    EXPECT_EQ(ahead(3, true), "4:0 4:1 4:2 ");
    EXPECT_EQ(ahead(4, true), "0:0 0:1 ");
    plan.resident = {std::vector<bool>(7, true)};
    EXPECT_EQ(ahead(0, true), "1:2 1:3 1:4 2:5 2:6 4:0 4:1 ") << "no layer twice where all of them stay";
    plan.prefetchDepth = 2;
    plan.resident.clear();
    EXPECT_EQ(ahead(0, true), "1:2 1:3 ") << "by number there is nothing to add";
    plan.prefetchDepth = 0;
    EXPECT_EQ(ahead(1, true), "2:5 2:6 ");
    there = {5, 6};
    EXPECT_EQ(ahead(1, true), "2:5 2:6 3:3 3:4 ") << "nothing has displaced what the next one needs";
}
} // namespace
} // namespace roundpipe::plan
