// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a pipeline keeps on one device, taken from one piece of memory before the first step.
#pragma once

#include "geometry/weight_room.h"

#include <array>
#include <cstdint>

namespace roundpipe::geometry {

// Programs that may be under way at a time: a step begins while the one before it is updated.
inline constexpr int64_t kProgramsInFlight = 2;

// What decides the sizes; of the turns (stages) that the device takes sooner or later.
struct DeviceNeeds {
    WeightRoom weights;
    // Of what is trained of a slot with a backward, the most of those that take the one buffer and the other in turn.
    std::array<int64_t, 2> gradients = {};
    int64_t hidden = 0;          // outputs of a slot's layers that are alive at once
    int64_t innerGradients = 0;  // of them that are alive at once
    int64_t packet = 0;          // bytes of a microbatch's hidden states
    int64_t packetsKept = 0;     // that lie on the device from one slot to the next; 0: none does
    int64_t saved = 0;           // bytes that the blocks of the hungriest slot keep for backward
    int64_t kept = 0;            // bytes of a layer that is saved in host memory (KeptPlace); 0: none is
    int64_t workspace = 0;       // bytes of the hungriest layer
    int64_t batch = 0;           // bytes of a microbatch's small arrays
    int64_t numMicrobatches = 1; // of a step
};

// Of hidden states and their gradients, made by a slot: one is written, one goes down, and one more for stages that
// also send checkpoints, unless others stay.
constexpr int64_t numOutgoing(int64_t packetsKept) {
    return packetsKept > 0 ? packetsKept + 2 : 3;
}

struct DeviceBuffers {
    DeviceBuffers(const DeviceNeeds& needs, Workspace& memory);

    WeightBuffers weights;
    // Hidden states and their gradients between the device and the host. Up: one microbatch ahead, of gradients none
    // where they stay.
    Buffers inputs, outputGradients, outgoing;
    std::array<Buffers, 2> trainedGradients; // of a slot each: one is added to, the one before goes down
    Buffers hidden;                          // outputs of a slot's layers
    Buffers saved;                           // one: what a slot's blocks keep for backward (saved_room.h)
    Buffers kept;                            // layers on their way to host memory or back: one computes, one travels
    Buffers scratchGradients;                // hidden gradients between a slot's layers
    Buffers workspace;                       // one
    Buffers batches;                         // of all microbatches of a step, for each program under way
    Buffers losses;                          // an fp64 for each of them, "
};

} // namespace roundpipe::geometry
