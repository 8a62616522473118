// SPDX-License-Identifier: GPL-3.0-or-later
// What the controller of a device works with: streams, memory, the weights at hand; and a slot's turn on it.
#pragma once

#include "device/streams/deferred_copies.h"
#include "geometry/layer_sizes.h"
#include "geometry/saved_room.h"
#include "model/model.h"
#include "pipeline/device_memory.h"
#include "pipeline/gradient_board.h"
#include "pipeline/packets.h"
#include "pipeline/program_run.h"
#include "transfer/weight_slots.h"

#include <optional>

namespace roundpipe::pipeline {

// What all controllers of a pipeline share. All references outlive them.
struct Shared {
    const model::Model& model;
    const transfer::HostWeightStore& store;
    std::shared_ptr<Monitor> monitor;
    std::shared_ptr<device::Fault> fault;
    PacketBoard packets;
    PacketBoard saved; // by layers in host memory, for their backward
    GradientBoard gradients;
    const plan::Plan& plan;
    const geometry::ModelSizes& sizes;
    int32_t firstTrainable = 0;
    uint64_t seed = 0;
    bool deterministic = true;
    bool checksSlots = false;
    model::Fp8Products fp8OnCpus = model::Fp8Products::kNone;
};

// The controller's thread only, but for what it launches.
struct DeviceState {
    // Allocates all memory of the device. Throws kOutOfMemory.
    DeviceState(Shared& shared, device::Device& device, const geometry::DeviceNeeds& needs);
    DeviceState(const DeviceState&) = delete;
    DeviceState& operator=(const DeviceState&) = delete;

    const model::Block& block(int32_t layer) const { return *shared.model.blocks[static_cast<std::size_t>(layer - 1)]; }
    // Where the run checks itself, later work of `stream` finds NaNs in a buffer that is used again.
    void poison(device::Stream& stream, std::byte* data, int64_t bytes) {
        if (checks) checks->poison(stream, data, bytes);
    }
    bool isHead(int32_t layer) const { return layer + 1 == shared.model.numLayers(); }

    Shared& shared;
    device::Device& device;
    device::Stream& computeStream;
    device::Stream& up;        // activations
    device::Stream& down;      // activations
    device::Stream& gradients; // of what is trained, down
    // Of the last slot that made some; within the next slot of the device, or at the end of the program, all are
    // issued.
    device::DeferredCopies gradientsToSend;
    DeviceMemory memory;
    model::Compute compute; // used where launched work runs
    std::optional<transfer::SlotChecks> checks;
    transfer::WeightSlots weights;
};

// A slot of a program that its device runs.
struct Turn {
    DeviceState& on;
    const ProgramRun& run;
    const Slot& slot;

    int32_t firstMicrobatch() const { return run.program.firstMicrobatch(slot); }
    int32_t endMicrobatch() const { return run.program.endMicrobatch(slot); }
    // Makes the compute stream wait until a layer's weights have landed: once a slot, its first microbatch does.
    void waitForWeights(int32_t microbatch, int32_t layer) const {
        if (microbatch != firstMicrobatch()) return;
        if (!on.weights.isPublished(layer)) on.computeStream.hostWaits();
        on.computeStream.wait(on.weights.ready(layer), device::Awaited::kWeightsLanded);
        on.weights.use(layer, on.computeStream);
    }
    // What was issued for a microbatch so far is the last of it that uses the layer: the slot's last one gives it back.
    void doneWithWeights(int32_t microbatch, int32_t layer) const {
        if (microbatch + 1 != endMicrobatch()) return;
        on.weights.use(layer, on.computeStream);
        on.weights.release(layer, on.computeStream.record());
    }
    // A microbatch's packets are on their way up, and those of the one before on theirs down: behind them go its shares
    // of what later slots need, and of what an earlier one made.
    void transferShares(int32_t microbatch) const {
        const int32_t sharesLeft = endMicrobatch() - microbatch;
        on.weights.uploadShare(sharesLeft, on.up);
        on.gradientsToSend.issueShare(sharesLeft, on.down);
    }
    // As what is launched next finds them, a forward or a backward; asked for before note().
    model::LayerWeights weightsForForward(int32_t layer) const {
        return weightsOf(layer, transfer::Assembly::kForwardFp8);
    }
    model::LayerWeights weightsForBackward(int32_t layer) const {
        return weightsOf(layer, transfer::Assembly::kBackwardFp8);
    }
    model::BatchView batchView(int32_t microbatch) const;
    int64_t packetBytes(int32_t microbatch) const {
        return on.shared.model.hiddenBytes(run.batches.numTokens(microbatch));
    }
    double* lossOf(int32_t microbatch) const { // on the device
        return reinterpret_cast<double*>(on.memory.buffers.losses[run.buffers()]) + microbatch;
    }
    // What is launched next reads and writes, for a log of the run's order; null: it does not. `saved` and `gradients`
    // are written as well as read.
    struct Use {
        int32_t layer = 0;
        model::LayerWeights weights = {};
        const std::byte* in = nullptr; // of the layer
        const std::byte* out = nullptr;
        const std::byte* saved = nullptr;
        geometry::Saving saving = geometry::Saving::kAll;
        const std::byte* dOut = nullptr;
        const std::byte* dIn = nullptr;
        const std::byte* gradients = nullptr;
        const double* loss = nullptr;
    };
    void note(int32_t microbatch, const Use& use) const;
    trace::Record label(trace::Kind kind, int32_t microbatch = -1, int32_t layer = -1) const;

private:
    model::LayerWeights weightsOf(int32_t layer, transfer::Assembly inFp8) const {
        const bool isFp8 = on.compute.fp8 != model::Fp8Products::kNone;
        return on.weights.weights(layer, on.computeStream, isFp8 ? inFp8 : transfer::Assembly::kWhole);
    }
};

} // namespace roundpipe::pipeline
