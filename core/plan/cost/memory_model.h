// What the engine as it is takes for a plan: device memory as core/pipeline/device_memory.cpp cuts it, and packets on
// the host. memory_table.h says what a plan takes that also uses what the engine will learn.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"

#include <cstdint>

namespace roundpipe::plan {

// The engine cuts every device's memory alike, for the largest stages of the plan. `microbatchesPerStep` counts all
// rounds. Equals pipeline::Pipeline::deviceBytes; costs.contextBytes comes on top.
int64_t engineDeviceBytes(const Plan& plan, const Costs& costs, int32_t microbatchesPerStep);

// Host buffers of packets that a step of `rounds` rounds of `microbatches` keeps at once, each of costs.packetBytes:
// inputs of stages kept for their backward, and gradients on their way. Exact on one device; on several, where slots
// overtake each other by as much as there are devices, an upper bound.
int64_t mostHostPackets(const Plan& plan, const Costs& costs, int32_t microbatches, int32_t rounds);
int64_t hostPacketBytes(const Plan& plan, const Costs& costs, int32_t microbatches, int32_t rounds);

} // namespace roundpipe::plan
