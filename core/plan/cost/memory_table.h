// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan takes of every memory, by purpose. The pipeline takes its device memory by deviceNeeds(), so what is
// counted here is what is allocated.
#pragma once

#include "geometry/device_buffers.h"
#include "geometry/saved_room.h"
#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/step_shape.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

struct DeviceRound; // program.h, which Qt's keywords keep out of what the window reads

// What the layers of a slot save that goes forth and back, from the first trained one on.
geometry::SavedRoom savedRoom(const Plan& plan, const geometry::ModelSizes& sizes, LayerRange layers);

// Of what is trained of layers, one layer's after another's on the device.
int64_t gradientBytes(const geometry::ModelSizes& sizes, LayerRange layers);

// What the slots that `device` takes sooner or later need of it.
geometry::DeviceNeeds deviceNeeds(const Plan& plan, const geometry::ModelSizes& sizes, const StepShape& shape,
                                  const DeviceRound& turns);
geometry::DeviceNeeds deviceNeeds(const Plan& plan, const geometry::ModelSizes& sizes, const StepShape& shape,
                                  DeviceId device);
// Of what a slot makes for the next one, that stays on the device: a round's microbatches, or none.
int64_t packetsKept(const Plan& plan, const StepShape& shape);

// The weight slots of a device: one for each resident layer, and as many shared ones as layers are there at a time.
geometry::WeightRoom weightRoom(const Plan& plan, const geometry::ModelSizes& sizes, const DeviceRound& turns);

// Bytes on one device.
struct DeviceMemoryTable {
    int64_t weights = 0;     // slots that layers share: those of a stage, and what is uploaded ahead
    int64_t residents = 0;   // slots of layers that stay
    int64_t activations = 0; // packets under way, inputs and outputs of a stage's layers, what backward needs
    int64_t gradients = 0;   // two stages' worth, of what is trained
    int64_t workspace = 0;   // of the hungriest layer; the head's holds its chunk of logits
    int64_t batches = 0;     // ids, labels, positions and losses of a step and of the one that begins meanwhile
    int64_t context = 0;     // driver, libraries, allocator
    int64_t ownBytes() const { return weights + residents + activations + gradients + workspace + batches; }
    int64_t total() const { return ownBytes() + context; }
};

DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, const DeviceRound& turns);
DeviceMemoryTable deviceMemory(const Plan& plan, const Costs& costs, const StepShape& shape, DeviceId device);
DeviceMemoryTable deviceMemory(const geometry::DeviceNeeds& needs, const Costs& costs, DeviceId device);

// What host memory is taken for.
struct HostParts {
    int64_t weights = 0;      // the frozen ones, and what devices read of those that are trained
    int64_t optimizer = 0;    // what is trained in full precision, and its moments
    int64_t gradients = 0;    // as they come from devices
    int64_t gradientSums = 0; // of several rounds, replicas, or both uses of a table: never page-locked
    int64_t activations = 0;  // packets, and what layers save there
    int64_t rows = 0;         // the small arrays and losses of the programs under way
    int64_t total() const { return weights + optimizer + gradients + gradientSums + activations + rows; }
    int64_t crossing() const { return weights + gradients + activations + rows; } // what devices read and write
};

struct HostMemoryTable {
    int64_t pinned = 0;
    int64_t pageable = 0;
    int64_t disk = 0;            // the last and the best checkpoint, and the result
    HostParts parts;             // of both memories together
    int64_t checkpointBytes = 0; // on disk, each
    int64_t resultBytes = 0;     // on disk: the adapter, or the weights
    int64_t total() const { return pinned + pageable; }
};
// Packets that are on the host at a time, at most: a round's where its microbatches have gone as far as they leave most
// behind, and what the next round may have begun meanwhile. The pipeline takes so many buffers, and needs no more.
int64_t numPackets(const Plan& plan, int32_t firstTrainable, const StepShape& shape);
int64_t packetBytes(const Plan& plan, const Costs& costs, const StepShape& shape);
// The same of what layers save in host memory beside their inputs, of one microbatch and layer each, and the bytes of
// the largest.
int64_t numSavedOnHost(const Plan& plan, int32_t firstTrainable, const StepShape& shape);
int64_t savedOnHostBytes(const Plan& plan, const geometry::ModelSizes& sizes);
// Whose gradients of a layer may be on the host at a time. Replicas send theirs together; the next step's may come
// while a layer still waits for its update where updates are one step stale, else they come when it is long done.
int64_t gradientRounds(const Plan& plan, bool oneStepStale);
// What a run keeps whatever its plan, the packets and what is saved there, more rounds of gradients, and the small
// arrays and losses of the programs under way.
HostMemoryTable hostMemory(const Plan& plan, const Costs& costs, const StepShape& shape);
// No less than that, in a fraction of the time: as if nothing of two steps were read before all of it is there.
HostMemoryTable hostMemoryAtMost(const Plan& plan, const Costs& costs, const StepShape& shape);

} // namespace roundpipe::plan
