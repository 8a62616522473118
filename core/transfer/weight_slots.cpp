// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/weight_slots.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::transfer {
namespace {

geometry::WeightPlace placeOf(const HostWeightStore& store, int32_t layer, geometry::Workspace& slot) {
    const geometry::LayerLayout& layout = store.layouts()[static_cast<std::size_t>(layer)];
    return {layout, store.adapters().operandType(), slot};
}

std::vector<int32_t> layersOf(std::span<const LayerRequest> requests) {
    std::vector<int32_t> layers;
    for (const LayerRequest& request : requests)
        layers.push_back(request.layer);
    return layers;
}

} // namespace

int64_t WeightSlots::slotBytes(const HostWeightStore& store, int32_t layer) {
    geometry::Workspace counting;
    placeOf(store, layer, counting);
    return counting.usedBytes();
}

std::vector<geometry::SlotKind> WeightSlots::kindsOf(const HostWeightStore& store) {
    std::vector<geometry::SlotKind> kinds;
    for (const geometry::LayerLayout& layout : store.layouts())
        kinds.push_back(geometry::kindOf(layout.spec.kind));
    return kinds;
}

WeightSlots::WeightSlots(device::Device& device, const HostWeightStore& store, const geometry::WeightRoom& room,
                         const geometry::WeightBuffers& memory, std::function<void(LayerId, int64_t)> waitForVersion,
                         SlotChecks* checks)
    : m_store(store)
    , m_stream(device.stream(trace::LaneRole::kWeightsUp))
    , m_notes(device.notes())
    , m_waitForVersion(std::move(waitForVersion))
    , m_pool(room)
    , m_checks(checks)
    , m_slots(memory.allSlots.size())
    , m_assembled(store.layouts(), memory.assembled)
    , m_ahead(m_stream) {
    RP_CHECK(m_slots.size() == room.allSlots.size());
    for (std::size_t s = 0; s < m_slots.size(); ++s) {
        m_slots[s].memory = memory.allSlots[s];
        m_slots[s].bytes = room.allSlots[s].bytes;
    }
}

void WeightSlots::acquire(std::span<const LayerRequest> layers) {
    if (m_checks) m_checks->verify();
    m_ahead.issueAll();
    const auto placed = m_pool.acquire(layersOf(layers));
    for (const LayerRequest& request : layers)
        slotOf(request.layer).wanted = request;
    uploadsOf(layers, placed, true).issueAll();
}

void WeightSlots::prefetch(std::span<const LayerRequest> layers) {
    m_ahead.issueAll();
    const auto soon = layers.first(m_pool.withRoom(layersOf(layers)));
    m_ahead = uploadsOf(soon, m_pool.prefetch(layersOf(soon)), false);
}

// Layer by layer, each with what is trained where that is published already, so that the first layer can start first.
// What computes now may still read the version of a layer that is asked for again.
WeightSlots::Copies WeightSlots::uploadsOf(std::span<const LayerRequest> layers,
                                           std::span<const geometry::SlotPool::Placed> placed, bool acquired) {
    Copies copies(m_stream);
    for (const LayerRequest& request : layers) {
        if (m_pool.slotOf(request.layer) < 0) continue; // there was no room ahead
        if (std::ranges::find(placed, request.layer, &geometry::SlotPool::Placed::layer) != placed.end())
            addBase(copies, request);
        const bool isThere = request.version != kNoVersion && isPublished(request);
        if (isTrained(request.layer) && isThere && (acquired || !m_pool.isHeld(request.layer)))
            addTrained(copies, request);
    }
    return copies;
}

void WeightSlots::addBase(Copies& copies, const LayerRequest& request) {
    Content& slot = slotOf(request.layer);
    geometry::Workspace memory(slot.memory, slot.bytes);
    slot.place = placeOf(m_store, request.layer, memory);
    slot.version = kNoVersion;
    copies.addStep([this, &slot] { m_stream.wait(slot.lastUse, device::Awaited::kWeightsUsed); });
    if (m_checks)
        copies.addStep([this, &slot, stamp = stampOf(request.layer)] {
            m_checks->poison(m_stream, slot.memory, slot.bytes);
            m_checks->mark(m_stream, slot.memory, stamp);
        });
    trace::Record what = request.what;
    what.kind = trace::Kind::kUploadWeights;
    what.layer = LayerId(request.layer);
    for (const Segment& segment : m_store.segments(LayerId(request.layer)))
        copies.addCopy(slot.place.base + segment.to, segment.from, segment.bytes, what);
    copies.addStep([this, &slot] { slot.ready = m_stream.record(); });
}

