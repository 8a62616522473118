// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/slot_pool.h"

#include "base/error.h"

namespace roundpipe::geometry {

SlotPool::SlotPool(const WeightRoom& room)
    : m_kinds(room.kinds), m_slotOf(room.kinds.size(), -1), m_hasOwn(room.kinds.size()) {
    for (const WeightSlot& slot : room.allSlots) {
        Occupancy& made = m_slots.emplace_back();
        made.kind = slot.kind;
        made.isShared = slot.layer < 0;
        made.layer = slot.layer; // it may be taken by this layer alone
        if (made.isShared)
            ++m_numShared[indexOf(slot.kind)];
        else
            m_hasOwn[static_cast<std::size_t>(slot.layer)] = true;
    }
}

SlotPool::Occupancy* SlotPool::find(int32_t layer) {
    const int32_t slot = slotOf(layer);
    return slot < 0 ? nullptr : &m_slots[static_cast<std::size_t>(slot)];
}

bool SlotPool::isHeld(int32_t layer) const {
    const int32_t slot = slotOf(layer);
    return slot >= 0 && m_slots[static_cast<std::size_t>(slot)].isHeld;
}

SlotStamp SlotPool::stampOf(int32_t slot) const {
    const Occupancy& of = m_slots[static_cast<std::size_t>(slot)];
    return {of.layer, slot, of.generation};
}

// -1: none may be taken.
int32_t SlotPool::vacantFor(int32_t layer) const {
    int32_t best = -1;
    for (int32_t s = 0; s < numSlots(); ++s) {
        const Occupancy& slot = m_slots[static_cast<std::size_t>(s)];
        if (!slot.isShared && slot.layer == layer) return s;
        if (!slot.isShared || slot.isHeld || slot.isWanted || slot.kind != m_kinds[static_cast<std::size_t>(layer)])
            continue;
        if (best < 0 || slot.givenBack < m_slots[static_cast<std::size_t>(best)].givenBack) best = s;
    }
    return best;
}

void SlotPool::put(int32_t layer, int32_t index) {
    Occupancy& slot = m_slots[static_cast<std::size_t>(index)];
    if (slot.layer >= 0) m_slotOf[static_cast<std::size_t>(slot.layer)] = -1;
    slot.layer = layer;
    slot.givenBack = ++m_moments;
    ++slot.generation;
    m_slotOf[static_cast<std::size_t>(layer)] = index;
}

std::vector<SlotPool::Placed> SlotPool::acquire(std::span<const int32_t> layers) {
    for (const int32_t layer : layers)
        if (Occupancy* slot = find(layer)) slot->isHeld = true; // before any of them could be displaced
    std::vector<Placed> placed;
    for (const int32_t layer : layers) {
        if (slotOf(layer) >= 0) continue;
        const int32_t slot = vacantFor(layer);
        RP_CHECK(slot >= 0);
        put(layer, slot);
        m_slots[static_cast<std::size_t>(slot)].isHeld = true;
        placed.push_back({layer, slot});
    }
    return placed;
}

std::size_t SlotPool::withRoom(std::span<const int32_t> layers) const {
    std::array<int32_t, 2> room = m_numShared;
    for (const Occupancy& slot : m_slots)
        if (slot.isShared && slot.isHeld) --room[indexOf(slot.kind)];
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto layer = static_cast<std::size_t>(layers[i]);
        if (!m_hasOwn[layer] && !isHeld(layers[i]) && --room[indexOf(m_kinds[layer])] < 0) return i;
    }
    return layers.size();
}

std::vector<SlotPool::Placed> SlotPool::prefetch(std::span<const int32_t> layers) {
    for (const int32_t layer : layers)
        if (Occupancy* slot = find(layer)) slot->isWanted = true;
    std::vector<Placed> placed;
    for (const int32_t layer : layers) {
        if (slotOf(layer) >= 0) continue;
        const int32_t slot = vacantFor(layer);
        if (slot < 0) continue;
        put(layer, slot);
        m_slots[static_cast<std::size_t>(slot)].isWanted = true;
        placed.push_back({layer, slot});
    }
    for (Occupancy& slot : m_slots)
        slot.isWanted = false;
    return placed;
}

void SlotPool::release(int32_t layer) {
    Occupancy* slot = find(layer);
    RP_CHECK(slot && slot->isHeld);
    slot->isHeld = false;
    slot->givenBack = ++m_moments;
}

} // namespace roundpipe::geometry
