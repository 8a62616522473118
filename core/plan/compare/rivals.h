// SPDX-License-Identifier: GPL-3.0-or-later
// The same model, rig and step under other schedules: what a plan is compared with.
#pragma once

#include "base/spelling.h"
#include "plan/plan_outline.h"
#include "plan/search/choose_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::plan {

enum class ComparedSchedule : uint8_t {
    kGpipe,
    k1f1b,
    kInterleaved1f1b,
    kLoopedBfs,
    kReplicas,
    kRoundPipe,
    kRoundPipeStale,
    kRoundPipeOtherRounds
};
constexpr std::array<const char*, 8> spellings(ComparedSchedule) {
    return {"GPipe",    "1F1B",      "interleaved 1F1B",          "looped BFS",
            "replicas", "RoundPipe", "RoundPipe, one step stale", "RoundPipe, other rounds"};
}

struct Rival {
    ComparedSchedule schedule = ComparedSchedule::kGpipe;
    int32_t numStages = 0;                       // of those that are bound to their devices
    PlanOutline outline;                         // of RoundPipe's; of replicas the devices alone
    int32_t rounds = 0;                          // of RoundPipe's
    Simulated step;                              // without records; empty where it cannot run at all
    std::vector<DeviceMemoryTable> deviceMemory; // [device]
    Misfit problem;                              // empty: it can run

    std::string how() const; // "8 stages bound to their devices"
};

// What `chosen` is compared with, on its microbatches and the same links, all with updates on the host: GPipe, 1F1B,
// interleaved 1F1B and looped BFS (stages of even cost bound to their devices, weights on them all the time but for
// what is trained, stages recomputed from their inputs, packets by way of the host or of peer paths); replicas, each
// with the whole model; RoundPipe in the plan's own rounds, synchronous and one step stale; and with the plan's updates
// in those other rounds that are fastest, where there are others. The row that `chosen` itself is of has its figures.
// Schedules that do not fit are simulated nevertheless: what would be if memory allowed. Throws kInvalidInput where rig
// and costs are absurd, kCancelled.
std::vector<Rival> compareSchedules(const Rig& rig, const Costs& costs, const EvaluatedPlan& chosen,
                                    const SearchOptions& options = {});

} // namespace roundpipe::plan