template <class Move>
void WeightSlots::forEachTrained(LayerId layer, int64_t version, Move&& move) const {
    const geometry::WeightPlace& place = slotOf(layer.value).place;
    const AdapterBlocks& trained = m_store.adapters();
    const int64_t size = static_cast<int64_t>(sizeOf(trained.operandType()));
    const geometry::TrainedBlock& shape = trained.shape(layer);
    if (shape.adapterElements > 0) move(place.adapter, trained.block(layer, version), shape.adapterElements * size);
    for (const geometry::TrainedPiece& piece : shape.ofBase) {
        const std::byte* from = trained.block(LayerId(static_cast<int32_t>(piece.owner)), version);
        move(place.base + piece.to * size, from + piece.from * size, piece.count * size);
    }
}

// Where the version is there already there is nothing to do.
void WeightSlots::addTrained(Copies& copies, const LayerRequest& request) {
    Content& slot = slotOf(request.layer);
    const LayerId layer(request.layer);
    if (slot.version == request.version) return;
    slot.version = request.version;
    m_notes.awaited(device::Awaited::kVersionPublished, &m_store.adapters().shape(layer), request.version);
    copies.addStep([this, &slot] { m_stream.wait(slot.lastUse, device::Awaited::kVersionUsed); });
    if (m_checks)
        copies.addStep([this, &slot, layer, version = request.version, stamp = stampOf(request.layer)] {
            forEachTrained(layer, version, [&](std::byte* to, const std::byte*, int64_t bytes) {
                m_checks->poison(m_stream, to, bytes);
            });
            m_checks->mark(m_stream, slot.memory, stamp);
        });
    trace::Record what = request.what;
    what.kind = trace::Kind::kUploadAdapter;
    what.layer = layer;
    forEachTrained(layer, request.version,
                   [&](std::byte* to, const std::byte* from, int64_t bytes) { copies.addCopy(to, from, bytes, what); });
    copies.addStep([this, &slot] { slot.ready = m_stream.record(); });
}

bool WeightSlots::isPublished(const LayerRequest& request) const {
    return m_store.adapters().version(LayerId(request.layer)) >= request.version;
}

bool WeightSlots::isPublished(int32_t layer) const {
    return !isTrained(layer) || isPublished(slotOf(layer).wanted);
}

const device::Event& WeightSlots::ready(int32_t layer) {
    RP_CHECK(m_pool.isHeld(layer));
    const LayerRequest& wanted = slotOf(layer).wanted;
    if (isTrained(layer) && slotOf(layer).version != wanted.version) {
        m_waitForVersion(LayerId(layer), wanted.version);
        Copies now(m_stream);
        addTrained(now, wanted);
        now.issueAll();
    }
    return slotOf(layer).ready;
}

model::LayerWeights WeightSlots::weights(int32_t layer, device::Stream& stream, Assembly assembly) {
    RP_CHECK(m_pool.isHeld(layer));
    const Content& slot = slotOf(layer);
    const geometry::LayerLayout& layout = m_store.layouts()[static_cast<std::size_t>(layer)];
    const std::byte* const adapter = layout.adapter.empty() ? nullptr : slot.place.adapter;
    if (!layout.hasPacked()) return {slot.place.base, adapter};
    return {m_assembled.base(layer, slot.version, assembly, slot.place.base, stream), adapter, slot.place.base};
}

void WeightSlots::use(int32_t layer, device::Stream& stream) {
    if (!m_checks) return;
    const int32_t slot = m_pool.slotOf(layer);
    m_checks->expect(stream, m_slots[static_cast<std::size_t>(slot)].memory, stampOf(layer));
}

geometry::SlotStamp WeightSlots::stampOf(int32_t layer) const {
    geometry::SlotStamp stamp = m_pool.stampOf(m_pool.slotOf(layer));
    stamp.version = slotOf(layer).version;
    return stamp;
}

void WeightSlots::note(int32_t layer, const model::LayerWeights& weights, device::Stream& stream) const {
    const geometry::LayerLayout& layout = m_store.layouts()[static_cast<std::size_t>(layer)];
    stream.reads(slotOf(layer).memory, slotOf(layer).bytes, "weights");
    if (layout.hasPacked()) stream.reads(weights.base, layout.base.bytes, "assembled weights");
}

void WeightSlots::release(int32_t layer, device::Event lastUse) {
    slotOf(layer).lastUse = std::move(lastUse);
    m_pool.release(layer);
}

} // namespace roundpipe::transfer
