// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the host that steps take while they run: none beside what was taken before, which is what plans count.
#include "device/buffer.h"
#include "rig.h"

#include <gtest/gtest.h>

namespace roundpipe::testing {
namespace {

constexpr int64_t kNumSteps = 4;

void runSteps(Rig& rig) {
    pipeline::Ticket step = rig.submit(0);
    for (int64_t next = 1; next < kNumSteps; ++next) {
        const pipeline::Ticket following = rig.submit(next);
        rig.pipeline().await(step);
        step = following;
    }
    rig.pipeline().await(step);
}

// Of six layers: embedding, four blocks, head.
TEST(Packets, takeNoMoreMemoryThanWasThereBeforeTheFirstStep) {
    for (const auto& [forward, backward] : {std::pair<std::vector<int32_t>, std::vector<int32_t>>{{2, 2}, {2, 1, 1, 1}},
                                            {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}},
                                            {{5}, {1, 4}}})
        for (const int numDevices : {2, 4})
            for (const auto& [microbatches, rounds] : {std::pair{8, 1}, {1, 8}, {3, 4}})
                for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale})
                    for (const auto& [restarts, onHost] : {std::pair{false, 0}, {true, 0}, {false, 2}, {true, 6}}) {
                        RigSpec spec;
                        spec.onHost = onHost;
                        if (onHost == 2) spec.saving = {geometry::Saving::kInput, geometry::Saving::kWithoutGateUp};
                        spec.forwardStages = forward;
                        spec.backwardStages = backward;
                        spec.numDevices = numDevices;
                        spec.microbatches = microbatches;
                        spec.rounds = rounds;
                        spec.updates = updates;
                        spec.tableRestarts = restarts;
                        spec.checksSlots = false; // which takes memory of its own
                        Rig rig(spec);
                        const device::HostBufferBytes before = device::hostBufferBytes();
                        runSteps(rig);
                        EXPECT_EQ(device::hostBufferBytes().pageable, before.pageable)
                            << numDevices << " devices, " << rounds << " rounds of " << microbatches << ", "
                            << forward.size() << " forward stages, stale " << (updates == Updates::kOneStepStale)
                            << ", restarts " << restarts << ", " << onHost << " layers of a stage saved on the host";
                    }
}

} // namespace
} // namespace roundpipe::testing
