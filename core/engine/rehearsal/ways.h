// SPDX-License-Identifier: GPL-3.0-or-later
// The ways in which the rehearsal trains its small model: what each has the devices do, and which ones are tried.
#pragma once

#include "base/choices.h"
#include "geometry/saving.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::engine {

enum class Trains : uint8_t { kAdapters, kWholeModules /* beside them */, kWeights };

struct Way {
    std::vector<int32_t> forward;  // layers per stage
    std::vector<int32_t> backward; // the fused stage first
    int32_t residentPercent = 0;
    int32_t prefetchDepth = 0;
    bool leavesNoGap = false; // a step is submitted before the last one is updated
    bool checksSlots = true;  // which takes memory meanwhile
    int32_t microbatches = 3; // of a step
    int32_t rounds = 1;       // of a step
    bool replicas = false;    // one on each device
    bool unevenly = false;    // the first device has two turns where each other one has one, as a faster one would
    bool tied = true;         // the head has the embedding's table
    Trains trains = Trains::kAdapters;
    Updates updates = Updates::kSynchronous;
    bool inFp16 = false;                            // else bf16 where there are GPUs, fp32 where there are none
    std::vector<geometry::LayerSaving> saving = {}; // of the blocks in turn; empty: all of each, on the device
    WeightFormat weights = WeightFormat::kAsIs;
    bool keepsPackets = false; // on one device, or on each of replicas
};

std::string nameOf(const Way& way, std::size_t numDevices); // "2 devices, 2 2 2 | 2 2 2 1, 50 % resident, 1 ahead"

// One stage whose layers all come and go, alone: what `way` must equal, as it trains the same with the same sums.
Way simplestLike(const Way& way);

// All cuts, residents and depths of prefetch, of adapters on weights as they are.
std::vector<Way> plainWays();
Way replicas(int32_t residentPercent);

std::vector<Way> waysOfTeam(std::size_t numDevices); // all that so many devices are tried with
// Some of each kind of plan that moves other things, or moves them at other times.
std::vector<Way> waysToLog(std::size_t numDevices);

} // namespace roundpipe::engine
