// SPDX-License-Identifier: GPL-3.0-or-later
// Which layer lies in which slot of a device, and which slot a layer gets next. Bookkeeping alone: the engine moves
// weights as it says, the planner replays it, so that both know the same uploads.
#pragma once

#include "geometry/weight_room.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::geometry {

// A layer stays in its slot until another one needs it, so what is asked for again soon is there already. Of the slots
// that may be taken, the one whose layer was given back first is. One thread at a time.
class SlotPool {
public:
    SlotPool() = default;
    explicit SlotPool(const WeightRoom& room);

    struct Placed {
        int32_t layer = 0;
        int32_t slot = 0;
    };
    // Holds the layers until each is released. Returns those that got a slot just now, in the order asked for: their
    // weights are to be uploaded. Throws kInternal where the shared slots are too few.
    std::vector<Placed> acquire(std::span<const int32_t> layers);
    // How many of the first of `layers` can be there at once, beside those that are held.
    std::size_t withRoom(std::span<const int32_t> layers) const;
    // The same for layers that will be asked for, soonest first, without holding them. A layer goes without where it
    // could only take the place of one that is held or is itself among them.
    std::vector<Placed> prefetch(std::span<const int32_t> layers);
    void release(int32_t layer);

    int32_t slotOf(int32_t layer) const { return m_slotOf[static_cast<std::size_t>(layer)]; } // -1: it has none
    bool isHeld(int32_t layer) const;
    SlotStamp stampOf(int32_t slot) const;
    int32_t numSlots() const { return static_cast<int32_t>(m_slots.size()); }

private:
    struct Occupancy { // of a slot
        SlotKind kind = SlotKind::kBlock;
        bool isShared = true;
        bool isHeld = false;
        bool isWanted = false; // by the call under way
        int32_t layer = -1;
        int64_t generation = 0; // layers that were put here
        int64_t givenBack = 0;  // in the order of these moments
    };
    static std::size_t indexOf(SlotKind kind) { return static_cast<std::size_t>(kind); }
    int32_t vacantFor(int32_t layer) const;
    void put(int32_t layer, int32_t slot);
    Occupancy* find(int32_t layer);

    std::vector<SlotKind> m_kinds;
    std::vector<Occupancy> m_slots;
    std::vector<int32_t> m_slotOf;        // [layer]
    std::vector<bool> m_hasOwn;           // [layer]: a slot that no other one takes
    std::array<int32_t, 2> m_numShared{}; // [SlotKind]
    int64_t m_moments = 0;
};

} // namespace roundpipe::geometry
