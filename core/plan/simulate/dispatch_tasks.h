// SPDX-License-Identifier: GPL-3.0-or-later
// A plan's steps and evaluations as tasks of a StreamSimulation. Internal to this folder; use simulateDispatch().
#pragma once

#include "plan/program.h"
#include "plan/simulate/device_weights.h"
#include "plan/simulate/dispatch_simulation.h"
#include "plan/simulate/memory_ledger.h"
#include "plan/simulate/stream_simulation.h"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace roundpipe::plan {

// Buffers used in turn, but for those that are kept: a task that fills one waits for the last task that used it.
class Turns {
public:
    explicit Turns(std::size_t numBuffers) : m_lastUser(numBuffers, -1), m_isKept(numBuffers) {}
    void waitInto(std::vector<int32_t>& inputs) {
        if (m_lastUser[next()] >= 0) inputs.push_back(m_lastUser[m_next]);
    }
    void use(int32_t task) { useAt(take(), task); }
    // The same for a buffer that is used while others are taken.
    std::size_t take() { return std::exchange(m_next, (next() + 1) % m_lastUser.size()); }
    void useAt(std::size_t buffer, int32_t task) { m_lastUser[buffer] = task; }
    void keep(std::size_t buffer, bool isKept) { m_isKept[buffer] = isKept; }

private:
    std::size_t next() {
        while (m_isKept[m_next])
            m_next = (m_next + 1) % m_lastUser.size();
        return m_next;
    }

    std::vector<int32_t> m_lastUser;
    std::vector<bool> m_isKept;
    std::size_t m_next = 0;
};

class DispatchTasks {
public:
    // References are kept.
    DispatchTasks(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                  const DispatchOptions& options);
    void addStep();                              // after those that were added before
    void addEvaluation(int32_t numMicrobatches); // with the adapters of the last step

    StreamSimulation& simulation() { return m_simulation; }
    const MemoryLedger& ledger() const { return m_ledger; }
    int32_t firstTask(int32_t step) const { return m_firstTasks[static_cast<std::size_t>(step)]; }
    int32_t lastUpdate(int32_t step) const { return m_updates[static_cast<std::size_t>(step)].back(); }

private:
    using Inputs = std::vector<int32_t>;
    struct PacketCopies {
        int32_t written = -1; // the copy to the host, or to a peer
        DeviceId sentTo;      // the peer
    };
    // For the next slot (Plan::keepsPackets).
    struct PacketKept {
        std::size_t buffer = 0; // of `outgoing`
        int32_t made = -1;      // task
    };
    // Those of a slot, which go down in shares during the device's next one, or at the end of the program.
    struct GradientsToSend {
        Slot slot;
        std::deque<int64_t> pieces; // bytes
        int64_t held = 0;           // bytes on the device
        int32_t made = -1;          // task
        int32_t before = -1; // task, when those of the slot before had gone: then there is room for the next one's
        int32_t gone = -1;   // task
    };
    // As core/pipeline's DeviceState has them.
    struct DeviceTurns {
        DeviceWeights weights;
        Turns inputs{2};
        Turns outputGradients{2};
        Turns outgoing;
        Turns kept{2};
        std::vector<PacketKept> packetsKept = {}; // [microbatch of the round]
        GradientsToSend gradients = {};
        int32_t lastPacketDown = -1; // task
    };

    double secondsOf(const Slot& slot, int32_t layer, double LayerTimes::*part) const;
    const geometry::LayerSizes& sizes(int32_t layer) const { return m_costs.layers[static_cast<std::size_t>(layer)]; }
    DeviceTurns& state(const Slot& slot) { return m_devices[slot.device.index()]; }
    PacketCopies& packet(bool isGradient, int32_t layer, int32_t microbatch);
    StreamTask task(const Slot& slot, trace::LaneRole role, trace::Kind kind, int32_t microbatch = -1,
                    int32_t layer = -1) const;
    int32_t copy(StreamTask task, int64_t bytes, const Inputs& inputs);

    std::vector<int32_t> addUpdates();
    AdapterVersion versionAfter(int32_t step) const; // below 0: from the beginning
    void addSlots(Program program);
    void addSlot(const Slot& slot);
    void finishGradients(const Slot& slot);
    void downloadShare(DeviceTurns& device, int32_t sharesLeft);
    double onHost(double seconds) const;
    int32_t gather(const Slot& slot, int32_t arrived);
    void forward(const Slot& slot, int32_t microbatch);
    void backward(const Slot& slot, int32_t microbatch);
    void sendSaved(const Slot& slot, int32_t layer, int32_t microbatch, int32_t saved);
    struct SavedUpload {
        int32_t task = -1; // none: all of it is the slot's input
        std::size_t buffer = 0;
    };
    SavedUpload receiveSaved(const Slot& slot, int32_t layer, int32_t microbatch);
    int32_t backwardOfSaved(const Slot& slot, int32_t microbatch, int32_t firstOnHost, SavedUpload coming,
                            Inputs inputs);
    int64_t savedOnHost(int32_t layer) const; // bytes
    int64_t keptBytes(int32_t layer) const;
    int32_t compute(const Slot& slot, trace::Kind kind, int32_t microbatch, Inputs inputs, LayerRange layers,
                    double LayerTimes::*seconds, bool continues = false);
    int64_t workspaceOf(LayerRange layers) const;
    Inputs receiveInput(const Slot& slot, int32_t microbatch);
    Inputs receive(const Slot& slot, bool isGradient, int32_t layer, int32_t microbatch, Turns& ring);
    PacketKept& packetKept(const Slot& slot, int32_t microbatch);
    PacketKept found(const Slot& slot, int32_t microbatch); // where packets stay
    // `found`: what was kept for the slot when it began, where it was.
    void giveBack(const Slot& slot, bool isGradient, PacketKept found, int32_t used, Turns& ring);
    void send(const Slot& slot, bool isGradient, int32_t layer, int32_t microbatch, int32_t produced);
    int32_t readersOf(bool isGradient, int32_t layer) const;
    const PeerPath* peerFor(const Slot& slot, bool isGradient, int32_t layer) const;

    const Plan& m_plan;
    const Costs& m_costs;
    const Rig& m_rig;
    const StepShape m_shape;
    const DispatchOptions m_options;
    StreamSimulation m_simulation;
    MemoryLedger m_ledger;
    std::vector<DeviceTurns> m_devices;
    int64_t m_numSlots = 0;                      // since the run began
    std::vector<std::vector<int32_t>> m_updates; // [step][layer]
    std::vector<int32_t> m_firstTasks;

    // Of the program, the slot or the microbatch being added.
    int32_t m_step = 0; // -1: an evaluation
    Program m_program;
    AdapterVersion m_version; // that its slots read
    bool m_isFirstMicrobatch = false;
    DeviceWeights::Uploads m_uploads;
    int32_t m_lastCompute = -1;
    std::vector<PacketCopies> m_packets; // [hidden or gradient][layer][microbatch]
    std::vector<int32_t> m_saved;        // [layer][microbatch]: task, of what is saved in host memory
    std::vector<int32_t> m_gradientsDown;
};

} // namespace roundpipe::plan
