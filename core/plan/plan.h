// SPDX-License-Identifier: GPL-3.0-or-later
// How a model is cut into stages and which device takes which slot.
#pragma once

#include "base/ids.h"
#include "geometry/saving.h"
#include "trace/record.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::plan {

// Layers [begin, end).
struct LayerRange {
    int32_t begin = 0;
    int32_t end = 0;
    int32_t size() const { return end - begin; }
    bool contains(LayerId layer) const { return layer.value >= begin && layer.value < end; }
    bool operator==(const LayerRange&) const = default;
};

enum class StageKind : uint8_t { kForward, kFused, kBackward };
const char* toString(StageKind kind); // "forward", "fused", "backward"

struct Stage {
    StageId id;
    StageKind kind = StageKind::kForward;
    LayerRange layers;
};

// One round's slots in dispatch order: forward stages shallow to deep, the fused stage (up to the head), backward
// stages deep to shallow. Forward stages and the fused stage together cover every layer once; so do fused and backward
// stages, except that layers below the first trainable one need no backward and may be left out at the shallow end.
struct Plan {
    int32_t numLayers = 0;
    std::vector<LayerRange> forward;
    LayerRange fused;
    std::vector<LayerRange> backward;
    // Device of the n-th slot since the run began is deviceTable[n mod size]: 0..N-1 is round-robin.
    std::vector<DeviceId> deviceTable;
    // n counts from the beginning of each step instead: a stage then always meets the same devices.
    bool tableRestarts = false;
    // [device][layer]: the base has room of its own on the device and is uploaded once. Empty: none has.
    std::vector<std::vector<bool>> resident;
    // A step's microbatches are shared out to so many rounds, and the n-th of them is deviceTable[n]'s, which takes all
    // of its slots; gradients are added up on the host, in the order of the rounds. 1: rounds are what the step says.
    int32_t replicas = 1;
    // How many layers without such room may be uploaded ahead of the slot that computes; 0: all of the device's next
    // slot (program.h: layersAhead, layersFarAhead).
    int32_t prefetchDepth = 0;
    // What a slot makes for the next one of its round stays on the device, where that one finds it: it does not come up
    // again, and goes down only where a backward stage begins with it. It takes room for a round's packets, and all
    // slots of a round on one device: of one, or of replicas.
    bool keepsPackets = false;
    // [layer]: what the stage that computes its backward saves of it until then, or the forward stage where that lies
    // in host memory (the deepest blocks of a backward stage may). Empty: everything of all layers, as of an embedding
    // and a head, which need nothing saved.
    std::vector<geometry::LayerSaving> saving;

    std::vector<Stage> stages() const; // in dispatch order, ids counted from 0
    int32_t numStages() const { return static_cast<int32_t>(forward.size() + 1 + backward.size()); }
    // `slot`: counted from the beginning of the run, or of the step where the table restarts.
    DeviceId deviceOf(int64_t slot) const;
    // Microbatches of a round, of a step of `numMicrobatches` whose rounds have `microbatchesPerRound` otherwise.
    int32_t roundSize(int32_t numMicrobatches, int32_t microbatchesPerRound) const {
        return replicas > 1 ? (numMicrobatches + replicas - 1) / replicas : microbatchesPerRound;
    }
    // The slot-th of a step before which the run has dispatched `slotsBefore`.
    DeviceId deviceOf(int64_t slotsBefore, int32_t slot, int32_t round = 0) const {
        return deviceOf(replicas > 1 ? round : (tableRestarts ? 0 : slotsBefore) + slot);
    }
    // Whether all slots of a round are on one device.
    bool roundsStay() const;
    bool isResident(DeviceId device, int32_t layer) const {
        return !resident.empty() && resident[device.index()][static_cast<std::size_t>(layer)];
    }
    geometry::LayerSaving savingOf(int32_t layer) const {
        return saving.empty() ? geometry::LayerSaving() : saving[static_cast<std::size_t>(layer)];
    }
    bool isOnHost(int32_t layer) const { return savingOf(layer).onHost; }
    // Whether forward stages send something there beside the layer's input.
    bool sendsSaved(int32_t layer) const { return isOnHost(layer) && savingOf(layer).what != geometry::Saving::kInput; }
    // The first layer of a backward stage's whose blocks are saved in host memory; its end where none is.
    int32_t firstOnHost(LayerRange layers) const;
    std::string describe() const; // "3 forward | fused 7-9 | 4 backward on 2 devices"
};

// Whether a layer of a fused or backward stage makes its output: what a backward stage has last nobody reads, nor what
// goes into a layer that is saved in host memory, with its input.
bool makesOutput(StageKind kind, LayerRange layers, int32_t layer, std::span<const geometry::LayerSaving> saving);

// Throws kInvalidInput naming the stage, or the field, when the rules above are broken.
void validate(const Plan& plan, int32_t firstTrainableLayer);

} // namespace roundpipe::plan
