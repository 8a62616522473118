// The part of a device's memory in which stages' weights are assembled: room for two stages, so that the next one's
// base lands while the current one computes. The base never changes, so prefetching it may run ahead across steps; an
// adapter is uploaded once the version that the slot needs has been published.
//
// Used by the device's controller thread only.
#pragma once

#include "device/device.h"
#include "model/compute.h"
#include "transfer/host_weight_store.h"

#include <array>
#include <functional>
#include <vector>

namespace roundpipe::transfer {

// Layers [begin, end) with adapters of version `adapterVersion`; `what` labels the trace records (step, stage, slot).
struct WeightRequest {
    int32_t begin = 0;
    int32_t end = 0;
    int64_t adapterVersion = 0;
    trace::Record what;
};

class WeightSlots {
public:
    // Device bytes of one stage. All stages that this device may get must fit into a region.
    static int64_t stageBytes(const HostWeightStore& store, int32_t begin, int32_t end);

    // `regions`: two of the device's. `waitForVersion(layer, version)` blocks the host until it is published.
    WeightSlots(device::Device& device, const HostWeightStore& store, const geometry::Buffers& regions,
                std::function<void(LayerId, int64_t)> waitForVersion);

    // Begins to upload what the slot after the current one will need, as far as it is there. A guess may be wrong: the
    // next acquire() then uploads what it really needs.
    void prefetch(const WeightRequest& request);
    // Issues what is missing; the slot is the caller's until release(). Blocks the host only for unpublished adapters.
    void acquire(const WeightRequest& request);
    // Of the acquired slot: views, and the event after which they hold the layer's weights.
    model::LayerWeights weights(int32_t layer) const;
    const device::Event& ready(int32_t layer) const;
    // The region may be filled again after `lastUse`.
    void release(device::Event lastUse);

private:
    struct SlotLayer {
        std::byte* base = nullptr;
        std::byte* adapter = nullptr;
        int64_t adapterVersion = -1;
        device::Event ready;
    };
    struct Region {
        std::byte* memory = nullptr;
        int32_t begin = 0;
        std::vector<SlotLayer> layers; // empty: holds nothing
        device::Event lastUse;
        bool holds(const WeightRequest& r) const {
            return !layers.empty() && begin == r.begin && static_cast<int32_t>(layers.size()) == r.end - r.begin;
        }
    };
    void uploadBases(Region& region, const WeightRequest& request);
    void uploadAdapter(Region& region, int32_t layer, const WeightRequest& request);
    const SlotLayer& acquired(int32_t layer) const;

    const HostWeightStore& m_store;
    device::Stream& m_stream;
    int64_t m_regionBytes;
    std::function<void(LayerId, int64_t)> m_waitForVersion;
    std::array<Region, 2> m_regions;
    std::size_t m_current = 0; // the acquired region, or the last one that was
};

} // namespace roundpipe::transfer
