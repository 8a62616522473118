// SPDX-License-Identifier: GPL-3.0-or-later
// The dispatch program: the slots of one training step, or of one forward-only evaluation, in their fixed linear order.
// The pipeline runs it, the simulator replays it, the quick estimate walks it, and the memory table asks it which
// stages a device meets.
#pragma once

#include "plan/plan.h"
#include "plan/step_shape.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace roundpipe::plan {

enum class Work : uint8_t { kForward, kFused, kBackward, kEvaluate };

// One stage's turn: all microbatches of its round, in order, on its device.
struct Slot {
    int32_t index = 0; // in the program
    Work work = Work::kForward;
    StageId stage;
    LayerRange layers;
    int32_t round = 0;
    DeviceId device; // invalid where the plan has no table yet
};

struct Program {
    std::vector<Slot> slots;
    int32_t numRounds = 1;
    int32_t microbatchesPerRound = 1; // the last round may have fewer
    int32_t numMicrobatches = 1;
    // By layer: how many slots of a round take this layer's input from the host (the next stage, and the backward stage
    // that begins here or has what the layer saved in host memory), and how many take the gradient of it.
    std::vector<int32_t> inputReaders;
    std::vector<int32_t> gradientReaders;
    bool keepsPackets = false; // as the plan does; an evaluation has too many microbatches for that

    // Whether a slot finds its input, or the gradient of its output, where the one before it left that on the device.
    bool finds(const Slot& slot, bool isGradient) const {
        return keepsPackets && isGradient == (slot.work == Work::kBackward);
    }
    // Whether what a slot makes, the input of `layer` or the gradient of it, stays on the device for the next one.
    bool leaves(const Slot& slot, bool isGradient, int32_t layer) const {
        return keepsPackets && (isGradient || layer == slot.layers.end);
    }
    // Whether the input of `layer`, which a forward slot makes, is for others than itself.
    bool isSent(const Slot& slot, int32_t layer) const {
        return inputReaders[static_cast<std::size_t>(layer)] > 0 || leaves(slot, false, layer);
    }

    int32_t numSlots() const { return static_cast<int32_t>(slots.size()); }
    // Of a slot's round: [first, end).
    int32_t firstMicrobatch(const Slot& slot) const { return slot.round * microbatchesPerRound; }
    int32_t endMicrobatch(const Slot& slot) const {
        return std::min(firstMicrobatch(slot) + microbatchesPerRound, numMicrobatches);
    }
};

// `slotsBefore`: slots dispatched since the run began; it decides the devices, unless the table restarts. Backward
// stages are cut off below `firstTrainable`: what lies deeper has no gradient.
Program trainingProgram(const Plan& plan, int32_t firstTrainable, int32_t numMicrobatches, int32_t microbatchesPerRound,
                        int64_t slotsBefore);
// Of a whole step.
Program trainingProgram(const Plan& plan, int32_t firstTrainable, const StepShape& shape, int64_t slotsBefore);
// Makes it the program of a later step: the same slots, on the devices that they meet then.
void dispatchLater(Program& program, const Plan& plan, int64_t slotsBefore);
// The forward stages, then the fused stage's layers forward only; replicas share the microbatches.
Program evaluationProgram(const Plan& plan, int32_t microbatches, int64_t slotsBefore);

// The layers of which a slot takes the input from the host: its first one, unless that is the embedding or the packet
// stays on the device, and in a backward stage those that are saved in host memory.
std::vector<int32_t> inputsRead(const Plan& plan, const Slot& slot);

// The slots of any round of a training step.
std::vector<Slot> slotsOfRound(const Plan& plan, int32_t firstTrainable);
// What a device meets of a round, whatever the number of rounds.
struct DeviceRound {
    DeviceId device;
    std::vector<Slot> slots; // that it takes sooner or later, in dispatch order
    // The orders in which it meets them, each of which begins anew after its last. A table that goes on from step to
    // step has several: which of them a device is in depends on what was evaluated between.
    std::vector<std::vector<Slot>> orders;
    bool everyRoundIsAlike = false; // it meets all of `slots` in each
};
// `round`: slotsOfRound() of the plan; who asks for many devices makes it once.
DeviceRound roundOn(const Plan& plan, std::span<const Slot> round, DeviceId device);
DeviceRound roundOn(const Plan& plan, int32_t firstTrainable, DeviceId device);

struct LayerAhead {
    const Slot* slot = nullptr; // that needs it first
    int32_t layer = 0;
};
// The layers that may be uploaded to `device` while a slot computes of which `coming` are the next ones there, soonest
// first: as many as plan.prefetchDepth says, and the residents among them.
std::vector<LayerAhead> layersAhead(const Plan& plan, DeviceId device, std::span<const Slot> coming);
// Where that is all of the next slot and all of them are there, as they stay or nothing has displaced them, those of
// later slots, too, up to one with others: the link would have nothing to do until then. Weight slots are counted
// without them, so they may lack room.
std::vector<LayerAhead> layersFarAhead(const Plan& plan, DeviceId device, std::span<const Slot> coming,
                                       const std::function<bool(int32_t layer)>& isThere);
// After so many steps of `slotsPerStep` slots a slot meets its first device again.
int32_t stepsOfRotation(const Plan& plan, int32_t slotsPerStep);
// Over how many steps the length of a step is a mean where updates are one step stale. Whole rotations, and several:
// a step's forward waits for the end of the step before last, so that lengths repeat after a number of steps of their
// own. On four H100s they were 1.8, 1.6 and 0.9 s again and again, and a rotation of four has one of them twice.
int32_t staleStepsMeasured(const Plan& plan, int32_t slotsPerStep);

} // namespace roundpipe::plan
