#include "transfer/weight_slots.h"

#include "base/error.h"
#include "geometry/workspace.h"

namespace roundpipe::transfer {
namespace {

bool hasAdapter(const HostWeightStore& store, int32_t layer) {
    return store.adapters().numElements(LayerId(layer)) > 0;
}

} // namespace

int64_t WeightSlots::stageBytes(const HostWeightStore& store, int32_t begin, int32_t end) {
    geometry::Workspace counting;
    for (int32_t layer = begin; layer < end; ++layer) {
        counting.take(store.layouts()[static_cast<std::size_t>(layer)].base.bytes);
        counting.take(store.adapters().blockBytes(LayerId(layer)));
    }
    return counting.usedBytes();
}

WeightSlots::WeightSlots(device::Device& device, const HostWeightStore& store, const geometry::Buffers& regions,
                         std::function<void(LayerId, int64_t)> waitForVersion)
    : m_store(store)
    , m_stream(device.stream(trace::LaneRole::kWeightsUp))
    , m_regionBytes(regions.bytesEach())
    , m_waitForVersion(std::move(waitForVersion)) {
    for (std::size_t r = 0; r < m_regions.size(); ++r)
        m_regions[r].memory = regions[r];
}

// Layer by layer, each with its adapter where that is published already, so that the first layer can start first.
void WeightSlots::uploadBases(Region& region, const WeightRequest& request) {
    m_stream.wait(region.lastUse);
    region.begin = request.begin;
    region.layers.assign(static_cast<std::size_t>(request.end - request.begin), {});
    geometry::Workspace memory(region.memory, m_regionBytes);
    for (int32_t layer = request.begin; layer < request.end; ++layer) {
        SlotLayer& place = region.layers[static_cast<std::size_t>(layer - request.begin)];
        place.base = memory.take(m_store.layouts()[static_cast<std::size_t>(layer)].base.bytes);
        place.adapter = memory.take(m_store.adapters().blockBytes(LayerId(layer)));
        trace::Record what = request.what;
        what.kind = trace::Kind::kUploadWeights;
        what.layer = LayerId(layer);
        for (const Segment& segment : m_store.segments(LayerId(layer)))
            device::copyInChunks(m_stream, place.base + segment.to, segment.from, segment.bytes, what);
        if (!hasAdapter(m_store, layer))
            place.ready = m_stream.record();
        else if (m_store.adapters().version(LayerId(layer)) >= request.adapterVersion)
            uploadAdapter(region, layer, request);
    }
}

void WeightSlots::uploadAdapter(Region& region, int32_t layer, const WeightRequest& request) {
    SlotLayer& place = region.layers[static_cast<std::size_t>(layer - region.begin)];
    trace::Record what = request.what;
    what.kind = trace::Kind::kUploadAdapter;
    what.layer = LayerId(layer);
    device::copyInChunks(m_stream, place.adapter, m_store.adapters().block(LayerId(layer), request.adapterVersion),
                         m_store.adapters().blockBytes(LayerId(layer)), what);
    place.adapterVersion = request.adapterVersion;
    place.ready = m_stream.record();
}

void WeightSlots::prefetch(const WeightRequest& request) {
    Region& region = m_regions[1 - m_current];
    if (!region.holds(request)) uploadBases(region, request);
}

void WeightSlots::acquire(const WeightRequest& request) {
    prefetch(request);
    m_current = 1 - m_current;
    Region& region = m_regions[m_current];
    for (int32_t layer = request.begin; layer < request.end; ++layer) {
        const SlotLayer& place = region.layers[static_cast<std::size_t>(layer - request.begin)];
        if (!hasAdapter(m_store, layer) || place.adapterVersion == request.adapterVersion) continue;
        m_waitForVersion(LayerId(layer), request.adapterVersion);
        uploadAdapter(region, layer, request);
    }
}

const WeightSlots::SlotLayer& WeightSlots::acquired(int32_t layer) const {
    const Region& region = m_regions[m_current];
    const int32_t index = layer - region.begin;
    RP_CHECK(index >= 0 && index < static_cast<int32_t>(region.layers.size()));
    return region.layers[static_cast<std::size_t>(index)];
}

model::LayerWeights WeightSlots::weights(int32_t layer) const {
    const SlotLayer& place = acquired(layer);
    return {place.base, hasAdapter(m_store, layer) ? place.adapter : nullptr};
}

const device::Event& WeightSlots::ready(int32_t layer) const {
    return acquired(layer).ready;
}

void WeightSlots::release(device::Event lastUse) {
    Region& region = m_regions[m_current];
    region.lastUse = std::move(lastUse);
    region.layers.clear();
}

} // namespace roundpipe::transfer
