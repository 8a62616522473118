// The thread of one device: issues the slots that the device gets, in program order, and never waits for the device but
// to stay at most two slots ahead of it.
#pragma once

#include "device/device.h"
#include "geometry/layer_sizes.h"
#include "model/model.h"
#include "pipeline/device_memory.h"
#include "pipeline/gradient_board.h"
#include "pipeline/packets.h"
#include "pipeline/program_run.h"
#include "transfer/weight_slots.h"

#include <deque>
#include <thread>

namespace roundpipe::pipeline {

// What all controllers of a pipeline share. All references outlive them.
struct Shared {
    const model::Model& model;
    const transfer::HostWeightStore& store;
    std::shared_ptr<Monitor> monitor;
    std::shared_ptr<device::Fault> fault;
    PacketBoard packets;
    GradientBoard gradients;
    const geometry::ModelSizes& sizes;
    int32_t firstTrainable = 0;
    uint64_t seed = 0;
    bool deterministic = true;
};

class Controller {
public:
    Controller(Shared& shared, device::Device& device, const geometry::DeviceNeeds& needs);
    ~Controller(); // after Monitor::stop()
    Controller(const Controller&) = delete;
    Controller& operator=(const Controller&) = delete;

    void submit(std::shared_ptr<ProgramRun> run); // dispatcher

private:
    void work();
    void runProgram(ProgramRun& run);
    void runSlot(const ProgramRun& run, const Slot& slot, const std::optional<Slot>& next);
    void uploadBatches(const ProgramRun& run);
    transfer::WeightRequest weightRequest(const ProgramRun& run, const Slot& slot, bool ofNextProgram) const;

    // stage_forward.cpp
    void forwardSlot(const ProgramRun& run, const Slot& slot);
    void forwardLayers(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in);
    void layerForward(const ProgramRun& run, int32_t microbatch, int32_t layer, const std::byte* in, std::byte* out);
    void headForward(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in);

    // stage_backward.cpp
    void backwardSlot(const ProgramRun& run, const Slot& slot); // of the fused stage too
    // Returns the inputs of the slot's layers, which backward needs.
    std::vector<const std::byte*> forwardSaving(const ProgramRun& run, const Slot& slot, int32_t microbatch,
                                                const std::byte* in);
    void blockForwardSaving(const ProgramRun& run, int32_t microbatch, int32_t layer, const std::byte* in,
                            std::byte* out, std::byte* saved);
    // `dOut`: gradient of the last layer's output; null when that is the head, which makes its own.
    void backwardLayers(const ProgramRun& run, const Slot& slot, int32_t microbatch,
                        const std::vector<const std::byte*>& inputs, const std::byte* dOut);
    void headBackward(const ProgramRun& run, const Slot& slot, int32_t microbatch, const std::byte* in, std::byte* dIn);
    void blockBackward(const ProgramRun& run, const Slot& slot, int32_t microbatch, int32_t layer, const std::byte* in,
                       const std::byte* dOut, std::byte* dIn);
    std::byte* slotGradient(const Slot& slot, int32_t layer) const; // where the layer's lies
    model::GradientView gradientView(const ProgramRun& run, const Slot& slot, int32_t microbatch, int32_t layer) const;
    void sendAdapterGradient(const ProgramRun& run, const Slot& slot, int32_t layer);

    // packet_transfer.cpp
    // Issues the upload of a packet and makes the compute stream wait for it. The caller sets when the
    // buffer is free again.
    BufferRing::Buffer& receive(const ProgramRun& run, const Slot& slot, bool isGradient, int32_t layer,
                                int32_t microbatch);
    BufferRing::Buffer& takeOutgoing(); // a buffer for compute to write, once its last download is over
    void send(const ProgramRun& run, const Slot& slot, bool isGradient, int32_t layer, int32_t microbatch,
              BufferRing::Buffer& buffer);
    void sendLoss(const ProgramRun& run, const Slot& slot, int32_t microbatch);

    // Common to all stages.
    model::BatchView batchView(const ProgramRun& run, int32_t microbatch) const;
    double* lossOf(int32_t microbatch) const; // on the device
    trace::Record label(const ProgramRun& run, const Slot& slot, trace::Kind kind, int32_t microbatch = -1,
                        int32_t layer = -1) const;
    void waitForWeights(int32_t layer) { m_computeStream.wait(m_weights.ready(layer)); }
    static int32_t firstMicrobatch(const ProgramRun& run, const Slot& slot) {
        return run.program.firstMicrobatch(slot);
    }
    static int32_t endMicrobatch(const ProgramRun& run, const Slot& slot) { return run.program.endMicrobatch(slot); }
    std::size_t blockIndex(int32_t layer) const { return static_cast<std::size_t>(layer - 1); }
    bool isHead(int32_t layer) const { return layer + 1 == m_shared.model.numLayers(); }

    Shared& m_shared;
    device::Device& m_device;
    device::Stream& m_computeStream;
    device::Stream& m_up;        // activations
    device::Stream& m_down;      // activations
    device::Stream& m_gradients; // adapter gradients, down
    DeviceMemory m_memory;
    model::Compute m_compute; // used where launched work runs
    transfer::WeightSlots m_weights;
    std::byte* m_slotGradients = nullptr;           // of the current slot, from m_memory.adapterGradients
    std::array<device::Event, 2> m_slotEnds;        // of the last two slots, oldest first
    std::deque<std::shared_ptr<ProgramRun>> m_runs; // guarded by the monitor
    std::thread m_thread;                           // last: starts when the rest is there
};

} // namespace roundpipe::pipeline
