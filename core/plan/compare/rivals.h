// The same model, rig and step under other schedules: what a plan is compared with.
#pragma once

#include "plan/search/choose_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace roundpipe::plan {

struct Rival {
    std::string name;                            // "1F1B"
    std::string how;                             // "8 stages bound to their GPUs"
    Simulated step;                              // without records; empty where it cannot run at all
    std::vector<DeviceMemoryTable> deviceMemory; // [device]
    std::optional<std::string> problem;          // why it cannot run: what does not fit, or what it needs
};

// GPipe, 1F1B, interleaved 1F1B and looped BFS (stages of even cost bound to their devices, weights on them all the
// time, stages recomputed from their inputs, packets by way of the host or of peer paths); RoundPipe synchronous and
// one step stale, as the engine can and with residency and kept activations; replicas, each with the whole model. All
// on the same microbatches. Schedules that do not fit are simulated nevertheless: what would be if memory allowed.
// Throws kInvalidInput where rig and costs are absurd, kCancelled.
std::vector<Rival> compareSchedules(const Rig& rig, const Costs& costs, const StepShape& shape,
                                    const SearchOptions& options = {});

} // namespace roundpipe::plan
