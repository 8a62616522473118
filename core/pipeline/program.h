// A dispatch program: the slots of one training step, or of one forward-only evaluation, in their fixed linear order.
#pragma once

#include "plan/plan.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace roundpipe::pipeline {

enum class Work : uint8_t { kForward, kFused, kBackward, kEvaluate };

// One stage's turn: all microbatches of its round, in order, on its device.
struct Slot {
    int32_t index = 0; // in the program
    Work work = Work::kForward;
    StageId stage;
    plan::LayerRange layers;
    int32_t round = 0;
    DeviceId device;
};

struct Program {
    std::vector<Slot> slots;
    int32_t numRounds = 1;
    int32_t microbatchesPerRound = 1; // the last round may have fewer
    int32_t numMicrobatches = 1;
    // By layer: how many slots of a round take this layer's input from the host (the next stage, and the backward stage
    // that begins here), and how many take the gradient of it.
    std::vector<int32_t> inputReaders;
    std::vector<int32_t> gradientReaders;

    // Of a slot's round: [first, end).
    int32_t firstMicrobatch(const Slot& slot) const { return slot.round * microbatchesPerRound; }
    int32_t endMicrobatch(const Slot& slot) const {
        return std::min(firstMicrobatch(slot) + microbatchesPerRound, numMicrobatches);
    }
};

// `slotsBefore`: slots dispatched since the run began; it decides the devices, unless the table restarts. Backward
// stages are cut off below `firstTrainable`: what lies deeper has no gradient.
Program trainingProgram(const plan::Plan& plan, int32_t firstTrainable, int32_t numMicrobatches,
                        int32_t microbatchesPerRound, int64_t slotsBefore);
// The forward stages, then the fused stage's layers forward only.
Program evaluationProgram(const plan::Plan& plan, int32_t microbatches, int64_t slotsBefore);

} // namespace roundpipe::pipeline
