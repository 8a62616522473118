// SPDX-License-Identifier: GPL-3.0-or-later
// The weights on a device: uploaded ahead of use into slots, where a layer stays until another one needs its slot
// (geometry/slot_pool.h). A packed one stays packed there, and is assembled where it is computed with. A frozen base
// never changes, so it may be uploaded ahead across steps and is there again for nothing; what is trained, an adapter
// or the base, is uploaded once the version that is asked for has been published.
//
// Used by the device's controller thread only.
#pragma once

#include "device/device.h"
#include "device/streams/deferred_copies.h"
#include "geometry/slot_pool.h"
#include "model/compute/compute.h"
#include "transfer/assembled_layers.h"
#include "transfer/host_weight_store.h"
#include "transfer/slot_checks.h"

#include <functional>
#include <span>
#include <vector>

namespace roundpipe::transfer {

// Of a guess: what is frozen alone. Versions are overwritten, so what nobody waits for must not be on its way.
inline constexpr int64_t kNoVersion = -1;

// A layer with what is trained of it, its adapter or all, of a version; `what` labels the trace records (step, stage,
// slot).
struct LayerRequest {
    int32_t layer = 0;
    int64_t version = 0;
    trace::Record what;
};

class WeightSlots {
public:
    // Bytes of a slot for a layer.
    static int64_t slotBytes(const HostWeightStore& store, int32_t layer);
    // embedding, blocks, head
    static std::vector<geometry::SlotKind> kindsOf(const HostWeightStore& store);

    // `memory`: of the room's slots and areas. `waitForVersion(layer, version)` blocks the host until it is published.
    // `checks` may be null; else it outlives this, and every change of hands and every use is checked.
    WeightSlots(device::Device& device, const HostWeightStore& store, const geometry::WeightRoom& room,
                const geometry::WeightBuffers& memory, std::function<void(LayerId, int64_t)> waitForVersion,
                SlotChecks* checks = nullptr);

    // Issues what is missing of these layers, as far as it is published; they are the caller's until release().
    void acquire(std::span<const LayerRequest> layers);
    // What will be acquired later, soonest first, gets its room, as far as there is any, and what is published of it
    // waits to be uploaded by uploadShare(). A guess may be wrong: that costs an upload, nothing else.
    void prefetch(std::span<const LayerRequest> layers);
    // Issues a share of what waits (device::DeferredCopies). What is left when layers are acquired goes first then.
    void uploadShare(int32_t sharesLeft, device::Stream& packets) { m_ahead.issueShare(sharesLeft, packets); }

    // Of an acquired layer: what is trained of it is published, so that ready() does not block.
    bool isPublished(int32_t layer) const;
    bool hasSlot(int32_t layer) const { return m_pool.slotOf(layer) >= 0; } // it is there, or on its way
    // Of an acquired layer: the event after which its weights are there. Blocks the host while what is trained is
    // unpublished.
    const device::Event& ready(int32_t layer);
    // As what is launched on `stream` from now on finds them. A packed base is assembled there where it is not, as far
    // as the call needs it: all work with such layers is of that stream.
    model::LayerWeights weights(int32_t layer, device::Stream& stream, Assembly assembly = Assembly::kWhole);
    // Work of `stream` uses the layer's weights at this point: checked where checks are on.
    void use(int32_t layer, device::Stream& stream);
    // What is launched next on `stream` reads `weights` of the layer, for a log of the run's order (device/order).
    void note(int32_t layer, const model::LayerWeights& weights, device::Stream& stream) const;
    // The layer may be displaced, or get another version, after `lastUse`.
    void release(int32_t layer, device::Event lastUse);

private:
    struct Content { // of a slot
        std::byte* memory = nullptr;
        int64_t bytes = 0;
        geometry::WeightPlace place; // of the layer that lies there
        int64_t version = kNoVersion;
        device::Event ready;
        device::Event lastUse;
        LayerRequest wanted; // while it is acquired
    };
    Content& slotOf(int32_t layer) { return m_slots[static_cast<std::size_t>(m_pool.slotOf(layer))]; }
    const Content& slotOf(int32_t layer) const { return m_slots[static_cast<std::size_t>(m_pool.slotOf(layer))]; }
    bool isPublished(const LayerRequest& request) const;
    bool isTrained(int32_t layer) const { return m_store.adapters().isTrained(LayerId(layer)); }
    using Copies = device::DeferredCopies;
    void addBase(Copies& copies, const LayerRequest& request);
    void addTrained(Copies& copies, const LayerRequest& request);
    // move(to, from, bytes) of each part of what is trained of a layer, from the host to its slot.
    template <class Move>
    void forEachTrained(LayerId layer, int64_t version, Move&& move) const;
    geometry::SlotStamp stampOf(int32_t layer) const;
    // Frozen bases of those in `placed`, and versions of all that may be written now.
    Copies uploadsOf(std::span<const LayerRequest> layers, std::span<const geometry::SlotPool::Placed> placed,
                     bool acquired);

    const HostWeightStore& m_store;
    device::Stream& m_stream;
    device::HostNotes m_notes;
    std::function<void(LayerId, int64_t)> m_waitForVersion;
    geometry::SlotPool m_pool;
    SlotChecks* m_checks;
    std::vector<Content> m_slots;
    AssembledLayers m_assembled;
    Copies m_ahead; // of what was prefetched, not issued yet
};

} // namespace roundpipe::transfer
